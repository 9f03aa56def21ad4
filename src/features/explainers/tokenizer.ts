/** A learned pair: the ids that became one, and how often the training text had them side by side. */
type Merge = { pair: readonly [number, number]; count: number };
export type Tokenizer = {
	/** In the order in which they were learned; the first makes token 256. */
	merges: Merge[];
	/** The bytes of every token. */
	vocabulary: Uint8Array[];
	/** How many tokens the training text is after 0, 1, 2, … merges. */
	lengths: number[];
};

/** No merge crosses a piece; the space belongs to the word after it. */
const PIECES = / ?[\p{L}\p{Nl}\p{No}]+| ?\p{Nd}+| ?[^\s\p{L}\p{N}_]+|\s+|_+/gu;
const encoder = new TextEncoder();

function piecesOf(text: string): string[] {
	return text.match(PIECES) ?? [];
}

function merged(ids: readonly number[], [left, right]: readonly [number, number], made: number) {
	const out: number[] = [];
	for (let i = 0; i < ids.length; i++) {
		if (ids[i] === left && ids[i + 1] === right) {
			out.push(made);
			i++;
		} else out.push(ids[i]!);
	}
	return out;
}

/** Byte pair encoding from bytes: the most frequent pair first, among equals the lowest ids, until none is left. */
export function train(text: string, most: number): Tokenizer {
	const counts = new Map<string, number>();
	for (const piece of piecesOf(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
	const words = [...counts].map(([piece, count]) => ({ ids: [...encoder.encode(piece)], count }));
	const vocabulary = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
	const length = () => words.reduce((sum, { ids, count }) => sum + ids.length * count, 0);
	const merges: Merge[] = [];
	const lengths = [length()];
	while (merges.length < most) {
		const best = mostFrequent(words);
		if (!best) break;
		const [left, right] = best.pair;
		for (const word of words) word.ids = merged(word.ids, best.pair, vocabulary.length);
		vocabulary.push(Uint8Array.of(...vocabulary[left]!, ...vocabulary[right]!));
		merges.push(best);
		lengths.push(length());
	}
	return { merges, vocabulary, lengths };
}

/** A pair as one number, in the order of its ids. */
const WIDTH = 2 ** 20;

function mostFrequent(words: readonly { ids: number[]; count: number }[]): Merge | undefined {
	const pairs = new Map<number, number>();
	for (const { ids, count } of words) {
		for (let i = 1; i < ids.length; i++) {
			const key = ids[i - 1]! * WIDTH + ids[i]!;
			pairs.set(key, (pairs.get(key) ?? 0) + count);
		}
	}
	let best: [key: number, count: number] | undefined;
	for (const [key, count] of pairs) {
		if (!best || count > best[1] || (count === best[1] && key < best[0])) best = [key, count];
	}
	return best && { pair: [Math.floor(best[0] / WIDTH), best[0] % WIDTH], count: best[1] };
}

/** The ids of a text after the first `steps` merges, replayed in the order in which they were learned. */
export function encode(text: string, { merges }: Tokenizer, steps: number): number[] {
	return piecesOf(text).flatMap((piece) => {
		let ids = [...encoder.encode(piece)];
		for (let i = 0; i < Math.min(steps, merges.length) && ids.length > 1; i++)
			ids = merged(ids, merges[i]!.pair, 256 + i);
		return ids;
	});
}

/** A token in print: `␣` for a space, `↵` for a line's end, hexadecimal for a part of a character. */
export function printed(bytes: Uint8Array): string {
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
		return text.replaceAll(' ', '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥');
	} catch {
		return [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
	}
}
