import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import {
	countedVisits,
	letters,
	pages,
	postCounts,
	rateLimits,
	renderedPosts,
	visitSums,
	visitSources,
	visits,
} from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { subscribe } from '#src/features/newsletter/newsletter.api.ts';
import { getFigures } from '#src/features/visits/visits.api.ts';
import { readersADay } from '#src/features/site/readers.server.ts';
import type { Figure, VisitInput } from '#src/features/visits/visits.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Sent = Partial<VisitInput> & { ip?: string; headers?: Record<string, string> };

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const category = await makeCategory(db, { name: 'Learning', slug: 'learning' });
	for (const slug of ['kalman', 'markov']) {
		const post = await makePost(db, {
			title: slug,
			slug,
			categoryId: category.id,
			publishedAt: new Date('2026-02-01'),
		});
		const headings = ['one', 'two', 'three'].map((one) => ({ depth: 2, slug: one, text: one }));
		await db.insert(renderedPosts).values({
			...{ postId: post.id, digest: 'd', renderer: '1', html: '', headings },
			...{ title: slug, excerpt: '', tags: '', body: '' },
		});
	}
	const send = ({ ip = '203.0.113.1', headers = {}, ...input }: Sent = {}) =>
		fetchApi({ ip })('/api/visits', {
			method: 'POST',
			body: JSON.stringify({ about: 'page', path: '/blog/kalman', ...input }),
			headers: { 'User-Agent': FIREFOX, ...headers },
		});
	const read = (by: Figure, filter: object = {}) =>
		call(
			getFigures,
			{ by, format: 'json', from: '2026-02-20', to: '2026-03-10', ...filter },
			admin,
		);
	const rows = async (by: Figure, filter: object = {}) =>
		(await read(by, filter)).rows.map(({ key, label: _label, ...counts }) => [
			key,
			...Object.values(counts),
		]);
	return { db, admin, send, read, rows };
}
/** The address of a visitor by number. */
const ip = (n: number) => `198.51.${100 + Math.floor(n / 200)}.${n % 200}`;

/** All that is stored of visits, as one text. */
async function storedText(db: Db): Promise<string> {
	const tables = [visits, visitSums, visitSources, countedVisits, rateLimits];
	return JSON.stringify(await Promise.all(tables.map((table) => db.select().from(table))));
}

test('a script of 500 visits: every figure is what a count by hand gives', async () => {
	const { db, send, read, rows } = await setup();
	let sent = 0;
	const visit = async (n: number, given: Sent = {}) => {
		sent++;
		vi.setSystemTime(Date.now() + SECOND);
		expect((await send({ ip: ip(n), ...given })).status).toBe(200);
	};
	const times = async (from: number, count: number, given: Sent = {}) => {
		for (let n = from; n < from + count; n++) await visit(n, given);
	};

	// The first day, 12:00 UTC. 100 people from a forum open the article, and 40 of them the other one after it.
	const forum = { referrer: 'https://www.forum.example/t/123?user=ada&token=s3cret' };
	await times(0, 100, forum);
	await times(0, 40, { path: '/blog/markov' });
	// 50 of them reload the first one: nothing new.
	await times(0, 50, forum);
	// 60 people by a letter, on the category's second page, which counts as its list.
	const letter = { path: '/category/learning/page/2', campaign: 'newsletter / email / 2026-02-26' };
	await times(200, 60, letter);
	// 30 by themselves at the home page, of whom 10 go on to the article.
	await times(300, 30, { path: '/' });
	await times(300, 10);
	// 15 of the 30 come again by the letter, to the list: visitors of the letter, not new ones.
	await times(300, 15, letter);
	// Nobody of these counts: 75 bots, 30 who object, 20 pages that there are not, 5 of the admin's.
	await times(365, 75, { headers: { 'User-Agent': GOOGLEBOT } });
	await times(440, 20, { headers: { 'Sec-GPC': '1' } });
	await times(460, 10, { headers: { DNT: '1' } });
	await times(470, 20, { path: '/blog/nothing' });
	await times(490, 5, { path: '/admin' });
	// A program that names a browser: 35 pages in a row, faster than anybody reads. All of it is taken back.
	await db
		.insert(pages)
		.values(
			Array.from({ length: 35 }, (_, n) => ({ slug: `text-${n}`, title: 'T', published: true })),
		);
	for (let n = 0; n < 35; n++) await visit(600, { path: `/text-${n}`, referrer: 'spam.example' });
	// The next day, 30 of the first people come back from a search engine.
	vi.setSystemTime(NOON.getTime() + DAY);
	await times(0, 30, { referrer: 'https://search.example/?q=private+words' });
	expect(sent).toBe(500);

	// By hand: 100 + 60 + 30 on the first day, 30 on the second.
	expect(await read('day')).toMatchObject({
		from: '2026-02-20',
		to: '2026-03-10',
		total: { visitors: 220, views: 285 },
	});
	expect(await rows('day')).toEqual([
		['2026-03-01', 190, 255],
		['2026-03-02', 30, 30],
	]);
	expect(await rows('hour')).toEqual([
		['2026-03-01T12:00Z', 190, 255],
		['2026-03-02T12:00Z', 30, 30],
	]);
	// Views, and how often it was the first page of a day.
	expect(await rows('page')).toEqual([
		['/blog/kalman', 140, 130],
		['/category/learning', 75, 60],
		['/blog/markov', 40, 0],
		['/', 30, 30],
	]);
	// Visitors and views. Whoever had no source first and a letter later is a visitor of both.
	expect(await rows('referrer')).toEqual([
		['forum.example', 100, 140],
		['', 90, 115],
		['search.example', 30, 30],
	]);
	expect(await rows('campaign')).toEqual([['newsletter / email / 2026-02-26', 75, 75]]);
	// Of one page, and of one source.
	expect(await rows('referrer', { path: '/blog/kalman' })).toEqual([
		['forum.example', 100, 100],
		['search.example', 30, 30],
		['', 10, 10],
	]);
	expect(await rows('page', { referrer: 'forum.example' })).toEqual([
		['/blog/kalman', 100, 100],
		['/blog/markov', 40, 0],
	]);
	expect(await rows('page', { campaign: 'newsletter / email / 2026-02-26' })).toEqual([
		['/category/learning', 75, 60],
	]);
	expect(await rows('day', { path: '/blog/kalman' })).toEqual([
		['2026-03-01', 110, 110],
		['2026-03-02', 30, 30],
	]);
	expect(await rows('day', { referrer: 'forum.example' })).toEqual([['2026-03-01', 100, 140]]);
	expect((await read('day', { to: '2026-03-01' })).total).toEqual({ visitors: 190, views: 255 });
	// The list of posts counts the same views.
	const counted = await db.select({ views: postCounts.views }).from(postCounts);
	expect(counted.map(({ views }) => views).sort()).toEqual([110, 30, 40]);

	const stored = await storedText(db);
	const traces = ['198.51', 'Firefox', 'Mozilla', '/t/123', 'user=', 's3cret', 'private', 'https:'];
	expect(traces.filter((trace) => stored.includes(trace))).toEqual([]);
	// Five hundred requests take a while where much else runs.
}, 120_000);

test('how far articles are read is counted by heading, and never back', async () => {
	const { send, rows } = await setup();
	const stop = (n: number, heading: string) => send({ ip: ip(n), about: 'stop', heading });
	for (let n = 0; n < 10; n++) await send({ ip: ip(n) });
	for (let n = 0; n < 9; n++) await stop(n, '');
	for (let n = 0; n < 7; n++) await stop(n, 'two');
	for (let n = 0; n < 7; n++) await stop(n, 'one');
	for (let n = 0; n < 4; n++) await stop(n, '#end');
	for (const heading of ['nowhere', '#END']) await stop(8, heading);
	// Whoever was not counted on the page is not counted on its headings.
	await stop(50, '#end');
	expect(await rows('stop', { path: '/blog/kalman' })).toEqual([
		['', 2, 9],
		['one', 0, 7],
		['two', 3, 7],
		['three', 0, 4],
		['#end', 4, 4],
	]);
	expect(await rows('stop', { path: '/blog/markov' })).toEqual([]);
	expect(await rows('article')).toEqual([['/blog/kalman', 10, 4, 40]]);
	await send({ ip: ip(1), path: '/blog/markov' });
	expect(await rows('article', { paths: ['/blog/markov', '/blog/none'] })).toEqual([
		['/blog/markov', 1, 0, 0],
	]);
	expect(await rows('article', { paths: '/blog/none' })).toEqual([]);
});

test('searches are counted once a day for each visitor, with those that found nothing', async () => {
	const { db, send, rows } = await setup();
	const search = (n: number, query: string, found: number) =>
		send({ ip: ip(n), about: 'search', path: '/search', query, found });
	for (let n = 0; n < 3; n++) await search(n, ' KV  Cache ', 4);
	await search(0, 'kv cache', 4);
	await search(0, 'flux capacitor', 0);
	for (const query of ['ada@example.com', 'call 555 010 0199', 'ab', 'x'.repeat(81)])
		await search(1, query, 0);
	expect(await rows('search')).toEqual([
		['kv cache', 3, 0],
		['flux capacitor', 1, 1],
	]);
	expect(JSON.stringify(await db.select().from(visitSums))).not.toMatch(/ada@|555/);
});

test('signups are counted by their place and page, but not of those who object', async () => {
	const { read } = await setup();
	const join = (n: number, email: string, headers: Record<string, string> = {}) => {
		const send: typeof fetch = (input, init) =>
			fetchApi({ ip: ip(n) })(input, {
				...init,
				headers: {
					...init?.headers,
					'User-Agent': FIREFOX,
					Referer: 'https://groundtruth.test/blog/kalman?token=s3cret',
					...headers,
				},
			});
		return call(subscribe, { email, source: 'Newsletter Button' }, send);
	};
	await join(1, 'ada@example.com');
	await join(1, 'ada@example.com');
	await join(2, 'grace@example.com', { Referer: 'https://other.example/private' });
	await join(3, 'alan@example.com', { 'Sec-GPC': '1' });
	const { rows } = await read('signup');
	expect(rows.map(({ page, place, signups }) => [page, place, signups])).toEqual([
		['', 'Newsletter Button', 1],
		['/blog/kalman', 'Newsletter Button', 1],
	]);
});

test("a visit by a letter's link counts for the letter, and for no letter that there is not", async () => {
	const { db, send, read } = await setup();
	await db
		.insert(letters)
		.values({ id: '2026-02-26', subject: 'Filters', recipients: 9, createdAt: NOON });
	const campaign = 'newsletter / email / 2026-02-26';
	for (const n of [1, 1, 2]) await send({ ip: ip(n), campaign });
	await send({ ip: ip(3), campaign: 'newsletter / email / 2020-01-01' });
	expect(await db.select({ readings: letters.readings }).from(letters)).toEqual([{ readings: 2 }]);
	expect((await read('letter')).rows).toEqual([
		{ key: '2026-02-26', label: 'Filters', sent: 9, visitors: 2, views: 2 },
	]);
});

test.each([
	['found=3', 200],
	['found=', 400],
	['found=many', 400],
])('a search that a form sends with %s answers %i', async (found, status) => {
	await setup();
	const body = new URLSearchParams(`about=search&path=/&query=kalman&${found}`);
	const response = await fetchApi()('/api/visits', { method: 'POST', body });
	expect(response.status).toBe(status);
});

test('fifty visits at once are each counted once', async () => {
	const { send, read } = await setup();
	await Promise.all(Array.from({ length: 50 }, (_, n) => send({ ip: ip(n % 25) })));
	expect((await read('day')).total).toEqual({ visitors: 25, views: 25 });
});

test('single visits go after 48 hours, their sums stay', async () => {
	const { db, send, read } = await setup();
	await send({ referrer: 'forum.example' });
	vi.setSystemTime(NOON.getTime() + 47 * HOUR);
	await maintain();
	expect(await db.$count(visits)).toBe(1);
	vi.setSystemTime(NOON.getTime() + 48 * HOUR + MINUTE);
	await maintain();
	expect(await db.$count(visits)).toBe(0);
	expect((await read('day')).total).toEqual({ visitors: 1, views: 1 });
});

test('figures of one page or source are kept for more than a year, those of the site for good', async () => {
	const { db, send } = await setup();
	await send({ referrer: 'forum.example' });
	const year = { format: 'json', from: '2026-03-01', to: '2027-06-01' } as const;
	const readAfter = async (days: number, query: { by: Figure; path?: string }) => {
		vi.setSystemTime(NOON.getTime() + days * DAY);
		await maintain();
		return call(getFigures, { ...year, ...query }, await asAdmin(db));
	};
	const ofPage = { by: 'referrer', path: '/blog/kalman' } as const;
	expect((await readAfter(400, ofPage)).rows).toHaveLength(1);
	const later = await readAfter(450, ofPage);
	expect([later.rows, later.from > '2026-03-02']).toEqual([[], true]);
	expect(await db.$count(visitSources)).toBe(0);
	const all = await readAfter(450, { by: 'day' });
	expect([all.from, all.total]).toEqual(['2026-03-01', { visitors: 1, views: 1 }]);
});

test('readers a day are those of the last whole week', async () => {
	const { db, send } = await setup();
	for (let n = 0; n < 11; n++) await send({ ip: ip(n) });
	expect(await readersADay(db, NOON)).toBe(0);
	vi.setSystemTime(NOON.getTime() + DAY);
	for (let n = 0; n < 5; n++) await send({ ip: ip(n) });
	// 11 on one of seven days, then 16 on two of them, and at last the 5 alone.
	const after = (days: number) => readersADay(db, new Date(NOON.getTime() + days * DAY));
	expect([await after(1), await after(2), await after(7), await after(8), await after(9)]).toEqual([
		2, 2, 2, 1, 0,
	]);
});

test('a figure is a file as well, and its texts are no formulas', async () => {
	const { admin, send } = await setup();
	await send({ campaign: '=HYPERLINK("x")' });
	const answer = await admin(
		'/api/admin/visits?by=campaign&from=2026-03-01&to=2026-03-01&format=csv',
	);
	expect(answer.headers.get('Content-Disposition')).toContain('campaign-2026-03-01-2026-03-01.csv');
	// Spreadsheets on Windows read its letters as they are. Reading it as a text takes the mark away.
	expect([...new Uint8Array(await answer.clone().arrayBuffer())].slice(0, 3)).toEqual([
		0xef, 0xbb, 0xbf,
	]);
	expect(await answer.text()).toBe(
		'"Campaign","Visitors","Views"\r\n"\'=HYPERLINK(""x"")",1,1\r\n',
	);
});

test.each([
	['by=weather', 'by'],
	['from=2026-02-30x', 'from'],
	['to=tomorrow', 'to'],
	['format=xml', 'format'],
])('%s is refused', async (query, field) => {
	const { admin } = await setup();
	const answer = await admin(`/api/admin/visits?${query}`);
	expect(answer.status).toBe(400);
	expect(await answer.json()).toMatchObject({ error: { fields: { [field]: expect.any(String) } } });
});

test('only the admin reads figures', async () => {
	await setup();
	expect((await fetchApi()('/api/admin/visits?by=page')).status).toBe(401);
});

test('the open page shows what the owner chose, and there is none before', async () => {
	const { admin, send } = await setup();
	await send({ referrer: 'forum.example' });
	for (const n of [1, 2])
		await send({ ip: ip(n), about: 'search', path: '/search', query: 'seldom' });
	const open = () => fetchApi()('/open');
	expect((await open()).status).toBe(404);
	await call(changeSettings, { openFigures: ['search', 'page'] }, admin);
	const answer = await open();
	expect([answer.status, answer.headers.get('Netlify-CDN-Cache-Control')]).toEqual([
		200,
		'public, durable, s-maxage=300',
	]);
	const page = await answer.text();
	expect(page).toContain('<a href="/blog/kalman">/blog/kalman</a>');
	// Neither what was not chosen, nor what few looked for.
	for (const hidden of ['forum.example', 'seldom']) expect(page).not.toContain(hidden);
	await call(changeSettings, { openFigures: [] }, admin);
	expect((await open()).status).toBe(404);
});
