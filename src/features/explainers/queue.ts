/** Servers that share one line: their load, and the spread of the work over its mean. */
export type Queue = { load: number; servers: number; variation: number };

/** Returns the probability that a request has to wait (Erlang's C). */
export function waiting(load: number, servers: number): number {
	// Erlang's B by its recursion, which stays between 0 and 1 where factorials would not.
	let blocked = 1;
	for (let k = 1; k <= servers; k++)
		blocked = (load * servers * blocked) / (k + load * servers * blocked);
	return blocked / (1 - load + load * blocked);
}

/**
 * Returns the mean time from arrival to answer, in mean service times; infinite from a load of 1 on. Exact for one server
 * (Pollaczek and Khinchine) and for exponential work (Erlang), an approximation for the rest (Allen and Cunneen).
 */
export function latency({ load, servers, variation }: Queue): number {
	if (load >= 1) return Infinity;
	const wait = waiting(load, servers) / (servers * (1 - load));
	return 1 + (wait * (1 + variation ** 2)) / 2;
}

/** Returns the load that is left to each of the others when one of them fails. */
export function loadWithOneLess({ load, servers }: Queue): number {
	return servers > 1 ? (load * servers) / (servers - 1) : Infinity;
}

/** Returns the highest load at which the mean time stays within `most` service times. */
export function loadFor(most: number, queue: Omit<Queue, 'load'>): number {
	let [low, high] = [0, 1];
	for (let i = 0; i < 40; i++) {
		const middle = (low + high) / 2;
		if (latency({ ...queue, load: middle }) <= most) low = middle;
		else high = middle;
	}
	return low;
}
