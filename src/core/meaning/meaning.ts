import { isStopWord, stemOf } from '#src/lib/stems.ts';

/** How many numbers say what a text means. The columns of vectors in `db/schema.ts` have as many. */
export const DIMENSIONS = 64;

/** A text with its places. */
export type Text = {
	title: string;
	tags: string;
	excerpt: string;
	/** Words that readers may use instead, if it has some. */
	searchedAs?: string;
	headings: readonly { text: string }[];
	body: string;
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

/** Returns what a text says of itself: its title, tags, description, headings and what readers may call it. */
export function headOf({ title, tags, excerpt, headings, searchedAs = '' }: Text): string {
	return [title, tags, excerpt, ...headings.map(({ text }) => text), searchedAs].join('\n');
}

/** Returns what counted words mean together, as a direction: a vector of length 1. Null where no word is known. */
export function vectorOf(
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
	return normalize(sum);
}

function normalize(numbers: Float64Array | Float32Array): Float32Array<ArrayBuffer> | null {
	const length = Math.hypot(...numbers);
	return length > 1e-9 ? Float32Array.from(numbers, (number) => number / length) : null;
}

/** Returns what a text means: what it says of itself counts as much as all the rest. */
export function vectorOfText(
	text: Text,
	vectors: ReadonlyMap<string, Float32Array>,
): Float32Array<ArrayBuffer> | null {
	const head = vectorOf(countTerms(headOf(text)), vectors);
	const body = vectorOf(countTerms(text.body), vectors);
	if (!head || !body) return head ?? body;
	return normalize(head.map((number, at) => number + body[at]!));
}

/** Returns how many of their words two texts share: 1 for all of them as often, 0 for none. */
export function sharedWords(
	one: ReadonlyMap<string, number>,
	other: ReadonlyMap<string, number>,
): number {
	const sizeOf = (counts: ReadonlyMap<string, number>) =>
		Math.hypot(...[...counts.values()].map(Math.log1p));
	let sum = 0;
	for (const [word, count] of one) sum += Math.log1p(count) * Math.log1p(other.get(word) ?? 0);
	return sum / (sizeOf(one) * sizeOf(other) || 1);
}

/** Returns the cosine of two directions: 1 for the same, 0 for what has nothing in common. */
export function cosineSimilarity(one: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < DIMENSIONS; at++) sum += one[at]! * other[at]!;
	return sum;
}
