/**
 * `npm run check:claims`: varies what articles chose and holds their sentences against what comes of it. `-- <slug>` runs one,
 * `-- --write <slug>` also puts the grid that it prints into the article.
 */
import { readChecks, runCheck, slugOf, statedGrid, writeGrid } from './content/claims.ts';

const wanted = process.argv.slice(2).filter((argument) => argument !== '--write');
const isWriting = process.argv.includes('--write');
const checks = (await readChecks()).filter(
	(name) => wanted.length === 0 || wanted.includes(slugOf(name)),
);
let sentences = 0;
for (const name of checks) {
	const started = Date.now();
	try {
		const { grid, holds } = await runCheck(name);
		if (isWriting) await writeGrid(name, grid);
		const isStated = (await statedGrid(name)) === grid;
		sentences += holds.length;
		console.log(
			`${name}: ${holds.length} sentences hold, ${((Date.now() - started) / 1000).toFixed(1)} s${isStated ? '' : '; the article prints another grid'}`,
		);
		if (!isStated) process.exitCode = 1;
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
console.log(`${checks.length} articles, ${sentences} sentences`);
