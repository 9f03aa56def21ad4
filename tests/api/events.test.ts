import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { countedVisits, postCounts, posts, postTotals, rateLimits } from '#db/schema.ts';
import * as api from '#src/features/counts/counts.api.ts';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const TODAY = Math.floor(NOON.getTime() / DAY);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const CHROME =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const { id } = await makePost(db);
	const send = (
		body: BodyInit = JSON.stringify({ kind: 'view' }),
		{ ip = '203.0.113.1', headers = {}, post = id }: Sent = {},
	) =>
		fetchApi({ ip })(`/api/posts/${post}/events`, {
			method: 'POST',
			body,
			headers: { 'User-Agent': FIREFOX, ...headers },
		});
	const counts = () =>
		db
			.select({ day: postCounts.day, views: postCounts.views, shares: postCounts.shares })
			.from(postCounts);
	return { db, id, send, counts };
}
type Sent = { ip?: string; headers?: Record<string, string>; post?: string };
const share = JSON.stringify({ kind: 'share' });

test('a view and a share are counted, and answered with nothing in it', async () => {
	const { send, counts } = await setup();
	const response = await send();
	expect([response.status, await response.text()]).toEqual([200, '{}']);
	expect(response.headers.get('Cache-Control')).toBe('no-store');
	expect(response.headers.get('Set-Cookie')).toBeNull();
	await send(share);
	expect(await counts()).toEqual([{ day: TODAY, views: 1, shares: 1 }]);
});

test.each([
	['a beacon of JSON', new Blob([share], { type: 'application/json' })],
	['a beacon of text', share],
	['a form', new URLSearchParams({ kind: 'share' })],
])('%s is understood', async (_, body) => {
	const { send, counts } = await setup();
	expect((await send(body)).status).toBe(200);
	expect(await counts()).toEqual([{ day: TODAY, views: 0, shares: 1 }]);
});

test('what is counted adds up, each visit once', async () => {
	const { db, send } = await setup();
	await send();
	await send();
	await send(share);
	vi.setSystemTime(new Date(NOON.getTime() + 7 * DAY));
	await send();
	const [total] = await db.select().from(postTotals);
	expect(total).toMatchObject({ views: 2, shares: 1 });
	const scores = await trendingScores(db, new Date());
	expect([...scores.values()][0]).toBeCloseTo(1.5);
});

test('a visitor counts once a day for each post and kind', async () => {
	const { db, send, counts } = await setup();
	const other = await makePost(db);
	for (let i = 0; i < 3; i++) await send();
	expect(await counts()).toEqual([{ day: TODAY, views: 1, shares: 0 }]);
	await send(undefined, { post: other.id });
	expect(await counts()).toHaveLength(2);
	vi.setSystemTime(new Date('2026-03-02T00:00:00Z'));
	await send();
	expect(await counts()).toContainEqual({ day: TODAY + 1, views: 1, shares: 0 });
});

test('another address and another browser are other visitors', async () => {
	const { send, counts } = await setup();
	await send();
	await send(undefined, { ip: '203.0.113.2' });
	await send(undefined, { headers: { 'User-Agent': CHROME } });
	expect(await counts()).toEqual([{ day: TODAY, views: 3, shares: 0 }]);
});

test('made-up browsers behind one address are no crowd', async () => {
	const { send, counts } = await setup();
	for (let n = 0; n < 40; n++) {
		// A proxy may hand on the port, and a home has more addresses than one.
		const ip = n % 2 ? `203.0.113.1:${5000 + n}` : '203.0.113.1';
		await send(undefined, { ip, headers: { 'User-Agent': `${FIREFOX} ${n}` } });
	}
	for (let n = 0; n < 40; n++) {
		const headers = { 'User-Agent': `${FIREFOX} ${n}` };
		await send(undefined, { ip: `2001:db8:1:2::${n}`, headers });
	}
	const [{ views } = { views: 0 }] = await counts();
	expect(views).toBeGreaterThan(8);
	expect(views).toBeLessThanOrEqual(16);
});

test('fifty events of one visitor at once are one, of fifty visitors fifty', async () => {
	const { send, counts } = await setup();
	await Promise.all(Array.from({ length: 50 }, () => send()));
	expect(await counts()).toEqual([{ day: TODAY, views: 1, shares: 0 }]);
	await Promise.all(
		Array.from({ length: 50 }, (_, n) => send(undefined, { ip: `198.51.100.${n}` })),
	);
	expect(await counts()).toEqual([{ day: TODAY, views: 51, shares: 0 }]);
});

test.each([
	['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
	['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
	[
		'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
	],
	[
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
	],
	['curl/8.5.0'],
	[''],
])('the bot %j is answered and not counted', async (userAgent) => {
	const { db, send, counts } = await setup();
	expect((await send(undefined, { headers: { 'User-Agent': userAgent } })).status).toBe(200);
	expect(await counts()).toEqual([]);
	expect(await db.$count(countedVisits)).toBe(0);
});

test('who it was is stored nowhere', async () => {
	const { db, send } = await setup();
	await send();
	const stored = JSON.stringify([
		await db.select().from(countedVisits),
		await db.select().from(rateLimits),
		await db.select().from(postCounts),
	]);
	for (const trace of ['203.0.113', 'Firefox', 'Mozilla']) expect(stored).not.toContain(trace);
});

test('the hash of a visitor is another one each day', async () => {
	const { db, send } = await setup();
	await send();
	vi.setSystemTime(NOON.getTime() + DAY);
	await send();
	const keys = (await db.select().from(countedVisits)).map(({ key }) => key);
	expect(new Set(keys).size).toBe(2);
});

test.each([['like'], [undefined], [1], [null]])('the kind %j is refused', async (kind) => {
	const { send, counts } = await setup();
	expect((await send(JSON.stringify({ kind }))).status).toBe(400);
	expect(await counts()).toEqual([]);
});

test('reading is never counting', async () => {
	const { id, counts } = await setup();
	for (const method of ['GET', 'HEAD']) {
		const response = await fetchApi()(`/api/posts/${id}/events?kind=view`, {
			method,
			headers: { 'User-Agent': FIREFOX },
		});
		expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
	}
	expect(await counts()).toEqual([]);
});

test("another site's page counts nothing", async () => {
	const { send, counts } = await setup();
	for (const headers of [{ Origin: 'https://other.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
		expect((await send(undefined, { headers })).status).toBe(403);
	expect(await counts()).toEqual([]);
});

test.each([
	['does not exist', null],
	['is a draft', { published: false }],
	['is of tomorrow', { publishedAt: new Date(NOON.getTime() + DAY) }],
])('a post that %s is a 404', async (_, values) => {
	const { db, id, send, counts } = await setup();
	if (values) await db.update(posts).set(values).where(eq(posts.id, id));
	const response = await send(undefined, values ? {} : { post: 'nowhere' });
	expect(response.status).toBe(404);
	expect(await counts()).toEqual([]);
	expect(await db.$count(countedVisits)).toBe(0);
});

test('one address may send 300 events in ten minutes, and no more', async () => {
	const { send } = await setup();
	for (let n = 0; n < 300; n++)
		await send(undefined, { headers: { 'User-Agent': `${FIREFOX} ${n}` } });
	expect((await send()).status).toBe(429);
	expect((await send(undefined, { ip: '203.0.113.2' })).status).toBe(200);
	vi.setSystemTime(NOON.getTime() + 10 * MINUTE);
	expect((await send()).status).toBe(200);
});

test('what was counted shows in the lists', async () => {
	const { db, id, send } = await setup();
	const other = await makePost(db);
	await send(share, { post: other.id });
	await send(share, { post: other.id, ip: '203.0.113.2' });
	await send(share);
	await send();
	const [mostShared] = await call(api.listMostShared, {}, fetchApi());
	expect(mostShared).toMatchObject({ id: other.id, shareCount: 2 });
	const [trending] = await call(api.listTrending, {}, fetchApi());
	expect(trending).toMatchObject({ id, views: 1 });
});

test('trending is kept for a minute by the CDN, the most shared for five', async () => {
	await setup();
	const kept = async (path: string) =>
		(await fetchApi()(path)).headers.get('Netlify-CDN-Cache-Control');
	expect(await kept('/api/posts/trending')).toBe('public, durable, s-maxage=60');
	expect(await kept('/api/posts/most-shared')).toBe('public, durable, s-maxage=300');
});
