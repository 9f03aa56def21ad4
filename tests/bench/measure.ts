const WARM_UP = 20;

export type Measured = {
	/** Milliseconds of each query by the clock, and of the processor where that can be told. */
	times: number[];
	work: number[];
	/** Queries that were answered with something. */
	found: number;
	/** Bytes that a visitor downloads for the first query and for each later one. */
	first: number;
	later: number;
};

/** Asks each query once, after some that do not count. */
export async function measure(queries: string[], ask: (query: string) => Promise<number>) {
	for (const query of queries.slice(0, WARM_UP)) await ask(query);
	const [times, work]: [number[], number[]] = [[], []];
	let found = 0;
	for (const query of queries) {
		const started = performance.now();
		const before = process.cpuUsage();
		if ((await ask(query)) > 0) found++;
		const { user, system } = process.cpuUsage(before);
		times.push(performance.now() - started);
		work.push((user + system) / 1000);
	}
	return { times, work, found };
}

/** The middle of some values; not a number of none. */
export function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
