import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { auditLog, issues, letters, outbox, posts, subscribers } from '#db/schema.ts';
import deliverOnSchedule from '#functions/deliver.ts';
import maintain from '#functions/maintenance.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { emailCourier, readerLinks } from '#src/core/outbox/mail.server.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import { openTransport } from '#src/core/outbox/transport.server.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { createComment } from '#src/features/comments/comments.api.ts';
import { listOutbox, sendTest } from '#src/features/mail/mail.api.ts';
import { listIssues, withLead } from '#src/features/newsletter/issues.server.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import type { LetterView } from '#src/features/newsletter/letters.ts';
import {
	getLetter,
	letterWriter,
	queueLetters,
	recordBuiltIssue,
} from '#src/features/newsletter/letters.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { mergeCategory } from '#src/features/taxonomy/taxonomy.api.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, getSecret, parseEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makeDrawing, makePost, makeSubscriber } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { linkOf, startSmtp } from '#tests/support/smtp.ts';

/** A Monday, and the Thursday after it at the letter's hour. */
const START = new Date('2026-03-02T15:00:00Z');
const THURSDAY = Date.parse('2026-03-05T09:00:00Z');
const OWNER = 'owner@example.com';

/** A site that began on a Monday and published two articles since: of robotics, and of vision. */
async function setup(readers = 3, rules = {}) {
	const { received, url } = await startSmtp(rules);
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
			SMTP_URL: url,
			DIGEST_TIME_ZONE: 'UTC',
			ADMIN_EMAIL: OWNER,
		}),
	);
	vi.setSystemTime(START);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	await createIssue(db, START);
	const robotics = await makeCategory(db, { name: 'Robotics' });
	const vision = await makeCategory(db, { name: 'Vision' });
	const older = await makePost(db, {
		title: 'An arm that learns',
		categoryId: robotics.id,
		publishedAt: new Date(START.getTime() + HOUR),
	});
	const newer = await makePost(db, {
		title: 'Edges',
		categoryId: vision.id,
		publishedAt: new Date(START.getTime() + 2 * HOUR),
	});
	for (let index = 0; index < readers; index++)
		await makeSubscriber(db, { email: `reader${index}@example${index % 50}.com` });
	const to = (address: string) => received.filter((email) => email.to === address);
	const recipients = () =>
		received
			.map((email) => email.to)
			.filter((address) => address !== OWNER)
			.sort();
	const all = async () =>
		(await db.select({ email: subscribers.email }).from(subscribers))
			.map(({ email }) => email)
			.sort();
	const next = () => call(api.getNextIssue, {}, admin);
	return { db, admin, received, robotics, vision, older, newer, to, recipients, all, next };
}

/** Does what the scheduled function does at a time. */
async function minute(time: number): Promise<void> {
	vi.setSystemTime(time);
	await deliverOnSchedule();
}

const page = async (address: string, method = 'GET') => {
	const response = await fetchApi()(address, { method, headers: { Accept: 'text/html' } });
	return { status: response.status, text: await response.text() };
};

test('the owner is asked once, a scanner changes nothing, and one press sends the issue to each reader once', async () => {
	const { db, admin, received, to, recipients, all } = await setup();
	vi.setSystemTime(START.getTime() + DAY);
	await call(api.updateNextIssue, { mode: 'ask' }, admin);
	for (const minutes of [0, 1, 90]) await minute(THURSDAY + minutes * MINUTE);
	expect(received.map((email) => email.to)).toEqual([OWNER]);
	expect(await db.$count(issues)).toBe(0);
	const [asked] = to(OWNER);
	expect(asked!.mail.subject).toBe('To approve: Groundtruth Weekly: Edges and 1 more article');
	// What is published while it waits is not sent unasked.
	await makePost(db, { title: 'Later', publishedAt: new Date(THURSDAY + 91 * MINUTE) });
	const link = linkOf(asked!, 'Look and approve');
	vi.setSystemTime(THURSDAY + 2 * HOUR);
	const shown = await page(link);
	expect(shown).toMatchObject({ status: 200 });
	expect(shown.text).toContain('Send the issue of March 5, 2026?');
	expect(shown.text).toContain('3 subscribers');
	expect(await db.$count(issues)).toBe(0);

	expect((await page(link, 'POST')).text).toContain('The issue goes out');
	expect((await page(link, 'POST')).text).toContain('Nothing waits for your approval');
	expect(await db.select().from(issues)).toMatchObject([
		{ date: '2026-03-05', posts: [{ title: 'Edges' }, { title: 'An arm that learns' }] },
	]);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY + 2 * HOUR));
	for (const minutes of [121, 122, 240]) await minute(THURSDAY + minutes * MINUTE);
	expect(recipients()).toEqual(await all());
	// The next one tells of what came while this one waited, and asks again.
	await minute(THURSDAY + 7 * DAY);
	expect(to(OWNER).map(({ mail }) => mail.subject)).toEqual([
		'To approve: Groundtruth Weekly: Edges and 1 more article',
		'To approve: Groundtruth Weekly: Later',
	]);
	const log = await db.select().from(auditLog).where(eq(auditLog.action, 'approved an issue'));
	expect(log).toMatchObject([{ actor: 'a link in an email', subject: 'issue 2026-03-05' }]);
});

test.each(['', '?token=', '?token=forged', `?token=${'A'.repeat(80)}`])(
	'the link /letters/approve%s does nothing and says so',
	async (query) => {
		const { db, admin } = await setup(0);
		await call(api.updateNextIssue, { mode: 'ask' }, admin);
		await minute(THURSDAY);
		for (const method of ['GET', 'POST']) {
			const { status, text } = await page(`/letters/approve${query}`, method);
			expect(status).toBe(400);
			expect(text).toContain('This link does not work');
		}
		expect(await db.$count(issues)).toBe(0);
	},
);

test('an issue that was not approved gives way to the next, and its link to a sentence', async () => {
	const { db, admin, to } = await setup(1);
	await call(api.updateNextIssue, { mode: 'ask' }, admin);
	await minute(THURSDAY);
	await minute(THURSDAY + 7 * DAY);
	const [first, second] = to(OWNER).map((email) => linkOf(email, 'Look and approve'));
	expect((await page(first!, 'POST')).text).toContain('Nothing waits');
	await page(second!, 'POST');
	expect(await db.select().from(issues)).toMatchObject([{ date: '2026-03-12' }]);
	vi.setSystemTime(THURSDAY + 60 * DAY);
	expect((await page(second!)).text).toContain('This link has expired');
});

test('a skipped issue goes out with the next one, which comes by itself again', async () => {
	const { db, admin, next } = await setup(1);
	await call(api.updateNextIssue, { mode: 'skip' }, admin);
	await minute(THURSDAY);
	await minute(THURSDAY + DAY);
	expect(await db.$count(issues)).toBe(0);
	expect(await next()).toMatchObject({ mode: 'auto', articles: [{ title: 'Edges' }, {}] });
	await makePost(db, { title: 'Later', publishedAt: new Date(THURSDAY + 2 * DAY) });
	await minute(THURSDAY + 7 * DAY);
	expect(await db.select().from(issues)).toMatchObject([
		{
			date: '2026-03-12',
			posts: [{ title: 'Later' }, { title: 'Edges' }, { title: 'An arm that learns' }],
		},
	]);
});

test('the issue is what the owner made of it: words, subject, order, left out and put in', async () => {
	const { db, admin, older, newer, next, to } = await setup(1);
	const past = await makePost(db, { title: 'Of old', publishedAt: new Date('2026-01-01') });
	vi.setSystemTime(START.getTime() + DAY);
	const draft = await next();
	expect(draft).toMatchObject({
		mode: 'auto',
		at: new Date(THURSDAY).toISOString(),
		subject: '',
		posts: [newer.id, older.id],
		usual: {
			subject: 'Groundtruth Weekly: Edges and 1 more article',
			preview: 'Edges · An arm that learns',
		},
		waiting: null,
		recipients: 1,
	});
	const edited = await call(
		api.updateNextIssue,
		{
			version: draft.version,
			subject: 'Arms and edges',
			preview: 'Two things',
			note: '<p onclick="x()">Read <a href="/about">this</a> first.</p><script>x()</script>',
			posts: [past.id, older.id],
		},
		admin,
	);
	expect(edited).toMatchObject({
		version: draft.version + 1,
		note: '<p>Read <a href="/about">this</a> first.</p>',
		articles: [{ title: 'Of old' }, { title: 'An arm that learns' }],
		leftOut: [{ title: 'Edges' }],
	});
	// Somebody else's older form loses nothing.
	await expect(
		call(api.updateNextIssue, { version: draft.version, subject: 'Mine' }, admin),
	).rejects.toMatchObject({ code: 'conflict', stored: { subject: 'Arms and edges' } });
	// What is published meanwhile is added.
	await makePost(db, { title: 'Last minute', publishedAt: new Date(THURSDAY - HOUR) });
	await minute(THURSDAY);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY));
	await minute(THURSDAY + MINUTE);
	const [email] = to('reader0@example0.com');
	expect(email!.mail.subject).toBe('Arms and edges');
	const text = email!.mail.text!;
	expect(text).toContain(`Read [this](`);
	const places = ['Of old', 'An arm that learns', 'Last minute'].map((name) => text.indexOf(name));
	expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
	expect(text).not.toContain('Edges');
	expect(email!.mail.html).toContain(
		`href="${SITE_URL}/about?utm_source=newsletter&#x26;utm_medium=email&#x26;utm_campaign=2026-03-05"`,
	);
	expect(email!.mail.html).toContain('Two things');
	// The next draft begins empty, without what was left out.
	expect(await next()).toMatchObject({
		subject: '',
		preview: '',
		note: '',
		posts: [],
		leftOut: [],
	});
});

test.each([
	[{ subject: 'x'.repeat(151) }, 'subject'],
	[{ preview: 'x'.repeat(201) }, 'preview'],
	[{ mode: 'never' as never }, 'mode'],
	[{ posts: ['nowhere'] }, 'posts'],
])('a draft with %o is refused in words', async (form, field) => {
	const { admin, next } = await setup(0);
	const before = await next();
	await expect(call(api.updateNextIssue, form, admin)).rejects.toMatchObject({
		code: 'validation',
		fields: { [field]: expect.stringMatching(/\w+/) },
	});
	expect(await next()).toEqual(before);
});

test('nothing new and no words: no issue, and nobody is asked', async () => {
	const { db, admin, older, newer, received } = await setup(1);
	vi.setSystemTime(START.getTime() + DAY);
	await call(api.updateNextIssue, { mode: 'ask', posts: [] }, admin);
	expect((await call(api.getNextIssue, {}, admin)).leftOut.map(({ id }) => id)).toEqual([
		newer.id,
		older.id,
	]);
	await minute(THURSDAY);
	expect(received).toEqual([]);
	expect(await db.$count(issues)).toBe(0);
});

test('a letter that is paused in the middle and resumed reaches everyone once', async () => {
	const { admin, recipients, all } = await setup(130);
	const { id } = await call(
		api.createLetter,
		{ subject: 'A word', content: '<p>Hello.</p>' },
		admin,
	);
	const steer = (action: 'pause' | 'resume' | 'stop') =>
		call(api.steerLetter, { id, action }, admin);
	// Some have it, the rest waits in the outbox, when it is paused.
	const { getDb } = await import('#db/client.ts');
	await queueLetters(getDb(), new Date());
	await getDb()
		.update(outbox)
		.set({ dueAt: new Date(START.getTime() + MINUTE) })
		.where(eq(outbox.recipient, 'reader7@example7.com'));
	expect(await steer('pause')).toMatchObject({ state: 'paused', recipients: 130, delivered: 0 });
	for (const minutes of [1, 5, 90]) await minute(START.getTime() + minutes * MINUTE);
	expect(recipients()).toEqual([]);
	expect(await steer('resume')).toMatchObject({ state: 'sending' });
	for (const minutes of [91, 92, 93]) await minute(START.getTime() + minutes * MINUTE);
	expect(recipients()).toEqual(await all());
	expect(await call(api.getLetter, { id }, admin)).toMatchObject({
		state: 'sent',
		recipients: 130,
		delivered: 130,
		failed: 0,
		withdrawn: 0,
		unsubscribed: 0,
	});
});

test('a letter that is stopped reaches nobody else, for good', async () => {
	const { db, admin, recipients } = await setup(3);
	const { id } = await call(
		api.createLetter,
		{ subject: 'A word', content: '<p>Hello.</p>', sendAt: '2026-03-03T08:00:00Z' },
		admin,
	);
	const steer = (action: 'pause' | 'resume' | 'stop') =>
		call(api.steerLetter, { id, action }, admin);
	expect(await call(api.getLetter, { id }, admin)).toMatchObject({ state: 'scheduled' });
	await steer('pause');
	expect(await steer('stop')).toMatchObject({ state: 'stopped' });
	await expect(steer('resume')).rejects.toMatchObject({ code: 'conflict' });
	for (const hours of [0, 1, 24]) await minute(Date.parse('2026-03-03T08:00:00Z') + hours * HOUR);
	expect(recipients()).toEqual([]);
	const log = await db.select({ action: auditLog.action }).from(auditLog);
	expect(log.map(({ action }) => action)).toEqual([
		'scheduled a letter',
		'paused a letter',
		'stopped a letter',
	]);
});

test('a letter goes to the readers of a topic or of a source, when it is due', async () => {
	const { db, admin, robotics, vision, recipients, received } = await setup(1);
	await makeSubscriber(db, { email: 'arms@example.com', topics: [robotics.id] });
	await makeSubscriber(db, {
		email: 'eyes@example.com',
		topics: [vision.id],
		source: 'Exit Popup',
	});
	await makeSubscriber(db, { email: 'both@example.com', source: 'Exit Popup' });
	await makeSubscriber(db, { email: 'left@example.com', active: false });
	const letter = { subject: 'A word', content: '<h2>Hello</h2><p>World.</p>' };
	const sendAt = '2026-03-03T08:00:00+00:00';
	// Before anything is sent it is known to whom: not to who left, chose something else or paused.
	const asked = { ...letter, topic: robotics.id };
	expect(await call(api.checkLetter, asked, admin)).toMatchObject({ readers: 3, near: null });
	const made = await call(api.createLetter, { ...letter, topic: robotics.id, sendAt }, admin);
	expect(made).toMatchObject({ topic: 'Robotics', state: 'scheduled', isIssue: false });
	await minute(Date.parse(sendAt) - MINUTE);
	expect(received).toEqual([]);
	await minute(Date.parse(sendAt));
	const first = ['arms@example.com', 'both@example.com', 'reader0@example0.com'];
	expect(recipients()).toEqual(first);
	expect(received[0]!.mail.subject).toBe('A word');
	expect(received[0]!.mail.text).toContain('World.');

	// A second one within a day wants a word, where a reader gets both.
	const other = { ...letter, subject: 'Another', source: 'Exit Popup' };
	await expect(call(api.createLetter, other, admin)).rejects.toMatchObject({
		code: 'conflict',
		message: expect.stringContaining('“A word”'),
	});
	await call(api.createLetter, { ...other, confirm: true }, admin);
	await minute(Date.parse(sendAt) + MINUTE);
	expect(recipients()).toEqual([...first, 'both@example.com', 'eyes@example.com'].sort());
	const { letters } = await call(api.listLetters, {}, admin);
	expect(letters.map(({ subject, recipients: count }: LetterView) => [subject, count])).toEqual([
		['Another', 2],
		['A word', 3],
	]);
});

test('a letter goes to the people of a label, in capitals or not, and to nobody else', async () => {
	const { db, admin, recipients } = await setup(1);
	await makeSubscriber(db, { email: 'vip@example.com', labels: ['Early reader'] });
	await makeSubscriber(db, { email: 'other@example.com', labels: ['Press'] });
	await makeSubscriber(db, { email: 'gone@example.com', labels: ['early reader'], active: false });
	const letter = { subject: 'A word', content: '<p>World.</p>', label: 'EARLY READER' };
	expect(await call(api.checkLetter, letter, admin)).toMatchObject({ readers: 1 });
	expect(await call(api.createLetter, letter, admin)).toMatchObject({ label: 'EARLY READER' });
	await minute(Date.now());
	expect(recipients()).toEqual(['vip@example.com']);
	// Its readers are others than those of the press.
	const press = { ...letter, subject: 'For the press', label: 'Press' };
	expect(await call(api.checkLetter, press, admin)).toMatchObject({ readers: 1, near: null });
	expect(await call(api.checkLetter, { ...press, label: 'Nobody' }, admin)).toMatchObject({
		readers: 0,
	});
});

test('a letter that mail programs would cut off says so before it is sent, as it leaves', async () => {
	const { admin, received } = await setup(1);
	const paragraph =
		'<p>Some <b>bold</b> <code>code</code> <a href="https://x.example/a">link</a>.</p>';
	const long = { subject: 'Long', content: paragraph.repeat(450) };
	const { bytes } = await call(api.checkLetter, long, admin);
	expect(bytes).toBeGreaterThan(102 * 1024);
	const preview = async (content: string) =>
		(
			await admin('/api/admin/letters/preview', {
				method: 'POST',
				body: JSON.stringify({ subject: 'Long', preview: '', content }),
			})
		).text();
	expect(await preview(long.content)).toContain('Gmail cuts off what is above 102 KB');
	expect(await preview(paragraph)).not.toContain('Gmail cuts off');
	const made = await call(api.createLetter, long, admin);
	expect(made.bytes).toBe(bytes);
	await minute(START.getTime() + MINUTE);
	// The token in its links is as long as the reader's address.
	const sent = Buffer.byteLength(received[0]!.mail.html!);
	expect(Math.abs(sent - bytes)).toBeLessThan(100);
});

test('nobody gets two letters within a day unless the owner says so', async () => {
	const { db, admin, robotics, vision, recipients } = await setup(0);
	await makeSubscriber(db, { email: 'arms@example.com', topics: [robotics.id] });
	await makeSubscriber(db, { email: 'eyes@example.com', topics: [vision.id] });
	const write = (subject: string, more: object = {}) =>
		call(api.createLetter, { subject, content: '<p>Hello.</p>', ...more }, admin);
	// Nobody gets both of these.
	await write('On arms', { topic: robotics.id });
	await write('On eyes', { topic: vision.id });
	await minute(START.getTime() + MINUTE);
	expect(recipients()).toEqual(['arms@example.com', 'eyes@example.com']);
	// Whoever chose no topic does.
	await makeSubscriber(db, { email: 'all@example.com' });
	const second = write('On eyes again', { topic: vision.id });
	await expect(second).rejects.toThrow('within a day: “On ');

	// An issue that is due counts as well, before it exists, and one that is skipped does not.
	const eve = { sendAt: new Date(THURSDAY - 10 * HOUR).toISOString() };
	await expect(write('On the eve', eve)).rejects.toThrow('the issue of March 5, 2026');
	await call(api.updateNextIssue, { mode: 'skip' }, admin);
	await write('On the eve', eve);
	// The plan changes: now the issue waits until the day is over.
	await call(api.updateNextIssue, { mode: 'auto' }, admin);
	await minute(THURSDAY - 10 * HOUR);
	expect(recipients()).toHaveLength(5);
	for (const hours of [0, 13]) await minute(THURSDAY + hours * HOUR);
	expect(await db.$count(issues)).toBe(0);
	await minute(THURSDAY + 14 * HOUR + MINUTE);
	expect(await db.$count(issues)).toBe(1);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY + 14 * HOUR));
	await minute(THURSDAY + 14 * HOUR + 2 * MINUTE);
	expect(recipients()).toHaveLength(8);
});

test('a letter that is sent again because its answer was lost is one letter; other words are refused', async () => {
	const { db, admin, recipients } = await setup(2);
	const letter = { id: crypto.randomUUID(), subject: 'Once', content: '<p>Hello.</p>' };
	const [first, second] = await Promise.all([
		call(api.createLetter, letter, admin),
		call(api.createLetter, letter, admin),
	]);
	expect(second.id).toBe(first.id);
	expect(await call(api.checkLetter, letter, admin)).toMatchObject({ near: null });
	expect(await call(api.createLetter, letter, admin)).toMatchObject({ id: first.id });
	const other = { ...letter, content: '<p>Hello again.</p>', confirm: true };
	await expect(call(api.createLetter, other, admin)).rejects.toMatchObject({ code: 'conflict' });
	expect(await db.$count(letters)).toBe(1);
	await minute(START.getTime() + MINUTE);
	expect(recipients()).toHaveLength(2);
});

test('a scheduled letter waits for a day where another came between', async () => {
	const { admin, recipients } = await setup(1);
	const sendAt = new Date(START.getTime() + 2 * DAY - 12 * HOUR).toISOString();
	const letter = { subject: 'Planned', content: '<p>Hello.</p>', sendAt };
	const { id } = await call(api.createLetter, letter, admin);
	const hurried = { ...letter, subject: 'Hurried', sendAt: '', confirm: true };
	vi.setSystemTime(Date.parse(sendAt) - 2 * HOUR);
	await call(api.createLetter, hurried, admin);
	await minute(Date.parse(sendAt) - 2 * HOUR + MINUTE);
	await minute(Date.parse(sendAt));
	expect(recipients()).toHaveLength(1);
	expect(await call(api.getLetter, { id }, admin)).toMatchObject({
		state: 'scheduled',
		dueAt: new Date(Date.parse(sendAt) + 22 * HOUR).toISOString(),
	});
	await minute(Date.parse(sendAt) + 22 * HOUR);
	expect(recipients()).toHaveLength(2);
});

test('what did not go out says so, and one that waits can be skipped', async () => {
	const { db, admin, next, to } = await setup(1);
	await call(api.updateNextIssue, { mode: 'ask' }, admin);
	await minute(THURSDAY);
	expect(await next()).toMatchObject({ waiting: { date: '2026-03-05' }, missed: null });
	expect(await call(api.updateNextIssue, { mode: 'skip' }, admin)).toMatchObject({
		mode: 'ask',
		waiting: null,
		missed: { date: '2026-03-05', why: 'skipped' },
		articles: [{ title: 'Edges' }, { title: 'An arm that learns' }],
	});
	const [asked] = to(OWNER);
	expect((await page(linkOf(asked!, 'Look and approve'), 'POST')).text).toContain('Nothing waits');
	await call(api.updateNextIssue, { mode: 'auto' }, admin);
	await minute(THURSDAY + 7 * DAY);
	expect(await db.$count(issues)).toBe(1);
	expect(await next()).toMatchObject({ missed: null });
	await minute(THURSDAY + 14 * DAY);
	expect(await next()).toMatchObject({ missed: { date: '2026-03-19', why: 'nothing' } });
	expect(await db.$count(issues)).toBe(1);
});

test('other links are in the issue, its email and its page, alone if need be', async () => {
	const { db, admin, to, next } = await setup(1);
	const links = [
		{ title: 'A paper', href: 'https://example.com/paper?a=1', text: 'Short & good.' },
		{ title: 'Our terms', href: `${SITE_URL}/terms`, text: '' },
	];
	for (const href of ['javascript:x()', '//example.com', 'example.com'])
		await expect(
			call(api.updateNextIssue, { links: [{ ...links[0]!, href }] }, admin),
		).rejects.toMatchObject({ code: 'validation' });
	await call(api.updateNextIssue, { links, posts: [] }, admin);
	const { page: shown } = await call(api.getNextIssue, { page: true }, admin);
	expect(shown).toMatchObject({ date: '2026-03-05', links, posts: [], words: '' });
	await minute(THURSDAY);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY));
	await minute(THURSDAY + MINUTE);
	const [email] = to('reader0@example0.com');
	expect(email!.mail.text).toContain('Also worth your time');
	expect(email!.mail.text).toContain('A paper\nShort & good.\nhttps://example.com/paper?a=1\n');
	// Only what leads here is counted.
	expect(linkOf(email!, 'Our terms')).toContain('/terms?utm_source=newsletter');
	expect((await listIssues(db))[0]).toMatchObject({ links });
	expect((await next()).links).toEqual([]);
});

test('an issue is headed by what the plot of its first article says, with the picture of it', async () => {
	const { db, admin, to, older, newer } = await setup(1);
	const plot = {
		title: 'One cut in ten pays',
		description: 'It rises to 3.',
		mark: 'line',
		encoding: { x: { field: 'n', type: 'quantitative' }, y: { field: 'y', type: 'quantitative' } },
		data: {
			values: [
				{ n: 1, y: 2 },
				{ n: 2, y: 3 },
			],
		},
	};
	const content = `<pre><code class="language-vega-lite">${JSON.stringify(plot)}</code></pre>`;
	await db.update(posts).set({ content }).where(eq(posts.id, older.id));
	await renderStalePosts(db);
	vi.setSystemTime(START.getTime() + DAY);
	await call(api.updateNextIssue, { posts: [older.id, newer.id] }, admin);
	const { page: shown } = await call(api.getNextIssue, { page: true }, admin);
	expect(shown?.posts.map(({ lead }) => lead)).toEqual([
		{
			claim: 'One cut in ten pays',
			picture: {
				src: expect.stringMatching(/^\/media\/figure-\w+\.png$/),
				alt: 'One cut in ten pays. It rises to 3.',
				width: expect.any(Number),
				height: expect.any(Number),
			},
		},
		undefined,
	]);
	await minute(THURSDAY);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY));
	await minute(THURSDAY + MINUTE);
	const [email] = to('reader0@example0.com');
	expect(email!.mail.text).toMatch(/^One cut in ten pays\n/);
	expect(email!.mail.html).toContain(`src="${SITE_URL}${shown!.posts[0]!.lead!.picture.src}"`);
	// What was drawn is gone with its article.
	await db.update(posts).set({ published: false }).where(eq(posts.id, older.id));
	const [{ posts: told }] = (await listIssues(db)) as [Awaited<ReturnType<typeof listIssues>>[0]];
	expect(await withLead(db, told, new Date(THURSDAY))).toEqual(told);
});

test('after a letter: refusals for good and for now, readings and comments, kept when its emails are gone', async () => {
	const refusals: Record<string, { code: number; message: string }> = {
		'reader1@example1.com': { code: 550, message: '5.1.1 No such user' },
		'reader2@example2.com': { code: 452, message: '4.2.2 Mailbox full' },
	};
	const { db, admin, newer } = await setup(4, { recipient: (to: string) => refusals[to] });
	const content = `<p>See <a href="/blog/${newer.slug}">this</a>.</p>`;
	const { id } = await call(api.createLetter, { subject: 'A word', content }, admin);
	// What is refused for now is due again later than this run.
	const run = async (time: number) => {
		vi.setSystemTime(time);
		const transport = openTransport(getEnv())!;
		const env = { ...getEnv(), SECRET: getSecret() };
		const letter = emailCourier(db, env, transport, letterWriter(db), async () => {});
		await queueLetters(db, new Date());
		await deliver(db, { couriers: { letter } });
		transport.close();
	};
	await run(START.getTime() + MINUTE);
	const detail = () => call(api.getLetter, { id }, admin);
	expect(await detail()).toMatchObject({
		state: 'sending',
		delivered: 2,
		failed: 1,
		pace: 2,
		refused: { hard: 1, soft: 1 },
		reasons: expect.arrayContaining([
			{ kind: 'hard', count: 1, reason: expect.stringContaining('No such user') },
			{ kind: 'soft', count: 1, reason: expect.stringContaining('Mailbox full') },
		]),
	});
	// Who has it, and who does not.
	const emails = (state: 'delivered' | '' | 'failed') =>
		call(listOutbox, { what: 'mail', letter: id, state, q: '', page: 1 }, admin);
	expect((await emails('')).total).toBe(4);
	expect((await emails('delivered')).rows.map(({ recipient }) => recipient).sort()).toEqual([
		'reader0@example0.com',
		'reader3@example3.com',
	]);
	delete refusals['reader2@example2.com'];
	await run(START.getTime() + 2 * MINUTE);
	expect(await detail()).toMatchObject({ state: 'sent', refused: { hard: 1, soft: 0 } });

	vi.setSystemTime(START.getTime() + 3 * HOUR);
	const view = (ip: string, letter: string, agent = 'Mozilla/5.0 (X11) Firefox/145.0') =>
		fetchApi({ ip })(`/api/posts/${newer.id}/events`, {
			method: 'POST',
			body: JSON.stringify({ kind: 'view', letter }),
			headers: { 'User-Agent': agent },
		});
	for (const ip of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) await view(ip, id);
	await view('203.0.113.3', 'of-nobody');
	await view('203.0.113.4', id, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
	const comment = { postId: newer.id, author: 'Ada', email: 'ada@example.com' };
	const say = (text: string, letter: string) =>
		call(createComment, { ...comment, content: text, letter }, fetchApi({ ip: '203.0.113.9' }));
	await say('Came from it', id);
	await say('Did not', 'of-nobody');
	await expect(say('free casino', id)).rejects.toThrow();
	expect(await detail()).toMatchObject({ readings: 2, comments: 1 });

	// Emails are deleted after some months; what became of them stays.
	const before = await detail();
	vi.setSystemTime(START.getTime() + 20 * DAY);
	await maintain();
	vi.setSystemTime(START.getTime() + 120 * DAY);
	await maintain();
	expect(await db.$count(outbox)).toBe(0);
	expect(await getLetter(db, id, new Date())).toEqual({ ...before, pace: 0 });
});

test('a letter that is being written comes to the owner as it would be sent', async () => {
	const { admin, to } = await setup(1);
	const test = {
		subject: 'A draft',
		preview: '',
		content: '<p>One <em>two</em>.</p><script>x</script>',
	};
	const { recipient } = await call(sendTest, { what: 'letter', ...test }, admin);
	await minute(START.getTime() + MINUTE);
	const [email, ...others] = to(recipient);
	expect(others).toEqual([]);
	expect(email!.mail.subject).toBe('A draft');
	expect(email!.mail.text).toContain('One _two_.');
	expect(email!.mail.html).not.toContain('<script');
	const shown = async (view: string) => {
		const body = new URLSearchParams({ ...test, view });
		const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
		const answer = await admin('/api/admin/letters/preview', { method: 'POST', headers, body });
		expect(answer.headers.get('Content-Security-Policy')).toContain('sandbox');
		return answer.text();
	};
	expect(await shown('text')).toContain('One _two_.');
	const html = await shown('dark');
	expect(html).toContain('@media all');
	expect(html).toContain('<em>two</em>');
	expect(html).not.toMatch(/<script|token=(?!shown)/);
	expect(await call(api.listLetters, {}, admin)).toEqual({ letters: [] });
});

test('a figure in a letter is its caption and its table: no build draws a picture of it', async () => {
	const { admin, to } = await setup(1);
	const numbers = [
		{ model: 'small', errors: 9 },
		{ model: 'large', errors: 4 },
	];
	const encoding = {
		x: { field: 'model', type: 'nominal' },
		y: { field: 'errors', type: 'quantitative' },
	};
	const plot = { title: 'Errors by model', data: { values: numbers }, mark: 'bar', encoding };
	const content = `<p>See.</p><pre><code class="language-vega-lite">${JSON.stringify(plot).replaceAll('"', '&quot;')}</code></pre>`;
	const letter = { subject: 'A plot', preview: '', content };
	const { recipient } = await call(sendTest, { what: 'letter', ...letter }, admin);
	await minute(START.getTime() + MINUTE);
	const { html } = to(recipient)[0]!.mail;
	expect(html).toContain('Errors by model');
	expect(html).toMatch(/<td[^>]*>large<\/td>/);
	expect(html).not.toMatch(/<img|\/media\/figure-/);
});

test('a drawing in a letter is its caption: many email programs show no SVG', async () => {
	const { db, admin, to } = await setup(1);
	await makeDrawing(db, 'drawing-1');
	const content = '<p>See.</p><p><img src="/api/media/drawing-1" alt="A corner"></p>';
	const letter = { subject: 'A drawing', preview: '', content };
	const { recipient } = await call(sendTest, { what: 'letter', ...letter }, admin);
	await minute(START.getTime() + MINUTE);
	const { html } = to(recipient)[0]!.mail;
	expect(html).toMatch(/>Figure 1\. A corner<\/p>/);
	expect(html).not.toMatch(/<img|<svg|drawing-1/);
});

test.each([
	[{ subject: '' }, 'subject'],
	[{ content: '' }, 'content'],
	[{ content: '<script>x()</script>' }, 'content'],
	[{ topic: 'nowhere' }, 'topic'],
	[{ sendAt: 'tomorrow' }, 'sendAt'],
	[{ sendAt: '2036-01-01T00:00:00Z' }, 'sendAt'],
])('a letter with %o is refused in words', async (form, field) => {
	const { admin } = await setup(0);
	const letter = { subject: 'A word', content: '<p>Hello.</p>', ...form };
	await expect(call(api.createLetter, letter, admin)).rejects.toMatchObject({
		code: 'validation',
		fields: { [field]: expect.stringMatching(/\w+/) },
	});
	expect(await call(api.listLetters, {}, admin)).toEqual({ letters: [] });
});

test('a reader of topics gets their articles, and no issue without one', async () => {
	const { db, admin, robotics, vision, to } = await setup(1);
	const music = await makeCategory(db, { name: 'Music' });
	await makeSubscriber(db, { email: 'arms@example.com', topics: [robotics.id] });
	await makeSubscriber(db, { email: 'ears@example.com', topics: [music.id] });
	await minute(THURSDAY);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY));
	await minute(THURSDAY + MINUTE);
	const [arms] = to('arms@example.com');
	expect(arms!.mail.subject).toBe('Groundtruth Weekly: An arm that learns');
	expect(arms!.mail.text).not.toContain('Edges');
	expect(to('reader0@example0.com')[0]!.mail.text).toContain('Edges');
	expect(to('ears@example.com')).toEqual([]);

	// By the link in the letter, without JavaScript: add, remove, and all again.
	const preferences = linkOf(arms!, 'Choose what you get');
	const choose = async (choice: string) =>
		(
			await fetchApi()(preferences, {
				method: 'POST',
				headers: { Accept: 'text/html' },
				body: new URLSearchParams({ choice }),
			})
		).text();
	expect(await choose(`topic-${vision.id}`)).toContain('articles on Robotics and Vision.');
	expect(await choose(`topic-${robotics.id}`)).toContain('articles on Vision.');
	expect(await choose(`topic-${vision.id}`)).toContain('The letter tells of all articles.');
	expect(await choose('topic-nowhere')).toContain('The letter tells of all articles.');

	// Whoever chose a topic keeps it when it is merged.
	await call(mergeCategory, { id: music.id, into: vision.id }, admin);
	await makePost(db, {
		title: 'Depth',
		categoryId: vision.id,
		publishedAt: new Date(THURSDAY + DAY),
	});
	await minute(THURSDAY + 7 * DAY);
	await recordBuiltIssue(db, '2026-03-12', new Date(THURSDAY + 7 * DAY));
	await minute(THURSDAY + 7 * DAY + MINUTE);
	expect(to('ears@example.com')).toHaveLength(1);
});

test('day, hour and cadence are settings, and readers are told of them', async () => {
	const { db, admin, received } = await setup(1);
	await call(
		changeSettings,
		{ letterDay: 'Monday', letterHour: '7', letterCadence: 'monthly' },
		admin,
	);
	expect(await call(api.getNextIssue, {}, admin)).toMatchObject({ at: '2026-04-06T07:00:00.000Z' });
	await minute(THURSDAY);
	await minute(Date.parse('2026-04-06T06:59:00Z'));
	expect(await db.$count(issues)).toBe(0);
	await minute(Date.parse('2026-04-06T07:00:00Z'));
	expect(await db.select().from(issues)).toMatchObject([{ date: '2026-04-06' }]);
	await minute(Date.parse('2026-04-06T08:30:00Z'));
	const token = new URL(linkOf(received.at(-1)!, 'Choose what you get')).search;
	const { text } = await page(`/preferences${token}`, 'POST');
	expect(text).toContain('It comes on the first Monday of the month');
});

test.each([
	['GET', '/api/admin/letters'],
	['POST', '/api/admin/letters'],
	['GET', '/api/admin/letters/next'],
	['PUT', '/api/admin/letters/next'],
	['POST', '/api/admin/letters/next'],
	['GET', '/api/admin/letters/x'],
	['POST', '/api/admin/letters/x/pause'],
])('%s %s is for the admin', async (method, path) => {
	await useTestDb();
	expect((await fetchApi()(path, { method })).status).toBe(401);
});

test('a reader who chose so gets whole articles, as many as an email holds', async () => {
	const { db, to } = await setup(1);
	await makePost(db, {
		title: 'Roots',
		content:
			'<p>The answer is <span data-type="inline-math" data-latex="x_1^2 = \\frac{a+b}{2}"></span>, as <a href="/blog/edges">before</a>.</p><h2>Limits</h2><p>See <a href="#limits">below</a>.</p><pre><code class="language-python">print(1)</code></pre>',
		publishedAt: new Date(START.getTime() + 3 * HOUR),
	});
	await makePost(db, {
		title: 'Long',
		excerpt: 'Far too long.',
		content: '<p>Much text. </p>'.repeat(4000),
		publishedAt: new Date(START.getTime() + 4 * HOUR),
	});
	await renderStalePosts(db);
	await makeSubscriber(db, { email: 'whole@example.com' });
	const { preferences } = readerLinks(
		{ ...getEnv(), SECRET: getSecret() },
		'weekly',
		'whole@example.com',
	);
	const choose = async (choice: string) =>
		(
			await fetchApi()(preferences, {
				method: 'POST',
				headers: { Accept: 'text/html' },
				body: new URLSearchParams({ choice }),
			})
		).text();
	expect(await choose('read-whole')).toContain('brings whole articles');
	expect(await choose('read-excerpts')).toContain('a few lines of each article');
	expect(await choose('read-whole')).toContain('Send me excerpts');
	await minute(THURSDAY);
	await recordBuiltIssue(db, '2026-03-05', new Date(THURSDAY));
	await minute(THURSDAY + MINUTE);
	const [usual] = to('reader0@example0.com');
	expect(usual!.mail.html).not.toContain('The answer is');
	const { html, text } = to('whole@example.com')[0]!.mail;
	const plain = html!.replace(/ style="[^"]*"/g, '');
	expect(plain).toContain(
		'The answer is <i>x</i><sub>1</sub><sup>2</sup> = (<i>a</i> + <i>b</i>)/2, as <a',
	);
	expect(html).toContain(`${SITE_URL}/blog/edges?utm_source=newsletter`);
	expect(html).toContain('utm_campaign=2026-03-05#limits');
	// Within the table of its title it would be as wide as its widest line.
	expect(plain).toContain('</table><div class="article ink"><p>The answer');
	expect(html).toMatch(/<code style="font-family:inherit">print\(1\)/);
	expect(html).not.toContain('Much text');
	expect(html).toContain('Far too long.');
	expect(Buffer.byteLength(html!)).toBeLessThan(102_000);
	expect(text).toContain('print(1)');
	expect(text).toContain(`[before](${SITE_URL}/blog/edges?utm_source=newsletter`);
	expect(text).not.toContain('this-letter');
});

test.each([
	['a program', 'application/json', (ids: string[]) => JSON.stringify({ ...signup, topics: ids })],
	['a form', 'application/x-www-form-urlencoded', asForm],
])('topics are chosen at signup, by %s', async (_, type, body) => {
	const { db, robotics, vision } = await setup(0);
	const topicsOf = async () =>
		(await db.select({ topics: subscribers.topics }).from(subscribers)).map(({ topics }) => topics);
	const join = (ids: string[]) =>
		fetchApi()('/api/subscribers', {
			method: 'POST',
			headers: { 'Content-Type': type, Accept: 'application/json' },
			body: body(ids),
		});
	expect((await join([vision.id, 'nowhere'])).status).toBe(201);
	expect(await topicsOf()).toEqual([[vision.id]]);
	// A stranger who types a known address changes nothing of it.
	expect((await join([robotics.id, vision.id])).status).toBe(201);
	expect(await topicsOf()).toEqual([[vision.id]]);
	await db.delete(subscribers);
	await join([robotics.id]);
	expect(await topicsOf()).toEqual([[robotics.id]]);
	expect((await join(Array.from({ length: 51 }, () => 'x'))).status).toBe(400);
});

const signup = { email: 'new@example.com', source: 'Newsletter Signup Form' };

function asForm(ids: string[]): string {
	const form = new URLSearchParams(signup);
	for (const id of ids) form.append('topics', id);
	return String(form);
}

test('a refused form without JavaScript keeps the topics', async () => {
	const { robotics, vision } = await setup(0);
	const form = new URLSearchParams({ email: 'nobody' });
	for (const { id } of [robotics, vision]) form.append('topics', id);
	const response = await fetchApi()('/api/subscribers', {
		method: 'POST',
		headers: { Accept: 'text/html' },
		body: form,
	});
	expect(response.status).toBe(400);
	const html = await response.text();
	for (const { id } of [robotics, vision])
		expect(html).toContain(`<input type="hidden" name="topics" value="${id}">`);
});

test('a letter that is moved to a later hour on the day of an issue leaves what is new to the next one', async () => {
	const { db, admin, next } = await setup();
	await minute(THURSDAY);
	expect(await db.$count(issues)).toBe(1);
	vi.setSystemTime(THURSDAY + HOUR);
	await call(changeSettings, { letterHour: '17' }, admin);
	await call(api.updateNextIssue, { note: 'A word.' }, admin);
	await makePost(db, { title: 'Later', publishedAt: new Date(THURSDAY + 30 * MINUTE) });
	const weekLater = THURSDAY + 8 * HOUR + 7 * DAY;
	const prepared = { note: 'A word.', articles: [{ title: 'Later' }] };
	expect(await next()).toMatchObject(prepared);
	await minute(THURSDAY + 8 * HOUR);
	expect(await next()).toMatchObject(prepared);
	vi.setSystemTime(THURSDAY + 3 * HOUR);
	expect(await next()).toMatchObject({ at: new Date(weekLater).toISOString() });
	await minute(weekLater);
	const made = await db.select().from(issues).orderBy(issues.date);
	expect(made).toMatchObject([{ date: '2026-03-05' }, { posts: [{ title: 'Later' }] }]);
	expect(await next()).toMatchObject({ note: '' });
});

test('an article is left out of the issue that follows its publication, also before it is public, and taken in again', async () => {
	const { db, admin, older } = await setup();
	vi.setSystemTime(THURSDAY - HOUR);
	const place = (id: string, isIn: boolean) => call(api.placeInIssue, { id, isIn }, admin);
	const next = () => call(api.getNextIssue, {}, admin);
	const before = await next();
	expect(before.posts).toContain(older.id);
	// What is in stays as it is.
	expect(await place(older.id, true)).toEqual({ id: older.id, isIn: true });
	expect((await next()).version).toBe(before.version);
	await place(older.id, false);
	expect((await next()).posts).not.toContain(older.id);
	expect((await next()).leftOut.map(({ id }) => id)).toEqual([older.id]);
	await place(older.id, true);
	expect((await next()).posts).toContain(older.id);

	const later = await makePost(db, {
		title: 'Later',
		published: true,
		publishedAt: new Date(THURSDAY + DAY),
	});
	await Promise.all([place(later.id, false), place(older.id, false)]);
	// Neither an edit of the issue nor the issue itself forgets what is public only afterwards.
	const { posts: order } = await next();
	await call(api.updateNextIssue, { posts: order }, admin);
	vi.setSystemTime(THURSDAY);
	await createIssue(db, new Date(THURSDAY));
	vi.setSystemTime(THURSDAY + 2 * DAY);
	const following = await next();
	expect(following.posts).toEqual([]);
	expect(following.leftOut.map(({ id }) => id)).toEqual([later.id]);
	await expect(place('nowhere', false)).rejects.toMatchObject({ code: 'not_found' });
	const log = await db.select().from(auditLog);
	expect(log.map(({ detail }) => detail)).toContain('without “Later”');
});
