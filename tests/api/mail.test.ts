import type { InStatement } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { contactMessages, enrollments, issues, letters, outbox, subscribers } from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import deliverOnSchedule from '#functions/deliver.ts';
import { deliverFor, deliverNow, runTimes } from '#functions/lib/deliver.ts';
import unsubscribe from '#functions/unsubscribe.ts';
import * as contactApi from '#src/features/contact/contact.api.ts';
import { replyToMessage } from '#src/features/contact/messages.api.ts';
import { changeOf } from '#src/core/session/session.server.ts';
import { recordFailedCopy } from '#src/core/copies/copies.server.ts';
import * as courseApi from '#src/features/course/course.api.ts';
import { enroll as addToCourse, storeLessons } from '#src/features/course/course.server.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { readLessons } from '#src/features/course/lessons.server.ts';
import type { Upgrade } from '#src/features/downloads/download.ts';
import * as downloadsApi from '#src/features/downloads/downloads.api.ts';
import { readerLinks, type MailingList } from '#src/core/outbox/mail.server.ts';
import { DELIVERY_CONCURRENCY, enqueue } from '#src/core/outbox/outbox.server.ts';
import type { Screen } from '#src/core/screen.ts';
import { queueLetters, recordBuiltIssue } from '#src/features/newsletter/letters.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import * as lettersApi from '#src/features/newsletter/letters.api.ts';
import * as listApi from '#src/features/newsletter/mail-list.api.ts';
import {
	choosePreference,
	recordBounce,
	subscribe as addSubscriber,
} from '#src/features/newsletter/newsletter.server.ts';
import { sendTest } from '#src/features/mail/mail.api.ts';
import { updateSite } from '#src/core/settings/site.api.ts';
import * as newsletterApi from '#src/features/newsletter/newsletter.api.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { createComment } from '#src/features/comments/comments.api.ts';
import { decideComments, replyAsOwner } from '#src/features/comments/moderation.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi, fetchFrom } from '#tests/support/api.ts';
import { deliveryStateOf } from '#src/core/outbox/outbox.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { header, linkOf, startSmtp, type Received } from '#tests/support/smtp.ts';

const SECRET = 'a secret that only the tests know';
/** A Monday. */
const START = new Date('2026-03-02T15:00:00Z');
const EMAIL = 'ada@example.com';
const lessons = await readLessons();

async function setup(env: Record<string, string> = {}, rules = {}) {
	const smtp = await startSmtp(rules);
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET,
			DATABASE_URL: ':memory:',
			SMTP_URL: smtp.url,
			DIGEST_TIME_ZONE: 'UTC',
			...env,
		}),
	);
	const db = await useTestDb();
	await storeLessons(db, lessons);
	at(START);
	return { db, ...smtp, lastTo: (address: string) => last(smtp.received, address) };
}

/** Sets the clock that everything reads. */
const at = (time: Date | number) => vi.setSystemTime(time);

function last(received: Received[], address: string): Received {
	const found = received.filter(({ to }) => to === address).at(-1);
	if (!found) throw new Error(`Nothing came to ${address}`);
	return found;
}

/** Does what the scheduled function does at a time. */
async function minute(time: Date | number): Promise<void> {
	at(time);
	await deliverOnSchedule();
}

/** Posts as a browser without JavaScript does. */
const plain = (address: string, fields: Record<string, string> = {}) =>
	fetchApi()(address, {
		method: 'POST',
		headers: { Accept: 'text/html' },
		body: new URLSearchParams(fields),
	});
const subscribe = (email = EMAIL) => call(newsletterApi.subscribe, { email }, fetchApi());
const enroll = (email = EMAIL) => call(courseApi.enroll, { email }, fetchApi());
const subscriber = async (db: Db, email = EMAIL) =>
	(await db.select().from(subscribers).where(eq(subscribers.email, email)))[0];
const rows = (db: Db) => db.select().from(outbox);

test('a signup is followed at once by one welcome, in two forms, with the way out', async () => {
	const { received, db } = await setup();
	await makePost(db, { title: 'Kalman filters', publishedAt: new Date(START.getTime() - DAY) });
	await subscribe();
	await subscribe();
	expect(received).toHaveLength(1);
	const [welcome] = received as [Received];
	expect(welcome).toMatchObject({
		to: EMAIL,
		mail: {
			from: { name: 'Groundtruth', address: 'weekly@groundtruth.example' },
			subject: 'Welcome to Groundtruth Weekly',
			to: [{ address: EMAIL }],
		},
	});
	expect(welcome.mail.text).toContain('Kalman filters');
	expect(welcome.mail.html).toContain('Kalman filters');
	expect(Buffer.byteLength(welcome.mail.html!)).toBeLessThan(102 * 1024);
	expect(header(welcome, 'List-Unsubscribe')).toBe(`<${linkOf(welcome, 'Unsubscribe')}>`);
	expect(header(welcome, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
	expect(welcome.mail.text).toContain(linkOf(welcome, 'Unsubscribe'));
	const [row] = await rows(db);
	expect(welcome.mail.messageId).toBe(`<${row!.id}@groundtruth.test>`);
	expect(row).toMatchObject({ deliveredAt: START, dueAt: null, lastError: null });
});

test('emails signed by DKIM pass as aligned where they arrive, and a changed one does not', async () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
		publicKeyEncoding: { type: 'spki', format: 'der' },
	});
	const { received } = await setup({
		MAIL_FROM: 'Ground Truth <letters@blog.example>',
		MAIL_DKIM_SELECTOR: 'mail2026',
		MAIL_DKIM_KEY: privateKey.replaceAll('\n', '\\n'),
	});
	await subscribe();
	const [email] = received as [Received];
	expect(header(email, 'Feedback-ID')).toBe('welcome:welcome:groundtruth.test');
	const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
	const resolver = (name: string) =>
		Promise.resolve(name === 'mail2026._domainkey.blog.example' ? [[record]] : []);
	const verify = async (raw: string) =>
		(await dkimVerify(raw, { resolver })).results.map(({ status }) => [
			status.result,
			status.aligned,
		]);
	expect(await verify(email.raw)).toEqual([['pass', 'blog.example']]);
	// Or no mail client offers it.
	const [, signed] = /^DKIM-Signature:[\s\S]*?\bh=([\s\S]*?);/m.exec(email.raw) ?? [];
	expect(signed!.replace(/\s/g, '').split(':')).toEqual(
		expect.arrayContaining(['from', 'list-unsubscribe', 'list-unsubscribe-post']),
	);
	const [changed] = await verify(email.raw.replace('Welcome', 'Farewell'));
	expect(changed![0]).not.toBe('pass');
});

test('one click of a mail client unsubscribes, whatever it sends and wherever it comes from', async () => {
	for (const body of [
		new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
		(() => {
			const form = new FormData();
			form.set('List-Unsubscribe', 'One-Click');
			return form;
		})(),
		undefined,
	]) {
		const { received, db } = await setup();
		await subscribe();
		const link = header(received[0]!, 'List-Unsubscribe')!.slice(1, -1);
		const response = await fetchApi()(link, {
			method: 'POST',
			headers: { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' },
			...(body && { body }),
		});
		expect(response.status).toBe(200);
		expect(await subscriber(db)).toMatchObject({ active: false, leftAt: START });
		// Leaving sends nothing.
		expect(received).toHaveLength(1);
	}
});

test('following the link changes nothing, whoever does it', async () => {
	const { received, db } = await setup();
	await subscribe();
	const link = linkOf(received[0]!, 'Unsubscribe');
	for (const method of ['GET', 'HEAD']) {
		// The site serves its page here; the function takes no GET.
		await expect(fetchApi()(link, { method })).rejects.toThrow('No function answers');
		expect((await fetchFrom(unsubscribe)(link, { method })).status).toBe(405);
	}
	expect(await subscriber(db)).toMatchObject({ active: true });
});

test('the page unsubscribes with one click and without JavaScript, and undoes it', async () => {
	const { received, db } = await setup();
	await subscribe();
	await enroll();
	const link = linkOf(received[0]!, 'Unsubscribe');
	const page = await plain(link, { choice: '' });
	expect(page.status).toBe(200);
	expect(page.headers.get('Content-Type')).toContain('text/html');
	const left = await page.text();
	expect(left).toContain('You are unsubscribed');
	expect(await subscriber(db)).toMatchObject({ active: false });
	expect(await db.select().from(enrollments)).toMatchObject([{ stoppedAt: START, nextAt: null }]);
	const choice = / value="(undo[^"]*)"/.exec(left)![1]!;
	expect(await (await plain(link, { choice })).text()).toContain('Welcome back');
	expect(await subscriber(db)).toMatchObject({ active: true, leftAt: null });
	expect(await db.select().from(enrollments)).toMatchObject([
		{ stoppedAt: null, lesson: 1, nextAt: new Date(START.getTime() + DAY) },
	]);
});

/** The link in emails to the reader that nobody but them has. */
const leaveLink = (list: MailingList, email = EMAIL) =>
	readerLinks({ ...getEnv(), SECRET }, list, email).leave;
const courseLink = () => readerLinks({ ...getEnv(), SECRET }, 'course', EMAIL).course;
/** Posts as the page's script does. */
async function press(link: string, choice?: string) {
	const response = await fetchApi()(link, { method: 'POST', body: JSON.stringify({ choice }) });
	expect(response.status).toBe(200);
	return (await response.json()) as Screen;
}
const undoOf = ({ sections }: Screen) =>
	sections.flatMap(({ choices }) => choices).find(({ label }) => label === 'Undo')?.value;
const state = async (db: Db) => ({
	letter: await db.select().from(subscribers),
	course: await db.select().from(enrollments),
});
const day = (days: number) => new Date(START.getTime() + days * DAY);
test.each<[string, MailingList, (db: Db) => Promise<unknown>]>([
	[
		'the course of who had left the letter before',
		'weekly',
		async (db) => {
			await addSubscriber(db, { email: EMAIL }, START);
			await choosePreference(db, EMAIL, 'weekly-leave', day(1));
			await addToCourse(db, { email: EMAIL }, day(10));
		},
	],
	[
		'the letter of who had stopped the course before',
		'weekly',
		async (db) => {
			await addSubscriber(db, { email: EMAIL }, START);
			await addToCourse(db, { email: EMAIL }, day(9));
			await choosePreference(db, EMAIL, 'course-stop', day(10));
		},
	],
	[
		'the course of who never had the letter',
		'weekly',
		(db) => addToCourse(db, { email: EMAIL }, day(10)),
	],
	[
		'both, while both are paused',
		'weekly',
		async (db) => {
			await addSubscriber(db, { email: EMAIL }, START);
			await addToCourse(db, { email: EMAIL }, day(9));
			await choosePreference(db, EMAIL, 'weekly-pause', day(10));
			await choosePreference(db, EMAIL, 'course-pause', day(10));
		},
	],
	[
		'the course alone by the link of a lesson, whose next one is due at an hour of its own',
		'course',
		async (db) => {
			await addSubscriber(db, { email: EMAIL }, START);
			await addToCourse(db, { email: EMAIL }, day(9));
			await choosePreference(db, EMAIL, 'course-next', day(10.8));
		},
	],
	[
		'what a mail server had refused once',
		'weekly',
		(db) => makeSubscriber(db, { email: EMAIL, hardBounces: 1 }),
	],
])('undo brings back exactly what the click ended: %s', async (_, list, begin) => {
	const { db } = await setup();
	await begin(db);
	await makeSubscriber(db, { email: 'bob@example.com', active: false, leftAt: day(11) });
	await addToCourse(db, { email: 'bob@example.com' }, day(10));
	await db.delete(outbox);
	const before = await state(db);
	const link = leaveLink(list);
	at(day(11));
	const undo = undoOf(await press(link));
	expect(await state(db)).not.toEqual(before);
	at(day(11).getTime() + MINUTE);
	for (let click = 0; click < 2; click++) {
		expect((await press(link, undo)).title).toBe('Welcome back');
		expect(await state(db)).toEqual(before);
	}
	// The same without JavaScript.
	at(day(11).getTime() + 2 * MINUTE);
	const page = await (await plain(link)).text();
	expect(await state(db)).not.toEqual(before);
	const choice = / value="(undo[^"]*)"/.exec(page)![1]!;
	expect(await (await plain(link, { choice })).text()).toContain('Welcome back');
	expect(await state(db)).toEqual(before);
});

test('undo follows the last click: what was chosen since stays, and with another link it does nothing', async () => {
	const { db } = await setup();
	await addSubscriber(db, { email: EMAIL }, START);
	await addSubscriber(db, { email: 'bob@example.com' }, START);
	const link = leaveLink('weekly');
	const undo = undoOf(await press(link))!;
	const left = await state(db);
	await press(leaveLink('weekly', 'bob@example.com'), undo);
	expect(await state(db)).toEqual(left);
	at(day(1));
	await choosePreference(db, EMAIL, 'weekly-join', day(1));
	await choosePreference(db, EMAIL, 'weekly-leave', day(1));
	const since = await state(db);
	expect((await press(link, undo)).title).toBe('Email preferences');
	expect(await state(db)).toEqual(since);
	for (const choice of ['undo', `${undo}x`, undo.slice(0, -1), 'undo -1'])
		expect((await plain(link, { choice })).status).toBe(400);
	expect(await state(db)).toEqual(since);
});

test('what undo answers offers nothing that its page cannot do', async () => {
	const { db } = await setup();
	await addSubscriber(db, { email: EMAIL }, START);
	await addToCourse(db, { email: EMAIL }, START);
	const link = leaveLink('weekly');
	const { title, sections } = await press(link, undoOf(await press(link)));
	expect([title, ...sections.map((section) => section.title)]).toEqual([
		'Welcome back',
		'Groundtruth Weekly',
		'The email course',
	]);
	for (const { value } of sections.flatMap(({ choices }) => choices)) await press(link, value);
});

test('unsubscribing once more can still be undone for an hour; with nothing to end there is no undo', async () => {
	const { db } = await setup();
	await addSubscriber(db, { email: EMAIL }, START);
	await addToCourse(db, { email: EMAIL }, START);
	const before = await state(db);
	const link = leaveLink('weekly');
	await press(link);
	at(START.getTime() + HOUR - 1);
	const again = undoOf(await press(link));
	expect((await press(link, again)).title).toBe('Welcome back');
	expect(await state(db)).toEqual(before);
	await press(link);
	at(START.getTime() + 2 * HOUR);
	expect(undoOf(await press(link))).toBeUndefined();
	expect(undoOf(await press(leaveLink('weekly', 'bob@example.com')))).toBeUndefined();
});

test('no undo brings the next lesson later than a day from now', async () => {
	const { db } = await setup();
	await addToCourse(db, { email: EMAIL }, START);
	const link = leaveLink('course');
	await press(link);
	await press(link, `undo ${START.getTime()} 9999999999999`);
	expect(await db.select().from(enrollments)).toMatchObject([{ stoppedAt: null, nextAt: day(1) }]);
});

test('a link that was cut, changed or made up does nothing and says so', async () => {
	const { received, db } = await setup();
	await subscribe();
	const link = linkOf(received[0]!, 'Unsubscribe');
	for (const broken of [link.slice(0, -3), `${link}x`, '/unsubscribe?token=', '/unsubscribe']) {
		const page = await plain(broken);
		expect(page.status).toBe(400);
		expect(page.headers.get('Content-Type')).toMatch(/html|json/);
		expect((await fetchApi()(broken, { method: 'POST' })).status).toBe(400);
	}
	expect(await subscriber(db)).toMatchObject({ active: true });
});

test('the preferences pause, leave and join again', async () => {
	const { received, db } = await setup();
	await subscribe();
	const link = linkOf(received[0]!, 'Choose what you get');
	const choose = async (choice?: string) => {
		const init = { method: 'POST', body: JSON.stringify({ choice }) };
		return (await (await fetchApi()(link, init)).json()) as { subscribed: boolean };
	};
	expect(await choose()).toMatchObject({ subscribed: true });
	await choose('weekly-pause');
	expect(await subscriber(db)).toMatchObject({
		active: true,
		pausedUntil: new Date(START.getTime() + 30 * DAY),
	});
	await choose('weekly-join');
	expect(await subscriber(db)).toMatchObject({ active: true, pausedUntil: null });
	expect(await choose('weekly-leave')).toMatchObject({ subscribed: false });
	expect(await subscriber(db)).toMatchObject({ active: false });
	expect(await choose('weekly-join')).toMatchObject({ subscribed: true });
	expect(received).toHaveLength(1);
	expect((await fetchApi()(link, { method: 'POST', body: '{"choice":"all"}' })).status).toBe(400);
});

test('nobody can say how an address is known: every answer is the same', async () => {
	const { db } = await setup();
	await makeSubscriber(db, { email: 'known@example.com' });
	await makeSubscriber(db, { email: 'left@example.com', active: false });
	await enroll('known@example.com');
	const answers = async (email: string) => [
		await subscribe(email),
		(await call(listApi.subscribeToList, { email }, fetchApi())).message,
		await enroll(email),
		await call(downloadsApi.requestUpgrade, { email, upgradeType: 'pdf' }, fetchApi()),
	];
	const fresh = await answers('new@example.com');
	expect(await answers('known@example.com')).toEqual(fresh);
	expect(await answers('left@example.com')).toEqual(fresh);
});

test.each([
	[
		'the payload of a mail list',
		{ fields: { name: 'Ada', last_name: 'King', company: 'Floating Newsletter' } },
		['Ada', 'King', 'Floating Newsletter'],
	],
	[
		'a full name in one field',
		{ fields: { name: 'Ada King Lovelace' } },
		['Ada', 'King Lovelace', null],
	],
	[
		'the fields of a plain form',
		{ 'fields[name]': 'Ada', 'fields[company]': 'Floating Newsletter' },
		['Ada', null, 'Floating Newsletter'],
	],
	['an address alone', {}, [null, null, null]],
])('the mail list takes %s', async (_, fields, [name, lastName, source]) => {
	const { db, received } = await setup();
	const input = { email: EMAIL, status: 'active', groups: ['7'], subscribed_at: 'x', ...fields };
	const answer = await call(listApi.subscribeToList, input, fetchApi());
	expect(answer).toMatchObject({ success: true, data: { email: EMAIL, status: 'active' } });
	expect(await subscriber(db)).toMatchObject({ name, lastName, source, active: true });
	expect(received).toHaveLength(1);
});

test('a name from a stranger reaches neither the mail nor what was known before', async () => {
	const { db, received } = await setup();
	const send = (name: string) =>
		call(listApi.subscribeToList, { email: EMAIL, fields: { name } }, fetchApi());
	await send('Ada');
	await send('Visit http://spam.example\r\nBcc: all@example.com');
	expect(await subscriber(db)).toMatchObject({ name: 'Ada' });
	expect(received).toHaveLength(1);
	expect(received[0]!.raw).not.toMatch(/spam\.example|Bcc/);
});

/** A stand-in for a third party: it answers with `reply` and keeps what it was asked. */
async function standIn(reply: () => [number, object]) {
	const asked: { path: string; authorization: string | undefined; body: unknown }[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const { url: path = '', headers } = request;
			asked.push({ path, authorization: headers.authorization, body: JSON.parse(text) });
			const [status, answer] = reply();
			response.writeHead(status, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(answer));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('MailerLite gets the subscriber by its own payload, and hears when they leave', async () => {
	const { asked, url } = await standIn(() => [201, { data: { id: '1' } }]);
	const { received } = await setup({
		MAILERLITE_API_KEY: 'key',
		MAILERLITE_GROUP_ID: '42',
		MAILERLITE_API_URL: url,
	});
	const fields = { name: 'Ada', last_name: 'King', company: 'Floating Newsletter' };
	await call(listApi.subscribeToList, { email: EMAIL, fields }, fetchApi());
	expect(asked).toEqual([
		{
			path: '/subscribers',
			authorization: 'Bearer key',
			body: { email: EMAIL, fields, status: 'active', groups: ['42'] },
		},
	]);
	// Our own welcome is another matter.
	expect(received).toHaveLength(1);
	at(START.getTime() + MINUTE);
	await plain(linkOf(received[0]!, 'Unsubscribe'));
	expect(asked[1]).toMatchObject({ body: { email: EMAIL, status: 'unsubscribed' } });
});

test('a third party that is down loses no signup, and gets it once when it is back', async () => {
	let isDown = true;
	const { asked, url } = await standIn(() =>
		isDown ? [503, { message: 'Back soon.' }] : [200, { data: {} }],
	);
	const { db } = await setup({ MAILERLITE_API_KEY: 'key', MAILERLITE_API_URL: url });
	await addSubscriber(db, { email: EMAIL }, START);
	await deliverFor(SECOND);
	const waiting = (await rows(db)).find(({ kind }) => kind === 'mailerlite')!;
	expect(waiting).toMatchObject({ attempts: 1, lastError: '503: Back soon.', deliveredAt: null });
	isDown = false;
	await minute(waiting.dueAt!);
	await minute(waiting.dueAt!.getTime() + MINUTE);
	expect(asked).toHaveLength(2);
});

test('EmailJS sends the welcome instead of us, by its own payload', async () => {
	const { asked, url } = await standIn(() => [200, {}]);
	const { received, db } = await setup({
		EMAILJS_PUBLIC_KEY: 'public',
		EMAILJS_PRIVATE_KEY: 'private',
		EMAILJS_SERVICE_ID: 'service',
		EMAILJS_TEMPLATE_ID: 'template',
		EMAILJS_API_URL: url,
	});
	expect(await call(newsletterApi.getEmailjsConfig, {}, fetchApi())).toEqual({
		publicKey: 'public',
		serviceId: 'service',
		templateId: 'template',
	});
	await subscribe();
	expect(asked).toEqual([
		{
			path: '/api/v1.0/email/send',
			authorization: undefined,
			body: {
				service_id: 'service',
				template_id: 'template',
				user_id: 'public',
				accessToken: 'private',
				template_params: {
					user_email: EMAIL,
					subscribe_date: '3/2/2026',
					subscribe_time: '3:00:00 PM',
				},
			},
		},
	]);
	expect(received).toEqual([]);
	expect(await rows(db)).toMatchObject([{ kind: 'welcome', deliveredAt: START }]);
});

test('without keys no third party is called and the page is told nothing', async () => {
	const { db } = await setup();
	expect(await call(newsletterApi.getEmailjsConfig, {}, fetchApi())).toEqual({
		publicKey: '',
		serviceId: '',
		templateId: '',
	});
	await subscribe();
	expect((await rows(db)).map(({ kind }) => kind)).toEqual(['welcome']);
});

test('an address that its server refuses twice gets nothing any more', async () => {
	const { db, received } = await setup(
		{},
		{ recipient: () => ({ code: 550, message: 'No such user' }) },
	);
	await subscribe();
	expect(await subscriber(db)).toMatchObject({ active: true, hardBounces: 1 });
	expect(await rows(db)).toMatchObject([{ failedAt: START, dueAt: null, attempts: 1 }]);
	at(START.getTime() + 2 * DAY);
	await subscribe();
	// Subscribing again began anew.
	expect(await subscriber(db)).toMatchObject({ active: true, hardBounces: 1 });
	await enroll();
	expect(await subscriber(db)).toMatchObject({ active: false, hardBounces: 2 });
	expect((await db.select().from(enrollments))[0]!.stoppedAt).not.toBeNull();
	expect(received).toEqual([]);
});

test.each([
	[550, '5.1.1 <ada@example.com>: User unknown'],
	[550, '5.1.2 Bad destination system'],
	[550, '5.1.10 The domain takes no mail'],
])('an address that is refused with %i %s gets nothing any more', async (code, message) => {
	const { db } = await setup({}, { recipient: () => ({ code, message }) });
	await addToCourse(db, { email: EMAIL }, START);
	await subscribe();
	expect(await subscriber(db)).toMatchObject({ active: false, leftAt: START });
	expect((await db.select().from(enrollments))[0]).toMatchObject({
		stoppedAt: START,
		nextAt: null,
	});
});

test('a server that reports many addresses as unknown at once is asked a second time', async () => {
	const message = '5.1.1 No such user';
	let at = START.getTime();
	const { db } = await setup({}, { recipient: () => ({ code: 550, message }) });
	for (let n = 0; n < 50; n++) await makeSubscriber(db, { email: `reader${n}@big.example` });
	const refuse = (n: number) => recordBounce(db, `reader${n}@big.example`, true, new Date(at));
	const left = () => db.$count(subscribers, eq(subscribers.active, false));
	for (let n = 0; n < 40; n++) await refuse(n);
	// A fifth of the domain's readers.
	expect(await left()).toBe(10);
	// Another domain is another matter.
	await addSubscriber(db, { email: EMAIL }, START);
	await deliverFor(SECOND);
	expect(await left()).toBe(11);
	at += DAY + MINUTE;
	for (let n = 10; n < 40; n++) await refuse(n);
	expect(await left()).toBe(41);
	expect(await subscriber(db, 'reader45@big.example')).toMatchObject({ active: true });
});

test.each([
	[554, '5.2.1 The mailbox is disabled'],
	[550, 'No mailbox of this name on 5.7.1.9'],
	[553, 'Mailbox name not allowed'],
])('a server that refuses with %i %s may mean the address', async (code, message) => {
	const { db } = await setup({}, { recipient: () => ({ code, message }) });
	await subscribe();
	expect(await subscriber(db)).toMatchObject({ active: true, hardBounces: 1 });
	expect(await rows(db)).toMatchObject([{ failedAt: START, dueAt: null }]);
});

test.each([
	[554, '5.7.1 <ada@example.com>: Relay access denied'],
	[550, '5.7.26 This mail is unauthenticated'],
	[550, 'Our system has detected mail that is not wanted (#5.7.1)'],
	[550, '5.4.1 Recipient address rejected: Access denied'],
	[550, '5.1.8 <weekly@groundtruth.example>: Sender address rejected: Domain not found'],
	[552, '5.2.2 The mailbox is full'],
	[550, '5.1.1 Client host [192.0.2.7] blocked using zen.spamhaus.org'],
	[550, 'Rejected for the reputation of your server'],
	[530, 'Authentication required'],
	[554, 'Blocked'],
])('a server that refuses with %i %s is asked again', async (code, message) => {
	let isRefusing = true;
	const recipient = () => (isRefusing ? { code, message } : undefined);
	const { db, received } = await setup({}, { recipient });
	await addSubscriber(db, { email: EMAIL }, START);
	await deliverFor(SECOND);
	const [row] = await rows(db);
	expect(row).toMatchObject({ attempts: 1, failedAt: null });
	expect(row!.lastError).toContain(message);
	expect(await subscriber(db)).toMatchObject({ active: true, hardBounces: 0 });
	isRefusing = false;
	await minute(row!.dueAt!);
	expect(received).toHaveLength(1);
});

test('the course sends seven lessons, one a day at the hour of enrollment, and then nothing', async () => {
	const { db, received } = await setup();
	expect(await enroll()).toEqual({ success: true, message: 'Check your email for Day 1' });
	const subjects = () => received.map(({ mail }) => mail.subject);
	expect(subjects()).toEqual(['Day 1: Neural Networks']);
	for (let day = 1; day <= 10; day++) {
		await minute(START.getTime() + day * DAY - 1);
		expect(received).toHaveLength(Math.min(day, 7));
		await enroll();
		await minute(START.getTime() + day * DAY);
		expect(received).toHaveLength(Math.min(day + 1, 7));
	}
	expect(subjects()).toEqual(LESSONS.map((title, index) => `Day ${index + 1}: ${title}`));
	for (const { mail } of received) {
		expect(Buffer.byteLength(mail.html!)).toBeLessThan(102 * 1024);
		expect(mail.text!.length).toBeGreaterThan(5000);
	}
	// Enrolling subscribes nobody.
	expect(await db.$count(subscribers)).toBe(0);
});

test('lessons that nobody was there to send come one a day, not all at once', async () => {
	const { db, received } = await setup();
	await enroll();
	const later = START.getTime() + 4 * DAY + HOUR;
	await minute(later);
	await minute(later + MINUTE);
	expect(received).toHaveLength(2);
	expect(await db.select().from(enrollments)).toMatchObject([
		{ lesson: 2, nextAt: new Date(START.getTime() + 5 * DAY) },
	]);
});

test('the progress page sends the next lesson, pauses, goes on, catches up and stops', async () => {
	const { received } = await setup();
	await enroll();
	const link = linkOf(received[0]!, 'Your course');
	const choose = async (choice?: string) => {
		const body = JSON.stringify({ choice });
		return (await (await fetchApi()(link, { method: 'POST', body })).json()) as object;
	};
	const step = (state: string) => ({ state });
	expect(await choose()).toMatchObject({
		sections: [{ steps: ['done', 'next', 'ahead', 'ahead', 'ahead', 'ahead', 'ahead'].map(step) }],
	});
	await choose('next');
	expect(received).toHaveLength(2);
	await choose('pause');
	await minute(START.getTime() + 3 * DAY + MINUTE);
	expect(received).toHaveLength(2);
	await choose('resume');
	await choose('catch-up');
	expect(
		received
			.slice(2)
			.map(({ mail }) => mail.subject)
			.sort(),
	).toEqual(['Day 3: Natural Language Processing', 'Day 4: Computer Vision']);
	await choose('stop');
	await minute(START.getTime() + 6 * DAY);
	expect(received).toHaveLength(4);
	expect(await choose()).toMatchObject({
		sections: [{ choices: [{ value: 'resume' }, { value: 'next' }] }],
	});
});

test.each([
	['pause', 'The course is paused'],
	['stop', 'The course is stopped'],
] as const)(
	'catching up in another tab sends nothing after a %s, and shows it; the next lesson lets it go on',
	async (choice, sentence) => {
		const { db, received } = await setup();
		await enroll();
		at(START.getTime() + 3 * DAY);
		await choosePreference(db, EMAIL, `course-${choice}`, new Date());
		const before = await db.select().from(enrollments);
		const { preferences } = readerLinks({ ...getEnv(), SECRET }, 'course', EMAIL);
		for (const [link, catchUp] of [
			[courseLink(), 'catch-up'],
			[preferences, 'course-catch-up'],
		] as const) {
			const { sections } = await press(link, catchUp);
			expect(sections.map(({ text }) => text).join(' ')).toContain(
				`1 lesson of 7 sent. ${sentence}`,
			);
		}
		expect(await db.select().from(enrollments)).toEqual(before);
		expect(await db.$count(outbox)).toBe(1);
		expect((await press(courseLink(), 'next')).sections[0]!.text).toContain('2 lessons of 7 sent.');
		expect(await db.select().from(enrollments)).toMatchObject([
			{ pausedAt: null, stoppedAt: null, nextAt: day(4) },
		]);
		expect(received).toHaveLength(2);
	},
);

test('a lesson that waits is not sent to who unsubscribed meanwhile', async () => {
	let isDown = false;
	const { db, received } = await setup(
		{},
		{ message: () => (isDown ? { code: 451, message: 'Later' } : undefined) },
	);
	await enroll();
	isDown = true;
	at(START.getTime() + DAY);
	const { queueDue } = await import('#functions/lib/deliver.ts');
	await queueDue(() => true);
	await plain(linkOf(received[0]!, 'Unsubscribe'));
	isDown = false;
	await minute(START.getTime() + 2 * DAY);
	expect(received).toHaveLength(1);
	expect((await rows(db)).at(-1)).toMatchObject({
		dueAt: null,
		deliveredAt: null,
		failedAt: null,
		lastError: 'The course was stopped.',
	});
});

test.each<[string, number, () => Promise<unknown>]>([
	['undone', 1, () => press(leaveLink('course'), `undo ${START.getTime() + SECOND}`)],
	['gone on with', 1, () => plain(courseLink(), { choice: 'resume' })],
	['gone on with by its next lesson', 2, () => plain(courseLink(), { choice: 'next' })],
	['enrolled in again', 1, () => enroll()],
])(
	'a lesson that waited while the course was stopped comes when that is %s, once',
	async (_, atOnce, goOn) => {
		const { db, received } = await setup();
		await addToCourse(db, { email: EMAIL }, START);
		// Another's course stays as it is.
		await addToCourse(db, { email: 'bob@example.com' }, START);
		await choosePreference(db, 'bob@example.com', 'course-stop', START);
		at(START.getTime() + SECOND);
		await press(leaveLink('course'));
		await minute(START.getTime() + MINUTE);
		const mine = async () => (await rows(db)).filter(({ recipient }) => recipient === EMAIL);
		expect(await mine()).toMatchObject([{ dueAt: null, deliveredAt: null, failedAt: null }]);
		at(START.getTime() + HOUR);
		await goOn();
		await minute(START.getTime() + HOUR + MINUTE);
		expect(received).toHaveLength(atOnce);
		for (let days = 1; days < 9; days++) {
			await minute(START.getTime() + days * DAY + 2 * HOUR);
			await goOn();
			expect(received.length).toBeGreaterThan(Math.min(days, 6));
		}
		expect(received.map(({ to, mail }) => `${to} ${mail.subject}`).sort()).toEqual(
			LESSONS.map((title, index) => `${EMAIL} Day ${index + 1}: ${title}`),
		);
	},
);

/** A site with subscribers that began a week before this week's issue, with `count` new posts. */
async function week(count: number, readers = 3) {
	const env = await setup();
	const { db } = env;
	await createIssue(db, START);
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	for (let index = 0; index < count; index++) {
		const publishedAt = new Date(START.getTime() + index * HOUR + HOUR);
		await makePost(db, {
			title: `News ${index}`,
			excerpt: `About ${index}.`,
			categoryId,
			publishedAt,
		});
	}
	for (let index = 0; index < readers; index++) {
		await makeSubscriber(db, { id: `s${index}`, email: `reader${index}@example.com` });
	}
	return { ...env, thursday: new Date('2026-03-05T09:00:00Z') };
}

test('two processes make one issue, and a post that comes between them is told of in the next', async () => {
	const { db, thursday } = await week(2);
	const after = new Date(thursday.getTime() + 1000);
	await Promise.all([createIssue(db, thursday), createIssue(db, after)]);
	const [made, ...others] = await db.select().from(issues);
	expect(others).toEqual([]);
	// Servers let either of them be first.
	const between = new Date(made!.createdAt.getTime() + 500);
	await makePost(db, { title: 'Between', publishedAt: between });
	const next = await createIssue(db, new Date(thursday.getTime() + 7 * DAY));
	expect(next?.posts.map(({ title }) => title)).toEqual(['Between']);
});

test('on Thursday at its hour the letter goes to everybody once, when its page can be read', async () => {
	const { db, received, thursday } = await week(2);
	await makeSubscriber(db, { email: 'left@example.com', active: false });
	await makeSubscriber(db, { email: 'away@example.com', pausedUntil: new Date('2026-03-20') });
	await makePost(db, { title: 'Old', publishedAt: new Date(START.getTime() - DAY) });
	await makePost(db, { title: 'Draft', published: false });
	await minute(thursday.getTime() - 1);
	expect(await db.$count(issues)).toBe(0);
	await minute(thursday);
	expect(await db.select().from(issues)).toMatchObject([
		{
			date: '2026-03-05',
			subject: 'Groundtruth Weekly: News 1 and 1 more article',
			posts: [{ title: 'News 1' }, { title: 'News 0' }],
		},
	]);
	// The page is asked for, and no mail leaves before it is there.
	expect([...new Set((await rows(db)).map(({ kind }) => kind))]).toEqual(['build']);
	expect(received).toEqual([]);
	await recordBuiltIssue(db, '2026-03-05', new Date(thursday.getTime() + 2 * MINUTE));
	await minute(thursday.getTime() + MINUTE);
	expect(received).toEqual([]);
	for (const minutes of [2, 3, 60, 24 * 60]) await minute(thursday.getTime() + minutes * MINUTE);
	expect(received.map(({ to }) => to).sort()).toEqual([
		'reader0@example.com',
		'reader1@example.com',
		'reader2@example.com',
	]);
	const letter = last(received, 'reader1@example.com');
	expect(letter.mail.text).toContain(
		`Read online: ${SITE_URL}/newsletter/2026-03-05?utm_source=newsletter&utm_medium=email&utm_campaign=2026-03-05`,
	);
	expect(letter.mail.text).toContain('About 1.');
	expect(letter.mail.text).not.toMatch(/Old|Draft/);
	expect(await db.select().from(letters)).toMatchObject([{ recipients: 3 }]);
	// Each reader has a way out of their own.
	await plain(linkOf(letter, 'Unsubscribe'));
	const gone = await db.select().from(subscribers).where(eq(subscribers.active, false));
	expect(gone.map(({ email }) => email).sort()).toEqual([
		'left@example.com',
		'reader1@example.com',
	]);
});

test('a page that cannot be built holds the letter for an hour, and is then not linked', async () => {
	const { received, thursday } = await week(1, 1);
	await minute(thursday);
	await minute(thursday.getTime() + HOUR - 1);
	expect(received).toEqual([]);
	await minute(thursday.getTime() + HOUR);
	expect(received).toHaveLength(1);
	expect(received[0]!.mail.html).not.toContain('/newsletter/2026-03-05');
});

test('nothing new, nothing sent; and what is published on Friday waits for the next Thursday', async () => {
	const { db, thursday } = await week(0);
	await minute(thursday);
	await makePost(db, { title: 'Late', publishedAt: new Date(thursday.getTime() + DAY) });
	for (let day = 1; day < 7; day++) await minute(thursday.getTime() + day * DAY);
	expect(await db.$count(issues)).toBe(0);
	await minute(thursday.getTime() + 7 * DAY);
	expect(await db.select().from(issues)).toMatchObject([
		{ date: '2026-03-12', posts: [{ title: 'Late' }] },
	]);
});

test('a Thursday that nobody was there for is caught up once', async () => {
	const { db, thursday } = await week(1);
	await minute(thursday.getTime() + 2 * DAY);
	await minute(thursday.getTime() + 3 * DAY);
	expect(await db.select().from(issues)).toMatchObject([{ date: '2026-03-05' }]);
});

test('a new site does not mail its whole past', async () => {
	const { db } = await setup();
	await makePost(db, { publishedAt: new Date(START.getTime() - DAY) });
	for (let day = 0; day < 8; day++) await minute(START.getTime() + day * DAY);
	expect(await db.$count(issues)).toBe(0);
});

test('subscribers beyond one chunk are all queued, once, however often a worker is cut short', async () => {
	const { db, thursday } = await week(1, 0);
	const values = Array.from({ length: 2500 }, (_, index) => ({
		id: `s${String(index).padStart(5, '0')}`,
		email: `reader${index}@example${index % 50}.com`,
	}));
	await db.insert(subscribers).values(values);
	await createIssue(db, thursday);
	await recordBuiltIssue(db, '2026-03-05', thursday);
	let chunks = 1;
	expect(await queueLetters(db, thursday, () => chunks-- > 0)).toBe(1000);
	expect(await db.select().from(letters)).toMatchObject([{ recipients: 1000, queuedAt: null }]);
	// Two at once go on from there.
	const [one, two] = await Promise.all([queueLetters(db, thursday), queueLetters(db, thursday)]);
	expect(one + two).toBe(1500);
	expect(await db.$count(outbox, eq(outbox.kind, 'digest'))).toBe(2500);
	expect(await db.select().from(letters)).toMatchObject([{ recipients: 2500, queuedAt: thursday }]);
	expect(await queueLetters(db, thursday)).toBe(0);
});

test('the owner gets a visitor’s message, and answers the visitor', async () => {
	const { db, received } = await setup({ ADMIN_EMAIL: 'owner@example.com' });
	const message = {
		name: 'Ada\r\nBcc: victim@example.com',
		email: EMAIL,
		topic: 'Correction',
		message: 'Line one\nLine two <b>',
	} as const;
	await call(contactApi.sendMessage, message, fetchApi());
	expect(received).toHaveLength(1);
	const [mail] = received as [Received];
	expect(mail).toMatchObject({
		to: 'owner@example.com',
		mail: {
			subject: 'Correction: Ada Bcc: victim@example.com',
			replyTo: [{ address: EMAIL, name: 'Ada Bcc: victim@example.com' }],
		},
	});
	expect(mail.raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^Bcc:/m);
	expect(mail.mail.text).toContain('> Line one\n> Line two <b>');
	expect(mail.mail.html).toContain('&lt;b&gt;');
	expect(header(mail, 'List-Unsubscribe')).toBeUndefined();
	expect(await db.$count(contactMessages)).toBe(1);
});

test('after the site was renamed, no email of any kind has the old name', async () => {
	const { db, received } = await setup({ ADMIN_EMAIL: 'owner@example.com' });
	const admin = await asAdmin(db);
	const name = 'Second “Opinion” & <Co>';
	await createIssue(db, START);
	await call(updateSite, { name, accent: '#9f1239' }, admin);
	await subscribe();
	await call(changeSettings, { confirmSignup: 'on' }, admin);
	await subscribe();
	await call(changeSettings, { confirmSignup: 'off' }, admin);
	await enroll();
	await request('guide');
	await fetchApi()('/api/personal-data', {
		method: 'POST',
		body: JSON.stringify({ email: EMAIL }),
	});
	const words = { name: 'Ada', email: EMAIL, topic: 'Correction', message: 'Look.' } as const;
	await call(contactApi.sendMessage, words, fetchApi());
	const [message] = await db.select().from(contactMessages);
	await call(replyToMessage, { id: message!.id, version: 1, text: 'I looked.' }, admin);
	const { id: postId } = await makePost(db, { title: 'Old news', publishedAt: START });
	await call(changeSettings, { comments: 'hold-all' }, admin);
	const ada = { postId, author: 'Ada', email: EMAIL, content: 'A question', notify: true };
	const { id: asked } = await call(createComment, ada, fetchApi());
	await call(replyAsOwner, { parentId: asked, content: 'An answer' }, admin);
	const held = await call(createComment, { ...ada, content: 'Another' }, fetchApi());
	await call(decideComments, { ids: [held.id], state: 'visible' }, admin);
	await recordFailedCopy(db, 'The disk is full.', START);
	const signIn = { browser: 'Firefox on Linux', at: START.toISOString() };
	await enqueue(
		db,
		{ kind: 'sign-in', key: 's1', recipient: 'owner@example.com', payload: signIn },
		START,
	);
	await db.batch([...changeOf(db, { email: 'owner@example.com' }, 'added a passkey', START)]);
	await enqueue(
		db,
		{ kind: 'reset', key: 'r1', recipient: ADMIN_EMAIL, payload: { at: START.toISOString() } },
		START,
	);
	for (const what of ['plain', 'digest'] as const) await call(sendTest, { what }, admin);
	await call(lettersApi.createLetter, { subject: 'A word', content: '<p>Hello.</p>' }, admin);
	await call(lettersApi.updateNextIssue, { mode: 'ask' }, admin);
	await makePost(db, { title: 'News', publishedAt: new Date(START.getTime() + HOUR) });
	const thursday = Date.parse('2026-03-05T09:00:00Z');
	await minute(thursday);
	await call(lettersApi.approveIssue, {}, admin);
	await recordBuiltIssue(db, '2026-03-05', new Date(thursday + MINUTE));
	for (const minutes of [2, 3, 60]) await minute(thursday + minutes * MINUTE);

	const sentKinds = (await rows(db))
		.filter(({ deliveredAt }) => deliveredAt)
		.map(({ kind }) => kind);
	const kinds = Object.keys(writersOf(db)).sort();
	expect([...new Set(sentKinds)].filter((kind) => kinds.includes(kind)).sort()).toEqual(kinds);
	for (const email of received) {
		const { mail, raw } = email;
		const all = [mail.subject, mail.from?.name, mail.from?.address, mail.text, mail.html].join(
			'\n',
		);
		expect(all.replaceAll(SITE_URL, '').match(/.*ground-?truth.*/i)).toBeNull();
		const head = raw.split('\r\n\r\n', 1)[0]!.replaceAll('groundtruth.test', '');
		expect(head).not.toMatch(/groundtruth/i);
		const list = header(email, 'List-Id');
		if (list) expect(list).toBe('Second Opinion Co Weekly <mail.groundtruth.test>');
		expect(mail.from).toEqual({ name, address: 'weekly@second-opinion-co.example' });
		expect(mail.text).toContain(`${name}: `);
		expect(mail.html).toContain('Second “Opinion” &amp; &lt;Co&gt;');
		expect(mail.html).not.toContain('<Co>');
		expect(mail.html).toContain('#9f1239');
		expect(mail.html).not.toContain('#0e7490');
	}
});

async function withDownloads() {
	const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const env = await setup({ DATABASE_URL: `file:${join(folder, 'site.db')}` });
	const files = join(folder, 'site.downloads');
	const { mkdir } = await import('node:fs/promises');
	await mkdir(files);
	await writeFile(join(files, 'guide-1.pdf'), '0123456789');
	const manifest = { guide: { file: 'guide-1.pdf', digest: 'abc' } };
	await writeFile(join(files, 'manifest.json'), JSON.stringify(manifest));
	return env;
}
const request = (upgradeType: Upgrade, email = EMAIL) =>
	call(downloadsApi.requestUpgrade, { email, upgradeType, postId: 'p1' }, fetchApi());

test('a download comes by a link that works for seven days, whole and in ranges', async () => {
	const { received, db } = await withDownloads();
	expect(await request('guide')).toEqual({
		success: true,
		message: 'Check your email for the download link',
	});
	expect(await db.$count(subscribers)).toBe(0);
	const link = linkOf(received[0]!, 'Download it');
	const whole = await fetchApi()(link);
	expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
	expect(Object.fromEntries(whole.headers)).toMatchObject({
		'content-type': 'application/pdf',
		'content-disposition': 'attachment; filename="groundtruth-guide.pdf"',
		'content-length': '10',
		'accept-ranges': 'bytes',
		etag: '"abc"',
		'x-content-type-options': 'nosniff',
	});
	const part = await fetchApi()(link, { headers: { Range: 'bytes=2-4' } });
	expect([part.status, part.headers.get('Content-Range'), await part.text()]).toEqual([
		206,
		'bytes 2-4/10',
		'234',
	]);
	const other = await fetchApi()(link, { headers: { Range: 'bytes=2-4', 'If-Range': '"old"' } });
	expect([other.status, await other.text()]).toEqual([200, '0123456789']);
	expect((await fetchApi()(link, { headers: { Range: 'bytes=10-' } })).status).toBe(416);
	const head = await fetchApi()(link, { method: 'HEAD' });
	expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([
		200,
		'10',
		'',
	]);
	expect((await fetchApi()(link, { method: 'POST' })).status).toBe(405);
	at(START.getTime() + 7 * DAY - 1);
	expect((await fetchApi()(link, { method: 'HEAD' })).status).toBe(200);
	at(START.getTime() + 7 * DAY);
	const late = await fetchApi()(link);
	expect(late.status).toBe(410);
	const page = await late.text();
	expect(page).toContain('This link has expired');
	expect(page).toContain('action="/api/content-upgrade"');
	expect(page).toContain('value="guide"');
});

test('a download link that is not ours, or whose file is not made yet, has its own screen', async () => {
	const { received } = await withDownloads();
	const page = await fetchApi()('/api/downloads/nonsense');
	expect([page.status, (await page.text()).includes('This link does not work')]).toEqual([
		404,
		true,
	]);
	await request('pdf');
	const early = await fetchApi()(linkOf(received[0]!, 'Download it'));
	expect([early.status, (await early.text()).includes('Not ready yet')]).toEqual([503, true]);
});

test('one address gets one download mail an hour; another download waits, the same one comes once', async () => {
	const { received, db } = await setup();
	await request('guide');
	await request('guide');
	await request('pdf');
	await request('template');
	await request('cheatsheet');
	const waits = async () => (await rows(db)).map(({ dueAt }) => dueAt && +dueAt - +START);
	expect(await waits()).toEqual([null, HOUR, 2 * HOUR, 3 * HOUR]);
	await minute(START.getTime() + MINUTE);
	expect(received).toHaveLength(1);
	await request('guide', 'other@example.com');
	expect(received).toHaveLength(2);
	await minute(START.getTime() + HOUR);
	await minute(START.getTime() + 2 * HOUR);
	expect(received).toHaveLength(4);
	// It waits already.
	await request('cheatsheet');
	expect(await waits()).toHaveLength(5);
	await request('guide');
	await minute(START.getTime() + 3 * HOUR);
	await minute(START.getTime() + 4 * HOUR);
	expect(received).toHaveLength(6);
});

test('a mail domain that had its share makes the next email wait, and refuses nobody', async () => {
	const { received, db } = await setup();
	for (let index = 0; index < 122; index++) {
		await addSubscriber(db, { email: `reader${index}@example.com` }, START);
	}
	await deliverFor(15 * SECOND);
	expect(received).toHaveLength(120);
	await subscribe('ada@elsewhere.example');
	expect(received).toHaveLength(121);
	expect(await db.select().from(outbox).where(eq(outbox.attempts, 0))).toMatchObject([
		{ lastError: null, dueAt: new Date(START.getTime() + MINUTE) },
		{ lastError: null, dueAt: new Date(START.getTime() + MINUTE) },
	]);
	await minute(START.getTime() + MINUTE);
	expect(received).toHaveLength(123);
});

test('on one machine a run lasts until the schedule has begun the next, and that nearly as long', () => {
	expect(runTimes()).toEqual({ called: 15 * SECOND, scheduled: 15 * SECOND });
	setEnv(parseEnv({ SITE_URL, SECRET: 'a'.repeat(40), DATABASE_URL: 'file:db/x.db' }));
	const { called, scheduled } = runTimes();
	// A letter that was resumed had no worker from 15 seconds later until the next full minute.
	expect(called).toBeGreaterThan(MINUTE);
	expect(scheduled).toBeGreaterThan(57 * SECOND);
	expect(scheduled).toBeLessThan(MINUTE);
});

test('calls share one worker, which takes a new mail at once while it waits for another', async () => {
	const refused = new Set(['slow@example.com']);
	const { received, connections, db } = await setup(
		{},
		{ message: (to: string) => refused.has(to) && { code: 451, message: 'Not now.' } },
	);
	const signUp = async (email: string) => {
		await addSubscriber(db, { email }, START);
		await deliverNow();
	};
	const slow = signUp('slow@example.com');
	await vi.waitFor(async () =>
		expect(await rows(db)).toMatchObject([{ attempts: 1, leasedUntil: null }]),
	);
	const others = Array.from({ length: 20 }, (_, index) => signUp(`reader${index}@example.com`));
	await vi.waitFor(() => expect(received).toHaveLength(20));
	expect(connections()).toBeLessThanOrEqual(DELIVERY_CONCURRENCY);
	refused.clear();
	at(START.getTime() + MINUTE);
	await Promise.all([slow, ...others, signUp('last@example.com')]);
	expect(received).toHaveLength(22);
});

test('a call that comes while the worker asks what is next does not wait for that', async () => {
	const message = (to: string) => to.startsWith('slow') && { code: 451, message: 'Not now.' };
	const { received, db } = await setup({}, { message });
	const execute = db.$client.execute.bind(db.$client);
	let late: Promise<void> | undefined;
	vi.spyOn(db.$client, 'execute').mockImplementation(async (statement: InStatement) => {
		const result = await execute(statement);
		if (!late && JSON.stringify(statement).includes('min(max(due_at')) {
			await addSubscriber(db, { email: EMAIL }, START);
			late = deliverNow();
		}
		return result;
	});
	await addSubscriber(db, { email: 'slow@example.com' }, START);
	const first = deliverNow();
	await vi.waitFor(() => expect(received.map(({ to }) => to)).toEqual([EMAIL]));
	at(START.getTime() + MINUTE);
	await Promise.all([first, late, deliverNow()]);
});

test('without SMTP, mail is a file beside the database: one for each email, however often it is sent', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'mailbox-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const { db, received } = await setup({
		SMTP_URL: '',
		DATABASE_URL: `file:${join(folder, 'site.db')}`,
	});
	await subscribe();
	const files = () => readdir(join(folder, 'site.mailbox'));
	const [row] = await rows(db);
	expect(await files()).toEqual([`${row!.id}.eml`]);
	const read = () => readFile(join(folder, 'site.mailbox', `${row!.id}.eml`));
	const mail = await PostalMime.parse(await read());
	expect(mail).toMatchObject({
		subject: 'Welcome to Groundtruth Weekly',
		to: [{ address: EMAIL }],
	});
	// Nowhere is it said to be sent.
	expect(deliveryStateOf(row!)).toBe('kept');
	await db.update(outbox).set({ deliveredAt: null, dueAt: START });
	await deliverFor(0);
	await minute(START);
	expect(await files()).toEqual([`${row!.id}.eml`]);
	expect((await PostalMime.parse(await read())).messageId).toBe(mail.messageId);
	expect(received).toEqual([]);
});

test('without SMTP and without a folder, mail waits', async () => {
	const { db, received } = await setup({ SMTP_URL: '' });
	await subscribe();
	await minute(START.getTime() + DAY);
	expect(received).toEqual([]);
	expect(await rows(db)).toMatchObject([{ attempts: 0, dueAt: START, failedAt: null }]);
});
