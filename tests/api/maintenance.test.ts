import { expect, test, vi } from 'vitest';
import { countedVisits, rateLimits, sessions, users } from '#db/schema.ts';
import maintain, { config } from '#functions/maintenance.ts';
import { DAY } from '#src/lib/dates.ts';
import { useTestDb } from '#tests/support/db.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const at = (ms: number) => new Date(NOON.getTime() + ms);

test('every hour what has run out is deleted, and nothing else', async () => {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db
		.insert(users)
		.values({ id: 'u1', username: 'admin', email: 'admin@example.com', password: '' });
	await db.insert(sessions).values([
		{ id: 'ended', userId: 'u1', expiresAt: NOON },
		{ id: 'open', userId: 'u1', expiresAt: at(1) },
	]);
	await db.insert(rateLimits).values([
		{ id: 'old', key: 'a', createdAt: at(-DAY - 1) },
		{ id: 'recent', key: 'a', createdAt: at(-DAY) },
	]);
	const today = Math.floor(NOON.getTime() / DAY);
	await db.insert(countedVisits).values([
		{ key: 'old', day: today - 2 },
		{ key: 'recent', day: today - 1 },
	]);
	expect((await maintain()).status).toBe(204);
	expect(await db.select({ id: sessions.id }).from(sessions)).toEqual([{ id: 'open' }]);
	expect(await db.select({ id: rateLimits.id }).from(rateLimits)).toEqual([{ id: 'recent' }]);
	expect(await db.select({ key: countedVisits.key }).from(countedVisits)).toEqual([
		{ key: 'recent' },
	]);
	expect(await db.$count(users)).toBe(1);
	expect(config).toEqual({ schedule: '@hourly' });
});
