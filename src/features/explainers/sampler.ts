/** A token and its probability; `count` tokens of the same probability stand as one. */
export type Token = { label: string; probability: number; count: number };

const LOGITS = {
	the: 4,
	a: 3.2,
	his: 2.6,
	her: 2.4,
	its: 2,
	one: 1,
	two: 0.6,
	blue: 0.2,
	very: -0.5,
	zinc: -2,
};

/** The article's ten tokens at temperature 1, the most likely first. */
export const TEN: readonly Token[] = normalized(
	Object.entries(LOGITS).map(([label, logit]) => ({
		label,
		probability: Math.exp(logit),
		count: 1,
	})),
);

/** The label of the tokens that would never be missed. */
export const TAIL = 'tail';

/** The article's long tail: 20 plausible tokens share 98%, 49,980 poor ones the rest. */
export const LONG_TAIL: readonly Token[] = [
	...normalized(
		Array.from({ length: 20 }, (_, i) => ({
			label: `no. ${i + 1}`,
			probability: Math.exp(-0.25 * i),
			count: 1,
		})),
	).map((token) => ({ ...token, probability: 0.98 * token.probability })),
	{ label: TAIL, probability: 0.02 / 49_980, count: 49_980 },
];

function normalized(tokens: readonly Token[]): Token[] {
	const total = tokens.reduce((sum, { probability, count }) => sum + probability * count, 0);
	return tokens.map((token) => ({ ...token, probability: token.probability / total }));
}

/** The same tokens at another temperature: every ratio of probabilities to the power 1/T. */
export function temper(tokens: readonly Token[], temperature: number): Token[] {
	const top = Math.max(...tokens.map(({ probability }) => probability));
	return normalized(
		tokens.map((token) => ({
			...token,
			probability: (token.probability / top) ** (1 / temperature),
		})),
	);
}

/** The smallest set of most likely tokens whose mass reaches `p`, made to sum to 1; those left out have a count of 0. */
export function topP(tokens: readonly Token[], p: number): Token[] {
	if (p >= 1) return [...tokens];
	let mass = 0;
	return normalized(
		tokens.map((token) => {
			const { probability, count } = token;
			// Rounding must not let one more in.
			const missing = Math.max(0, p - mass - 1e-12);
			const kept = Math.min(count, Math.ceil(missing / probability));
			mass += kept * probability;
			return { ...token, count: kept };
		}),
	);
}

export type Order = 'temperature-first' | 'top-p-first';

/** Returns the candidates that remain after both filters, in the order in which the filters run. */
export function controlled(
	tokens: readonly Token[],
	temperature: number,
	p: number,
	order: Order,
): Token[] {
	return order === 'temperature-first'
		? topP(temper(tokens, temperature), p)
		: temper(topP(tokens, p), temperature);
}

/** The label that a number in [0, 1) draws. */
export function draw(tokens: readonly Token[], uniform: number): string {
	let mass = 0;
	let last = '';
	for (const { label, probability, count } of tokens) {
		if (count === 0) continue;
		mass += probability * count;
		last = label;
		if (uniform < mass) break;
	}
	return last;
}
