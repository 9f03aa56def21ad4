import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { auditLog, contactMessages, contactReplies, outbox } from '#db/schema.ts';
import { deliverFor } from '#functions/lib/deliver.ts';
import maintain from '#functions/maintenance.ts';
import { sendMessage } from '#src/features/contact/contact.api.ts';
import * as api from '#src/features/contact/messages.api.ts';
import { collectData, eraseData } from '#src/features/privacy/privacy.server.ts';
import { showEmail } from '#src/features/mail/mail.api.ts';
import { UNDO_DAYS } from '#src/core/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { call, parse, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const ADA = {
	name: 'Ada',
	email: 'ada@example.com',
	topic: 'Correction',
	message: 'The table in “BM25” adds up to 101.\n\nIs that rounding?',
} as const;

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const list = (query = {}) => ask(api.listMessages, parse(api.listMessages.input, query));
	await call(sendMessage, ADA, fetchApi());
	const [first] = (await list()).rows;
	const get = () => ask(api.getMessage, { id: first!.id });
	return { db, admin, ask, list, get, id: first!.id };
}

test('a message is in the inbox until it is archived, marked as spam or deleted', async () => {
	const { ask, list, id } = await setup();
	expect(await list()).toMatchObject({
		rows: [{ name: 'Ada', excerpt: ADA.message.replace('\n\n', ' '), state: 'new', replies: 0 }],
		counts: { new: 1, inbox: 1, archived: 0, spam: 0, deleted: 0 },
	});
	const read = await ask(api.changeMessage, { id, version: 1, state: 'read' });
	expect(read).toMatchObject({ state: 'read', version: 2, message: ADA.message, replies: [] });
	expect((await list()).counts).toMatchObject({ new: 0, inbox: 1 });
	await ask(api.changeMessage, { id, version: 2, state: 'archived' });
	expect((await list()).rows).toEqual([]);
	expect((await list({ box: 'archived' })).rows).toHaveLength(1);
	await ask(api.changeMessage, { id, version: 3, state: 'spam' });
	expect((await list({ box: 'spam', q: 'ADA rounding' })).rows).toHaveLength(1);
	expect((await list({ box: 'spam', q: 'rounding nothing' })).rows).toHaveLength(0);
	expect(await ask(api.deleteMessage, { id, version: 4, forever: false })).toMatchObject({
		state: 'spam',
	});
	expect(await list({ box: 'deleted' })).toMatchObject({
		rows: [{ id, deletedAt: NOON.toISOString() }],
		counts: { inbox: 0, spam: 0, deleted: 1 },
	});
	await ask(api.changeMessage, { id, version: 5, state: 'read' });
	expect((await list()).rows).toMatchObject([{ id, state: 'read', deletedAt: null }]);
});

test('what was changed elsewhere meanwhile is a conflict that carries the message', async () => {
	const { ask, id, get } = await setup();
	await ask(api.changeMessage, { id, version: 1, state: 'archived' });
	const refused = {
		code: 'conflict',
		stored: { id, version: 2, state: 'archived', message: ADA.message },
	};
	await expect(ask(api.replyToMessage, { id, version: 1, text: 'Yes.' })).rejects.toMatchObject(
		refused,
	);
	await expect(ask(api.deleteMessage, { id, version: 1, forever: false })).rejects.toMatchObject(
		refused,
	);
	await expect(ask(api.changeMessage, { id, version: 1, state: 'spam' })).rejects.toMatchObject(
		refused,
	);
	expect(await get()).toMatchObject({ version: 2, state: 'archived', replies: [] });
});

test('an answer is mailed once, with what it answers, and its delivery is in the thread', async () => {
	const { db, admin, ask, get, list, id } = await setup();
	const text = 'It is rounding.\n\nThe <b>sum</b> is 100.4.';
	const answered = await Promise.allSettled([
		ask(api.replyToMessage, { id, version: 1, text }),
		ask(api.replyToMessage, { id, version: 1, text }),
	]);
	expect(answered.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	const [mail, ...others] = await db.select().from(outbox).where(eq(outbox.kind, 'reply'));
	expect(others).toEqual([]);
	expect(mail).toMatchObject({ recipient: ADA.email });
	const html = await (await admin(showEmail.path.replace(':id', mail!.id))).text();
	expect(html).toContain('It is rounding.');
	expect(html).toContain('The &lt;b&gt;sum&lt;/b&gt; is 100.4.');
	expect(html).toContain('adds up to 101.');
	await deliverFor(0);
	expect(await get()).toMatchObject({
		state: 'read',
		replies: [{ text, createdAt: NOON.toISOString(), delivery: expect.any(String) }],
	});
	expect((await list()).rows).toMatchObject([{ replies: 1 }]);
	const log = await db.select({ action: auditLog.action }).from(auditLog);
	expect(log).toContainEqual({ action: 'answered a message' });
});

test('an answer that ends the matter leaves the inbox with one press, and comes back with another', async () => {
	const { db, ask, id, list } = await setup();
	const sent = await ask(api.replyToMessage, { id, version: 1, text: 'Yes.', archives: true });
	expect(sent).toMatchObject({ state: 'archived', replies: [{ text: 'Yes.' }] });
	expect((await list()).rows).toEqual([]);
	const log = await db.select({ action: auditLog.action }).from(auditLog);
	expect(log).toContainEqual({ action: 'answered and archived a message' });
	await ask(api.changeMessage, { id, version: sent.version, state: 'read' });
	expect((await list()).rows).toMatchObject([{ replies: 1 }]);
});

test.each([
	['nothing', ' \r\n ', 'Please fill in your answer'],
	['too much', 'a'.repeat(10_001), 'Write 10000 characters or fewer'],
])('an answer of %s is refused', async (_, text, message) => {
	const { ask, id, get } = await setup();
	await expect(ask(api.replyToMessage, { id, version: 1, text })).rejects.toMatchObject({
		code: 'validation',
		fields: { text: message },
	});
	expect((await get()).replies).toEqual([]);
});

test('an erased message leaves neither replies nor emails', async () => {
	const { db, ask, id } = await setup();
	await ask(api.replyToMessage, { id, version: 1, text: 'Yes.' });
	const { version } = await ask(api.deleteMessage, { id, version: 2, forever: false });
	await ask(api.deleteMessage, { id, version, forever: true });
	for (const table of [contactMessages, contactReplies, outbox])
		expect(await db.$count(table)).toBe(0);
	await expect(ask(api.getMessage, { id })).rejects.toMatchObject({ code: 'not_found' });
});

test('a deleted message can be restored for 30 days, and is erased afterwards', async () => {
	const { db, ask, id } = await setup();
	await ask(api.deleteMessage, { id, version: 1, forever: false });
	vi.setSystemTime(NOON.getTime() + UNDO_DAYS * DAY);
	await maintain();
	expect(await db.$count(contactMessages)).toBe(1);
	vi.setSystemTime(NOON.getTime() + UNDO_DAYS * DAY + 1);
	await maintain();
	expect(await db.$count(contactMessages)).toBe(0);
});

test('a reader gets the answers with their data, and they are erased with it', async () => {
	const { db, ask, id } = await setup();
	await ask(api.replyToMessage, { id, version: 1, text: 'Only for you.' });
	expect(await collectData(db, ADA.email, NOON)).toMatchObject({
		messages: [{ message: ADA.message }],
		answers: [{ text: 'Only for you.' }],
	});
	await eraseData(db, ADA.email, NOON);
	for (const table of [contactMessages, contactReplies, outbox])
		expect(await db.$count(table)).toBe(0);
});

test('the inbox is for the admin alone', async () => {
	const { id } = await setup();
	for (const path of ['/api/admin/messages', `/api/admin/messages/${id}`])
		expect((await fetchApi()(path)).status).toBe(401);
});

test.each([
	['light', '@media not all', '<pre class="code'],
	['dark', '@media all', 'Ten &lt;b&gt; columns'],
	['text', '&gt; The table in', 'Ten &lt;b&gt; columns'],
] as const)('an answer is looked at in %s before it is sent', async (view, ...shown) => {
	const { db, admin, id } = await setup();
	const body = new URLSearchParams({ text: 'Ten <b> columns:\n\n```\n9 + 1\n```', view });
	const preview = (path: string, init: RequestInit) =>
		admin(`/api/admin/messages/${path}/preview`, {
			method: 'POST',
			...init,
			headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
		});
	const page = await preview(id, { body });
	expect(page.status).toBe(200);
	expect(page.headers.get('Content-Security-Policy')).toContain('sandbox');
	const html = await page.text();
	for (const part of shown) expect(html).toContain(part);
	expect((await preview('nothing', { body })).status).toBe(404);
	expect((await preview(id, { body: 'text=' })).status).toBe(400);
	expect(await db.$count(contactReplies)).toBe(0);
	expect(await db.$count(outbox)).toBe(1);
	const stranger = await fetchApi()(`/api/admin/messages/${id}/preview`, { method: 'POST', body });
	expect(stranger.status).toBe(401);
});
