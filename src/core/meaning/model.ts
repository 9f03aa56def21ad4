import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { DIMENSIONS } from './meaning.ts';

/** The most frequent words that get a meaning. */
const MAX_WORDS = 10_000;
/** A word of a single passage has no company to tell its meaning. */
const MIN_PASSAGES = 2;
/** So many passages for each direction: with as many as passages nothing would be brought together. */
const PASSAGES_EACH = 5;
/** More directions than are kept, so that those that are kept come out exactly, and how often they are improved. */
const MORE = 10;
const ROUNDS = 5;

/**
 * Learns what words mean from the company they keep, by latent semantic analysis: the directions in which passages
 * differ most, and how far each word points along them. The same passages give the same vectors.
 */
export function learnWords(
	passages: readonly ReadonlyMap<string, number>[],
): Map<string, Float32Array> {
	const words = frequentWords(passages);
	if (words.size === 0) return new Map();
	const weights = weighWords(passages, words);
	const rows = passages.map((passage) => {
		const known = [...passage].filter(([word]) => words.has(word));
		const at = Uint16Array.from(known, ([word]) => words.get(word)!);
		const values = Float64Array.from(
			known,
			([, count], index) => Math.log1p(count) * weights[at[index]!]!,
		);
		const length = Math.hypot(...values) || 1;
		return { at, values: values.map((value) => value / length) };
	});
	const kept = Math.min(DIMENSIONS, Math.ceil(passages.length / PASSAGES_EACH));
	const width = Math.min(kept + MORE, words.size, passages.length);
	const random = randomNumbers();
	let directions = orthonormal(Float64Array.from({ length: words.size * width }, random), width);
	for (let round = 0; round < ROUNDS; round++)
		directions = orthonormal(multiply(rows, directions, width), width);
	// Turned so that the first say most.
	const turned = turn(
		directions,
		width,
		gramOf(directions, multiply(rows, directions, width), width),
	);
	return new Map(
		[...words].map(([word, at]) => [
			word,
			Float32Array.from({ length: DIMENSIONS }, (_, one) =>
				one < Math.min(kept, width) ? turned[at * width + one]! * weights[at]! : 0,
			),
		]),
	);
}

/** Returns the words that most passages have, each with its number. */
function frequentWords(passages: readonly ReadonlyMap<string, number>[]): Map<string, number> {
	const holding = new Map<string, number>();
	for (const passage of passages)
		for (const word of passage.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
	const words = [...holding]
		.filter(([, count]) => count >= MIN_PASSAGES)
		.sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
		.slice(0, MAX_WORDS);
	return new Map(words.map(([word], at) => [word, at]));
}

/** Returns how much each word says: 1 where it stands in one passage only, less the more evenly it is spread. */
function weighWords(
	passages: readonly ReadonlyMap<string, number>[],
	words: ReadonlyMap<string, number>,
): Float64Array {
	const total = new Float64Array(words.size);
	for (const passage of passages)
		for (const [word, count] of passage) {
			const at = words.get(word);
			if (at !== undefined) total[at]! += count;
		}
	const weights = new Float64Array(words.size).fill(1);
	const most = Math.log(passages.length);
	for (const passage of passages)
		for (const [word, count] of passage) {
			const at = words.get(word);
			if (at === undefined) continue;
			const share = count / total[at]!;
			weights[at]! += (share * Math.log(share)) / most;
		}
	return weights;
}

type Row = { at: Uint16Array; values: Float64Array };

/** Multiplies by the passages and back, one after the other: what stands together gets a common direction. */
function multiply(rows: readonly Row[], from: Float64Array, width: number): Float64Array {
	const into = new Float64Array(from.length);
	const sum = new Float64Array(width);
	for (const { at, values } of rows) {
		sum.fill(0);
		for (let word = 0; word < at.length; word++) {
			const start = at[word]! * width;
			const value = values[word]!;
			for (let one = 0; one < width; one++) sum[one]! += value * from[start + one]!;
		}
		for (let word = 0; word < at.length; word++) {
			const start = at[word]! * width;
			const value = values[word]!;
			for (let one = 0; one < width; one++) into[start + one]! += value * sum[one]!;
		}
	}
	return into;
}

/** Makes directions of length 1 that are at right angles to each other. The second time takes what rounding left. */
function orthonormal(directions: Float64Array, width: number): Float64Array {
	let made = directions;
	for (let times = 0; times < 2; times++)
		made = turn(made, width, gramOf(made, made, width), (size) =>
			size > 1e-24 ? 1 / Math.sqrt(size) : 0,
		);
	return made;
}

/** Returns how much each two directions have in common. */
function gramOf(one: Float64Array, other: Float64Array, width: number): Matrix {
	const sums = new Float64Array(width * width);
	for (let start = 0; start < one.length; start += width)
		for (let a = 0; a < width; a++) {
			const value = one[start + a]!;
			for (let b = 0; b < width; b++) sums[a * width + b]! += value * other[start + b]!;
		}
	return Matrix.from1DArray(width, width, sums);
}

/** Turns directions along the axes of a matrix, those with the largest sizes first. */
function turn(
	directions: Float64Array,
	width: number,
	gram: Matrix,
	scaleOf: (size: number) => number = () => 1,
): Float64Array {
	const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(gram, {
		assumeSymmetric: true,
	});
	const order = realEigenvalues
		.map((_, at) => at)
		.sort((a, b) => realEigenvalues[b]! - realEigenvalues[a]!);
	const axes = Float64Array.from({ length: width * width }, (_, cell) => {
		const axis = order[cell % width]!;
		return eigenvectorMatrix.get(Math.floor(cell / width), axis) * scaleOf(realEigenvalues[axis]!);
	});
	const turned = new Float64Array(directions.length);
	for (let start = 0; start < directions.length; start += width)
		for (let from = 0; from < width; from++) {
			const value = directions[start + from]!;
			for (let to = 0; to < width; to++) turned[start + to]! += value * axes[from * width + to]!;
		}
	return turned;
}

/** Returns a source of numbers between -0.5 and 0.5, always the same ones. */
function randomNumbers(): () => number {
	let state = 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647 - 0.5;
	};
}
