import { programsOf, type Block, type RunLanguage } from '#src/core/articles/program.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { outputOf } from '#src/features/runs/compare.ts';
import { Machine } from '#src/features/runs/machine.ts';

/** How many blocks of an article readers can run, and how many of them print something else than the text says. */
export type Runs = { all: number; differing: number };

/** Seconds that an article's program may take here. */
const PATIENCE_MS = 30_000;

/** Programs that ran, by what they are. */
const known = new Map<string, Promise<number>>();

/** Runs an article's programs. A program that cannot be loaded says nothing. */
export async function runPrograms(html: string): Promise<Runs> {
	const programs = [...programsOf(parseHtml(html))];
	const counts = await Promise.all(
		programs.map(([language, blocks]) => {
			const key = JSON.stringify([language, blocks]);
			const count = known.get(key) ?? countDiffering(language, blocks);
			known.set(key, count);
			return count.catch(() => {
				known.delete(key);
				return 0;
			});
		}),
	);
	return {
		all: programs.reduce((sum, [, { length }]) => sum + length, 0),
		differing: counts.reduce((sum, count) => sum + count, 0),
	};
}

async function countDiffering(language: RunLanguage, blocks: Block[]): Promise<number> {
	const machine = await Machine.start(language, document.body, () => {});
	const patience = setTimeout(() => machine.end(), PATIENCE_MS);
	const printed = blocks.map(() => '');
	const outcome = await machine.run(
		{ sources: blocks.map(({ source }) => source), from: 0 },
		(block, text) => (printed[block] += text),
	);
	clearTimeout(patience);
	machine.end();
	// An error ends the program: what comes after it prints nothing.
	const reached =
		outcome.kind === 'done' ? blocks.length : outcome.kind === 'failed' ? outcome.block : 0;
	return blocks.filter(
		(block, index) => index >= reached || outputOf(printed[index]!) !== block.printed,
	).length;
}
