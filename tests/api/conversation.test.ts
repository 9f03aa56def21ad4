import { eq, lte, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { comments, outbox, settings } from '#db/schema.ts';
import { changeSettings, getSettings } from '#src/core/settings/settings.api.ts';
import { updateSite } from '#src/core/settings/site.api.ts';
import { createComment, listComments } from '#src/features/comments/comments.api.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import { emailText, type EmailContent } from '#src/core/outbox/email-content.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { call, parse } from '#src/lib/endpoint.ts';
import { seal } from '#src/lib/token.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await makePost(db, { id: 'p1', title: 'Kalman filters' });
	const admin = await asAdmin(db);
	let people = 0;
	const say = (content: string, more: object = {}) =>
		call(
			createComment,
			{ postId: 'p1', author: 'Ada', email: 'ada@example.com', content, ...more },
			fetchApi({ ip: `203.0.113.${people++ % 250}` }),
		);
	const shown = async () =>
		(await call(listComments, { id: 'p1' }, fetchApi())).map(({ content }) => content);
	const set = (change: object) => call(changeSettings, change, admin);
	/** Queued emails of a kind, oldest first, and what they say. */
	const emails = async (kind: 'comment' | 'approved' | 'answer') => {
		const rows = await db
			.select()
			.from(outbox)
			.where(eq(outbox.kind, kind))
			.orderBy(sql`rowid`);
		return rows.map((row) => ({
			...row,
			read: async () => (await writersOf(db)[kind](row, new Date())) as EmailContent,
		}));
	};
	/** Delivers what is due, without a mail server. */
	const deliver = () =>
		db
			.update(outbox)
			.set({ deliveredAt: new Date(), dueAt: null })
			.where(lte(outbox.dueAt, new Date()));
	return { db, admin, say, shown, set, emails, deliver };
}

type Setup = Awaited<ReturnType<typeof setup>>;

/** Addresses in the newest email to the owner, by their words: what to do first, and the others. */
async function linksOf({ emails }: Setup): Promise<Record<string, string>> {
	const letter = await (await emails('comment')).at(-1)!.read();
	return Object.fromEntries(
		letter.blocks
			.flatMap((block) =>
				block.kind === 'button' ? [block] : block.kind === 'links' ? block.items : [],
			)
			.map(({ label, href }) => [label, href.slice(new URL(href).origin.length)]),
	);
}

async function open(path: string, method = 'GET') {
	const response = await fetchApi()(path, { method, headers: { Accept: 'text/html' } });
	return { status: response.status, text: await response.text() };
}

/** The address that the button of a page posts to. */
const buttonOf = (text: string) => /action="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');

test('a held comment is one email to the owner, whose link approves it once it is confirmed', async () => {
	const all = await setup();
	const { db, say, shown, set, emails } = all;
	await set({ comments: 'hold-all' });
	const { id } = await say('Is it <b>optimal</b>?', { notify: true });
	const sent = await emails('comment');
	expect(sent).toMatchObject([{ recipient: ADMIN_EMAIL, key: id }]);
	const text = emailText(await sent[0]!.read());
	expect(text).toContain('A comment waits for you');
	expect(text).toContain('> Is it <b>optimal</b>?');
	const links = await linksOf(all);
	expect(Object.keys(links)).toEqual(['Approve', 'Hide', 'Block Ada', 'Answer']);

	// A scanner follows every link.
	for (const link of Object.values(links).slice(0, 3)) {
		const page = await open(link);
		expect(page.status).toBe(200);
		expect(page.text).toContain('Is it &lt;b&gt;optimal&lt;/b&gt;?');
		expect(page.text).not.toContain('<script');
	}
	expect(await shown()).toEqual([]);
	expect((await db.select().from(comments))[0]).toMatchObject({
		approved: false,
		reviewedAt: null,
	});

	vi.setSystemTime(NOON.getTime() + MINUTE);
	const done = await open(links['Approve']!, 'POST');
	expect(done.text).toContain('Readers see it now.');
	expect(await shown()).toEqual(['Is it <b>optimal</b>?']);
	expect(await emails('approved')).toMatchObject([{ recipient: 'ada@example.com', key: id }]);
	expect(emailText(await (await emails('approved'))[0]!.read())).toContain(`#comment-${id}`);

	// Used again, it does nothing; nor do the others of that email.
	vi.setSystemTime(NOON.getTime() + 2 * MINUTE);
	for (const link of Object.values(links).slice(0, 3))
		expect((await open(link, 'POST')).text).toContain('Nothing was changed');
	expect(await shown()).toHaveLength(1);

	// The page that followed the decision takes it back, once.
	const undo = buttonOf(done.text);
	expect((await open(undo)).text).toContain('Undo');
	expect((await open(undo, 'POST')).text).toContain('It waits for a decision.');
	expect(await shown()).toEqual([]);
	vi.setSystemTime(NOON.getTime() + 3 * MINUTE);
	expect((await open(undo, 'POST')).text).toContain('Nothing was changed');
	expect(await emails('approved')).toHaveLength(1);
});

test('code is code in the email and on the page of its links; an answer begins at the comment itself', async () => {
	const all = await setup();
	const { admin, say, set, emails } = all;
	await set({ comments: 'hold-all' });
	const { id } = await say('Try\n```py\nif x < y:\n    z()\n```\nand\ntell');
	await say('Something else', { email: 'other@example.com' });
	const [email] = await emails('comment');
	const letter = await email!.read();
	expect(letter.preview).toBe('Try if x < y: z() and tell');
	expect(emailText(letter)).toContain(
		'> Try\n> \n>     if x < y:\n>         z()\n> \n> and\n> tell',
	);
	expect(letter.blocks.flatMap((block) => (block.kind === 'button' ? [block.label] : []))).toEqual([
		'Approve',
	]);
	const { Approve: approve, ...others } = await linksOf(all);
	expect((await open(approve!)).text).toContain('<p dir="auto">Something else</p>');
	const [hide] = letter.blocks.flatMap((block) =>
		block.kind === 'links' ? block.items.map(({ href }) => href) : [],
	);
	expect((await open(hide!.slice(new URL(hide!).origin.length))).text).toContain(
		'<p dir="auto">Try</p><pre tabindex="0"><code>if x &lt; y:\n    z()</code></pre><p dir="auto">and<br>tell</p>',
	);
	expect(new URL(others['Answer']!, 'https://a.example').searchParams.get('tab')).toBe('comments');
	const { rows } = await call(
		api.listAllComments,
		parse(api.listAllComments.input, { answer: id }),
		admin,
	);
	expect(rows.map((row) => row.id)).toEqual([id]);
});

test('a link that is forged, cut, expired or for something else does nothing', async () => {
	const all = await setup();
	await all.set({ comments: 'hold-all' });
	const { id } = await all.say('Good point');
	const { Approve: link } = await linksOf(all);
	const other = seal('x'.repeat(32), 'moderate', `${id} approve ${NOON.getTime()} 9999999999999`);
	for (const wrong of [
		link!.slice(0, -3),
		`${link}x`,
		`/moderate?token=${other}`,
		'/moderate?token=',
		'/moderate',
		'/conversation?token=x',
		link!.replace('moderate', 'conversation'),
	])
		for (const method of ['GET', 'POST']) {
			const { status, text } = await open(wrong, method);
			expect(status, wrong).toBe(400);
			expect(text).toContain('This link is not complete.');
		}
	vi.setSystemTime(NOON.getTime() + 31 * DAY);
	expect((await open(link!, 'POST')).text).toContain('This link has expired.');
	expect(await all.shown()).toEqual([]);
});

test('two links that block at once block both addresses', async () => {
	const all = await setup();
	await all.say('An insult');
	const { 'Block Ada': first } = await linksOf(all);
	await all.say('Another one', { author: 'Eve', email: 'eve@example.com' });
	const { 'Block Eve': second } = await linksOf(all);
	vi.setSystemTime(NOON.getTime() + MINUTE);
	await Promise.all([open(first!, 'POST'), open(second!, 'POST')]);
	const { blocked } = await call(getSettings, {}, all.admin);
	expect(blocked.toSorted()).toEqual(['ada@example.com', 'eve@example.com']);
});

test('a link blocks the address as well, takes that back, and what the blocked write is hidden and told to nobody', async () => {
	const all = await setup();
	const { admin, say, shown, set, emails } = all;
	await say('An insult');
	const links = await linksOf(all);
	expect(Object.keys(links)).toEqual(['Answer', 'Hide', 'Block Ada', 'See it on the page']);
	vi.setSystemTime(NOON.getTime() + MINUTE);
	const done = await open(links['Block Ada']!, 'POST');
	expect(await shown()).toEqual([]);
	expect((await call(getSettings, {}, admin)).blocked).toEqual(['ada@example.com']);
	expect(await say('Another insult')).toMatchObject({ waits: true });
	expect(
		await say('A third', { email: 'eve@example.com', author: 'ADA@example.com ' }),
	).toMatchObject({
		waits: true,
	});
	expect(await shown()).toEqual([]);
	expect(await emails('comment')).toHaveLength(1);
	await open(buttonOf(done.text), 'POST');
	expect((await call(getSettings, {}, admin)).blocked).toEqual([]);
	expect(await shown()).toEqual(['An insult']);
	await set({ blocked: [' Eve ', 'eve'] });
	expect((await call(getSettings, {}, admin)).blocked).toEqual(['eve']);
});

test('the owner hears once a day, or never, where that is set', async () => {
	const { admin, say, set, emails, shown } = await setup();
	await set({ commentMails: 'daily' });
	await call(updateSite, { timeZone: 'UTC' }, admin);
	await say('In the morning', { email: 'a@example.com' });
	vi.setSystemTime(NOON.getTime() + MINUTE);
	await say('At noon', { email: 'b@example.com', author: 'Grace' });
	const [daily, ...others] = await emails('comment');
	expect(others).toEqual([]);
	expect(daily!.dueAt).toEqual(new Date('2026-03-02T08:00:00Z'));
	const letter = await daily!.read();
	const text = emailText(letter);
	expect(text).toMatch(/^2 comments in a day/);
	expect(text).toContain('At noon');
	// Each can be decided on from there, and what is decided is told of no more.
	const [, entry] = letter.blocks.flatMap((block) => (block.kind === 'entries' ? block.items : []));
	expect(entry!.links!.map(({ label }) => label)).toEqual(['Hide', 'Block Grace', 'Answer']);
	const hide = new URL(entry!.links![0]!.href);
	expect(text).toContain(hide.href);
	const link = hide.pathname + hide.search;
	expect((await open(link)).text).toContain('At noon');
	expect(await shown()).toEqual(['At noon', 'In the morning']);
	vi.setSystemTime(NOON.getTime() + 2 * MINUTE);
	await open(link, 'POST');
	expect(await shown()).toEqual(['In the morning']);
	expect(emailText(await daily!.read())).toMatch(/^1 comment in a day/);
	vi.setSystemTime(new Date('2026-03-02T07:59:00Z'));
	await say('Early', { email: 'c@example.com' });
	expect(await emails('comment')).toHaveLength(1);
	vi.setSystemTime(new Date('2026-03-02T08:01:00Z'));
	await say('Late', { email: 'd@example.com' });
	expect((await emails('comment'))[1]!.dueAt).toEqual(new Date('2026-03-03T08:00:00Z'));
	await set({ commentMails: 'never' });
	await say('Unheard', { email: 'e@example.com' });
	expect(await emails('comment')).toHaveLength(2);
});

test('the morning is the site’s own, also where clocks change in between', async () => {
	const { admin, say, set, emails } = await setup();
	await set({ commentMails: 'daily' });
	await call(updateSite, { timeZone: 'Europe/Berlin' }, admin);
	vi.setSystemTime(new Date('2026-03-28T07:30:00Z'));
	await say('On Saturday');
	vi.setSystemTime(new Date('2026-03-29T05:59:00Z'));
	await say('Before eight in summer time', { email: 'b@example.com' });
	const told = await emails('comment');
	expect(told.map(({ dueAt }) => dueAt)).toEqual([new Date('2026-03-29T06:00:00Z')]);
	expect(emailText(await told[0]!.read())).toMatch(/^2 comments in a day/);
	vi.setSystemTime(new Date('2026-03-29T06:01:00Z'));
	await say('After it', { email: 'c@example.com' });
	expect((await emails('comment'))[1]!.dueAt).toEqual(new Date('2026-03-30T06:00:00Z'));
});

test('who asked is told of replies, at most once an hour for a thread, until it is enough', async () => {
	const { db, admin, say, emails, deliver } = await setup();
	const asked = await say('A question', { notify: true });
	await say('Not asked for', { email: 'other@example.com' });
	const reply = (n: number, more: object = {}) =>
		say(`Reply ${n}`, { parentId: asked.id, email: `r${n}@example.com`, author: `R${n}`, ...more });
	await say('An addition of my own', { parentId: asked.id });
	expect(await emails('answer')).toEqual([]);
	vi.setSystemTime(NOON.getTime() + MINUTE);
	await reply(1);
	expect(await emails('answer')).toMatchObject([{ recipient: 'ada@example.com' }]);
	await deliver();
	for (const n of [2, 3, 4]) {
		vi.setSystemTime(NOON.getTime() + (n + 1) * MINUTE);
		await reply(n);
	}
	const [first, second, ...more] = await emails('answer');
	expect(more).toEqual([]);
	expect(second!.dueAt!.getTime() - first!.deliveredAt!.getTime()).toBe(HOUR);
	const text = emailText(await second!.read());
	for (const n of [2, 3, 4]) expect(text).toContain(`> Reply ${n}`);
	expect(text).not.toContain('r2@example.com');
	vi.setSystemTime(NOON.getTime() + 90 * MINUTE);
	await deliver();
	await call(api.replyAsOwner, { parentId: asked.id, content: 'From the desk' }, admin);
	expect(await emails('answer')).toHaveLength(3);

	const leave = new URL((await second!.read()).links!.leave);
	const path = leave.pathname + leave.search;
	expect((await open(path)).text).toContain('Stop these emails');
	expect((await db.select().from(comments)).some(({ notify }) => notify)).toBe(true);
	expect((await open(path, 'POST')).text).toContain('No more emails');
	vi.setSystemTime(NOON.getTime() + 4 * HOUR);
	await reply(5);
	expect(await emails('answer')).toHaveLength(3);
	// What is queued is not sent either.
	await expect(second!.read()).rejects.toThrow('not wanted any more');
});

test('approvals and answers of one thread are at most one email an hour, each comment told once', async () => {
	const { admin, say, set, emails, deliver } = await setup();
	await set({ comments: 'hold-all' });
	const one = await say('One', { notify: true });
	const decide = (ids: string[], state: 'visible' | 'waiting') =>
		call(api.decideComments, { ids, state }, admin);
	await decide([one.id], 'visible');
	await deliver();
	const two = await say('Two', { notify: true, parentId: one.id });
	const three = await say('Three', { notify: true, parentId: one.id });
	await decide([two.id, three.id], 'visible');
	const told = await emails('approved');
	expect(told).toMatchObject([{ payload: { ids: [one.id] } }, { payload: { thread: one.id } }]);
	expect(told[1]!.dueAt!.getTime() - told[0]!.deliveredAt!.getTime()).toBe(HOUR);
	const text = emailText(await told[1]!.read());
	expect(text).toContain('> Two');
	expect(text).toContain('> Three');
	expect(text).not.toContain('> One');
	// Taken back and approved again: it was told.
	await decide([three.id], 'waiting');
	await decide([three.id], 'visible');
	expect(await emails('approved')).toHaveLength(2);

	const reply = await say('A reply', { parentId: one.id, email: 'b@example.com' });
	await decide([reply.id], 'visible');
	const [answer] = await emails('answer');
	expect(answer!.dueAt!.getTime() - told[1]!.dueAt!.getTime()).toBe(HOUR);
	// An answer by the owner is announced once, by the answer's own email.
	vi.setSystemTime(NOON.getTime() + MINUTE);
	const other = await say('Another', { notify: true, email: 'c@example.com' });
	await call(api.replyAsOwner, { parentId: other.id, content: 'From the desk' }, admin);
	expect((await emails('approved')).map(({ recipient }) => recipient)).not.toContain(
		'c@example.com',
	);
	expect((await emails('answer')).at(-1)).toMatchObject({
		recipient: 'c@example.com',
		dueAt: new Date(),
	});
});

test('a reply that waits is told once it is approved, and one that is hidden is not', async () => {
	const { admin, say, set, emails } = await setup();
	const asked = await say('A question', { notify: true });
	await set({ comments: 'hold-all' });
	const reply = await say('A reply', { parentId: asked.id, email: 'b@example.com' });
	const bad = await say('A bad reply', { parentId: asked.id, email: 'c@example.com' });
	expect(await emails('answer')).toEqual([]);
	const decide = (id: string, state: 'visible' | 'hidden') =>
		call(api.decideComments, { ids: [id], state }, admin);
	await decide(bad.id, 'hidden');
	vi.setSystemTime(NOON.getTime() + 3 * HOUR);
	await decide(reply.id, 'visible');
	const [told, ...more] = await emails('answer');
	expect(more).toEqual([]);
	const text = emailText(await told!.read());
	expect(text).toContain('> A reply');
	expect(text).not.toContain('A bad reply');
	expect(await emails('approved')).toEqual([]);
});

test('who erased their data is told nothing more, and is in no thread', async () => {
	const { db, say, emails } = await setup();
	const asked = await say('A question', { notify: true, email: 'gone@example.com' });
	const reply = await say('A reply', { parentId: asked.id, email: 'b@example.com' });
	await say('Mine', { parentId: asked.id, email: 'gone@example.com', notify: true });
	await eraseData(db, 'gone@example.com', new Date());
	await say('Later', { parentId: reply.id, email: 'c@example.com' });
	expect(await emails('answer')).toEqual([]);
	const everything = JSON.stringify([
		await db.select().from(comments),
		await db.select().from(outbox),
		await db.select().from(settings),
	]);
	expect(everything).not.toContain('gone@example.com');
});

test('an edited comment that is held again is told of anew, and its first email decides nothing', async () => {
	const all = await setup();
	await all.set({ comments: 'hold-all' });
	const posted = await fetchApi()('/api/comments', {
		method: 'POST',
		body: JSON.stringify({
			postId: 'p1',
			author: 'Ada',
			email: 'ada@example.com',
			content: 'Harmless',
		}),
	});
	const { id } = (await posted.json()) as { id: string };
	const { Approve: early } = await linksOf(all);
	vi.setSystemTime(NOON.getTime() + MINUTE);
	await fetchApi()(`/api/comments/${id}`, {
		method: 'PUT',
		headers: { Cookie: posted.headers.get('Set-Cookie')!.split(';')[0]! },
		body: JSON.stringify({ content: 'Not harmless' }),
	});
	expect((await open(early!, 'POST')).text).toContain('Nothing was changed');
	expect(await all.shown()).toEqual([]);
	expect(await all.emails('comment')).toHaveLength(2);
	await open((await linksOf(all))['Approve']!, 'POST');
	expect(await all.shown()).toEqual(['Not harmless']);
});

test('a comment is edited only so often, and fills neither a row nor the owner’s mailbox', async () => {
	const { db, set, emails } = await setup();
	await set({ comments: 'hold-all' });
	const words = { postId: 'p1', author: 'Ada', email: 'ada@example.com', content: 'Version 0' };
	const posted = await fetchApi()('/api/comments', {
		method: 'POST',
		body: JSON.stringify(words),
	});
	const { id } = (await posted.json()) as { id: string };
	const edit = async (version: number, Cookie: string) => {
		vi.setSystemTime(NOON.getTime() + version * SECOND);
		const body = JSON.stringify({ content: `Version ${version}` });
		return (await fetchApi()(`/api/comments/${id}`, { method: 'PUT', headers: { Cookie }, body }))
			.status;
	};
	// Others do not use up the author's edits.
	for (let version = 1; version <= 30; version++) expect(await edit(version, '')).toBe(403);
	const cookie = posted.headers.get('Set-Cookie')!.split(';')[0]!;
	const answers = [];
	for (let version = 31; version <= 60; version++) answers.push(await edit(version, cookie));
	expect(answers).toEqual([...Array<number>(20).fill(200), ...Array<number>(10).fill(429)]);
	const [row] = await db.select().from(comments);
	expect([row!.content, row!.earlier.length]).toEqual(['Version 50', 20]);
	expect(await emails('comment')).toHaveLength(21);
});
