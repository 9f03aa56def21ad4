import { isStopWord, stemOf } from '#src/lib/stems.ts';

/** How many numbers say what a text means. The columns of vectors in `db/schema.ts` have as many. */
export const DIMENSIONS = 64;

/** Weights of a word by where it stands. */
const PLACES = { title: 4, tags: 2, headings: 2, excerpt: 2, body: 1 };

/** A text with its places. */
export type Text = Record<Exclude<keyof typeof PLACES, 'headings'>, string> & {
	headings: readonly { text: string }[];
};

/** Returns the stems of a text's words, without those that say nothing. */
export function termsOf(text: string): string[] {
	const words = text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/[a-z][a-z0-9]+/g);
	return (words ?? []).filter((word) => word.length <= 32 && !isStopWord(word)).map(stemOf);
}

/** Adds up how often each word occurs. */
export function countTerms(
	text: string,
	weight = 1,
	counts = new Map<string, number>(),
): Map<string, number> {
	for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
	return counts;
}

/** Returns how often each word of a text occurs, by where it stands. */
export function countText({ headings, ...places }: Text): Map<string, number> {
	const counts = countTerms(headings.map(({ text }) => text).join('\n'), PLACES.headings);
	for (const [place, text] of Object.entries(places))
		countTerms(text, PLACES[place as keyof typeof places], counts);
	return counts;
}

/** Returns what counted words mean together, as a direction: a vector of length 1. Null where no word is known. */
export function directionOf(
	counts: ReadonlyMap<string, number>,
	vectors: ReadonlyMap<string, Float32Array>,
): Float32Array<ArrayBuffer> | null {
	const sum = new Float64Array(DIMENSIONS);
	for (const [word, count] of counts) {
		const vector = vectors.get(word);
		if (!vector) continue;
		const weight = Math.log1p(count);
		for (let at = 0; at < DIMENSIONS; at++) sum[at]! += weight * vector[at]!;
	}
	const length = Math.hypot(...sum);
	return length > 1e-9 ? Float32Array.from(sum, (number) => number / length) : null;
}

/** Returns the cosine of two directions: 1 for the same, 0 for what has nothing in common. */
export function nearness(one: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < DIMENSIONS; at++) sum += one[at]! * other[at]!;
	return sum;
}
