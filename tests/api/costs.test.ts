import { expect, test, vi } from 'vitest';
import { measureCosts } from '#tests/fuzz/costs.ts';
import { useTestDb } from '#tests/support/db.ts';

// The machine may be doing much else: the processor's time is compared with that of a plain input, with room to spare.
vi.setConfig({ testTimeout: 240_000 });

test('no input of the largest size keeps the server busy', async () => {
	const costs = await measureCosts(await useTestDb(), { rounds: 3, each: 1 });
	expect(costs.length).toBeGreaterThan(120);
	// What a limit refuses, or fails, would prove nothing.
	expect(costs.filter(({ status }) => status === 429 || !(status < 500))).toEqual([]);
	const costly = costs.filter(
		({ plain, hostile, isAdmin }) => hostile > (isAdmin ? 25 : 10) * plain && hostile - plain > 50,
	);
	expect(costly).toEqual([]);
});
