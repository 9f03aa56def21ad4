import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { countedVisits, feedback, visitSums } from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import { updateSite } from '#src/core/settings/site.api.ts';
import * as due from '#src/features/due/due.api.ts';
import * as api from '#src/features/feedback/feedback.api.ts';
import { collectData, eraseData } from '#src/features/privacy/privacy.server.ts';
import { RETENTION_DAYS, UNDO_DAYS } from '#src/core/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

/** A `fetch` of a reader's browser, at one address. */
const from =
	(ip: string, headers: Record<string, string> = {}): typeof fetch =>
	(input, init) =>
		fetchApi({ ip })(input, {
			...init,
			headers: {
				'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
				...headers,
				...(init?.headers as object),
			},
		});

async function setup(asksReaders: 'on' | 'off' = 'on') {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	await call(updateSite, { asksReaders }, admin);
	const post = await makePost(db, { title: 'Quorums', publishedAt: new Date('2026-01-01') });
	const send = (given: object, browser = from('203.0.113.7')) =>
		call(api.sendFeedback, { postId: post.id, words: '', ...given }, browser);
	const listed = async () => (await call(due.getDue, {}, admin)).feedback;
	return { db, admin, post, send, listed };
}

test('words stand at the desk with the counts of their article', async () => {
	const { send, listed, post } = await setup();
	await send({ answer: 'no', words: ' What is W?\r\n' }, from('203.0.113.1'));
	await send({ answer: 'yes' }, from('203.0.113.2'));
	await send({ words: 'A figure of it' }, from('203.0.113.3'));
	expect(await listed()).toEqual([
		{
			...{ id: post.id, title: 'Quorums', yes: 1, no: 1 },
			words: [
				expect.objectContaining({ words: 'A figure of it', answer: null, state: 'open' }),
				expect.objectContaining({ words: 'What is W?', answer: 'no', state: 'open' }),
			],
		},
	]);
});

test('one visitor counts once a day for an article, whoever objects or is a program not at all', async () => {
	const { db, send, listed } = await setup();
	for (const answer of ['yes', 'yes', 'no']) await send({ answer });
	await send({ answer: 'no' }, from('203.0.113.9', { 'Sec-GPC': '1' }));
	await send({ answer: 'no' }, from('203.0.113.9', { 'User-Agent': 'Googlebot/2.1' }));
	expect(await listed()).toMatchObject([{ yes: 1, no: 0, words: [] }]);
	expect(await db.$count(feedback)).toBe(0);
	expect(JSON.stringify(await db.select().from(countedVisits))).not.toContain('203.0.113');
});

test('what is sent twice is stored once, and counts of all days are summed', async () => {
	const { db, post, send, listed } = await setup();
	for (const at of ['2026-03-01', '2026-03-02', '2026-06-01']) {
		vi.setSystemTime(new Date(`${at}T12:00:00Z`));
		await send({ answer: 'no', words: 'What is W?' });
	}
	expect(await db.$count(feedback)).toBe(1);
	expect(await listed()).toMatchObject([{ id: post.id, yes: 0, no: 3 }]);
});

test.each([
	['nothing', {}, 'Choose yes or no, or write what is missing'],
	['spaces', { words: ' \n ' }, 'Choose yes or no, or write what is missing'],
	['1001 characters', { words: 'a b'.repeat(334) }, 'Write 1000 characters or fewer'],
	['a link', { words: 'See https://example.com/' }, /^This appears to be spam/],
	['a refused word', { words: 'Cheap pills' }, /^This appears to be spam/],
])('%s is refused beside the field, and nothing is stored or counted', async (_, given, said) => {
	const { db, send } = await setup();
	await expect(send({ ...given })).rejects.toMatchObject({
		code: 'validation',
		fields: { words: expect.stringMatching(said) },
	});
	await expect(send({ answer: 'maybe', words: 'x' })).rejects.toMatchObject({
		fields: { answer: 'Choose yes or no' },
	});
	expect([await db.$count(feedback), await db.$count(visitSums)]).toEqual([0, 0]);
});

test('nothing is taken where nobody is asked, or for what is not public', async () => {
	const { db, admin, send } = await setup('off');
	await expect(send({ answer: 'yes', words: 'x' })).rejects.toMatchObject({ code: 'not_found' });
	await call(updateSite, { asksReaders: 'on' }, admin);
	const draft = await makePost(db, { published: false });
	for (const postId of [draft.id, 'none'])
		await expect(send({ postId, answer: 'yes', words: 'x' })).rejects.toMatchObject({
			code: 'not_found',
		});
	expect([await db.$count(feedback), await db.$count(visitSums)]).toEqual([0, 0]);
});

test('robots are told what they want to hear, and 200 words a day is all that anybody writes', async () => {
	const { db, send } = await setup();
	expect(await send({ words: 'x', website: 'y' })).toEqual({ success: true });
	expect(await db.$count(feedback)).toBe(0);
	for (let index = 0; index < 200; index++)
		await send({ words: `Word ${index}` }, from(`198.51.100.${index}`));
	await expect(send({ words: 'One more' }, from('192.0.2.1'))).rejects.toMatchObject({
		code: 'rate_limited',
	});
	await send({ answer: 'yes' }, from('192.0.2.1'));
	expect(await db.$count(feedback)).toBe(200);
});

test('a plain form ends on the page of thanks; a refused one keeps what was typed and chosen', async () => {
	const { db, post } = await setup();
	const form = (fields: Record<string, string>) =>
		from('203.0.113.8')('/api/feedback', {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams({ postId: post.id, website: '', ...fields }),
		});
	const refused = await form({ answer: 'no', words: 'See http://a.example & <b>' });
	const page = await refused.text();
	expect(refused.status).toBe(400);
	expect(page).toContain('See http://a.example &amp; &lt;b&gt;</textarea>');
	expect(page).toContain('name="answer" value="no"');
	// The page of a form without a choice sends an empty one.
	for (const fields of [
		{ answer: '', words: 'Better' },
		{ answer: 'no', words: '' },
	]) {
		const { status, headers } = await form(fields);
		expect([status, headers.get('Location')]).toEqual([303, '/thanks/feedback']);
	}
	expect(
		await db.select({ words: feedback.words, answer: feedback.answer }).from(feedback),
	).toEqual([{ words: 'Better', answer: null }]);
});

test('what is done stays in the list, what is deleted leaves it and comes back', async () => {
	const { db, admin, send, listed } = await setup();
	await send({ words: 'What is W?' });
	const [{ id } = { id: '' }] = await db.select().from(feedback);
	const change = (state: 'open' | 'done' | 'deleted') =>
		call(api.changeFeedback, { id, state }, admin);
	await change('done');
	expect(await listed()).toMatchObject([{ words: [{ id, state: 'done' }] }]);
	await change('deleted');
	expect(await listed()).toEqual([]);
	await change('open');
	expect(await listed()).toMatchObject([{ words: [{ id, state: 'open' }] }]);
	await expect(
		call(api.changeFeedback, { id: 'none', state: 'done' }, admin),
	).rejects.toMatchObject({
		code: 'not_found',
	});
	await expect(call(api.changeFeedback, { id, state: 'done' }, fetchApi())).rejects.toMatchObject({
		code: 'unauthorized',
	});
});

test('words go when their time is over, and not a moment before', async () => {
	const NOON = new Date('2026-03-01T12:00:00Z');
	vi.setSystemTime(NOON);
	const { db, post } = await setup();
	const ago = (days: number, more = 0) => new Date(NOON.getTime() - days * DAY - more);
	const row = (id: string, createdAt: Date, deletedAt?: Date) => ({
		...{ id, postId: post.id, words: id, createdAt },
		...(deletedAt && { state: 'deleted' as const, stateAt: deletedAt }),
	});
	await db
		.insert(feedback)
		.values([
			row('over', ago(RETENTION_DAYS.feedback, 1)),
			row('just', ago(RETENTION_DAYS.feedback)),
			row('gone', ago(40), ago(UNDO_DAYS, 1)),
			row('kept', ago(40), ago(UNDO_DAYS)),
		]);
	await maintain();
	const left = await db.select({ id: feedback.id }).from(feedback).orderBy(feedback.id);
	expect(left.map(({ id }) => id)).toEqual(['just', 'kept']);
});

test('words that hold an address are shown to and erased by its owner, those with a longer one are not', async () => {
	const { db, post } = await setup();
	const ADA = 'ada+x@example.com';
	const words = {
		mine: 'Write to Ada+X@Example.com.',
		before: 'Write to not.ada+x@example.com',
		after: 'Write to ada+x@example.com.au',
		other: 'ada',
	};
	await db
		.insert(feedback)
		.values(Object.entries(words).map(([id, text]) => ({ id, postId: post.id, words: text })));
	await db.run(sql`update feedback set words = cast(x'ff' || words as text) where id = 'other'`);
	const now = new Date();
	expect((await collectData(db, ADA, now)).feedback.map(({ id }) => id)).toEqual(['mine']);
	expect(await eraseData(db, ADA, now)).toMatchObject({ erased: '1 feedback note' });
	expect(await db.$count(feedback)).toBe(3);
	expect(await db.$count(feedback, eq(feedback.id, 'mine'))).toBe(0);
});
