import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import {
	builds,
	comments,
	contactMessages,
	drafts,
	letters,
	meta,
	outbox,
	programDrafts,
	revisions,
	visitSums,
} from '#db/schema.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { decideComments } from '#src/features/comments/moderation.api.ts';
import { getHome, noteVisit } from '#src/features/home/home.api.ts';
import { retryDelivery } from '#src/features/mail/mail.api.ts';
import { listAdminPosts, recordReview } from '#src/features/posts/editing.api.ts';
import { countWaiting } from '#src/features/stats/stats.api.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { paths } from '#src/site.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';
import { useSeededDesk } from '#tests/support/seeded-desk.ts';

let db: Db;
let admin: typeof fetch;
const ago = (ms: number) => new Date(Date.now() - ms);
const home = () => call(getHome, {}, admin);

beforeEach(async () => {
	setBuilder({ build: () => {}, prewarm: () => {} });
	db = await useTestDb();
	admin = await asAdmin(db);
});

/** Stores when the desk was used last. */
const wasHere = (at: Date) =>
	setMeta(db, 'visits', JSON.stringify({ last: at.toISOString(), before: null }));

test('an empty desk holds nothing, and says so', async () => {
	const { waits, writing, happened, steps, since } = await home();
	const none = { total: 0, rows: [] };
	expect(waits).toEqual({
		...{
			issue: null,
			letters: [],
			build: null,
			comments: none,
			messages: none,
			reviews: none,
			mail: none,
		},
		scheduled: none,
	});
	expect([writing, steps]).toEqual([[], []]);
	expect(happened).toEqual({
		...{ published: none, letters: [], readers: { joined: 0, left: 0 }, comments: 0, read: [] },
		drafts: none,
	});
	expect(since.isVisit).toBe(false);
});

test('only the owner reads it', async () => {
	const refused = (fetcher: typeof fetch) =>
		call(getHome, {}, fetcher).catch((error) => error.code);
	expect(await refused(fetchApi())).toBe('unauthorized');
	const token = ((input, init) =>
		fetchApi()(input, {
			...init,
			headers: { ...init?.headers, Authorization: 'Bearer gt_of_nobody' },
		})) as typeof fetch;
	expect(await refused(token)).toBe('unauthorized');
});

test('what waits is counted as its own list counts it, and goes with the act', async () => {
	const post = await makePost(db, { title: 'Talked about' });
	const write = (days: number, values: Partial<typeof comments.$inferInsert>) =>
		db.insert(comments).values({
			...{ postId: post.id, author: `Day ${days}`, email: 'a@example.com', content: 'Words.' },
			...{ approved: false, createdAt: ago(days * DAY), ...values },
		});
	for (const days of [1, 5, 3, 2]) await write(days, {});
	await write(9, { approved: true });
	await write(8, { reviewedAt: new Date() });
	await write(7, { deletedAt: new Date() });
	const send = (name: string, values: Partial<typeof contactMessages.$inferInsert>) =>
		db.insert(contactMessages).values({
			...{ name, email: 'b@example.com', topic: 'Other', message: 'Two\nlines.', ...values },
		});
	await send('New', {});
	await send('Old', { createdAt: ago(DAY) });
	await send('Read', { state: 'read' });
	await send('Gone', { deletedAt: new Date() });

	const { waits } = await home();
	expect(waits.comments.total).toBe(4);
	expect(waits.comments.rows.map(({ author }) => author)).toEqual(['Day 5', 'Day 3', 'Day 2']);
	expect(waits.comments.rows[0]).toMatchObject({ title: 'Talked about', excerpt: 'Words.' });
	expect(waits.messages.rows.map(({ name }) => name)).toEqual(['Old', 'New']);
	expect(waits.messages.rows[0]!.excerpt).toBe('Two lines.');
	expect(await call(countWaiting, {}, admin)).toEqual({
		comments: waits.comments.total,
		messages: waits.messages.total,
	});

	const ids = waits.comments.rows.slice(0, 2).map(({ id }) => id);
	await call(decideComments, { ids, state: 'visible' }, admin);
	const after = (await home()).waits.comments;
	expect([after.total, ...after.rows.map(({ author }) => author)]).toEqual([2, 'Day 2', 'Day 1']);
});

test('articles that are due are those of the list, and go once they are reviewed', async () => {
	const old = { updatedAt: ago(200 * DAY), publishedAt: ago(200 * DAY) };
	const post = await makePost(db, { title: 'Old', ...old });
	await makePost(db, { title: 'Oldest', ...old, updatedAt: ago(300 * DAY) });
	await makePost(db, { title: 'Never shown', ...old, published: false });
	const { reviews } = (await home()).waits;
	expect(reviews.rows.map(({ title }) => title)).toEqual(['Oldest', 'Old']);
	const { counts } = await call(listAdminPosts, { due: true }, admin);
	expect(counts.due).toBe(reviews.total);
	await call(recordReview, { id: post.id }, admin);
	expect((await home()).waits.reviews).toMatchObject({ total: 1, rows: [{ title: 'Oldest' }] });
});

test('mail that failed in the last week waits for another try; jobs and what left do not', async () => {
	const queue = (key: string, kind: string, values: Partial<typeof outbox.$inferInsert>) =>
		db.insert(outbox).values({ kind, key, recipient: key, payload: {}, ...values });
	await queue('late@example.com', 'reply', { failedAt: ago(HOUR), lastError: 'No such host.' });
	await queue('early@example.com', 'welcome', { failedAt: ago(DAY) });
	await queue('past@example.com', 'welcome', { failedAt: ago(8 * DAY) });
	await queue('sent@example.com', 'welcome', { deliveredAt: new Date() });
	await queue('open@example.com', 'welcome', { dueAt: new Date() });
	await queue('a job', 'build', { failedAt: ago(HOUR) });
	const { mail } = (await home()).waits;
	expect(mail.total).toBe(2);
	expect(mail.rows).toMatchObject([
		{ recipient: 'early@example.com', kind: 'welcome', reason: '' },
		{ recipient: 'late@example.com', kind: 'reply', reason: 'No such host.' },
	]);
	await call(retryDelivery, { id: mail.rows[0]!.id }, admin);
	expect((await home()).waits.mail.total).toBe(1);
});

test('a build is told of until readers see it, and a failed one until another is live', async () => {
	const build = (state: 'live' | 'failed' | 'building', minutes: number) =>
		db.insert(builds).values({
			...{ state, cause: 'Saved', requestedAt: ago(minutes * MINUTE) },
			...(state === 'failed' && { reason: 'No room.' }),
		});
	await build('failed', 9);
	expect((await home()).waits.build).toMatchObject({ state: 'failed', reason: 'No room.' });
	await build('building', 5);
	expect((await home()).waits.build).toMatchObject({ state: 'building', cause: 'Saved' });
	await build('live', 1);
	expect((await home()).waits.build).toBeNull();
});

test('what is scheduled for the next 24 hours waits, the next one first, on no calendar’s day', async () => {
	const at = (hours: number) => ({ publishedAt: ago(-hours * HOUR) });
	await makePost(db, { title: 'Late tonight', ...at(23) });
	await makePost(db, { title: 'Soon', ...at(1) });
	await makePost(db, { title: 'Another day', ...at(25) });
	const { scheduled } = (await home()).waits;
	expect(scheduled.rows.map(({ title }) => title)).toEqual(['Soon', 'Late tonight']);
});

test('a letter waits until it goes out, and where it is paused', async () => {
	const letter = (id: string, more: Partial<typeof letters.$inferInsert>) =>
		db.insert(letters).values({ id, subject: id, createdAt: ago(DAY), ...more });
	await letter('later', { dueAt: ago(-HOUR) });
	await letter('soon', { dueAt: ago(-1) });
	await letter('halfway', { dueAt: ago(HOUR), queuedAt: ago(1), recipients: 9, pausedAt: ago(1) });
	await letter('stopped', { dueAt: ago(-HOUR), stoppedAt: ago(1) });
	await letter('on its way', { dueAt: ago(HOUR), queuedAt: ago(1), recipients: 9 });
	const { waits } = await home();
	expect(waits.letters.map(({ id, isPaused }) => [id, isPaused])).toEqual([
		['halfway', true],
		['soon', false],
		['later', false],
	]);
});

test('the next issue says what is in it, for how many', async () => {
	await setMeta(db, 'digest_told_until', ago(DAY).toISOString());
	expect((await home()).waits.issue).toBeNull();
	await makeSubscriber(db);
	await makeSubscriber(db, { active: false });
	expect((await home()).waits.issue).toMatchObject({ recipients: 1, articles: 0, isEmpty: true });
	await makePost(db);
	expect((await home()).waits.issue).toMatchObject({
		...{ recipients: 1, articles: 1, isEmpty: false, hasWords: false, waiting: null },
	});
});

test('what was written in last comes first: autosaves count, samples and what is deleted do not', async () => {
	const made = async (title: string, days: number, more = {}) =>
		(await makePost(db, { title, updatedAt: ago(days * DAY), ...more })).id;
	const post = await made('Saved', 1);
	const drafted = await made('Autosaved', 30);
	await made('Gone', 0, { deletedAt: new Date() });
	await made('Sample', 0, { slug: 'sample' });
	// A new name of the site signs samples anew.
	await made('Sample that was signed anew', 0, { slug: 'signed', version: 2 });
	const changed = await made('Sample that was changed', 2, { slug: 'changed', version: 2 });
	await db.insert(revisions).values({ postId: changed, reason: 'publish', form: {} });
	for (const slug of ['sample', 'signed', 'changed'])
		await db.insert(meta).values({ key: `seed:post/${slug}`, value: 'x' });
	await db.insert(drafts).values({
		...{ postId: drafted, baseVersion: 1, updatedAt: ago(HOUR) },
		form: { title: 'Autosaved, renamed', content: '<p>Three more</p><p>words</p>' },
	});
	await db
		.insert(programDrafts)
		.values({ postId: post, tokenId: 'x', program: 'Notebook', createdAt: ago(3 * DAY) });
	const { writing } = await home();
	expect(writing.map(({ title }) => title)).toEqual([
		...['Autosaved, renamed', 'Saved', 'Sample that was changed'],
	]);
	expect(writing[0]).toMatchObject({ state: 'published', hasChanges: true, words: 3, by: 'Grace' });
	expect(writing[1]).toMatchObject({ hasChanges: false, words: 1, by: 'Notebook' });
});

test('what has happened is what happened since the visit before', async () => {
	await wasHere(ago(2 * DAY));
	const post = await makePost(db, { title: 'New', slug: 'new', publishedAt: ago(DAY) });
	await makePost(db, { title: 'Known', publishedAt: ago(3 * DAY) });
	await makePost(db, { title: 'Came along', slug: 'came', publishedAt: ago(DAY) });
	await db.insert(meta).values({ key: 'seed:post/came', value: 'x' });
	await makeSubscriber(db, { createdAt: ago(DAY) });
	await makeSubscriber(db, { createdAt: ago(3 * DAY) });
	await makeSubscriber(db, { createdAt: ago(9 * DAY), active: false, leftAt: ago(HOUR) });
	// A file that says when people left is no news.
	await makeSubscriber(db, {
		...{ createdAt: ago(DAY), active: false, leftAt: ago(DAY), importedAt: new Date(0) },
	});
	await db.run(sql`update subscribers set imported_at = left_at where imported_at is not null`);
	const by = { postId: post.id, author: 'A', email: 'a@example.com', content: 'Words.' };
	await db.insert(comments).values([
		{ ...by, createdAt: ago(DAY) },
		{ ...by, createdAt: ago(3 * DAY) },
		{ ...by, createdAt: ago(DAY), byOwner: true },
	]);
	await db.insert(letters).values([
		{ id: 'one', subject: 'Out', recipients: 12, queuedAt: ago(DAY), createdAt: ago(9 * DAY) },
		{ id: 'two', subject: 'Before', recipients: 12, queuedAt: ago(3 * DAY) },
	]);
	await db
		.insert(programDrafts)
		.values({ postId: post.id, tokenId: 'x', program: 'Notebook', createdAt: ago(DAY) });
	const day = Math.floor(Date.now() / DAY);
	const counted = (at: number, views: number) => ({
		...{ by: 'page', span: 'day' as const, at, key: paths.post('new'), views, visitors: 1 },
	});
	await db.insert(visitSums).values([counted(day, 7), counted(day - 9, 100)]);

	const { happened, since } = await home();
	expect(since.isVisit).toBe(true);
	expect(happened.published.rows.map(({ title }) => title)).toEqual(['New']);
	expect(happened.readers).toEqual({ joined: 1, left: 1 });
	expect(happened.comments).toBe(1);
	expect(happened.letters).toMatchObject([{ subject: 'Out', recipients: 12 }]);
	expect(happened.read).toEqual([{ key: paths.post('new'), label: 'New', views: 7 }]);
	expect(happened.drafts).toMatchObject({ total: 1, rows: [{ program: 'Notebook' }] });
});

test('a visit begins after an hour away, and what was new stays new while it goes on', async () => {
	const before = ago(DAY);
	await wasHere(before);
	for (let call_ = 0; call_ < 3; call_++) {
		expect((await home()).since).toEqual({ at: before.toISOString(), isVisit: true });
		await call(noteVisit, {}, admin);
	}
	const { last } = await call(noteVisit, {}, admin);
	expect(Math.abs(Date.parse(last) - Date.now())).toBeLessThan(MINUTE);
});

test('a note of visits that cannot be read is as if there were none', async () => {
	for (const value of ['', '{', '[]', '{"last":"yesterday","before":null}']) {
		await setMeta(db, 'visits', value);
		expect((await home()).since.isVisit).toBe(false);
	}
	await call(noteVisit, {}, admin);
	expect((await home()).since.isVisit).toBe(false);
});

test('the first steps go as they are done, or when they are no longer wanted', async () => {
	const desk = await useSeededDesk();
	const steps = async () => (await desk.ask(getHome, {})).steps;
	expect(await steps()).toEqual([]);
	await setMeta(desk.db, 'setup', 'done');
	expect(await steps()).toEqual(['write', 'subscribers', 'articles', 'terms']);
	await makeSubscriber(desk.db);
	expect(await steps()).toEqual(['write', 'articles', 'terms']);
	const own = await makePost(desk.db, { published: false, publishedAt: null });
	expect(await steps()).toEqual([]);
	await desk.db.run(sql`delete from posts where id = ${own.id}`);
	expect(await steps()).toHaveLength(3);
	await desk.ask(noteVisit, { endsSteps: true });
	expect(await steps()).toEqual([]);
});
