import { expect, test } from 'vitest';
import { crash } from '#tests/support/crash.ts';

test('mail survives the death of its workers: nobody is left out, and who got one twice can tell', async () => {
	const count = 150;
	const { kills, recipients, strangers, open } = await crash({ count, kills: 6 });
	expect(open).toBe(0);
	expect(recipients[0]).toBe(0);
	expect(strangers).toBe(0);
	expect(kills).toBe(6);
	// A worker that dies can have five emails whose answer it has not recorded.
	const once = recipients[1] ?? 0;
	expect(count - once).toBeLessThanOrEqual(kills * 5);
}, 180_000);
