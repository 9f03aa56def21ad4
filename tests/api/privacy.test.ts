import { eq, sql } from 'drizzle-orm';
import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import {
	auditLog,
	builds,
	comments,
	contactMessages,
	countedVisits,
	enrollments,
	outbox,
	rateLimits,
	subscribers,
} from '#db/schema.ts';
import { queueDue } from '#functions/lib/deliver.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import maintain from '#functions/maintenance.ts';
import preferences from '#functions/preferences.ts';
import { SESSION_DAYS } from '#src/core/session/session.ts';
import { recallDeliveries } from '#src/core/outbox/outbox.server.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { dataLink, readerLinks, renderEmail } from '#src/core/outbox/mail.server.ts';
import { recordBuiltUntil, claimBuilds } from '#src/core/builds/builds.server.ts';
import { RESTORE_DAYS } from '#src/features/posts/editing.ts';
import { DATA_REQUESTED } from '#src/features/privacy/privacy.ts';
import { BLOCK_DAYS, firstKeptDay } from '#src/features/visits/visits.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { getEnv, getSecret, setEnv } from '#src/lib/env.ts';
import { seal } from '#src/lib/token.ts';
import { answer, sent } from '#tests/support/answer.ts';
import { fetchApi, fetchFrom } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

/** Leaves here all that people leave who use everything. */
async function leaveTraces(db: Db, email: string, postId: string): Promise<void> {
	const send = async (path: string, body: object) => {
		const response = await fetchApi({ ip: `203.0.113.${email.length}` })(path, {
			method: 'POST',
			body: JSON.stringify(body),
		});
		expect([path, response.status]).toEqual([path, 201]);
	};
	await send('/api/subscribers', { email, source: 'Newsletter Modal' });
	await send('/api/email-course/enroll', { email });
	await send('/api/content-upgrade', { email, upgradeType: 'guide' });
	await send('/api/comments', { postId, author: 'Somebody', email, content: `Words of ${email}` });
	const message = { name: 'Somebody', email, topic: 'Correction', message: 'The figure is wrong.' };
	await send('/api/contact', message);
	await send('/api/personal-data', { email });
}

/** Every value of every table, as text. */
async function everything(db: Db, except = ''): Promise<string> {
	const tables = await db.all<{ name: string }>(
		sql`select name from sqlite_master where type = 'table' and name not like 'search_%' and name <> ${except}`,
	);
	const rows = await Promise.all(tables.map(({ name }) => db.all(`select * from "${name}"`)));
	return JSON.stringify(rows);
}

const settings = () => ({ ...getEnv(), SECRET: getSecret() });
/** The key to somebody's data, as the mail that was asked for has it. */
const tokenOf = (email: string) => dataLink(settings(), email, new Date()).split('=')[1]!;
/** The token in every email. */
const readerToken = (email: string) =>
	readerLinks(settings(), 'weekly', email).preferences.split('=')[1]!;

/** Sends as the button of the page does: from the island, or as a page's own form. */
function choose(
	email: string,
	choice: string,
	accept = '*/*',
	token = tokenOf(email),
): Promise<Response> {
	return fetchApi()(`/preferences?token=${token}`, {
		method: 'POST',
		headers: { Accept: accept, 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({ choice }).toString(),
	});
}

async function setup(): Promise<Db> {
	const db = await useTestDb();
	const { id } = await makePost(db);
	await leaveTraces(db, ADA, id);
	await leaveTraces(db, GRACE, id);
	return db;
}

test('what is held about an address comes as a file, and nothing of anybody else', async () => {
	await setup();
	for (const accept of ['*/*', 'text/html']) {
		const response = await choose(ADA, 'data-download', accept);
		expect(response.status).toBe(200);
		expect(response.headers.get('Content-Disposition')).toMatch(
			/^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.json"$/,
		);
		expect(response.headers.get('Cache-Control')).toBe('no-store');
		const text = await response.text();
		expect(text).not.toContain(GRACE);
		expect(JSON.parse(text)).toMatchObject({
			address: ADA,
			newsletter: { email: ADA, source: 'Newsletter Modal', active: true },
			course: { email: ADA, lesson: 1 },
			comments: [{ author: 'Somebody', content: `Words of ${ADA}` }],
			messages: [{ email: ADA, message: 'The figure is wrong.' }],
		});
		const { mails } = JSON.parse(text) as { mails: { kind: string }[] };
		expect(mails.map(({ kind }) => kind).sort()).toEqual([
			'contact',
			'data',
			'download',
			'lesson',
			'welcome',
		]);
	}
});

test('erasing asks first, and until it is told again deletes nothing', async () => {
	const db = await setup();
	// What counts its clicks is no part of it.
	const kept = () => everything(db, 'rate_limits');
	const before = await kept();
	const screen = (await (await choose(ADA, 'data-erase')).json()) as { title: string };
	expect(screen.title).toBe('Erase everything?');
	const page = await (await choose(ADA, 'data-erase', 'text/html')).text();
	expect(page).toContain('cannot be undone');
	expect(page).toContain('value="data-erase-now"');
	expect(await kept()).toBe(before);
});

test.each(['*/*', 'text/html'])(
	'erasing leaves no trace of the address, and all of everybody else (%s)',
	async (accept) => {
		// In the first half hour of a year the last build would be of the one before.
		vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
		const db = await setup();
		await db.batch([recordBuiltUntil(db, new Date(Date.now() - 30 * MINUTE))]);
		expect(await everything(db)).toContain(ADA);
		const response = await choose(ADA, 'data-erase-now', accept);
		expect(response.status).toBe(200);
		expect(await response.text()).toContain('Everything is erased');
		expect(await everything(db)).not.toContain(ADA);
		for (const table of [subscribers, enrollments, comments, contactMessages]) {
			expect(await db.select({ email: table.email }).from(table)).toEqual([{ email: GRACE }]);
		}
		expect(await db.$count(outbox, eq(outbox.recipient, GRACE))).toBe(4);
		// The stored page follows, and the log says how much it was, not whose.
		await queueDue(() => true);
		expect(await db.select({ cause: builds.cause }).from(builds)).toEqual([
			{ cause: 'A reader erased comments' },
		]);
		expect(await db.select({ detail: auditLog.detail }).from(auditLog)).toEqual([
			{ detail: '1 subscription, 1 course, 1 comment, 1 message, and 5 emails' },
		]);
	},
);

test('erasing twice, or where nothing is held, is no error', async () => {
	const db = await setup();
	await choose(ADA, 'data-erase-now');
	expect((await choose(ADA, 'data-erase-now')).status).toBe(200);
	expect((await choose('nobody@example.com', 'data-erase-now')).status).toBe(200);
	expect(await db.$count(subscribers)).toBe(1);
});

describe('the link in every email', () => {
	test.each(['data-download', 'data-erase', 'data-erase-now'])(
		'neither shows nor erases anything (%s), and asks for the key instead',
		async (choice) => {
			const db = await setup();
			for (const accept of ['*/*', 'text/html']) {
				const response = await choose(ADA, choice, accept, readerToken(ADA));
				expect(response.headers.get('Content-Disposition')).toBeNull();
				const text = await response.text();
				expect(text).toContain('This needs another link');
				expect(text).toContain('data-link');
				expect(text).not.toContain('Words of');
			}
			for (const table of [subscribers, enrollments, comments, contactMessages])
				expect(await db.$count(table)).toBe(2);
			expect(await db.$count(auditLog)).toBe(0);
		},
	);

	test('still leaves and chooses, years after', async () => {
		const db = await setup();
		const token = readerToken(ADA);
		vi.setSystemTime(Date.now() + 3000 * DAY);
		await choose(ADA, 'weekly-pause', '*/*', token);
		expect((await db.select().from(subscribers))[0]!.pausedUntil).not.toBeNull();
		await choose(ADA, 'weekly-leave', 'text/html', token);
		expect((await db.select().from(subscribers))[0]!.active).toBe(false);
	});

	test('has the key mailed to the address itself, and to nobody else', async () => {
		vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
		const db = await useTestDb();
		const page = await (await choose(ADA, 'data-link', 'text/html', readerToken(ADA))).text();
		expect(page).toContain('Check your inbox');
		expect(page).not.toContain(tokenOf(ADA));
		const [mail] = await db.select().from(outbox);
		expect(mail).toMatchObject({ kind: 'data', recipient: ADA });
		const { html, text } = await renderEmail(
			(await writersOf(db)['data'](mail!, new Date())) as EmailContent,
		);
		for (const form of [html, text]) {
			expect(form).toContain(tokenOf(ADA));
			expect(form).toContain(`/unsubscribe?token=${readerToken(ADA)}`);
		}
	});
});

test('the key works for a day; then it is a link like any other', async () => {
	vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
	const db = await setup();
	const token = tokenOf(ADA);
	vi.setSystemTime(Date.now() + DAY - 1);
	expect((await choose(ADA, 'data-download', '*/*', token)).headers.get('Content-Type')).toBe(
		'application/json',
	);
	expect(await (await choose(ADA, '', '*/*', token)).text()).toContain('data-download');
	vi.setSystemTime(Date.now() + 1);
	expect(await (await choose(ADA, 'data-erase-now', '*/*', token)).text()).toContain(
		'This needs another link',
	);
	expect(await (await choose(ADA, '', '*/*', token)).text()).not.toContain('data-download');
	await choose(ADA, 'weekly-leave', '*/*', token);
	expect((await db.select().from(subscribers))[0]).toMatchObject({ email: ADA, active: false });
});

test('no key of one address opens another, and no link can be made a key', async () => {
	await setup();
	const purposes = ['reader', 'download', 'preview'];
	const until = Date.now() + DAY;
	const forged = purposes.map((purpose) => seal(getSecret(), purpose, `${until} ${ADA}`));
	for (const token of forged) {
		const response = await choose(ADA, 'data-download', '*/*', token);
		expect(response.headers.get('Content-Disposition')).toBeNull();
	}
	expect(await (await choose(ADA, 'data-download', '*/*', tokenOf(GRACE))).text()).not.toContain(
		`Words of ${ADA}`,
	);
});

test('what may be done behind a link is limited for its reader', async () => {
	vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
	const db = await setup();
	const erase = () => choose(ADA, 'data-erase-now');
	const answers = [];
	for (let index = 0; index < 12; index++) answers.push((await erase()).status);
	expect(answers).toEqual([...Array<number>(10).fill(200), 429, 429]);
	// The first erased something; nothing leaves no trace.
	expect(await db.$count(auditLog)).toBe(1);
	expect((await choose(GRACE, 'data-download')).status).toBe(200);

	const click = (email: string) => choose(email, 'weekly-join', 'text/html', readerToken(email));
	for (let index = 0; index < 59; index++) expect((await click(GRACE)).status).toBe(200);
	const refused = await click(GRACE);
	expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '600']);
	expect(await refused.text()).toContain('Too many requests');
});

test('an address clicks 300 times in ten minutes, and still lets everybody leave', async () => {
	const db = await useTestDb();
	const press = (path: string, index: number, body = '') => {
		const token = readerToken(`reader-${index}@example.com`);
		return fetchApi()(`${path}?token=${token}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body,
		});
	};
	const statuses = new Map<number, number>();
	for (let index = 0; index < 310; index++) {
		const { status } = await press('/preferences', index, 'choice=weekly-join');
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
	}
	expect([...statuses]).toEqual([
		[200, 300],
		[429, 10],
	]);
	for (let index = 0; index < 20; index++) {
		const left = await press('/unsubscribe', index, 'List-Unsubscribe=One-Click');
		expect(left.status).toBe(200);
	}
	expect(await db.$count(subscribers, eq(subscribers.active, true))).toBe(280);
});

test('erasing makes room for no more comments and messages than anybody may send', async () => {
	const db = await useTestDb();
	const { id: postId } = await makePost(db);
	const send = (path: string, body: object) =>
		fetchApi()(path, { method: 'POST', body: JSON.stringify({ ...body, email: ADA }) });
	const message = { name: 'Ada', topic: 'Correction', message: 'The figure is wrong.' };
	const statuses = [];
	for (let index = 0; index < 5; index++) {
		const comment = { postId, author: 'Ada', content: `Number ${index}` };
		const [one, other] = [
			await send('/api/comments', comment),
			await send('/api/contact', message),
		];
		statuses.push([one.status, other.status]);
		await choose(ADA, 'data-erase-now');
	}
	expect(statuses).toEqual([
		[201, 201],
		[201, 201],
		[201, 201],
		[429, 429],
		[429, 429],
	]);
});

test('readers who erase themselves one after the other are built out together', async () => {
	vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
	const db = await useTestDb();
	const { id: postId } = await makePost(db, { publishedAt: new Date('2020-01-01') });
	await db.batch([recordBuiltUntil(db, new Date())]);
	const eraseOne = async (email: string) => {
		const comment = { postId, author: 'Ada', content: 'Words', email };
		await fetchApi()('/api/comments', { method: 'POST', body: JSON.stringify(comment) });
		await choose(email, 'data-erase-now');
		await queueDue(() => true);
	};
	for (let minute = 1; minute < 10; minute++) {
		vi.setSystemTime(Date.now() + MINUTE);
		await eraseOne(`reader-${minute}@example.com`);
	}
	expect(await db.$count(builds)).toBe(0);
	vi.setSystemTime(Date.now() + MINUTE);
	await eraseOne('last@example.com');
	expect(await db.select({ cause: builds.cause }).from(builds)).toEqual([
		{ cause: 'A reader erased comments' },
	]);
	await claimBuilds(db, new Date());
	vi.setSystemTime(Date.now() + HOUR);
	await queueDue(() => true);
	expect(await db.$count(builds)).toBe(1);
});

test("a link that is not ours shows and erases nothing, and a GET of ours doesn't either", async () => {
	const db = await setup();
	for (const token of ['', 'nonsense', `${tokenOf(ADA)}x`.slice(1)]) {
		const response = await fetchApi()(`/preferences?token=${token}`, {
			method: 'POST',
			body: JSON.stringify({ choice: 'data-erase-now' }),
		});
		expect(response.status).toBe(400);
	}
	const link = `/preferences?token=${tokenOf(ADA)}&choice=data-erase-now`;
	await expect(fetchApi()(link)).rejects.toThrow('No function answers');
	expect((await fetchFrom(preferences)(link)).status).toBe(405);
	expect(await db.$count(subscribers)).toBe(2);
});

test("the owner's address has no share in what others wrote to it", async () => {
	const db = await setup();
	const [{ recipient } = { recipient: '' }] = await db
		.select({ recipient: outbox.recipient })
		.from(outbox)
		.where(eq(outbox.kind, 'contact'));
	const text = await (await choose(recipient!, 'data-download')).text();
	expect(text).not.toContain(ADA);
	await choose(recipient!, 'data-erase-now');
	expect(await db.$count(outbox, eq(outbox.kind, 'contact'))).toBe(2);
});

test('the mail list is told to leave an erased address alone, and forgets why with the next maintenance', async () => {
	const db = await setup();
	setEnv({ ...getEnv(), MAILERLITE_API_KEY: 'key', MAILERLITE_API_URL: 'https://list.test' });
	answer(() => Response.json({}));
	await choose(ADA, 'data-erase-now');
	expect(sent).toEqual([
		[
			'https://list.test/subscribers',
			expect.objectContaining({ email: ADA, status: 'unsubscribed' }),
		],
	]);
	expect(JSON.stringify(sent)).not.toContain('Newsletter Modal');
	await maintain();
	expect(await everything(db)).not.toContain(ADA);
});

test('anybody can have the link mailed, once an hour, and the answer never says whether anything is held', async () => {
	const db = await useTestDb();
	const { id } = await makePost(db);
	const comment = { postId: id, author: 'Ada', email: ADA, content: 'Only a comment.' };
	await fetchApi()('/api/comments', { method: 'POST', body: JSON.stringify(comment) });
	const ask = (email: string) =>
		fetchApi()('/api/personal-data', { method: 'POST', body: JSON.stringify({ email }) });
	for (const email of [ADA, ADA, 'nobody@example.com']) {
		const response = await ask(email);
		expect([response.status, await response.json()]).toEqual([
			201,
			{ success: true, message: DATA_REQUESTED },
		]);
	}
	const requested = () =>
		db.select({ to: outbox.recipient }).from(outbox).where(eq(outbox.kind, 'data'));
	expect((await requested()).map(({ to }) => to)).toEqual([ADA, 'nobody@example.com']);
	vi.setSystemTime(Date.now() + HOUR + 1);
	await ask(ADA);
	expect(await requested()).toHaveLength(3);
	expect((await ask('no address')).status).toBe(400);
	expect(await requested()).toHaveLength(3);
});

test('without JavaScript the form ends on its own page, and a robot gets the same and no mail', async () => {
	const db = await useTestDb();
	const post = (fields: Record<string, string>) =>
		fetchApi()('/api/personal-data', {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams(fields),
		});
	const robot = await post({ email: ADA, website: 'http://spam.example' });
	expect([robot.status, robot.headers.get('Location')]).toEqual([303, '/thanks/data']);
	expect(await db.$count(outbox)).toBe(0);
	const person = await post({ email: ADA });
	expect([person.status, person.headers.get('Location')]).toEqual([303, '/thanks/data']);
	expect(await db.$count(outbox)).toBe(1);
	expect(await (await post({ email: 'wrong' })).text()).toContain(
		'Please enter a valid email address',
	);
});

test('the privacy page says for how long everything is kept, as it is', async () => {
	const page = await readFile(new URL('../../content/pages/privacy.md', import.meta.url), 'utf8');
	const kept = (what: string) => {
		const row = page.split('\n').find((line) => line.startsWith(`| ${what}`));
		return Number(/(\d+) days?\b[^|]*\|$/.exec(row ?? '')?.[1]);
	};
	const said: Record<keyof typeof RETENTION_DAYS, number> = {
		attempts: kept('Keyed hashes of who sent'),
		visits: kept('Keyed hashes of who was counted'),
		unconfirmed: kept('What you asked for and have not confirmed'),
		leaversNames: kept('Name and source of an address that unsubscribed'),
		emails: kept('Emails to you'),
		contactMessages: kept('Contact messages'),
		feedback: kept('Answers to the question under an article'),
		commentAddresses: kept('Email address of a comment'),
		courses: kept('Course'),
		pageErrors: kept('Errors of pages'),
	};
	expect(said).toEqual(RETENTION_DAYS);
	expect(kept('Deleted articles')).toBe(RESTORE_DAYS);
	expect(kept('Sessions')).toBe(SESSION_DAYS);
	// At the end of a block of days the oldest figures are the oldest.
	const end = 600 * BLOCK_DAYS;
	const oldest = firstKeptDay(new Date(end * DAY - 1));
	expect(kept('Totals of the sites and campaigns')).toBe(end - oldest);
});

test('each of it goes when its time is over, and not a moment before', async () => {
	const NOON = new Date('2026-03-01T12:00:00Z');
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const { id: postId } = await makePost(db, { publishedAt: new Date('2020-01-01') });
	const over = (days: number) => new Date(NOON.getTime() - days * DAY - 1);
	const just = (days: number) => new Date(NOON.getTime() - days * DAY);
	const person = { name: 'Ada', topic: 'Privacy', message: 'Words' };
	await db.insert(contactMessages).values([
		{
			id: 'over',
			email: 'a@example.com',
			...person,
			createdAt: over(RETENTION_DAYS.contactMessages),
		},
		{
			id: 'just',
			email: 'b@example.com',
			...person,
			createdAt: just(RETENTION_DAYS.contactMessages),
		},
	]);
	const words = { postId, author: 'Ada', content: 'Words' };
	await db.insert(comments).values([
		{ id: 'over', ...words, email: ADA, createdAt: over(RETENTION_DAYS.commentAddresses) },
		{ id: 'just', ...words, email: ADA, createdAt: just(RETENTION_DAYS.commentAddresses) },
	]);
	const [ended, kept] = [over(RETENTION_DAYS.courses), just(RETENTION_DAYS.courses)];
	const ancient = new Date('2020-01-01');
	await db.insert(enrollments).values([
		{ email: 'done-over@example.com', lesson: 7, createdAt: ended },
		{ email: 'done-just@example.com', lesson: 7, createdAt: kept },
		{ email: 'stopped-over@example.com', stoppedAt: ended, createdAt: ancient },
		{ email: 'stopped-just@example.com', stoppedAt: kept, createdAt: ancient },
		{ email: 'paused-over@example.com', pausedAt: ended, createdAt: ancient },
		{ email: 'paused-just@example.com', pausedAt: kept, createdAt: ancient },
		{ email: 'running@example.com', nextAt: NOON, createdAt: ancient },
	]);
	const named = { name: 'Ada', lastName: 'King', source: 'Exit Popup', createdAt: ancient };
	const [leftOver, leftJust] = [
		over(RETENTION_DAYS.leaversNames),
		just(RETENTION_DAYS.leaversNames),
	];
	await db.insert(subscribers).values([
		{ email: 'left-over@example.com', ...named, active: false, leftAt: leftOver },
		{ email: 'left-paused@example.com', active: false, leftAt: leftOver, pausedUntil: NOON },
		{ email: 'left-just@example.com', ...named, active: false, leftAt: leftJust },
		{ email: 'here@example.com', ...named },
	]);
	const mail = { kind: 'welcome', payload: {} };
	await db.insert(outbox).values([
		{ ...mail, key: 'over', createdAt: over(RETENTION_DAYS.emails), deliveredAt: ancient },
		{ ...mail, key: 'just', createdAt: just(RETENTION_DAYS.emails), deliveredAt: ancient },
		{ ...mail, key: 'open', createdAt: ancient, dueAt: NOON },
	]);
	await db.insert(rateLimits).values([
		{ key: 'over', createdAt: over(RETENTION_DAYS.attempts) },
		{ key: 'just', createdAt: just(RETENTION_DAYS.attempts) },
	]);
	const today = Math.floor(NOON.getTime() / DAY);
	await db.insert(countedVisits).values([
		{ key: 'over', day: today - RETENTION_DAYS.visits },
		{ key: 'just', day: today - RETENTION_DAYS.visits + 1 },
	]);
	await maintain();

	const ids = async (table: typeof contactMessages | typeof comments) =>
		(await db.select({ id: table.id }).from(table).orderBy(table.id)).map(({ id }) => id);
	expect(await ids(contactMessages)).toEqual(['just']);
	expect(await ids(comments)).toEqual(['just', 'over']);
	const addresses = await db.select({ id: comments.id, email: comments.email }).from(comments);
	expect(Object.fromEntries(addresses.map(({ id, email }) => [id, email]))).toEqual({
		over: '',
		just: ADA,
	});
	expect((await db.select().from(enrollments)).map(({ email }) => email)).toEqual([
		'done-just@example.com',
		'stopped-just@example.com',
		'paused-just@example.com',
		'running@example.com',
	]);
	const people = await db.select().from(subscribers);
	expect(
		people.map(({ email, name, lastName, source, pausedUntil }) => [
			email,
			name,
			lastName,
			source ?? pausedUntil,
		]),
	).toEqual([
		['left-over@example.com', null, null, null],
		['left-paused@example.com', null, null, null],
		['left-just@example.com', 'Ada', 'King', 'Exit Popup'],
		['here@example.com', 'Ada', 'King', 'Exit Popup'],
	]);
	expect((await db.select().from(outbox)).map(({ key }) => key)).toEqual(['just', 'open']);
	expect((await db.select().from(rateLimits)).map(({ key }) => key)).toEqual(['just']);
	expect((await db.select().from(countedVisits)).map(({ key }) => key)).toEqual(['just']);
});

test('what a clock put off that had gone ahead and was set back is due again', async () => {
	const NOON = new Date('2026-03-01T12:00:00Z');
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const at = (ms: number) => new Date(NOON.getTime() + ms);
	const mail = { kind: 'welcome', payload: {} };
	await db.insert(outbox).values([
		{ ...mail, key: 'made ahead', createdAt: at(3 * DAY), dueAt: at(3 * DAY) },
		{ ...mail, key: 'put off ahead', createdAt: at(-1), dueAt: at(3 * DAY), attempts: 2 },
		{ ...mail, key: 'held ahead', createdAt: at(-1), dueAt: at(-1), leasedUntil: at(3 * DAY) },
		{ ...mail, key: 'waited ahead', createdAt: at(-1), dueAt: at(3 * DAY) },
		{ ...mail, key: 'retried', createdAt: at(-1), dueAt: at(HOUR), attempts: 9 },
	]);
	await db.insert(rateLimits).values([
		{ key: 'ahead', createdAt: at(3 * DAY) },
		{ key: 'now', createdAt: NOON },
	]);
	await recallDeliveries(db, NOON);
	await maintain();
	const rows = await db.select().from(outbox);
	expect(rows.map(({ key, dueAt, leasedUntil }) => [key, dueAt, leasedUntil])).toEqual([
		['made ahead', NOON, null],
		['put off ahead', NOON, null],
		['held ahead', NOON, null],
		['waited ahead', NOON, null],
		['retried', at(HOUR), null],
	]);
	expect((await db.select().from(rateLimits)).map(({ key }) => key)).toEqual(['now']);
});
