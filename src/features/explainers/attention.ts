export type Vector = readonly [number, number];

/** The article's three tokens. */
export const QUERIES: readonly Vector[] = [
	[1, 0],
	[0, 1],
	[2, 1],
];
export const KEYS: readonly Vector[] = [
	[1, 0],
	[0, 2],
	[1, 1],
];
const VALUES: readonly Vector[] = [
	[10, 0],
	[0, 10],
	[2, 4],
];

export function softmax(scores: readonly number[]): number[] {
	const top = Math.max(...scores);
	const powers = scores.map((score) => Math.exp(score - top));
	const total = powers.reduce((sum, power) => sum + power, 0);
	return powers.map((power) => power / total);
}

export type Row = { weights: (number | null)[]; output: Vector };
export type Settings = { isCausal: boolean; isScaled: boolean };

/** Returns the weights of each query over the values and the weighted sum; null where the mask forbids attention. */
export function attend(queries: readonly Vector[], { isCausal, isScaled }: Settings): Row[] {
	return queries.map((query, index) => {
		const seen = isCausal ? index + 1 : KEYS.length;
		const scores = KEYS.slice(0, seen).map(
			(key) => (query[0] * key[0] + query[1] * key[1]) / (isScaled ? Math.SQRT2 : 1),
		);
		const weights = softmax(scores);
		const mixed = (axis: 0 | 1) =>
			weights.reduce((sum, weight, i) => sum + weight * VALUES[i]![axis], 0);
		return {
			weights: KEYS.map((_, i) => weights[i] ?? null),
			output: [mixed(0), mixed(1)],
		};
	});
}
