/** Variances that the filter is told, as multiples of the true ones, and the sensor's constant error. */
export type Knobs = { q: number; r: number; bias: number };
/** Expected behavior over the article's steps 50 to 199. */
export type Account = {
	/** Root of the mean square of the position's actual error. */
	actual: number;
	/** The error that the filter believes it has. */
	claimed: number;
	/** Mean of the innovations' squares, over what they were expected to be. */
	nis: number;
};
export type Moment = { truth: number; reading: number; estimate: number; claimed: number };

/** The target's true acceleration variance, and the sensor's true variance. */
const Q = 0.01;
const R = 1;
const STEPS = 200;
const SETTLED = 50;

/** A symmetric matrix of position and velocity: [[a, b], [b, c]]. */
type Covariance = readonly [a: number, b: number, c: number];

/** Advances by one second under an unknown acceleration. */
const advance = ([a, b, c]: Covariance, q: number): Covariance => [
	a + 2 * b + c + q / 4,
	b + c + q / 2,
	c + q,
];

/** Corrects by a reading with these gains: (I − KH) P (I − KH)ᵀ + K r Kᵀ, for whatever gains. */
function correct([a, b, c]: Covariance, k1: number, k2: number, r: number): Covariance {
	return [
		(1 - k1) ** 2 * a + k1 * k1 * r,
		(1 - k1) * (b - k2 * a) + k1 * k2 * r,
		c - 2 * k2 * b + k2 * k2 * (a + r),
	];
}

/** Returns what to expect of a filter with these settings: no runs are drawn, their spread is computed. */
export function account({ q, r, bias }: Knobs): Account {
	let claimed: Covariance = [10, 0, 1];
	let spread: Covariance = [0, 0, 0];
	let [offset, drift] = [0, 0];
	let [actual, believed, nis] = [0, 0, 0];
	for (let step = 0; step < STEPS; step++) {
		claimed = advance(claimed, Q * q);
		spread = advance(spread, Q);
		offset += drift;
		const s = claimed[0] + R * r;
		const [k1, k2] = [claimed[0] / s, claimed[1] / s];
		const surprise = spread[0] + R + (bias - offset) ** 2;
		const innovation = bias - offset;
		offset += k1 * innovation;
		drift += k2 * innovation;
		spread = correct(spread, k1, k2, R);
		claimed = correct(claimed, k1, k2, R * r);
		if (step < SETTLED) continue;
		actual += spread[0] + offset ** 2;
		believed += claimed[0];
		nis += surprise / s;
	}
	const n = STEPS - SETTLED;
	return { actual: Math.sqrt(actual / n), claimed: Math.sqrt(believed / n), nis: nis / n };
}

/** Draws one target and follows it. The same target, and the same noise, for all settings. */
export function follow({ q, r, bias }: Knobs, steps: number, seed = 11): Moment[] {
	const normal = normals(seed);
	let [x, v] = [0, 0];
	let [position, velocity] = [0, 0];
	let claimed: Covariance = [10, 0, 1];
	return Array.from({ length: steps }, () => {
		const acceleration = normal() * Math.sqrt(Q);
		x += v + acceleration / 2;
		v += acceleration;
		const reading = x + bias + normal() * Math.sqrt(R);
		claimed = advance(claimed, Q * q);
		position += velocity;
		const s = claimed[0] + R * r;
		const [k1, k2] = [claimed[0] / s, claimed[1] / s];
		const innovation = reading - position;
		position += k1 * innovation;
		velocity += k2 * innovation;
		claimed = correct(claimed, k1, k2, R * r);
		return { truth: x, reading, estimate: position, claimed: Math.sqrt(claimed[0]) };
	});
}

function normals(seed: number): () => number {
	let state = seed;
	const uniform = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
