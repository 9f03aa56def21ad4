export type Vector = readonly [number, number];

/** The article's five documents. */
export const DOCUMENTS = {
	A: [1, 1],
	B: [4, 2],
	C: [6, 0],
	D: [1, -2],
	E: [-2, -1],
} as const satisfies Record<string, Vector>;
export type Name = keyof typeof DOCUMENTS;

export const norm = ([x, y]: Vector) => Math.hypot(x, y);
const dot = ([ax, ay]: Vector, [bx, by]: Vector) => ax * bx + ay * by;

/** Between -1 and 1, also after rounding; null where a vector has no direction. */
export function cosine(a: Vector, b: Vector): number | null {
	const lengths = norm(a) * norm(b);
	return lengths === 0 ? null : Math.max(-1, Math.min(1, dot(a, b) / lengths));
}

export type Measured = {
	name: Name;
	vector: Vector;
	dot: number;
	cosine: number | null;
	distance: number;
};

/** Each document against the query, after the same offset was added to all of them. */
export function measure(query: Vector, offset: number): Measured[] {
	const moved = ([x, y]: Vector): Vector => [x + offset, y + offset];
	const from = moved(query);
	return Object.entries(DOCUMENTS).map(([name, document]) => {
		const vector = moved(document);
		return {
			name: name as Name,
			vector,
			dot: dot(from, vector),
			cosine: cosine(from, vector),
			distance: norm([vector[0] - from[0], vector[1] - from[1]]),
		};
	});
}

/** The best document by each measure. */
export function winners(
	measured: readonly Measured[],
): Record<'dot' | 'cosine' | 'distance', Name> {
	const best = (score: (one: Measured) => number) =>
		measured.reduce((a, b) => (score(b) > score(a) ? b : a)).name;
	return {
		dot: best((one) => one.dot),
		cosine: best((one) => one.cosine ?? -Infinity),
		distance: best((one) => -one.distance),
	};
}
