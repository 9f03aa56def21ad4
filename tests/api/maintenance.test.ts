import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import {
	countedVisits,
	letters,
	outbox,
	pageErrors,
	posts,
	rateLimits,
	sessions,
	users,
} from '#db/schema.ts';
import work from '#functions/deliver.ts';
import maintain, { config } from '#functions/maintenance.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';

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

test('a step that fails is logged by its name, and all others run', async () => {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db.insert(users).values({ id: 'u1', username: 'a', email: 'a@example.com', password: '' });
	await db.insert(sessions).values({ id: 'ended', userId: 'u1', expiresAt: NOON });
	await db.insert(pageErrors).values({
		...{ id: 'e1', message: 'x', stack: '', path: '/', browser: '' },
		...{ firstVersion: '', lastVersion: '', firstAt: at(-400 * DAY), lastAt: at(-400 * DAY) },
	});
	await db.run(sql`drop table rate_limits`);
	await db.run(sql`drop table outbox`);
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	await expect(maintain()).rejects.toThrow('2 of 21 steps failed: pruneLimits, pruneOutbox.');
	expect(logged.mock.calls.map(([first]: unknown[]) => first)).toEqual([
		'pruneLimits failed.',
		'pruneOutbox failed.',
	]);
	expect(await db.$count(sessions)).toBe(0);
	expect(await db.$count(pageErrors)).toBe(0);
});

test('a post that cannot be removed keeps no other one', async () => {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const gone = { deletedAt: at(-100 * DAY) };
	const { id } = await makePost(db, { title: 'Stuck', ...gone });
	await makePost(db, { title: 'Free', ...gone });
	await db.run(sql`create trigger stuck before delete on posts when old.title = 'Stuck'
		begin select raise(abort, 'stuck'); end`);
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	await expect(maintain()).rejects.toThrow('purgeDeletedPosts');
	expect(logged.mock.calls[0]![0]).toBe(`Removing post ${id} failed.`);
	expect(await db.select({ title: posts.title }).from(posts)).toEqual([{ title: 'Stuck' }]);
});

test('a course that fails keeps back neither the letter nor what waits in the outbox', async () => {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await makeSubscriber(db);
	await db.insert(letters).values({ id: 'l1', subject: 'News', content: 'News', confirmed: true });
	await db.insert(outbox).values({ id: 'o1', kind: 'build', key: 'b', payload: {}, dueAt: NOON });
	await db.run(sql`drop table enrollments`);
	setBuilder({ build: () => {}, prewarm: () => {} });
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	await expect(work()).rejects.toThrow('1 of 2 steps failed: Queueing what is due.');
	expect(logged.mock.calls.map(([first]: unknown[]) => first)).toEqual([
		'Queueing lessons failed.',
		'Queueing what is due failed.',
	]);
	expect(await db.$count(outbox, sql`kind = 'letter'`)).toBe(1);
	expect(await db.$count(outbox, sql`id = 'o1' and delivered_at is not null`)).toBe(1);
});
