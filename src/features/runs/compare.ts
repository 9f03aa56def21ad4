import { diffLines } from 'diff';

/** A line of both outputs, of the printed one only, or of this run's only. */
export type Line = { text: string; kind: 'both' | 'printed' | 'run' };

/** Returns what a block printed as the article would print it. */
export const outputOf = (printed: string): string => printed.replace(/\n$/, '');

/** Returns the lines of the article's output and of a run's, in order. */
export function compareLines(printed: string, run: string): Line[] {
	return diffLines(`${printed}\n`, `${run}\n`).flatMap(({ value, added, removed }) =>
		value
			.replace(/\n$/, '')
			.split('\n')
			.map((text): Line => ({ text, kind: added ? 'run' : removed ? 'printed' : 'both' })),
	);
}
