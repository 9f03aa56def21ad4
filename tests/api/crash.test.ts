import { expect, test } from 'vitest';
import { crash } from '#tests/support/crash.ts';

test('mail survives the death of its workers: everybody gets one, once', async () => {
	const [count, deaths] = process.env['TESTS'] === 'daily' ? [60, 3] : [150, 6];
	const { kills, recipients, strangers, open } = await crash({ count, kills: deaths });
	expect(open).toBe(0);
	expect(recipients).toEqual({ 0: 0, 1: count, 2: 0 });
	expect(strangers).toBe(0);
	expect(kills).toBe(deaths);
}, 180_000);
