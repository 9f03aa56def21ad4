import { join } from 'node:path';
import { buildPages } from '#src/build/build-pages.ts';
import { BuildError, ROOT, siteFolder } from '#src/build/builds.ts';
import { bundleFunctions } from '#src/build/bundle.ts';
import { DownloadQueue } from '#src/build/downloads.ts';
import { prepareDb, prepareLessons, seedDb } from '#src/build/prepare.ts';
import { printDuration, printProgress } from '#src/cli/progress.ts';
import { proofSetting } from '#src/cli/site.ts';
import { DEPLOY_MS } from '#src/core/builds/builds.server.ts';
import { ensureAdmin } from '#src/core/session/account.server.ts';
import { recordBuiltIssue } from '#src/features/newsletter/letters.server.ts';
import { getEnv } from '#src/lib/env.ts';

/** Builds into dist/, for Netlify. */
export async function build(): Promise<void> {
	console.log(`Proof: ${proofSetting()}.`);
	printProgress({ doing: 'Preparing the database' });
	const db = await prepareDb();
	await seedDb(db);
	await prepareLessons(db);
	const { DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD } = getEnv();
	if (ADMIN_EMAIL && ADMIN_PASSWORD) {
		await ensureAdmin(db, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
	}
	const downloads = new DownloadQueue().request();
	const outDir = join(ROOT, 'dist');
	const cacheDir = join(siteFolder(DATABASE_URL), 'netlify');
	const issue = await buildPages(db, { outDir, cacheDir, report: printProgress });
	printProgress({ doing: 'Bundling the functions' });
	await bundleFunctions();
	printProgress({ doing: 'Making the downloads' });
	if (!(await downloads)) throw new BuildError('The downloads of the site cannot be made.');
	await recordBuiltIssue(db, issue, new Date(Date.now() + DEPLOY_MS));
	db.$client.close();
	printDuration();
	console.log('The site is built in dist/.');
}
