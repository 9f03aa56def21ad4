import { and, eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { enrollments, outbox, subscribers, unconfirmed } from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import maintain from '#functions/maintenance.ts';
import { readerLinks } from '#src/core/outbox/mail.server.ts';
import { changeSettings } from '#src/core/settings/settings.server.ts';
import { UNCONFIRMED } from '#src/features/confirmation/confirmation.ts';
import * as course from '#src/features/course/course.api.ts';
import * as downloads from '#src/features/downloads/downloads.api.ts';
import * as mailList from '#src/features/newsletter/mail-list.api.ts';
import * as newsletter from '#src/features/newsletter/newsletter.api.ts';
import * as subscribersApi from '#src/features/newsletter/subscribers.api.ts';
import { collectData, eraseData } from '#src/features/privacy/privacy.server.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { seal } from '#src/lib/token.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { randomBy } from '#tests/support/random.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const ADA = 'ada@example.com';
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

async function setup(confirmSignup: 'on' | 'off' = 'on') {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await changeSettings(db, { confirmSignup }, 'admin@example.com', NOON);
	return db;
}

const subscribe = (email = ADA, more = {}, ip = '203.0.113.1') =>
	call(newsletter.subscribe, { email, ...more }, fetchApi({ ip }));

/** Returns the addresses of the links in the eemails that asked, oldest first, as these eemails are now. */
async function linksTo(db: Db, email = ADA): Promise<string[]> {
	const rows = await db
		.select()
		.from(outbox)
		.where(and(eq(outbox.kind, 'confirm'), eq(outbox.recipient, email)))
		.orderBy(outbox.createdAt);
	const links = rows.map(async (row) => {
		const written = await writersOf(db).confirm(row, new Date());
		const button =
			'blocks' in written ? written.blocks.find(({ kind }) => kind === 'button') : null;
		const { pathname, search } = new URL((button as { href: string }).href);
		return pathname + search;
	});
	return Promise.all(links);
}

async function open(link: string, method: 'GET' | 'POST' = 'GET', ip = '198.51.100.1') {
	const response = await fetchApi({ ip })(link, {
		method,
		...(method === 'POST' && { body: new URLSearchParams({ choice: 'yes' }) }),
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

const kindsOf = async (db: Db) => (await db.select().from(outbox)).map(({ kind }) => kind);

describe('while the switch is off', () => {
	test('a signup begins at once, and nobody is asked', async () => {
		const db = await setup('off');
		expect(await subscribe()).not.toHaveProperty('unconfirmed');
		expect(await db.$count(subscribers)).toBe(1);
		expect(await db.$count(unconfirmed)).toBe(0);
		expect(await kindsOf(db)).toEqual(['welcome']);
	});
});

describe('a signup', () => {
	test('is asked by email, shown by a GET and made by a press, once', async () => {
		const db = await setup();
		const page = 'https://groundtruth.test/newsletter';
		const response = await fetchApi()('/api/subscribers', {
			method: 'POST',
			headers: { Referer: page },
			body: JSON.stringify({ email: ADA, source: 'Newsletter Button' }),
		});
		expect(await response.json()).toEqual(UNCONFIRMED);
		expect(await db.$count(subscribers)).toBe(0);
		expect(await kindsOf(db)).toEqual(['confirm']);

		const [link] = await linksTo(db);
		for (const _ of [1, 2, 3]) {
			const { status, text } = await open(link!);
			expect(status).toBe(200);
			expect(text).toContain('Yes, subscribe me');
			expect(text).toContain('to ada@example.com. It comes on Thursdays');
		}
		expect(await db.$count(subscribers)).toBe(0);

		later(2 * HOUR);
		const pressed = await open(link!, 'POST');
		expect(pressed.text).toContain('You are subscribed to Groundtruth Weekly');
		expect(pressed.headers.get('Set-Cookie')).toContain('newsletter_subscribed=true');
		const [row] = await db.select().from(subscribers);
		expect(row).toMatchObject({ email: ADA, active: true, source: 'Newsletter Button' });
		expect(row!.consent).toBe(
			'Confirmed 2026-03-01T14:00:00.000Z by the link in an email, asked for 2026-03-01T12:00:00.000Z on /newsletter: “Send Groundtruth Weekly to ada@example.com. It comes on Thursdays, when there is something new, and every letter has a link that ends it.”',
		);
		expect(await kindsOf(db)).toEqual(['confirm', 'welcome']);
	});

	test('pressed again after leaving, the link subscribes nobody', async () => {
		const db = await setup();
		await subscribe();
		const [link] = await linksTo(db);
		await open(link!, 'POST');
		const env = { ...getEnv(), SECRET: getSecret() };
		const { pathname, search } = new URL(readerLinks(env, 'weekly', ADA).leave);
		await fetchApi()(pathname + search, { method: 'POST' });
		expect(await db.select().from(subscribers)).toMatchObject([{ active: false }]);
		const again = await open(link!, 'POST');
		expect([again.status, again.headers.get('Set-Cookie')]).toEqual([200, null]);
		expect(await db.select().from(subscribers)).toMatchObject([{ email: ADA, active: false }]);
		// Whoever comes back is asked anew, by a link of its own.
		later(HOUR);
		await subscribe();
		const links = await kindsOf(db);
		expect(links.filter((kind) => kind === 'confirm')).toHaveLength(2);
		expect((await open(link!, 'POST')).status).toBe(400);
		expect(await db.select().from(subscribers)).toMatchObject([{ active: false }]);
	});

	test('two presses at the same time are one', async () => {
		const db = await setup();
		await subscribe();
		const [link] = await linksTo(db);
		const all = await Promise.all([1, 2, 3, 4].map(() => open(link!, 'POST')));
		expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(all.filter(({ headers }) => headers.has('Set-Cookie'))).toHaveLength(1);
		expect(await kindsOf(db)).toEqual(['confirm', 'welcome']);
	});

	test('asks twice at most, and the second time not at once', async () => {
		const db = await setup();
		await subscribe();
		await subscribe();
		expect(await kindsOf(db)).toEqual(['confirm']);
		later(10 * MINUTE);
		await subscribe();
		expect(await kindsOf(db)).toEqual(['confirm', 'confirm']);
		for (let day = 0; day < 6; day++) {
			later(DAY);
			await subscribe();
		}
		expect(await kindsOf(db)).toEqual(['confirm', 'confirm']);
		const [first, second] = await linksTo(db);
		expect(first).toBe(second);
	});

	test('is forgotten 7 days after the email, with a link that says so', async () => {
		const db = await setup();
		await subscribe();
		const [link] = await linksTo(db);
		later(7 * DAY - 1);
		await maintain();
		expect((await open(link!)).status).toBe(200);
		later(1);
		for (const method of ['GET', 'POST'] as const) {
			const { status, text } = await open(link!, method);
			expect([status, text]).toEqual([400, expect.stringContaining('no longer works')]);
		}
		await maintain();
		expect(await db.$count(unconfirmed)).toBe(0);
		expect(await db.$count(subscribers)).toBe(0);
	});

	test('without JavaScript ends on a page that says what is left to do', async () => {
		await setup();
		for (const [path, more] of [
			['/api/subscribers', {}],
			['/api/mailerlite/subscribe', {}],
			['/api/email-course/enroll', {}],
			['/api/content-upgrade', { upgradeType: 'guide' }],
		] as const) {
			const response = await fetchApi()(path, {
				method: 'POST',
				headers: { Accept: 'text/html' },
				body: new URLSearchParams({ email: ADA, ...more }),
			});
			expect([response.status, response.headers.get('Location')]).toEqual([303, '/thanks/confirm']);
		}
	});

	test('an email that asks is not sent once there is nothing to confirm', async () => {
		const db = await setup();
		await subscribe();
		await eraseData(db, ADA, new Date());
		expect(await db.$count(unconfirmed)).toBe(0);
		await subscribe();
		const [row] = await db.select().from(outbox);
		await db.delete(unconfirmed);
		await expect(writersOf(db).confirm(row!, new Date())).rejects.toThrow('nothing to confirm');
	});
});

describe('the rest', () => {
	test('the mail list’s form, the course and a download wait as well, and keep their proof', async () => {
		const db = await setup();
		const listed = { email: 'list@example.com', fields: { name: 'Ada King', company: 'Partner' } };
		expect(await call(mailList.subscribeToList, listed, fetchApi())).toEqual({
			...UNCONFIRMED,
			data: { email: 'list@example.com', status: 'unconfirmed' },
		});
		await call(course.enroll, { email: ADA }, fetchApi());
		await call(downloads.requestUpgrade, { email: ADA, upgradeType: 'guide' }, fetchApi());
		await call(downloads.requestUpgrade, { email: ADA, upgradeType: 'pdf' }, fetchApi());
		expect(new Set(await kindsOf(db))).toEqual(new Set(['confirm']));
		expect(await db.$count(enrollments)).toBe(0);

		await open((await linksTo(db, 'list@example.com'))[0]!, 'POST');
		expect(await db.select().from(subscribers)).toMatchObject([
			{ name: 'Ada', lastName: 'King', source: 'Partner', consent: expect.any(String) },
		]);
		const links = await linksTo(db);
		expect(links).toHaveLength(3);
		for (const link of links) await open(link, 'POST');
		expect(await db.select().from(enrollments)).toMatchObject([
			{ email: ADA, consent: expect.stringContaining('Send the email course to ada@') },
		]);
		const sent = await db.select().from(outbox);
		expect(sent.filter(({ kind }) => kind === 'lesson')).toHaveLength(1);
		const proofs = sent
			.filter(({ kind }) => kind === 'download')
			.map(({ payload }) => (payload as { consent: string }).consent);
		expect(proofs).toHaveLength(2);
		expect(proofs.join()).toContain(
			'Send the link to “The complete guide” to ada@example.com, once',
		);
	});

	test('the desk counts them apart, and shows and exports the proof', async () => {
		const db = await setup();
		await subscribe();
		await subscribe('bob@example.com');
		await call(course.enroll, { email: 'carl@example.com' }, fetchApi());
		await open((await linksTo(db))[0]!, 'POST');
		const admin = await asAdmin(db);
		expect(await call(subscribersApi.countAllSubscribers, {}, admin)).toMatchObject({
			states: { active: 1, paused: 0, left: 0, bounced: 0 },
			unconfirmed: 1,
		});
		const { rows } = await call(
			subscribersApi.listSubscribers,
			{ q: '', page: 1, sort: '-created' },
			admin,
		);
		expect(rows).toMatchObject([{ email: ADA, consent: expect.stringContaining('Confirmed') }]);
		const file = await (await admin('/api/admin/subscribers/export')).text();
		expect(file).toContain('Confirmed 2026-03-01T12:00:00.000Z by the link in an email');
		expect(await call(newsletter.countSubscribers, {}, fetchApi())).toEqual({ count: 1 });
		expect(await collectData(db, 'bob@example.com', new Date())).toMatchObject({
			newsletter: null,
			unconfirmed: [{ email: 'bob@example.com', wish: 'newsletter' }],
		});
	});
});

/** Signs up so many people, of whom some press, and looks who is subscribed at the end. */
async function signUp(count: number) {
	const db = await setup();
	const random = randomBy(52);
	const pick = (count: number) => Math.floor(random() * count);
	const pressed = new Set<string>();
	const people = Array.from({ length: count }, (_, index) => `reader${index}@example.com`);
	const links = new Map<string, string[]>();
	for (const [index, email] of people.entries()) {
		const ip = `203.0.${index % 250}.${1 + Math.floor(index / 250)}`;
		const times = 1 + pick(4);
		for (let time = 0; time < times; time++) {
			await subscribe(pick(2) ? email : email.toUpperCase(), { source: 'Exit Popup' }, ip);
			later(pick(12 * MINUTE));
		}
	}
	const emails = (await db.select().from(outbox)).filter(({ kind }) => kind === 'confirm');
	for (const email of people) {
		links.set(email, await linksTo(db, email));
		expect([1, 2]).toContain(links.get(email)!.length);
	}
	expect(emails.length).toBeGreaterThan(count);

	for (const [index, email] of people.entries()) {
		const [link] = links.get(email)!;
		const ip = `198.51.${index % 250}.${1 + Math.floor(index / 250)}`;
		// A scanner follows every link, some of them several times, and asks for heads.
		for (let time = 0; time < 1 + pick(3); time++) await open(link!, 'GET', ip);
		await fetchApi({ ip })(link!, { method: 'HEAD' });
		const forged = [
			link!.slice(0, -3),
			`/confirm?token=${seal('another secret, long enough to be one', 'confirm', 'x')}`,
			new URL(
				readerLinks({ ...getEnv(), SECRET: getSecret() }, 'weekly', email).leave,
			).search.replace(/^/, '/confirm'),
			'/confirm',
		][pick(4)]!;
		expect((await open(forged, 'POST', ip)).status).toBe(400);
		const fate = pick(4);
		if (fate === 0) continue;
		if (fate === 1) {
			// Forwarded: somebody else looks, and the reader presses after that.
			await open(link!, 'GET', '192.0.2.7');
		}
		if (fate === 3) continue;
		expect((await open(link!, 'POST', ip)).status).toBe(200);
		if (pick(2)) await open(link!, 'POST', ip);
		pressed.add(email);
	}
	later(8 * DAY);
	for (const [index, email] of people.entries()) {
		if (pressed.has(email)) continue;
		const ip = `198.51.${index % 250}.${1 + Math.floor(index / 250)}`;
		expect((await open(links.get(email)![0]!, 'POST', ip)).status).toBe(400);
	}
	await maintain();
	const active = await db.select({ email: subscribers.email }).from(subscribers);
	expect(pressed.size).toBeGreaterThan(count / 4);
	expect(new Set(active.map(({ email }) => email))).toEqual(pressed);
	const welcomes = (await db.select().from(outbox)).filter(({ kind }) => kind === 'welcome');
	expect(welcomes.map(({ recipient }) => recipient).sort()).toEqual([...pressed].sort());
	// Nobody else was ever mailed anything but the question.
	const others = (await db.select().from(outbox)).filter(
		({ kind, recipient }) => kind !== 'confirm' && !pressed.has(recipient!),
	);
	expect(others).toEqual([]);
}

const EXACTLY = 'who signed up, exactly those who pressed are subscribed';
test(`of 50 ${EXACTLY}`, () => signUp(50));
test(`of 500 ${EXACTLY}`, { tags: ['nightly'], timeout: 300_000 }, () => signUp(500));
