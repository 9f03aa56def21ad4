import { diffWordsWithSpace } from 'diff';
import type { ChangedPassage } from './changes.ts';

/** A piece of a text that stayed, came or went. */
export type Piece = { value: string; added?: boolean; removed?: boolean };

/** Characters of what changed, and of what stays around it, in a short difference. */
const MOST_CHANGED = 240;
const AROUND = 50;

/** Returns a text before and after a change as one. */
export const differenceOf = (old: string, now: string): Piece[] =>
	diffWordsWithSpace(old, now).map(({ value, added, removed }) => ({
		value,
		...(added && { added }),
		...(removed && { removed }),
	}));

/**
 * Returns the smallest of the differences that replace something, cut to the words around it. Null where nothing was replaced,
 * or too much to be seen at a glance.
 */
export function shortDifference(passages: readonly ChangedPassage[]): Piece[] | null {
	const found = passages.flatMap(({ old, new: now }) => {
		// A table or code says little without its other lines.
		if (old === null || now === null || /[\n·]/.test(old + now)) return [];
		const pieces = differenceOf(old, now);
		const size = pieces.filter(isChange).reduce((sum, { value }) => sum + value.length, 0);
		const replaces = pieces.some(({ added }) => added) && pieces.some(({ removed }) => removed);
		return replaces && size <= MOST_CHANGED ? [{ pieces, size }] : [];
	});
	const [smallest] = found.sort((a, b) => a.size - b.size);
	return smallest ? cutAround(smallest.pieces) : null;
}

const isChange = ({ added, removed }: Piece) => Boolean(added || removed);

/** Cuts what stayed to its ends that stand beside a change. */
function cutAround(pieces: Piece[]): Piece[] {
	return pieces.map((piece, at) => {
		const words = piece.value;
		const [isFirst, isLast] = [at === 0, at === pieces.length - 1];
		if (isChange(piece) || words.length <= (isFirst || isLast ? 1 : 2) * AROUND) return piece;
		const end = isFirst ? '' : words.slice(0, AROUND).replace(/\S+$/, '');
		const start = isLast ? '' : words.slice(-AROUND).replace(/^\S+/, '');
		return { value: `${end}…${start}` };
	});
}
