import { expect, test } from 'vitest';
import { fuzz, PER_ROUND, targetsOf } from '#tests/fuzz/fuzz.ts';
import { functions } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import '#tests/support/cheap-passwords.ts';

test('every path of every function is asked', async () => {
	const asked = new Set((await targetsOf()).map(({ path }) => path));
	const paths = (await functions()).flatMap(({ config }) => config.path ?? []);
	expect(paths.filter((path) => !asked.has(path))).toEqual([]);
	expect(paths.length).toBeGreaterThan(40);
});

test('bad input is refused, tells nothing and leaves nothing behind that the schema would refuse', async () => {
	const { problems, tallies, rows } = await fuzz(await useTestDb(), {
		// As many for each endpoint, however many there are.
		requests: 2 * PER_ROUND * (await targetsOf()).length,
		seed: 20_261_122,
	});
	expect(problems).toEqual([]);
	expect(rows).toBeGreaterThan(100);
	// Requests that are all refused would prove nothing.
	const silent = tallies.filter(({ classes }) => !classes[2] && !classes[3]);
	expect(silent.length, silent.map(({ name }) => name).join()).toBeLessThan(tallies.length / 4);
	expect(tallies.every(({ requests }) => requests > 0)).toBe(true);
}, 120_000);
