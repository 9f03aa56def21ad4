import { join } from 'node:path';
import { buildPages } from '#src/build/build-pages.ts';
import { ROOT } from '#src/build/builds.ts';
import { beginDeploy, deployCache } from '#src/build/deploy.ts';
import { printDuration, printProgress } from '#src/cli/progress.ts';
import { proofSetting } from '#src/cli/site.ts';

/** Builds into dist/, for Netlify. */
export async function build(): Promise<void> {
	console.log(`Proof: ${proofSetting()}.`);
	const { db, finish } = await beginDeploy(printProgress);
	const outDir = join(ROOT, 'dist');
	const target = { outDir, cacheDir: deployCache(), report: printProgress };
	await finish(await buildPages(db, target));
	printDuration();
	console.log('The site is built in dist/.');
}
