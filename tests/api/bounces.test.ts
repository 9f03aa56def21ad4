import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { enrollments, outbox, subscribers } from '#db/schema.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeSubscriber } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';

const NOON = new Date('2026-11-23T12:00:00Z');
const KEY = Buffer.from('a key that only the provider knows');
const STANDARD_SECRET = `whsec_${KEY.toString('base64')}`;
const MAILGUN_SECRET = 'key-0123456789abcdef0123456789abcdef';

async function setup(BOUNCES_SECRET = '') {
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
			BOUNCES_SECRET,
		}),
	);
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await makeSubscriber(db, { email: 'gone@example.com' });
	await makeSubscriber(db, { email: 'here@example.com' });
	const emails = ['old', 'new'].map((key, index) => ({
		kind: 'digest',
		key,
		recipient: 'gone@example.com',
		payload: {},
		deliveredAt: new Date(NOON.getTime() - HOUR + index * MINUTE),
	}));
	await db.insert(outbox).values(emails);
	await db.insert(enrollments).values({ email: 'gone@example.com', nextAt: NOON });
	const state = async () => ({
		active: (
			await db
				.select({ email: subscribers.email })
				.from(subscribers)
				.where(eq(subscribers.active, true))
		)
			.map(({ email }) => email)
			.sort(),
		refused: (await db.select().from(outbox))
			.filter(({ failedAt }) => failedAt)
			.map(({ key, lastError, deliveredAt }) => [key, lastError, deliveredAt]),
		course: (await db.select().from(enrollments)).map(({ stoppedAt }) => stoppedAt),
	});
	return { db, state };
}

async function send(text: string, headers: Record<string, string> = {}) {
	const response = await fetchApi()('/api/bounces', {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: text,
	});
	return [response.status, ((await response.json()) as { recorded?: number }).recorded];
}

/** The event of a provider with Standard Webhooks, as Resend's documentation shows it. */
const bounced = (address: string, type = 'Permanent', message = 'No such mailbox.') =>
	JSON.stringify({
		type: 'email.bounced',
		created_at: '2026-11-22T23:41:12.126Z',
		data: {
			created_at: '2026-11-22T23:41:11.894Z',
			email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
			message_id: '<111-222-333@email.example.com>',
			from: 'Acme <onboarding@resend.dev>',
			to: [address],
			subject: 'Sending this example',
			bounce: { message, subType: 'Suppressed', type },
			tags: { category: 'confirm_email' },
		},
	});

const complained = JSON.stringify({
	type: 'email.complained',
	data: { to: ['gone@example.com'], subject: 'Sending this example' },
});

function signed(text: string, { prefix = 'svix', at = NOON, key = KEY } = {}) {
	const timestamp = String(Math.floor(at.getTime() / 1000));
	const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64');
	return {
		[`${prefix}-id`]: 'msg_1',
		[`${prefix}-timestamp`]: timestamp,
		[`${prefix}-signature`]: `v1,AAAA v1,${signature}`,
	};
}

/** The event of a failure as Mailgun sends it. */
function failed(severity: string, { at = NOON, key = MAILGUN_SECRET } = {}) {
	const timestamp = String(Math.floor(at.getTime() / 1000));
	const token = '651869375b9df3c98fc15c4889b102119add1235c38fc92824';
	return JSON.stringify({
		signature: {
			timestamp,
			token,
			signature: createHmac('sha256', key)
				.update(timestamp + token)
				.digest('hex'),
		},
		'event-data': {
			event: 'failed',
			severity,
			reason: 'bounce',
			recipient: 'Gone@example.com',
			timestamp: 1534110422.389832,
			'log-level': 'error',
			message: { headers: { to: 'gone@example.com', 'message-id': 'x@example.org' } },
			'delivery-status': {
				'mx-host': 'aspmx.l.example.org',
				code: 550,
				description: '',
				message: '5.1.1 The email account that you tried to reach does not exist.',
			},
		},
	});
}

const UNCHANGED = {
	active: ['gone@example.com', 'here@example.com'],
	refused: [],
	course: [null],
};

test.each(['svix', 'webhook'])(
	'an address that bounces for good leaves, once, by headers of %s',
	async (prefix) => {
		const { state } = await setup(STANDARD_SECRET);
		const text = bounced('gone@example.com');
		const left = {
			active: ['here@example.com'],
			refused: [['new', 'No such mailbox.', null]],
			course: [NOON],
		};
		expect(await send(text, signed(text, { prefix }))).toEqual([200, 1]);
		expect(await state()).toEqual(left);
		vi.setSystemTime(NOON.getTime() + MINUTE);
		expect(await send(text, signed(text, { prefix }))).toEqual([200, 1]);
		expect(await state()).toEqual(left);
	},
);

test('a complaint ends what the address gets, and no email counts as refused', async () => {
	const { state } = await setup(STANDARD_SECRET);
	expect(await send(complained, signed(complained))).toEqual([200, 1]);
	expect(await state()).toEqual({ active: ['here@example.com'], refused: [], course: [NOON] });
});

test.each([
	'550 5.7.1 Service unavailable; client host blocked using a blocklist',
	'552 5.2.2 The mailbox is full',
	'550 5.1.1 Refused for your reputation',
])('an email refused with %s is recorded, and its reader stays', async (reason) => {
	const { state } = await setup(STANDARD_SECRET);
	const text = bounced('gone@example.com', 'Permanent', reason);
	expect(await send(text, signed(text))).toEqual([200, 1]);
	expect(await state()).toEqual({ ...UNCHANGED, refused: [['new', reason, null]] });
});

test('Mailgun is understood', async () => {
	const { state } = await setup(MAILGUN_SECRET);
	expect(await send(failed('temporary'))).toEqual([200, 0]);
	expect(await state()).toEqual(UNCHANGED);
	expect(await send(failed('permanent'))).toEqual([200, 1]);
	expect(await state()).toMatchObject({
		active: ['here@example.com'],
		refused: [['new', '5.1.1 The email account that you tried to reach does not exist.', null]],
	});
});

test("Mailgun's signature, which covers no address, is good for one report", async () => {
	const { state } = await setup(MAILGUN_SECRET);
	const report = failed('permanent');
	expect(await send(report)).toEqual([200, 1]);
	const forged = report.replaceAll(/gone@example\.com/gi, 'here@example.com');
	expect(await send(forged)).toEqual([200, 0]);
	expect((await state()).active).toEqual(['here@example.com']);
});

test.each([
	['a soft bounce', bounced('gone@example.com', 'Temporary')],
	[
		'another event',
		JSON.stringify({ type: 'email.delivered', data: { to: ['gone@example.com'] } }),
	],
	['no address', bounced('nobody')],
	['a list', '[]'],
])('%s changes nothing', async (_, text) => {
	const { state } = await setup(STANDARD_SECRET);
	const [status, recorded] = await send(text, signed(text));
	expect([status, recorded ?? 0]).toEqual([text === '[]' ? 400 : 200, 0]);
	expect(await state()).toEqual(UNCHANGED);
});

const text = bounced('gone@example.com');
test.each([
	['no signature', text, {}],
	['another key', text, signed(text, { key: Buffer.from('of somebody else') })],
	['other words', text.replace('gone@', 'here@'), signed(text)],
	['an old signature', text, signed(text, { at: new Date(NOON.getTime() - HOUR) })],
	['no JSON', 'gone@example.com', signed(text)],
	['the form of Mailgun', failed('permanent', { key: 'another' }), {}],
	['an old form of Mailgun', failed('permanent', { at: new Date(NOON.getTime() - 2 * DAY) }), {}],
])('a report with %s is refused', async (_, body, headers) => {
	for (const secret of [STANDARD_SECRET, MAILGUN_SECRET]) {
		const { state } = await setup(secret);
		const [status] = await send(body, headers);
		expect(status).toBe(body.startsWith('{') ? 403 : 400);
		expect(await state()).toEqual(UNCHANGED);
	}
});

test('without a secret there is no such address', async () => {
	const { state } = await setup();
	expect((await send(text, signed(text)))[0]).toBe(404);
	expect(await state()).toEqual(UNCHANGED);
});

test('a report that is too long is refused, and nobody waits for its end', async () => {
	await setup(STANDARD_SECRET);
	expect(await send(JSON.stringify({ email: 'a'.repeat(100_000) }))).toEqual([413, undefined]);
});
