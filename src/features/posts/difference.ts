import type { ChangedPassage } from './changes.ts';

/** A piece of a text that stayed, came or went. */
export type Piece = { value: string; added?: boolean; removed?: boolean };

/** Characters of what changed, and of what stays around it, in a short difference. */
const MOST_CHANGED = 260;
const AROUND = 60;

/**
 * Returns the smallest of what was replaced in one piece, with the words around it. Null where nothing was, or too much to be
 * seen at a glance.
 */
export function shortDifference(passages: readonly ChangedPassage[]): Piece[] | null {
	const found = passages.flatMap(({ old, new: now }) => {
		// A table, code or a formula says little without what is around it.
		if (old === null || now === null || /[\n·\\]/.test(old + now)) return [];
		const [before, after] = [old.split(/(?<= )|(?= )/), now.split(/(?<= )|(?= )/)];
		const start = countAlike(before, after);
		const end = countAlike(before.slice(start).reverse(), after.slice(start).reverse());
		const middle = (words: string[]) => words.slice(start, words.length - end).join('');
		const [removed, added] = [middle(before), middle(after)];
		const size = removed.length + added.length;
		if (!removed || !added || size > MOST_CHANGED) return [];
		const around = [before.slice(0, start).join(''), end ? before.slice(-end).join('') : ''];
		return [{ size, removed, added, around }];
	});
	const [smallest] = found.sort((a, b) => a.size - b.size);
	if (!smallest) return null;
	const { removed, added, around } = smallest;
	const [before = '', after = ''] = around;
	return [
		{ value: before.length > AROUND ? `… ${before.slice(-AROUND).replace(/^\S+ /, '')}` : before },
		{ value: removed, removed: true },
		{ value: ' ' },
		{ value: added, added: true },
		{ value: after.length > AROUND ? `${after.slice(0, AROUND).replace(/ \S+$/, '')} …` : after },
	].filter(({ value }) => value !== '');
}

/** Returns with how many words two texts begin alike. */
function countAlike(one: string[], other: string[]): number {
	const at = one.findIndex((word, index) => word !== other[index]);
	return at === -1 ? one.length : at;
}
