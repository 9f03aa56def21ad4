/** A search among models whose true accuracies have the mean 0.8: how many, judged on how many examples, and how far apart they truly are. */
export type Search = { models: number; examples: number; spread: number };
export type Chosen = {
	/** Standard error of one score. */
	noise: number;
	/** Expected score of the winner on the validation set. */
	reported: number;
	/** Expected accuracy of the winner on fresh data. */
	true: number;
};

export const MEAN = 0.8;

/** Returns what to expect of the model with the best score; scores are taken to be Gaussian. */
export function choose({ models, examples, spread }: Search): Chosen {
	const noise = Math.sqrt((MEAN * (1 - MEAN)) / examples);
	const seen = Math.hypot(spread, noise);
	const lead = seen * largestNormal(models);
	return { noise, reported: MEAN + lead, true: MEAN + (spread / seen) ** 2 * lead };
}

/** Returns the ceiling of the winner's expected luck: σ√(2 ln N). */
export function ceiling(models: number, noise: number): number {
	return noise * Math.sqrt(2 * Math.log(models));
}

const STEP = 0.02;
const REACH = 9;

/** Returns the expected largest of `count` standard normal numbers: the integral of 1 − Φᴺ above 0, less that of Φᴺ below. */
export function largestNormal(count: number): number {
	let below = 0;
	let sum = 0;
	for (let x = -REACH; x < REACH; x += STEP) {
		const middle = x + STEP / 2;
		below += STEP * Math.exp(-(middle ** 2) / 2) * INVERSE_ROOT;
		const power =
			Math.min(1, below - (STEP / 2) * Math.exp(-(middle ** 2) / 2) * INVERSE_ROOT) ** count;
		sum += STEP * (middle > 0 ? 1 - power : -power);
	}
	return sum;
}
const INVERSE_ROOT = 1 / Math.sqrt(2 * Math.PI);
