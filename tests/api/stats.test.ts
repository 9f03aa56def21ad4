import { expect, test, vi } from 'vitest';
import { comments, contactMessages, postCounts } from '#db/schema.ts';
import { subscribe, unsubscribe } from '#src/features/newsletter/newsletter.server.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import { countWaiting, getStats } from '#src/features/stats/stats.api.ts';
import { sum } from '#src/features/stats/stats.ts';
import { DAY } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const today = Math.floor(NOON.getTime() / DAY);
const ago = (days: number) => new Date(NOON.getTime() - days * DAY);

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	return { db, admin: await asAdmin(db) };
}

test('without readers all numbers are nothing', async () => {
	const { admin } = await setup();
	expect(await call(getStats, { days: 7 }, admin)).toEqual({
		from: '2026-02-23',
		days: 7,
		shares: Array(7).fill(0),
		comments: Array(7).fill(0),
		signups: Array(7).fill(0),
		sources: [],
		before: { shares: 0, comments: 0, signups: 0 },
	});
});

test('the days of a range and those before it are counted apart', async () => {
	const { db, admin } = await setup();
	const { id: postId } = await makePost(db, { title: 'Kalman' });
	const other = await makePost(db, { title: 'Markov' });
	await db.insert(postCounts).values([
		{ postId, day: today, shares: 1 },
		{ postId, day: today - 6, shares: 3 },
		{ postId, day: today - 7, shares: 2 },
		{ postId, day: today - 14, shares: 100 },
		{ postId: other.id, day: today, shares: 7 },
	]);
	const comment = { postId, author: 'Ada', email: 'a@x.example', content: 'Yes.' };
	await db.insert(comments).values([
		{ ...comment, createdAt: ago(0) },
		{ ...comment, createdAt: ago(8) },
	]);
	await subscribe(db, { email: 'a@x.example', source: 'Newsletter Button' }, ago(0));
	await subscribe(db, { email: 'b@x.example', source: 'Newsletter Button' }, ago(1));
	await subscribe(db, { email: 'c@x.example' }, ago(2));
	await subscribe(db, { email: 'd@x.example', source: 'Newsletter Modal' }, ago(9));
	// Signed up already: pressed twice.
	await subscribe(db, { email: 'd@x.example', source: 'Newsletter Modal' }, ago(8));
	const numbers = await call(getStats, { days: 7 }, admin);
	expect(numbers.shares).toEqual([3, 0, 0, 0, 0, 0, 8]);
	expect(numbers.comments).toEqual([0, 0, 0, 0, 0, 0, 1]);
	expect(numbers.signups).toEqual([0, 0, 0, 0, 1, 1, 1]);
	expect(numbers.before).toEqual({ shares: 2, comments: 1, signups: 1 });
	expect(numbers.sources.map(({ source, signups }) => [source, sum(signups)])).toEqual([
		['Newsletter Button', 2],
		[null, 1],
	]);
	const month = await call(getStats, { days: 30 }, admin);
	expect(sum(month.shares)).toBe(113);
});

test('addresses that came with a file are no signups', async () => {
	const { admin } = await setup();
	const rows = ['ada', 'grace'].map((name) => ({
		email: `${name}@x.example`,
		name: null,
		lastName: null,
		source: 'Old list',
		active: true,
		createdAt: null,
		leftAt: null,
	}));
	await call(
		importSubscribers,
		{ rows, consent: 'Asked at the fair', reactivate: false, preview: false },
		admin,
	);
	const { signups, sources } = await call(getStats, { days: 7 }, admin);
	expect([sum(signups), sources]).toEqual([0, []]);
});

test('signups stay where they were when somebody leaves, has everything erased, or comes back', async () => {
	const { db, admin } = await setup();
	const signups = async () => (await call(getStats, { days: 7 }, admin)).signups;
	await subscribe(db, { email: 'a@x.example', source: 'Newsletter Button' }, ago(5));
	await subscribe(db, { email: 'b@x.example' }, ago(5));
	const before = await signups();
	expect(before).toEqual([0, 2, 0, 0, 0, 0, 0]);
	await unsubscribe(db, { list: 'weekly', email: 'a@x.example', seesData: false }, ago(4));
	await eraseData(db, 'b@x.example', ago(4));
	expect(await signups()).toEqual(before);
	await subscribe(db, { email: 'a@x.example', source: 'Newsletter Modal' }, ago(1));
	expect(await signups()).toEqual([0, 2, 0, 0, 0, 1, 0]);
	const { sources } = await call(getStats, { days: 7 }, admin);
	expect(sources.map(({ source, signups: rows }) => [source, sum(rows)])).toEqual(
		expect.arrayContaining([
			['Newsletter Button', 1],
			['Newsletter Modal', 1],
			[null, 1],
		]),
	);
});

test('a range that there is not is refused', async () => {
	const { admin } = await setup();
	await expect(call(getStats, { days: 4000 }, admin)).rejects.toMatchObject({
		code: 'validation',
	});
});

test('what waits for the admin is counted: comments without a decision, unread messages', async () => {
	const { db, admin } = await setup();
	expect(await call(countWaiting, {}, admin)).toEqual({ comments: 0, messages: 0 });
	const { id: postId } = await makePost(db);
	const comment = { postId, author: 'Ada', email: 'ada@example.com', content: 'A word.' };
	await db.insert(comments).values([
		{ ...comment, approved: false },
		{ ...comment, approved: false, reviewedAt: NOON },
		{ ...comment, approved: true },
	]);
	const message = {
		name: 'Ada',
		email: 'ada@example.com',
		topic: 'Correction',
		message: 'A word.',
	};
	await db
		.insert(contactMessages)
		.values([message, { ...message, state: 'read' }, { ...message, deletedAt: NOON }]);
	expect(await call(countWaiting, {}, admin)).toEqual({ comments: 1, messages: 1 });
});
