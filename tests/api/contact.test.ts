import { expect, onTestFinished, test } from 'vitest';
import { contactMessages, outbox } from '#db/schema.ts';
import * as api from '#src/features/contact/contact.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { ADMIN_EMAIL, openSession } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { DEFAULT_EMAIL } from '#src/core/session/session.ts';
import { updateSite } from '#src/core/settings/site.server.ts';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';
import { TEXTS } from '#src/texts.ts';

const TOPICS = TEXTS.topics.sample.split('\n');

const message = {
	name: 'Ada',
	email: 'ada@example.com',
	topic: 'Request your state',
	message: 'Guam is missing.',
} as const;

async function setup() {
	const db = await useTestDb();
	const send = (overrides = {}) => call(api.sendMessage, { ...message, ...overrides }, fetchApi());
	const form = (overrides = {}) =>
		fetchApi()('/api/contact', {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams({ ...message, ...overrides }),
		});
	const stored = () => db.$count(contactMessages);
	return { db, send, form, stored };
}

test('a message is stored, and not repeated in the answer', async () => {
	const { db, send } = await setup();
	expect(await send()).toEqual({ success: true });
	expect(await db.select().from(contactMessages)).toMatchObject([message]);
});

test.each([
	['each topic', TOPICS.map((topic) => ({ topic }))],
	['a name of 100 characters', [{ name: 'a'.repeat(100) }]],
	['a message of 5000 characters', [{ message: 'a'.repeat(5000) }]],
])('%s is accepted', async (_, all) => {
	const { send, stored } = await setup();
	for (const [index, fields] of all.entries()) {
		await send({ email: `ada${index}@example.com`, ...fields });
	}
	expect(await stored()).toBe(all.length);
});

test('the topics are the owner’s: in the answer to a plain form, and in what is taken', async () => {
	const { db, send, form } = await setup();
	onTestFinished(() => provideSettings(DEFAULT_SETTINGS));
	const topics = 'A talk\nMy book';
	await updateSite(db, { topics }, { actor: 'admin@example.com', now: new Date() });
	await expect(send()).rejects.toMatchObject({ fields: { topic: 'Choose one of the topics' } });
	expect(await send({ topic: 'My book' })).toEqual({ success: true });
	const page = await (await form({ topic: '' })).text();
	expect(page).toContain('My book');
	expect(page).not.toContain('Request your state');
});

test.each([
	['no name', { name: ' ' }, 'Please fill in your name'],
	['a name of 101 characters', { name: 'a'.repeat(101) }, 'Use 100 characters or fewer'],
	['no email', { email: '' }, 'Please fill in your email address'],
	['something that is no email', { email: 'ada' }, 'Please enter a valid email address'],
	['an unknown topic', { topic: 'Gossip' }, 'Choose one of the topics'],
	['no message', { message: '\r\n' }, 'Please fill in your message'],
	['a message of 5001 characters', { message: 'a'.repeat(5001) }, 'Write 5000 characters or fewer'],
])('%s is refused, with the message on its field', async (_, fields, text) => {
	const { send, stored } = await setup();
	await expect(send(fields)).rejects.toMatchObject({
		code: 'validation',
		fields: { [Object.keys(fields)[0]!]: text },
	});
	expect(await stored()).toBe(0);
});

test('a robot is told what it wants to hear, and nothing is stored', async () => {
	const { send, stored } = await setup();
	expect(await send({ website: 'x' })).toEqual({ success: true });
	expect(await stored()).toBe(0);
});

test('one client address may write 30 times in ten minutes, and no more', async () => {
	const { send, stored } = await setup();
	for (let index = 0; index < 30; index++) await send({ email: `ada${index}@example.com` });
	await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await stored()).toBe(30);
});

test('one email address may write 3 times in ten minutes, and no more', async () => {
	const { send, stored } = await setup();
	for (let index = 0; index < 3; index++) await send();
	await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await stored()).toBe(3);
	await send({ email: 'grace@example.com' });
	expect(await stored()).toBe(4);
});

test('a message waits for the owner, with its sender to answer', async () => {
	const { db, send } = await setup();
	await send();
	expect(await db.select().from(outbox)).toMatchObject([
		{ kind: 'contact', recipient: DEFAULT_EMAIL, payload: message, attempts: 0 },
	]);
	// Once the account has an address of its own, that is where.
	await openSession(db);
	await send();
	const recipients = await db.select({ to: outbox.recipient }).from(outbox);
	expect(recipients.map(({ to }) => to).sort()).toEqual([ADMIN_EMAIL, DEFAULT_EMAIL]);
});

test('a plain form post ends on the thank-you page', async () => {
	const { form, stored } = await setup();
	const response = await form();
	expect([response.status, response.headers.get('Location')]).toEqual([303, '/thanks/contact']);
	expect(await stored()).toBe(1);
});

test('a plain form post that is refused keeps what was typed and chosen', async () => {
	const { form, stored } = await setup();
	const response = await form({ email: 'ada', message: 'Guam & <Samoa>' });
	const page = await response.text();
	expect(response.status).toBe(400);
	expect(page).toContain('<option value="Request your state" selected>Request your state</option>');
	expect(page).toContain('Guam &amp; &lt;Samoa&gt;</textarea>');
	expect(page).toContain('value="ada"');
	expect(page).toContain('aria-invalid="true"');
	expect(await stored()).toBe(0);
});
