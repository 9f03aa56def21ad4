/** Adds to a build for another host what it has besides the site's pages: database, downloads and functions. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '#db/client.ts';
import { DEPLOY_MS } from '#src/core/builds/builds.server.ts';
import { ensureAdmin } from '#src/core/session/account.server.ts';
import { recordBuiltIssue } from '#src/features/newsletter/letters.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { PICTURES_MS } from './build-pages.ts';
import { BuildError, siteFolder, type Progress } from './builds.ts';
import { bundleFunctions } from './bundle.ts';
import { DownloadQueue } from './downloads.ts';
import { writeExtraFiles } from './extra-files.ts';
import { linkOrCopy } from './file-store.ts';
import { BuildMemory } from './memory.ts';
import { startPictures } from './pictures.ts';
import { prepareDb, prepareLessons, seedDb } from './prepare.ts';
import { readSource, recordBuilt } from './source.ts';

type Report = (progress: Progress) => void;

/** Returns the folder that keeps what such a build made for the next one. */
export const deployCache = () => join(siteFolder(getEnv().DATABASE_URL), 'netlify');

/**
 * Prepares the database and begins to make the downloads. Returns the database, and a function that makes what is left; it takes
 * the date of the newest issue, which has its page now.
 */
export async function beginDeploy(
	report: Report,
): Promise<{ db: Db; finish: (issue: string | undefined) => Promise<void> }> {
	report({ doing: 'Preparing the database' });
	const db = await prepareDb();
	await seedDb(db);
	await prepareLessons(db);
	const { ADMIN_EMAIL, ADMIN_PASSWORD } = getEnv();
	if (ADMIN_EMAIL && ADMIN_PASSWORD) {
		await ensureAdmin(db, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
	}
	const downloads = new DownloadQueue().request();
	const finish = async (issue: string | undefined) => {
		report({ doing: 'Bundling the functions' });
		await bundleFunctions();
		report({ doing: 'Making the downloads' });
		if (!(await downloads)) throw new BuildError('The downloads of the site cannot be made.');
		await recordBuiltIssue(db, issue, new Date(Date.now() + DEPLOY_MS));
		db.$client.close();
	};
	return { db, finish };
}

/**
 * Begins a build whose pages Astro itself renders: reads what they are made of, and draws pictures meanwhile. Returns a function
 * that adds all else to the folder of the pages.
 */
export async function beginAstroBuild(report: Report): Promise<(dir: URL) => Promise<void>> {
	const { db, finish } = await beginDeploy(report);
	const common = { report, cacheDir: deployCache(), memory: new BuildMemory() };
	const source = await readSource(db, common);
	const end = Date.now() + PICTURES_MS;
	const pictures = startPictures(db, source.site, { ...common, hasTime: () => Date.now() < end });
	return async (dir) => {
		await writeExtraFiles(source, dir);
		for (const { path, file } of await pictures()) {
			const to = join(fileURLToPath(dir), path);
			await mkdir(dirname(to), { recursive: true });
			await linkOrCopy(file, to);
		}
		await recordBuilt(db, source);
		await finish(source.issues[0]?.date);
	};
}
