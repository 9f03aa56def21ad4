import { inspect } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { comments, posts, rateLimits } from '#db/schema.ts';
import { SPAM_MESSAGE } from '#src/features/comments/comment.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const RUN = `${SPAM_MESSAGE}. It repeats one character more than 10 times.`;
const LINK = `${SPAM_MESSAGE}. Links are not published here.`;
const listed = (word: string) =>
	`${SPAM_MESSAGE}. “${word}” is on the list of words that are not published here.`;
const TOO_MANY = 'Please wait a few minutes before posting another comment.';

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const { id: postId } = await makePost(db);
	const ada = { postId, author: 'Ada', email: 'ada@example.com', content: 'Lovely post' };
	const post = (overrides = {}, ip = '203.0.113.1') =>
		call(api.createComment, { ...ada, ...overrides }, fetchApi({ ip }));
	const list = (id = postId) => call(api.listComments, { id }, fetchApi());
	const form = (overrides = {}) =>
		fetchApi()('/api/comments', {
			method: 'POST',
			headers: { Accept: 'text/html,application/xhtml+xml' },
			body: new URLSearchParams({ ...ada, ...overrides }),
		});
	const stored = () => db.$count(comments);
	return { db, postId, ada, post, list, form, stored };
}

/** Further fields of a comment that answers none. */
const ALONE = { parentId: null, byOwner: false, pinned: false, editedAt: null };

const words = (length: number) => 'lorem '.repeat(length).slice(0, length - 1) + '.';
const emailOf = (length: number) => `ada@${'example-'.repeat(40)}`.slice(0, length - 4) + '.com';

test('a comment is stored, and answered without the email', async () => {
	const { db, postId, post } = await setup();
	expect(await post()).toEqual({
		id: expect.any(String),
		author: 'Ada',
		content: 'Lovely post',
		createdAt: NOON.toISOString(),
		...ALONE,
	});
	expect(await db.select().from(comments)).toMatchObject([
		{ postId, author: 'Ada', email: 'ada@example.com', content: 'Lovely post', approved: true },
	]);
});

test('a list of comments has the newest first, and never an email', async () => {
	const { post, list } = await setup();
	await post({ content: 'the first one' });
	vi.setSystemTime(NOON.getTime() + 1000);
	await post({ content: 'the second one', author: 'Grace', email: 'grace@example.com' });
	expect(await list()).toEqual([
		{
			id: expect.any(String),
			author: 'Grace',
			content: 'the second one',
			createdAt: expect.any(String),
			...ALONE,
		},
		{
			id: expect.any(String),
			author: 'Ada',
			content: 'the first one',
			createdAt: expect.any(String),
			...ALONE,
		},
	]);
	expect(JSON.stringify(await list())).not.toContain('@');
});

test('a list holds only approved comments of the one post', async () => {
	const { db, postId, post, list } = await setup();
	const other = await makePost(db);
	await post({ content: 'stays' });
	await post({ content: 'elsewhere', postId: other.id });
	const hidden = await post({ content: 'is hidden' });
	await db.update(comments).set({ approved: false }).where(eq(comments.id, hidden.id));
	expect((await list(postId)).map(({ content }) => content)).toEqual(['stays']);
});

test('a post without comments, and one that does not exist, have an empty list', async () => {
	const { list } = await setup();
	expect(await list()).toEqual([]);
	expect(await list('nowhere')).toEqual([]);
});

test('what was typed is trimmed, and the email is lower-cased', async () => {
	const { db, post } = await setup();
	await post({ author: '  Ada ', email: ' ADA@Example.com ', content: '\n Lovely  post ' });
	expect(await db.select().from(comments)).toMatchObject([
		{ author: 'Ada', email: 'ada@example.com', content: 'Lovely  post' },
	]);
});

test.each([
	['Ada\nAdmin', 'Ada Admin'],
	['Ada\r\n\tKing', 'Ada King'],
	['Ada\u2028King\u0085', 'Ada King'],
	['\u202eadA', 'adA'],
	['\u2067Ada\u2069\u061c', 'Ada'],
	['\ufeffA\u200bda', 'Ada'],
	['علی\u200cرضا', 'علی\u200cرضا'],
	['👩‍💻 Ada', '👩‍💻 Ada'],
])('the name %j is shown as %j', async (author, shown) => {
	const { post, list } = await setup();
	await post({ author });
	expect(await list()).toMatchObject([{ author: shown }]);
});

test.each(['\u200b', '\u202e\u202c', '\n\u2028', '\u00ad'])(
	'the name %j is none',
	async (author) => {
		const { post, stored } = await setup();
		await expect(post({ author })).rejects.toMatchObject({
			fields: { author: 'Please fill in your name' },
		});
		expect(await stored()).toBe(0);
	},
);

test('a name with a link is refused', async () => {
	const { post, stored } = await setup();
	await expect(post({ author: 'Buy at ｈｔｔｐs://spam.example' })).rejects.toMatchObject({
		fields: { author: LINK },
	});
	expect(await stored()).toBe(0);
});

test('words that nobody sees, and marks that run over other lines, are no part of a comment', async () => {
	const { post, list } = await setup();
	const hidden = [...'ignore all that'].map((sign) =>
		String.fromCodePoint(0xe0000 + sign.charCodeAt(0)),
	);
	await post({ content: `Nice${hidden.join('')} a${'\u0335'.repeat(60)}b` });
	expect(await list()).toMatchObject([{ content: `Nice a${'\u0335'.repeat(8)}b` }]);
});

test('markup is kept as the plain text that it is', async () => {
	const { post, list } = await setup();
	const content = `<b>bold</b> & "quoted" 'single' <script>alert(1)</script> 🎓`;
	await post({ content });
	expect((await list())[0]?.content).toBe(content);
});

test.each([
	['3 characters', 'abc'],
	['2000 characters', words(2000)],
	['10 identical characters', `w${'o'.repeat(10)}w`],
	['10 identical emoji', '🎉'.repeat(10)],
	['a forbidden word inside another', 'freedom, selling, cheaper, buyers, discounted, casinos'],
	['a heart that is two characters, ten times', '❤️'.repeat(10)],
	['letters that are joined, and turned around', 'می‌خواهم 👩‍👩‍👧 עברית'],
	['four times three dots', 'Well…………'],
	['a forbidden word joined to others', 'free_style 2free freé'],
	['an address without http', 'see www.example.com or ftp://example.com'],
	['the word http', 'http is a protocol'],
])('a comment with %s is stored', async (_, content) => {
	const { post, stored } = await setup();
	expect((await post({ content })).content).toBe(content);
	expect(await stored()).toBe(1);
});

test.each([
	['2 characters', 'ab', 'Write 3 characters or more'],
	['2 characters and spaces around them', '  ab  ', 'Write 3 characters or more'],
	['2001 characters', words(2001), 'Write 2000 characters or fewer'],
	['nothing but spaces', '   ', 'Please fill in your comment'],
	['nothing that is seen', '\u3164\u2800\u115f\u00ad', 'Please fill in your comment'],
	['marks without a letter', '\u0300\u0301\u0302', 'Please fill in your comment'],
	['11 identical characters', `w${'o'.repeat(11)}w`, RUN],
	['11 identical emoji', '🎉'.repeat(11), RUN],
	['11 line breaks', `one${'\n'.repeat(11)}two`, RUN],
	['an http link', 'see http://example.com', LINK],
	['an https link in capitals', 'see HTTPS://example.com', LINK],
	['a link with a space that nobody sees', 'see ht\u200btp://example.com', LINK],
	['a link in wide letters', 'see ｈｔｔｐｓ：／／example.com', LINK],
	['a forbidden word with a space that nobody sees', 'b\u200bu\u2060y now', listed('buy')],
	['a forbidden word between such spaces', 'all\u200bfree\u200bhere', listed('free')],
	['a forbidden word with a hyphen that nobody sees', 'via\u00adgra', listed('viagra')],
	['a forbidden word in wide letters', 'ＢＵＹ now', listed('BUY')],
	['a forbidden word in bold letters', '𝐛𝐮𝐲 now', listed('buy')],
	['a forbidden word that is turned around', 'c\u202eheap', listed('cheap')],
	['11 identical characters with nothing between', 'o\u200b'.repeat(11), RUN],
])('a comment with %s is refused', async (_, content, message) => {
	const { post, stored } = await setup();
	await expect(post({ content })).rejects.toMatchObject({
		code: 'validation',
		message: MESSAGES.validation,
		fields: { content: message },
	});
	expect(await stored()).toBe(0);
});

test.each(['buy', 'sell', 'cheap', 'free', 'discount', 'viagra', 'casino'])(
	'a comment with the word %s is refused, in any case and place, and the word is named',
	async (word) => {
		const { post, stored } = await setup();
		for (const [content, found] of [
			[`${word} now`, word],
			[`Now, ${word.toUpperCase()}!`, word.toUpperCase()],
			[`how-to:${word}`, word],
		] as const) {
			await expect(post({ content })).rejects.toMatchObject({ fields: { content: listed(found) } });
		}
		expect(await stored()).toBe(0);
	},
);

test('the admin decides which words they are', async () => {
	const { db, post } = await setup();
	const admin = await asAdmin(db);
	const discount = { content: 'Is the discount factor free of bias?' };
	await expect(post(discount)).rejects.toMatchObject({ fields: { content: listed('discount') } });
	await call(changeSettings, { refusedWords: ['C++', ' Click here ', 'c++'] }, admin);
	await post(discount);
	for (const [content, found] of [
		['I know c++.', 'c++'],
		['So CLICK here!', 'CLICK here'],
	] as const) {
		await expect(post({ content })).rejects.toMatchObject({ fields: { content: listed(found) } });
	}
	// Links that have no scheme: what ends with a sign is the beginning of a word.
	await call(changeSettings, { refusedWords: ['www.', 't.me/', 'bit.ly'] }, admin);
	for (const [content, found] of [
		['See www.example.com for more.', 'www.'],
		['Ask T.ME/somebody', 'T.ME/'],
		['Short: bit.ly/abc', 'bit.ly'],
	] as const) {
		await expect(post({ content })).rejects.toMatchObject({ fields: { content: listed(found) } });
	}
	await post({ content: 'Awww. It is a bit.lyrical' });
	await call(changeSettings, { refusedWords: [] }, admin);
	await post({ content: 'I know c++, buy it.' });
	await expect(post({ content: 'see http://example.com' })).rejects.toThrow();
});

test.each([
	['a name of 100 characters', { author: 'a'.repeat(100) }],
	['an email of 254 characters', { email: emailOf(254) }],
	['an email with a name of 64 characters', { email: `${'a'.repeat(64)}@example.com` }],
])('%s is accepted', async (_, fields) => {
	const { post, stored } = await setup();
	await post(fields);
	expect(await stored()).toBe(1);
});

test.each([
	[
		'a name of 101 characters',
		{ author: 'a'.repeat(101) },
		'Use 100 characters or fewer for your name',
	],
	['no name', { author: ' ' }, 'Please fill in your name'],
	['a name that is no text', { author: 1 }, 'Please fill in your name'],
	['an email of 255 characters', { email: emailOf(255) }, 'Please enter a valid email address'],
	[
		'an email with a name of 65 characters',
		{ email: `${'a'.repeat(65)}@example.com` },
		'Please enter a valid email address',
	],
	['no email', { email: '' }, 'Please fill in your email address'],
	['something that is no email', { email: 'ada@example' }, 'Please enter a valid email address'],
	['no content', { content: undefined }, 'Please fill in your comment'],
	['no post', { postId: undefined }, 'Please fill in all fields'],
])('%s is refused, with the message on its field', async (_, fields, message) => {
	const { post, stored } = await setup();
	await expect(post(fields)).rejects.toMatchObject({
		code: 'validation',
		fields: { [Object.keys(fields)[0]!]: message },
	});
	expect(await stored()).toBe(0);
});

test('of ten comments sent at once by one person on one post, three are stored', async () => {
	const { post, stored } = await setup();
	const answers = await Promise.allSettled(Array.from({ length: 10 }, () => post()));
	const refused = answers.filter(({ status }) => status === 'rejected');
	expect(refused).toHaveLength(7);
	expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', message: TOO_MANY } });
	expect(await stored()).toBe(3);
});

test('fifty people who write at once are all heard', async () => {
	const { post, stored } = await setup();
	const people = Array.from({ length: 50 }, (_, index) => `reader${index}@example.com`);
	await Promise.all(people.map((email) => post({ email })));
	expect(await stored()).toBe(50);
});

test('the limit holds for a person on a post: another address and another post are free', async () => {
	const { db, post, stored } = await setup();
	const other = await makePost(db);
	for (let i = 0; i < 3; i++) await post();
	await expect(post({ email: 'ADA@example.com' })).rejects.toMatchObject({ code: 'rate_limited' });
	await post({ email: 'grace@example.com' });
	await post({ postId: other.id });
	expect(await stored()).toBe(5);
});

test('the limit lasts ten minutes, and a refusal does not prolong it', async () => {
	const { post, stored } = await setup();
	for (let i = 0; i < 3; i++) await post();
	vi.setSystemTime(NOON.getTime() + 10 * MINUTE - 1);
	await expect(post()).rejects.toMatchObject({ code: 'rate_limited' });
	expect(await stored()).toBe(3);
	vi.setSystemTime(NOON.getTime() + 10 * MINUTE);
	await post();
	expect(await stored()).toBe(4);
});

test('a refusal for the limit says when to come back', async () => {
	const { ada, post, stored } = await setup();
	for (let i = 0; i < 3; i++) await post();
	const response = await fetchApi()('/api/comments', { method: 'POST', body: JSON.stringify(ada) });
	expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '600']);
	expect(await stored()).toBe(3);
});

test('one address may send 120 comments in ten minutes, and no more', async () => {
	const { db, post, stored } = await setup();
	const send = (index: number, ip?: string) => post({ email: `reader${index}@example.com` }, ip);
	for (let index = 0; index < 120; index++) await send(index);
	await expect(send(120)).rejects.toMatchObject({
		code: 'rate_limited',
		message: MESSAGES.rate_limited,
	});
	expect(await stored()).toBe(120);
	await send(121, '203.0.113.2');
	vi.setSystemTime(NOON.getTime() + 10 * MINUTE);
	await send(122);
	expect(await stored()).toBe(122);
	expect(JSON.stringify(await db.select().from(rateLimits))).not.toContain('203.0.113');
});

test('a comment on a post that does not exist is a 404, and nothing is stored', async () => {
	const { post, stored } = await setup();
	await expect(post({ postId: 'nowhere' })).rejects.toMatchObject({
		code: 'not_found',
		message: 'This article does not exist any more.',
	});
	expect(await stored()).toBe(0);
});

test.each([
	['a draft', { published: false }],
	['a post of tomorrow', { publishedAt: new Date(NOON.getTime() + DAY) }],
])('%s takes no comments and shows none', async (_, values) => {
	const { db, postId, post, list } = await setup();
	await post();
	await db.update(posts).set(values).where(eq(posts.id, postId));
	await expect(post()).rejects.toMatchObject({ code: 'not_found' });
	expect(await list()).toEqual([]);
	expect(await db.$count(comments)).toBe(1);
});

test('comments go with their post', async () => {
	const { db, postId, post, stored } = await setup();
	await post();
	await db.delete(posts).where(eq(posts.id, postId));
	expect(await stored()).toBe(0);
});

test('a robot that fills in the hidden field is told what it wants to hear, and nothing is stored', async () => {
	const { db, post, stored } = await setup();
	expect(await post({ website: 'https://spam.example' })).toEqual({
		id: expect.any(String),
		author: 'Ada',
		content: 'Lovely post',
		createdAt: NOON.toISOString(),
		...ALONE,
	});
	expect(await stored()).toBe(0);
	expect(await db.$count(rateLimits)).toBe(0);
});

const TOO_QUICK = 'That was very quick, and nothing has been sent yet. Please send it once more.';
const QUICK = [
	['is faster than two seconds', { startedAt: NOON.getTime() - 1999 }],
	['took less than two seconds by its own clock', { elapsedMs: 1999 }],
	['is faster than two seconds, as text', { startedAt: String(NOON.getTime() - 1) }],
] as const;

test.each(QUICK)('who %s is told so, and that nothing was sent', async (_, fields) => {
	const { ada, post, stored } = await setup();
	await expect(post(fields)).rejects.toMatchObject({ code: 'rate_limited', message: TOO_QUICK });
	expect(await stored()).toBe(0);
	const body = JSON.stringify({ ...ada, ...fields });
	const response = await fetchApi()('/api/comments', { method: 'POST', body });
	expect(response.status).toBe(429);
	expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(2);
});

test('a plain form that comes too quickly comes back as it was, and one press sends it', async () => {
	const { form, stored } = await setup();
	const response = await form({
		startedAt: String(NOON.getTime() - 100),
		content: 'Well, <b>yes</b>',
	});
	const page = await response.text();
	expect(response.status).toBe(429);
	expect(page).toContain(TOO_QUICK);
	expect(page).toContain('Well, &lt;b&gt;yes&lt;/b&gt;</textarea>');
	expect(await stored()).toBe(0);
	// What the page posts: its own fields, and no clock.
	const [, fields] = page.split('<form');
	const names = [...fields!.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name);
	expect(names).toEqual(['postId', 'parentId', 'notify', 'letter', 'author', 'email', 'content']);
	expect((await form({ content: 'Well, <b>yes</b>' })).status).toBe(303);
	expect(await stored()).toBe(1);
});

test.each([
	['took two seconds by a clock that runs behind', { elapsedMs: 2000, startedAt: NOON.getTime() }],
	['takes two seconds', { startedAt: NOON.getTime() - 2000 }],
	['does not say when the form was opened', { startedAt: '' }],
	['has a clock that runs ahead', { startedAt: NOON.getTime() + 5 * MINUTE }],
	['leaves the hidden field alone', { website: '' }],
])('a person who %s is heard', async (_, fields) => {
	const { post, stored } = await setup();
	await post(fields);
	expect(await stored()).toBe(1);
});

test('a plain form post ends on the thank-you page', async () => {
	const { form, stored } = await setup();
	const response = await form();
	expect([response.status, response.headers.get('Location')]).toEqual([303, '/thanks/comment']);
	expect(await response.text()).toBe('');
	expect(await stored()).toBe(1);
});

test('a robot that posts a plain form sees the thank-you page as well', async () => {
	const { form, stored } = await setup();
	const response = await form({ website: 'x' });
	expect([response.status, response.headers.get('Location')]).toEqual([303, '/thanks/comment']);
	expect(await stored()).toBe(0);
});

test('what nobody sees of a form is not said to be wrong in it', async () => {
	const { form } = await setup();
	const page = await (await form({ postId: '' })).text();
	expect(page).toContain('<p role="alert" id="message">');
	expect(page).toContain('<input type="hidden" name="postId" value="">');
});

test('a plain form post that is refused shows the form again, with the message and what was typed', async () => {
	const { postId, form, stored } = await setup();
	const response = await form({
		author: '"><script>alert(1)</script>',
		content: '</textarea><b>buy',
	});
	const page = await response.text();
	expect(response.status).toBe(400);
	expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('Cache-Control')).toBe('no-store');
	expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
	expect(page).toContain(`<p role="alert" id="message">${listed('buy')}</p>`);
	expect(page).toContain('<form method="post" action="/api/comments">');
	expect(page).toContain(`<input type="hidden" name="postId" value="${postId}">`);
	expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
	expect(page).toContain('&lt;/textarea&gt;&lt;b&gt;buy</textarea>');
	expect(page).not.toContain('<script');
	expect(await stored()).toBe(0);
});

test('a plain form post that comes too often is a 429 page that says when to come back', async () => {
	const { form, stored } = await setup();
	for (let i = 0; i < 3; i++) await form();
	const response = await form({ content: 'and one more' });
	expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '600']);
	const page = await response.text();
	expect(page).toContain(TOO_MANY);
	expect(page).toContain('and one more');
	expect(await stored()).toBe(3);
});

test('line breaks of a plain form count once, as they do in the browser', async () => {
	const { db, form } = await setup();
	const lines = 'word\n'.repeat(400).slice(0, -1) + '.';
	const response = await form({ content: lines.replaceAll('\n', '\r\n') });
	expect(response.status).toBe(303);
	expect(await db.select({ content: comments.content }).from(comments)).toEqual([
		{ content: lines },
	]);
});

test('a form post that does not ask for a page is answered with JSON', async () => {
	const { ada, stored } = await setup();
	const response = await fetchApi()('/api/comments', {
		method: 'POST',
		body: new URLSearchParams(ada),
	});
	expect(response.status).toBe(201);
	expect(await response.json()).toMatchObject({ author: 'Ada' });
	expect(await stored()).toBe(1);
});

test('a database that fails says so in the log, without what the visitor typed', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	const { db, post } = await setup();
	await db.run(sql`drop table comments`);
	await expect(post()).rejects.toMatchObject({ code: 'server' });
	expect(log).toHaveBeenCalledOnce();
	const said = inspect(log.mock.calls, { depth: 10 });
	expect(said).toContain('no such table');
	expect(said).not.toContain('ada@example.com');
	expect(said).not.toContain('Lovely post');
});

test('a reply hangs on its comment, a reply to that on the same, and on nothing that is not there', async () => {
	const { db, post, list } = await setup();
	const other = await makePost(db);
	const first = await post();
	const reply = await post({ parentId: first.id, content: 'I agree', email: 'b@example.com' });
	const deeper = await post({ parentId: reply.id, content: 'So do I', email: 'c@example.com' });
	expect([first, reply, deeper].map(({ parentId }) => parentId)).toEqual([
		null,
		first.id,
		first.id,
	]);
	expect((await post({ parentId: '', content: 'alone', email: 'd@example.com' })).parentId).toBe(
		null,
	);
	const elsewhere = await post({ postId: other.id, email: 'e@example.com' });
	await db.update(comments).set({ approved: false }).where(eq(comments.id, deeper.id));
	const wrong = [elsewhere.id, deeper.id, 'no-such-comment', "' or 1=1 --"];
	for (const [index, parentId] of wrong.entries())
		await expect(post({ parentId, email: `f${index}@example.com` })).rejects.toMatchObject({
			code: 'not_found',
			message: expect.stringMatching(/comment that you answer is not there/),
		});
	// What hangs on a hidden comment is not shown; what hung on an erased one stands alone.
	await db.update(comments).set({ approved: false }).where(eq(comments.id, first.id));
	expect((await list()).map(({ content }) => content)).toEqual(['alone']);
	await db.delete(comments).where(eq(comments.id, first.id));
	expect((await list()).map(({ content, parentId }) => [content, parentId]).toSorted()).toEqual([
		['I agree', null],
		['alone', null],
	]);
});
