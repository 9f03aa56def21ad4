import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { outbox } from '#db/schema.ts';
import { enroll } from '#src/features/course/course.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import { KIND_LABELS } from '#src/features/mail/deliveries.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { subscribe } from '#src/features/newsletter/newsletter.server.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';

/** A Monday. */
const START = new Date('2026-03-02T15:00:00Z');

async function setup() {
	vi.setSystemTime(START);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const list = (query = {}) =>
		call(api.listOutbox, { what: 'mail', state: '', q: '', page: 1, ...query }, admin);
	return { db, admin, list };
}

test('the outbox is listed newest first, by state and by address, and says that mail waits', async () => {
	const { db, list } = await setup();
	await subscribe(db, { email: 'ada@example.com' }, new Date(START.getTime() - MINUTE));
	await subscribe(db, { email: 'grace@example.com' }, START);
	await db
		.update(outbox)
		.set({ failedAt: START, dueAt: null, attempts: 56, lastError: 'No such user' })
		.where(eq(outbox.recipient, 'ada@example.com'));
	expect(await list()).toMatchObject({
		transport: 'none',
		mailbox: null,
		total: 2,
		counts: { waiting: 1, failed: 1, delivered: 0, retrying: 0, sending: 0, withdrawn: 0 },
		rows: [
			{ recipient: 'grace@example.com', kind: 'welcome', state: 'waiting', reason: null },
			{ recipient: 'ada@example.com', state: 'failed', reason: 'No such user', attempts: 56 },
		],
	});
	expect((await list({ state: 'failed' })).rows.map(({ recipient }) => recipient)).toEqual([
		'ada@example.com',
	]);
	expect((await list({ q: 'GRACE' })).rows).toHaveLength(1);
	expect((await list({ q: 'example grace' })).rows).toHaveLength(1);
	expect((await list({ q: 'nobody' })).rows).toEqual([]);
});

test('what the site does for itself is listed apart from mail, and every kind has a name', async () => {
	const { db, list } = await setup();
	await subscribe(db, { email: 'ada@example.com' }, START);
	await enqueue(db, { kind: 'build', key: 'b1', payload: {} }, START);
	const kinds = async (what: string) => {
		const { rows, total, counts } = await list({ what });
		expect([rows.length, counts.waiting]).toEqual([total, total]);
		return rows.map(({ kind }) => kind);
	};
	expect([await kinds('mail'), await kinds('jobs')]).toEqual([['welcome'], ['build']]);
	expect(Object.keys(writersOf(db)).filter((kind) => !KIND_LABELS[kind])).toEqual([]);
});

test('a delivery that was given up is tried again; one that arrived stays', async () => {
	const { db, admin } = await setup();
	await subscribe(db, { email: 'ada@example.com' }, START);
	const [row] = await db.select().from(outbox);
	const state = { failedAt: START, dueAt: null, attempts: 56 };
	await db.update(outbox).set(state);
	expect(await call(api.retryDelivery, { id: row!.id }, admin)).toEqual({ retried: 1 });
	expect(await db.select().from(outbox)).toMatchObject([
		{ dueAt: START, failedAt: null, attempts: 0 },
	]);
	await db.update(outbox).set({ deliveredAt: START, dueAt: null });
	expect(await call(api.retryDelivery, { id: row!.id }, admin)).toEqual({ retried: 0 });
	expect(await db.select().from(outbox)).toMatchObject([{ deliveredAt: START, dueAt: null }]);
	await expect(call(api.retryDelivery, { id: 'none' }, admin)).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('an email is shown as it is sent, with links that do nothing and a policy of its own', async () => {
	const { db, admin } = await setup();
	await subscribe(db, { email: 'ada@example.com' }, START);
	const [row] = await db.select().from(outbox);
	const response = await admin(`/api/admin/mail/${row!.id}`);
	const html = await response.text();
	expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
	expect(html).toContain('Welcome to Groundtruth Weekly');
	expect([...html.matchAll(/token=([\w-]+)/g)].map(([, token]) => token)).toEqual(
		Array(2).fill('shown-to-the-admin'),
	);
	await enqueue(db, { kind: 'mailerlite', key: 'k', payload: {} }, START);
	const [other] = await db.select().from(outbox).where(eq(outbox.kind, 'mailerlite'));
	expect((await admin(`/api/admin/mail/${other!.id}`)).status).toBe(404);
});

test('a test goes to whoever is signed in', async () => {
	const { db, admin } = await setup();
	expect(await call(api.sendTest, { what: 'plain' }, admin)).toEqual({ recipient: ADMIN_EMAIL });
	expect(await db.select().from(outbox)).toMatchObject([
		{ kind: 'test', recipient: ADMIN_EMAIL, payload: { what: 'plain' } },
	]);
});

test('the next letter is told before it goes out, and shown as an email', async () => {
	const { db, admin } = await setup();
	await createIssue(db, START);
	await makePost(db, { title: 'Old', publishedAt: new Date(START.getTime() - DAY) });
	await makePost(db, { title: 'Fresh', publishedAt: new Date(START.getTime() + HOUR) });
	await makeSubscriber(db);
	vi.setSystemTime(START.getTime() + DAY);
	expect(await call(api.getDigest, {}, admin)).toEqual({
		next: {
			at: '2026-03-05T14:00:00.000Z',
			subject: 'Groundtruth Weekly: Fresh',
			posts: [{ title: 'Fresh', slug: 'fresh' }],
		},
		subscribers: 1,
		issues: [],
	});
	const page = await admin('/api/admin/digest', { headers: { Accept: 'text/html' } });
	expect(await page.text()).toContain('Fresh');
	vi.setSystemTime('2026-03-05T14:00:00Z');
	await createIssue(db, new Date());
	expect((await call(api.getDigest, {}, admin)).issues).toEqual([
		{
			date: '2026-03-05',
			subject: 'Groundtruth Weekly: Fresh',
			posts: 1,
			queued: 0,
			delivered: 0,
			failed: 0,
			isQueued: false,
		},
	]);
});

test('the enrollments are listed', async () => {
	const { db, admin } = await setup();
	await enroll(db, { email: 'ada@example.com' }, START);
	expect(await call(api.listEnrollments, {}, admin)).toEqual({
		total: 1,
		enrollments: [
			{
				email: 'ada@example.com',
				consent: null,
				lesson: 1,
				state: 'running',
				nextAt: new Date(START.getTime() + DAY).toISOString(),
				createdAt: START.toISOString(),
			},
		],
	});
});

test.each(['/api/admin/mail', '/api/admin/mail/x', '/api/admin/digest', '/api/admin/enrollments'])(
	'%s is for the admin',
	async (path) => {
		await setup();
		expect((await fetchApi()(path)).status).toBe(401);
	},
);
