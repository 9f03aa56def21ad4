import { expect, test, vi } from 'vitest';
import { contactMessages, enrollments, outbox, rateLimits, subscribers } from '#db/schema.ts';
import * as api from '#src/features/newsletter/newsletter.api.ts';
import { SUBSCRIBED } from '#src/features/newsletter/subscriber.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeSubscriber } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const subscribe = (overrides = {}, ip = '203.0.113.1') =>
		call(api.subscribe, { email: 'ada@example.com', ...overrides }, fetchApi({ ip }));
	const stored = () => db.$count(subscribers);
	const welcomes = () => db.select().from(outbox);
	return { db, subscribe, stored, welcomes };
}

test('a new address is stored, with one welcome email to be sent at once', async () => {
	const { db, subscribe, welcomes } = await setup();
	const source = 'Newsletter Modal';
	expect(await subscribe({ email: ' ADA@Example.com', source })).toEqual({
		success: true,
		message: SUBSCRIBED,
	});
	expect(await db.select().from(subscribers)).toMatchObject([
		{ email: 'ada@example.com', active: true, source, createdAt: NOON },
	]);
	expect(await welcomes()).toMatchObject([
		{
			kind: 'welcome',
			recipient: 'ada@example.com',
			payload: { email: 'ada@example.com', source },
			attempts: 0,
			dueAt: NOON,
			deliveredAt: null,
		},
	]);
});

test('an address that is known gets the same answer, and stays as it was', async () => {
	const { db, subscribe, stored, welcomes } = await setup();
	const first = await subscribe({ source: 'Newsletter Button' });
	expect(await subscribe({ source: 'Newsletter Modal' })).toEqual(first);
	expect(await stored()).toBe(1);
	expect(await db.select().from(subscribers)).toMatchObject([{ source: 'Newsletter Button' }]);
	expect(await welcomes()).toHaveLength(1);
});

test('an address that had left becomes active again', async () => {
	const { db, subscribe } = await setup();
	const { id } = await makeSubscriber(db, { email: 'ada@example.com', active: false });
	expect(await subscribe()).toEqual({ success: true, message: SUBSCRIBED });
	expect(await db.select().from(subscribers)).toMatchObject([{ id, active: true }]);
});

test.each([
	['user@xn--e1afmkfd.xn--p1ai', 'user@xn--e1afmkfd.xn--p1ai'],
	['a=b@example.com', 'a=b@example.com'],
	['info@bücher.example', 'info@xn--bcher-kva.example'],
	['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
])('%s subscribes, stored as %s', async (typed, address) => {
	const { db, subscribe } = await setup();
	await subscribe({ email: typed });
	await subscribe({ email: address });
	expect(await db.select().from(subscribers)).toMatchObject([{ email: address, active: true }]);
});

test('one address gets one welcome in 24 hours, and another one after', async () => {
	const { subscribe, welcomes } = await setup();
	await subscribe();
	vi.setSystemTime(NOON.getTime() + DAY - 1);
	await subscribe();
	expect(await welcomes()).toHaveLength(1);
	vi.setSystemTime(NOON.getTime() + DAY);
	await subscribe();
	expect(await welcomes()).toHaveLength(2);
});

test('ten signups of one address at once are one subscriber and one welcome', async () => {
	const { subscribe, stored, welcomes } = await setup();
	await Promise.all(Array.from({ length: 10 }, () => subscribe()));
	expect(await stored()).toBe(1);
	expect(await welcomes()).toHaveLength(1);
});

test('an address that begins like another one gets its own welcome', async () => {
	const { subscribe, welcomes } = await setup();
	await subscribe({ email: 'ada@example.com' });
	await subscribe({ email: 'ada@example.com.au' });
	await subscribe({ email: 'a@example.com' });
	expect(await welcomes()).toHaveLength(3);
});

test('where the welcome cannot be queued, the subscriber is not stored either', async () => {
	const { db, subscribe, stored } = await setup();
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	await db.run('drop table outbox');
	await expect(subscribe()).rejects.toMatchObject({ code: 'server', message: MESSAGES.server });
	expect(log).toHaveBeenCalledOnce();
	expect(await stored()).toBe(0);
});

test.each([
	['no address', { email: undefined }, 'Please enter your email address.'],
	['an empty address', { email: ' ' }, 'Please enter your email address.'],
	['something that is no address', { email: 'ada' }, 'Please enter a valid email address'],
	[
		'two addresses',
		{ email: 'a@example.com, b@example.com' },
		'Please enter a valid email address',
	],
	[
		'a line break',
		{ email: 'a@example.com\nBcc: b@example.com' },
		'Please enter a valid email address',
	],
	['a list', { email: ['a@example.com', 'b@example.com'] }, 'Please enter your email address.'],
])('%s is refused, and nothing is stored', async (_, fields, message) => {
	const { subscribe, stored, welcomes } = await setup();
	await expect(subscribe(fields)).rejects.toMatchObject({
		code: 'validation',
		fields: { email: message },
	});
	expect(await stored()).toBe(0);
	expect(await welcomes()).toEqual([]);
});

test('a robot is told what it wants to hear, and nothing is stored', async () => {
	const { db, subscribe, stored, welcomes } = await setup();
	const answer = { success: true, message: SUBSCRIBED };
	expect(await subscribe({ website: 'https://spam.example' })).toEqual(answer);
	expect(await stored()).toBe(0);
	expect(await welcomes()).toEqual([]);
	expect(await db.$count(rateLimits)).toBe(0);
});

test.each([
	['/api/subscribers', {}],
	['/api/mailerlite/subscribe', { fields: { company: 'Floating Newsletter' } }],
	['/api/email-course/enroll', {}],
	['/api/content-upgrade', { upgradeType: 'guide' }],
	['/api/personal-data', {}],
	['/api/contact', { name: 'Ada', topic: 'Privacy', message: 'Words' }],
])('%s: whoever is told of a success has one, however quick', async (path, more) => {
	const { db } = await setup();
	const body = { email: 'quick@example.com', ...more };
	const send = (clock: object) =>
		fetchApi()(path, { method: 'POST', body: JSON.stringify({ ...body, ...clock }) });
	const kept = async () =>
		(await db.$count(subscribers)) +
		(await db.$count(enrollments)) +
		(await db.$count(contactMessages)) +
		(await db.$count(outbox));
	expect((await send({ elapsedMs: 0 })).status).toBe(429);
	expect((await send({ startedAt: NOON.getTime() - 1999 })).status).toBe(429);
	expect(await kept()).toBe(0);
	expect((await send({ elapsedMs: 2000 })).status).toBe(201);
	expect(await kept()).toBeGreaterThan(0);
});

test('one client address may sign up 30 times in ten minutes, and no more', async () => {
	const { subscribe, stored } = await setup();
	const send = (index: number, ip?: string) =>
		subscribe({ email: `reader${index}@example.com` }, ip);
	for (let index = 0; index < 30; index++) await send(index);
	await expect(send(30)).rejects.toMatchObject({
		code: 'rate_limited',
		message: MESSAGES.rate_limited,
	});
	expect(await stored()).toBe(30);
	await send(31, '203.0.113.2');
	vi.setSystemTime(NOON.getTime() + 10 * MINUTE);
	await send(32);
	expect(await stored()).toBe(32);
});

test('neighbors in one IPv6 network count as one', async () => {
	const { subscribe, stored } = await setup();
	for (let index = 0; index < 30; index++) {
		await subscribe({ email: `reader${index}@example.com` }, `2001:db8:1:2::${index}`);
	}
	await expect(subscribe({}, '2001:db8:1:2:ffff::1')).rejects.toMatchObject({
		code: 'rate_limited',
	});
	await subscribe({}, '2001:db8:1:3::1');
	expect(await stored()).toBe(31);
});

test('a plain form post ends on the thank-you page', async () => {
	const { stored } = await setup();
	const response = await fetchApi()('/api/subscribers', {
		method: 'POST',
		headers: { Accept: 'text/html' },
		body: new URLSearchParams({ email: 'ada@example.com', source: 'Newsletter Signup Form' }),
	});
	expect([response.status, response.headers.get('Location')]).toEqual([303, '/thanks/subscribe']);
	expect(await stored()).toBe(1);
});

test('a plain form post that is refused shows what was typed', async () => {
	const { stored } = await setup();
	const response = await fetchApi()('/api/subscribers', {
		method: 'POST',
		headers: { Accept: 'text/html' },
		body: new URLSearchParams({ email: 'ada@"example' }),
	});
	const page = await response.text();
	expect(response.status).toBe(400);
	expect(page).toContain('<p role="alert" id="message">Please enter a valid email address</p>');
	expect(page).toContain('value="ada@&quot;example"');
	expect(await stored()).toBe(0);
});

test('the count is of those who receive the newsletter', async () => {
	const { db } = await setup();
	await makeSubscriber(db);
	await makeSubscriber(db);
	await makeSubscriber(db, { active: false });
	expect(await call(api.countSubscribers, {}, fetchApi())).toEqual({ count: 2 });
});
