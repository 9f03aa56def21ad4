import { eq, like, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { auditLog, builds, comments, settings, undo as undoLog } from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { createComment, listComments } from '#src/features/comments/comments.api.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import type { CommentState } from '#src/features/comments/moderation.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import type { CommentMode } from '#src/core/settings/setting.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const ALL = { page: 1, sort: '-created', q: '' } as const;

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const post = await makePost(db, { id: 'p1', title: 'Kalman filters' });
	const admin = await asAdmin(db);
	const say = (content: string, email = 'ada@example.com') =>
		call(createComment, { postId: 'p1', author: 'Ada', email, content }, fetchApi());
	const shown = async () =>
		(await call(listComments, { id: 'p1' }, fetchApi())).map(({ content }) => content);
	const decide = (ids: string[], state: CommentState) =>
		call(api.decideComments, { ids, state }, admin);
	return { db, post, admin, say, shown, decide };
}

const setMode = (db: Db, value: CommentMode) =>
	db
		.insert(settings)
		.values({ key: 'comments', value })
		.onConflictDoUpdate({ target: settings.key, set: { value } });

/** A comment stored an index of minutes before noon. */
const store = (db: Db, values: Partial<typeof comments.$inferInsert>[], postId = 'p1') =>
	db.insert(comments).values(
		values.map((value, index) => ({
			postId,
			author: 'Ada',
			email: 'ada@example.com',
			content: `Comment ${index}`,
			createdAt: new Date(NOON.getTime() - index * MINUTE),
			...value,
		})),
	);

test('a comment is published at once where nothing else is set', async () => {
	const { say, shown } = await setup();
	expect(await say('Good point')).not.toHaveProperty('waits');
	expect(await shown()).toEqual(['Good point']);
});

test('where all are held a comment waits, says so and is not shown', async () => {
	const { db, say, shown } = await setup();
	await setMode(db, 'hold-all');
	expect(await say('Good point')).toMatchObject({ content: 'Good point', waits: true });
	expect(await shown()).toEqual([]);
	expect(await db.select().from(comments)).toMatchObject([{ approved: false, reviewedAt: null }]);
});

/** A browser that keeps its cookies, as the API sets them. */
function browser(db: Db) {
	const jar = new Map<string, string>();
	const post = async (
		body: { content: string; [field: string]: string },
		headers: Record<string, string> = {},
	) => {
		const Cookie = [...jar].map((pair) => pair.join('=')).join('; ');
		const fields = { postId: 'p1', author: 'Ada', email: 'ada@example.com', ...body };
		const isForm = 'Accept' in headers;
		const response = await fetchApi()('/api/comments', {
			method: 'POST',
			headers: { ...headers, ...(Cookie && { Cookie }) },
			body: isForm ? new URLSearchParams(fields) : JSON.stringify(fields),
		});
		for (const cookie of response.headers.getSetCookie()) {
			const [, name, value] = /^(\w+)=([^;]*)/.exec(cookie)!;
			jar.set(name!, value!);
		}
		const [row] = await db.select().from(comments).where(eq(comments.content, body.content));
		return { response, ...row! };
	};
	/** Changes or takes back a comment, by its id. */
	const change = (id: string, body?: { content: string }) =>
		fetchApi()(`/api/comments/${id}`, {
			method: body ? 'PUT' : 'DELETE',
			headers: { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
			...(body && { body: JSON.stringify(body) }),
		});
	return { jar, post, change };
}

describe("where an author's first is held", () => {
	test('the next ones of the same browser and address are not, after an approval', async () => {
		const { db, shown, decide } = await setup();
		await setMode(db, 'hold-first');
		const mine = browser(db);
		const first = await mine.post({ content: 'First words' });
		expect(first.approved).toBe(false);
		expect((await mine.post({ content: 'Second words' })).approved).toBe(false);
		await decide([first.id], 'visible');
		expect((await mine.post({ content: 'Third words' })).approved).toBe(true);
		const other = { email: 'grace@example.com', content: 'Words of another address' };
		expect((await mine.post(other)).approved).toBe(false);
		expect((await shown()).sort()).toEqual(['First words', 'Third words']);
	});

	test('an address that somebody else types is not believed', async () => {
		const { db, say, decide } = await setup();
		await setMode(db, 'hold-first');
		const mine = browser(db);
		await decide([(await mine.post({ content: 'First words' })).id], 'visible');
		expect((await say('Words of a stranger')).waits).toBe(true);
		const forged = browser(db);
		const [name, value] = [...mine.jar][0]!;
		for (const [index, cookie] of [
			value.split('.')[0]!,
			`${value}x`,
			`${value.split('.')[0]}x.${value.split('.')[1]}`,
			'.',
		].entries()) {
			forged.jar.set(name, cookie);
			const content = `Forged ${index}`;
			const post = { content, email: 'ada@example.com', postId: `p${index + 2}` };
			await makePost(db, { id: post.postId });
			expect((await forged.post(post)).approved).toBe(false);
		}
	});

	test('also without JavaScript, by a cookie that no script reads and no other site sends', async () => {
		const { db, decide } = await setup();
		await setMode(db, 'hold-first');
		const mine = browser(db);
		const plain = { Accept: 'text/html' };
		const first = await mine.post({ content: 'First words' }, plain);
		expect(first.response.status).toBe(303);
		// Not told that it was posted.
		expect(first.response.headers.get('Location')).toBe('/thanks/comment-waits');
		expect(first.response.headers.getSetCookie()).toEqual([
			expect.stringMatching(
				/^groundtruth_comments=[\w.-]+; Path=\/api\/comments; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/,
			),
		]);
		expect(first.response.headers.getSetCookie()[0]).not.toMatch(/ada(?:@|%40)/);
		await decide([first.id], 'visible');
		const second = await mine.post({ content: 'Second words' }, plain);
		expect(second.approved).toBe(true);
		expect(second.response.headers.get('Location')).toBe('/thanks/comment');
	});

	test('who erased everything begins anew', async () => {
		const { db, decide } = await setup();
		await setMode(db, 'hold-first');
		const mine = browser(db);
		await decide([(await mine.post({ content: 'First words' })).id], 'visible');
		await eraseData(db, 'ada@example.com', new Date());
		expect((await mine.post({ content: 'Second words' })).approved).toBe(false);
	});

	test('the cookie holds the newest ten, however much is posted', async () => {
		const { db } = await setup();
		const mine = browser(db);
		for (let index = 0; index < 12; index++)
			await mine.post({ content: `Number ${index}`, email: `reader-${index}@example.com` });
		const [ids] = [...mine.jar.values()][0]!.split('.');
		const newest = await db
			.select({ id: comments.id })
			.from(comments)
			.orderBy(sql`rowid desc`);
		expect(ids!.split('_')).toEqual(newest.slice(0, 10).map(({ id }) => id));
	});
});

describe('what one has just written', () => {
	test('can be edited in the same browser for 15 minutes, and moderation sees what it was', async () => {
		const { db, admin, shown } = await setup();
		const mine = browser(db);
		const { id } = await mine.post({ content: 'First words' });
		const refused = await mine.change(id, { content: 'see http://spam.example' });
		expect(refused.status).toBe(400);
		vi.setSystemTime(NOON.getTime() + 14 * MINUTE);
		const changed = await mine.change(id, { content: 'Better words' });
		expect(await changed.json()).toMatchObject({
			content: 'Better words',
			createdAt: NOON.toISOString(),
			editedAt: new Date(NOON.getTime() + 14 * MINUTE).toISOString(),
		});
		await mine.change(id, { content: 'Best words' });
		expect(await shown()).toEqual(['Best words']);
		const { rows } = await call(api.listAllComments, ALL, admin);
		expect(rows[0]!.earlier).toEqual(['First words', 'Better words']);
		vi.setSystemTime(NOON.getTime() + 15 * MINUTE);
		expect((await mine.change(id, { content: 'Too late' })).status).toBe(403);
		expect((await mine.change(id)).status).toBe(403);
		expect(await shown()).toEqual(['Best words']);
	});

	test('is held again with its new text where comments are held, and stays hidden once hidden', async () => {
		const { db, shown, decide } = await setup();
		await setMode(db, 'hold-all');
		const mine = browser(db);
		const { id } = await mine.post({ content: 'Harmless words' });
		await decide([id], 'visible');
		expect(await (await mine.change(id, { content: 'Other words' })).json()).toMatchObject({
			waits: true,
		});
		expect(await shown()).toEqual([]);
		expect(await db.select().from(comments)).toMatchObject([{ approved: false, reviewedAt: null }]);
		await decide([id], 'hidden');
		await mine.change(id, { content: 'Words once more' });
		expect(await db.select().from(comments)).toMatchObject([
			{ approved: false, reviewedAt: expect.any(Date) },
		]);
	});

	test('can be taken back; answers to it stay, and a build is asked for', async () => {
		const { db, shown } = await setup();
		const mine = browser(db);
		const { id } = await mine.post({ content: 'First words' });
		await browser(db).post({ content: 'An answer', parentId: id, email: 'b@example.com' });
		expect((await mine.change(id)).status).toBe(200);
		expect(await shown()).toEqual(['An answer']);
		expect((await mine.change(id)).status).toBe(403);
		const [row] = await db.all<{ erased: string }>(
			sql`select value as erased from meta where key = 'erased_at'`,
		);
		expect(Number(row!.erased)).toBe(NOON.getTime());
	});

	test('is nobody else’s: not by another cookie, a forged one, or none', async () => {
		const { db, shown } = await setup();
		const mine = browser(db);
		const { id } = await mine.post({ content: 'First words' });
		const other = browser(db);
		expect((await other.change(id, { content: 'Not mine' })).status).toBe(403);
		await other.post({ content: 'Words of another', email: 'b@example.com' });
		expect((await other.change(id, { content: 'Not mine' })).status).toBe(403);
		const [name, value] = [...other.jar][0]!;
		for (const forged of [`${id}.${value.split('.')[1]}`, `${id}_${value}`, id, '']) {
			other.jar.set(name, forged);
			expect((await other.change(id)).status).toBe(403);
		}
		expect((await shown()).toSorted()).toEqual(['First words', 'Words of another']);
	});
});

test('the owner answers from the desk, with a badge that nobody else can have', async () => {
	const { db, admin } = await setup();
	await setMode(db, 'hold-all');
	const mine = browser(db);
	const { id } = await mine.post({ content: 'A question', byOwner: 'true', pinnedAt: '1' });
	const reply = await call(api.replyAsOwner, { parentId: id, content: 'See\n```\nls\n```' }, admin);
	expect(reply).toMatchObject({ byOwner: true, parentId: id });
	// What it answers is approved with it.
	const list = await call(listComments, { id: 'p1' }, fetchApi());
	expect(list.map(({ content, byOwner }) => [content, byOwner]).toSorted()).toEqual([
		['A question', false],
		['See\n```\nls\n```', true],
	]);
	await expect(
		call(api.replyAsOwner, { parentId: 'nowhere', content: 'Hello' }, admin),
	).rejects.toMatchObject({ code: 'not_found' });
	await expect(
		call(api.replyAsOwner, { parentId: id, content: 'Hello' }, fetchApi()),
	).rejects.toMatchObject({ code: 'unauthorized' });
	expect((await mine.change(reply.id, { content: 'Changed' })).status).toBe(403);
});

test('one comment of a post is pinned: another takes its place, and it goes back', async () => {
	const { db, admin } = await setup();
	await store(db, [
		{ id: 'a' },
		{ id: 'b' },
		{ id: 'c', approved: false },
		{ id: 'd', parentId: 'a' },
	]);
	const pins = async () =>
		(await call(listComments, { id: 'p1' }, fetchApi()))
			.filter(({ pinned }) => pinned)
			.map(({ id }) => id);
	const pin = (id: string, pinned: boolean) => call(api.pinComment, { id, pinned }, admin);
	expect(await pin('a', true)).toEqual({ pinned: 'a', before: null });
	expect(await pin('b', true)).toEqual({ pinned: 'b', before: 'a' });
	expect(await pins()).toEqual(['b']);
	for (const id of ['c', 'd', 'nowhere'])
		await expect(pin(id, true)).rejects.toMatchObject({ code: 'conflict' });
	expect(await pin('b', false)).toEqual({ pinned: null, before: 'b' });
	expect(await pins()).toEqual([]);
});

test('a hidden comment is gone at once, with a trace and a build', async () => {
	const { db, say, shown, decide } = await setup();
	const { id } = await say('Good point');
	expect(await decide([id], 'hidden')).toEqual({ before: { [id]: 'visible' } });
	expect(await shown()).toEqual([]);
	expect(await db.select().from(auditLog)).toMatchObject([
		{ actor: ADMIN_EMAIL, action: 'hid comments', subject: `comment ${id}`, detail: '1 comment' },
	]);
	expect(await db.$count(builds)).toBe(1);
	await decide([id], 'visible');
	expect(await shown()).toEqual(['Good point']);
});

test('what is decided already stays as it is and leaves no trace', async () => {
	const { db, say, decide } = await setup();
	const { id } = await say('Good point');
	expect(await decide([id, 'no such comment'], 'visible')).toEqual({ before: {} });
	expect(await db.$count(auditLog)).toBe(0);
	expect(await db.$count(builds)).toBe(0);
});

test('hiding what was never shown asks for no build', async () => {
	const { db, say, decide } = await setup();
	await setMode(db, 'hold-all');
	const { id } = await say('Good point');
	expect(await decide([id], 'hidden')).toEqual({ before: { [id]: 'waiting' } });
	expect(await db.$count(builds)).toBe(0);
	expect(await decide([id], 'waiting')).toEqual({ before: { [id]: 'hidden' } });
	expect(await db.select().from(comments)).toMatchObject([{ approved: false, reviewedAt: null }]);
});

test('deleted comments are gone, and come back whole', async () => {
	const { db, admin, shown, decide } = await setup();
	await store(db, [{ id: 'c1' }, { id: 'c2', approved: false, reviewedAt: NOON }, { id: 'c3' }]);
	const before = await db.select().from(comments);
	const { deleted, undo } = await call(api.deleteComments, { ids: ['c1', 'c2'] }, admin);
	expect(deleted).toBe(2);
	const { total, counts } = await call(api.listAllComments, ALL, admin);
	expect([total, counts]).toEqual([1, { waiting: 0, visible: 1, hidden: 0 }]);
	expect(await shown()).toEqual(['Comment 2']);
	expect(await db.$count(builds)).toBe(1);
	// Nothing of what was deleted can be approved, or deleted once more.
	expect((await decide(['c1'], 'visible')).before).toEqual({});
	expect(await call(api.deleteComments, { ids: ['c1'] }, admin)).toEqual({
		deleted: 0,
		undo: null,
	});
	// The log offers the way back, also after a reload; what it keeps holds no address.
	const log = await call(listAudit, { page: 1, q: '', sort: '-created' }, admin);
	expect(log.rows[0]).toMatchObject({ action: 'deleted', detail: '2 comments', undo });
	expect(JSON.stringify(await db.select().from(undoLog))).not.toContain('ada@');
	await db.update(builds).set({ state: 'live' });
	expect(await call(undoAction, { token: undo! }, admin)).toEqual({
		message: 'Brought back 2 comments.',
		changed: 2,
		kept: 0,
	});
	const byId = (rows: { id: string }[]) => rows.sort((a, b) => a.id.localeCompare(b.id));
	expect(byId(await db.select().from(comments))).toEqual(byId(before));
	expect(await shown()).toEqual(['Comment 0', 'Comment 2']);
	expect(await db.$count(builds)).toBe(2);
	await expect(call(undoAction, { token: undo! }, admin)).rejects.toMatchObject({
		code: 'conflict',
	});
});

test('a deleted comment is gone after 30 days, or when its post goes or its writer erases it', async () => {
	const { db, admin } = await setup();
	await makePost(db, { id: 'p2' });
	await store(db, [{ id: 'c1' }], 'p2');
	await store(db, [{ id: 'c2' }, { id: 'c3', email: 'bob@example.com' }, { id: 'c4' }]);
	const remove = async (id: string) => (await call(api.deleteComments, { ids: [id] }, admin)).undo!;
	const [ofPost, ofBob] = [await remove('c1'), await remove('c3')];
	await db.run("delete from posts where id = 'p2'");
	await expect(call(undoAction, { token: ofPost }, admin)).rejects.toMatchObject({
		message: 'These comments were all changed since: nothing was undone.',
	});
	await eraseData(db, 'bob@example.com', NOON);
	await expect(call(undoAction, { token: ofBob }, admin)).rejects.toMatchObject({
		code: 'conflict',
	});
	const late = await remove('c2');
	vi.setSystemTime(NOON.getTime() + 31 * DAY);
	await maintain();
	expect((await db.select().from(comments)).map(({ id }) => id)).toEqual(['c4']);
	const again = await asAdmin(db);
	await expect(call(undoAction, { token: late }, again)).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('the list is filtered, searched, sorted and cut into pages', async () => {
	const { db, admin } = await setup();
	await makePost(db, { id: 'p2', title: 'Other' });
	await store(db, [
		...Array.from({ length: 28 }, (_, n) => ({ author: `Reader ${String(n).padStart(2, '0')}` })),
		{ author: 'zoë', content: '50% of_it', approved: false },
		{ author: 'Alan', email: 'alan@turing.example', approved: false, reviewedAt: NOON },
	]);
	await store(db, [{ author: 'Grace' }], 'p2');
	const list = (query: object) => call(api.listAllComments, { ...ALL, ...query }, admin);
	const first = await list({});
	expect([first.total, first.rows.length, first.page]).toEqual([31, 25, 1]);
	expect(first.counts).toEqual({ visible: 29, waiting: 1, hidden: 1 });
	expect((await list({ page: 2 })).rows).toHaveLength(6);
	const beyond = await list({ page: 9 });
	expect([beyond.rows.length, beyond.page]).toEqual([6, 2]);
	const authors = async (query: object) => (await list(query)).rows.map(({ author }) => author);
	expect(await authors({ state: 'waiting' })).toEqual(['zoë']);
	expect(await authors({ state: 'hidden' })).toEqual(['Alan']);
	expect(await authors({ post: 'p2' })).toEqual(['Grace']);
	expect(await authors({ q: 'TURING' })).toEqual(['Alan']);
	expect(await authors({ q: 'turing  ALAN' })).toEqual(['Alan']);
	expect(await authors({ q: 'turing grace' })).toEqual([]);
	// A name is found as it is written, although SQLite knows only small letters of A to Z.
	await store(db, [{ author: 'Émile ZOLA' }, { author: 'émile' }], 'p2');
	expect(await authors({ q: 'Émile zola' })).toEqual(['Émile ZOLA']);
	expect(await authors({ q: 'ÉMILE' })).toEqual(['Émile ZOLA', 'émile']);
	await db.delete(comments).where(like(comments.author, '%mile%'));
	// Signs that mean something to a database mean themselves.
	expect(await authors({ q: '50% of_' })).toEqual(['zoë']);
	expect(await authors({ q: '%' })).toEqual(['zoë']);
	expect((await authors({ sort: 'author' }))[0]).toBe('Alan');
	expect((await authors({ sort: '-author' }))[0]).toBe('zoë');
	expect(await list({ q: 'nowhere' })).toMatchObject({ rows: [], total: 0 });
	const wrong = list({ sort: 'email' });
	await expect(wrong).rejects.toMatchObject({ code: 'validation' });
});

test('too many at once, or none, are refused', async () => {
	const { decide } = await setup();
	const ids = Array.from({ length: 201 }, (_, n) => `c${n}`);
	await expect(decide(ids, 'hidden')).rejects.toMatchObject({ code: 'validation' });
	await expect(decide([], 'hidden')).rejects.toMatchObject({ code: 'validation' });
	expect(await decide(ids.slice(1), 'hidden')).toEqual({ before: {} });
});
