/** Orders with the log-odds of their score, of each kind sorted from low to high. */
export type Orders = { honest: Float64Array; fraud: Float64Array };
export type Costs = { falseAlarm: number; missed: number };
export type Outcome = {
	hits: number;
	falseAlarms: number;
	missed: number;
	passed: number;
	/** Null where nothing is held. */
	precision: number | null;
	/** Null where there is nothing to find. */
	recall: number | null;
	f1: number;
	cost: number;
};

export const logistic = (z: number) => 1 / (1 + Math.exp(-z));
export const logit = (p: number) => Math.log(p / (1 - p));

function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The article's orders: its generator, its seed. */
export function drawOrders(count = 20_000, rate = 0.05, seed = 7): Orders {
	const uniform = generator(seed);
	const honest: number[] = [];
	const fraud: number[] = [];
	for (let i = 0; i < count; i++) {
		const isFraud = uniform() < rate;
		const normal = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
		const signal = normal + (isFraud ? 2 : 0);
		(isFraud ? fraud : honest).push(2 * signal - 2 + logit(rate));
	}
	return { honest: Float64Array.from(honest).sort(), fraud: Float64Array.from(fraud).sort() };
}

/** How many of the sorted values are below `z`. */
function below(sorted: Float64Array, z: number): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (sorted[middle]! < z) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns the outcome of holding every order with log-odds of at least `z`. */
export function outcome({ honest, fraud }: Orders, z: number, costs: Costs): Outcome {
	const missed = below(fraud, z);
	const passed = below(honest, z);
	const hits = fraud.length - missed;
	const falseAlarms = honest.length - passed;
	const held = hits + falseAlarms;
	return {
		hits,
		falseAlarms,
		missed,
		passed,
		precision: held === 0 ? null : hits / held,
		recall: fraud.length === 0 ? null : hits / fraud.length,
		f1: hits === 0 ? 0 : (2 * hits) / (2 * hits + falseAlarms + missed),
		cost: costs.falseAlarm * falseAlarms + costs.missed * missed,
	};
}

/** The probability from which on holding is cheaper than passing. */
export function breakEven({ falseAlarm, missed }: Costs): number {
	return falseAlarm / (falseAlarm + missed);
}

/** The threshold with the best F1 in steps of 0.005. */
export function bestF1(orders: Orders): number {
	let [best, most] = [0, -1];
	for (let i = 1; i < 200; i++) {
		const { f1 } = outcome(orders, logit(i / 200), { falseAlarm: 0, missed: 0 });
		if (f1 > most) [best, most] = [i / 200, f1];
	}
	return best;
}

/** The share of the sorted values in each of `bins` equal parts from `from` to `to`. */
export function histogram(sorted: Float64Array, from: number, to: number, bins: number): number[] {
	const edge = (bin: number) => below(sorted, from + ((to - from) * bin) / bins);
	return Array.from({ length: bins }, (_, bin) => (edge(bin + 1) - edge(bin)) / sorted.length);
}
