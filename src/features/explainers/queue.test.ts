import { expect, test } from 'vitest';
import { latency, loadFor, loadWithOneLess, waiting } from './queue.ts';

test.each([
	[0.3, 1.4],
	[0.5, 2],
	[0.7, 3.3],
	[0.8, 5],
	[0.9, 10],
	[0.95, 20],
])('at a load of %f one server takes the time that the article gives', (load, time) => {
	expect(latency({ load, servers: 1, variation: 1 })).toBeCloseTo(time, 1);
});

test('equal work halves the wait, and work of two kinds makes it 1.6 times as long', () => {
	const wait = (variation: number) => latency({ load: 0.8, servers: 1, variation }) - 1;
	expect(wait(0)).toBeCloseTo(wait(1) / 2);
	expect(wait(1.5) / wait(1)).toBeCloseTo(1.6, 1);
});

test.each([
	[1, 4.7],
	[2, 2.6],
	[4, 1.7],
	[8, 1.2],
])('%i servers at 80%% are as fast as the simulated ones', (servers, simulated) => {
	const time = latency({ load: 0.8, servers, variation: 1 });
	// A run of 40,000 requests is too short to see all of its average.
	expect(time).toBeGreaterThan(simulated - 0.05);
	expect(time).toBeLessThan(simulated * 1.09);
});

test('two servers wait with the probability of the textbook: 2ρ²/(1 + ρ)', () => {
	for (const load of [0.1, 0.5, 0.9])
		expect(waiting(load, 2)).toBeCloseTo((2 * load ** 2) / (1 + load));
});

test('without one of four, 80% become more than all', () => {
	expect(loadWithOneLess({ load: 0.6, servers: 4, variation: 1 })).toBeCloseTo(0.8);
	expect(latency({ load: 1.07, servers: 3, variation: 1 })).toBe(Infinity);
	expect(loadWithOneLess({ load: 0.2, servers: 1, variation: 1 })).toBe(Infinity);
});

test('the load for a time is the one that takes that time', () => {
	expect(loadFor(5, { servers: 1, variation: 1 })).toBeCloseTo(0.8);
	expect(loadFor(1, { servers: 1, variation: 1 })).toBeCloseTo(0);
});
