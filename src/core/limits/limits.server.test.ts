import { expect, test } from 'vitest';
import { rateLimits } from '#db/schema.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { useTestDb } from '#tests/support/db.ts';
import { clearAttempts, pruneLimits, consumeAttempt } from './limits.server.ts';

const limit = { name: 'test', count: 3, windowMs: 10 * MINUTE };
const at = (ms: number) => new Date(1_700_000_000_000 + ms);

async function setup() {
	const db = await useTestDb();
	const attempt = (ms: number, { name = 'test', subject = 'ada', secret = 'secret' } = {}) =>
		consumeAttempt(db, { ...limit, name }, secret, subject, at(ms));
	return { db, attempt };
}

test('a limit says when the oldest attempt leaves its window', async () => {
	const { db, attempt } = await setup();
	await attempt(0);
	await attempt(MINUTE);
	await attempt(2 * MINUTE);
	await expect(attempt(3 * MINUTE)).rejects.toMatchObject({
		code: 'rate_limited',
		retryAfter: 7 * 60,
	});
	await expect(attempt(10 * MINUTE - 1)).rejects.toMatchObject({ retryAfter: 1 });
	expect(await db.$count(rateLimits)).toBe(3);
	await attempt(10 * MINUTE);
	await expect(attempt(10 * MINUTE)).rejects.toMatchObject({ retryAfter: 60 });
});

test('attempts that a wrong clock counted ahead hold nobody, and are not what is waited for', async () => {
	const { attempt } = await setup();
	for (let index = 0; index < 3; index++) await attempt(2 * DAY + index);
	await attempt(0);
	// Two processes may be apart a little.
	await attempt(MINUTE);
	await attempt(0);
	await expect(attempt(1)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 600 });
});

test('of many attempts at once only the first few are taken', async () => {
	const { db, attempt } = await setup();
	const answers = await Promise.allSettled(Array.from({ length: 20 }, () => attempt(0)));
	expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
	expect(await db.$count(rateLimits)).toBe(3);
});

test('other subjects and other limits are counted for themselves', async () => {
	const { attempt } = await setup();
	for (let index = 0; index < 3; index++) await attempt(0);
	await attempt(0, { subject: 'grace' });
	await attempt(0, { name: 'other' });
	await expect(attempt(0)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('whom a limit holds cannot be read from it, nor guessed without the secret', async () => {
	const { db, attempt } = await setup();
	await attempt(0, { subject: '203.0.113.1' });
	await attempt(0, { subject: '203.0.113.1', secret: 'another' });
	const [one, two] = await db.select().from(rateLimits);
	expect(one!.key).toMatch(/^test:[\w-]{43}$/);
	expect(one!.key).not.toBe(two!.key);
});

test('forgetting frees one subject only', async () => {
	const { db, attempt } = await setup();
	await attempt(0);
	await attempt(0, { subject: 'grace' });
	await clearAttempts(db, limit, 'secret', 'ada');
	expect(await db.$count(rateLimits)).toBe(1);
});

test('attempts are deleted after a day, when no window holds them any more', async () => {
	const { db, attempt } = await setup();
	await attempt(0);
	await attempt(1);
	await pruneLimits(db, at(DAY));
	expect(await db.$count(rateLimits)).toBe(2);
	await pruneLimits(db, at(DAY + 1));
	expect(await db.$count(rateLimits)).toBe(1);
});
