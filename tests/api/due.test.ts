import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { posts, sources } from '#db/schema.ts';
import { checkSource, type SourceCheck } from '#src/features/due/check.server.ts';
import * as api from '#src/features/due/due.api.ts';
import { webLinks } from '#src/features/due/links.ts';
import { checkSources } from '#src/features/due/sources.server.ts';
import { isReleased } from '#src/features/states/figures.ts';
import { call } from '#src/lib/endpoint.ts';
import { DAY } from '#src/lib/dates.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

let db: Db;
beforeEach(async () => {
	db = await useTestDb();
});

const START = Date.now();
const on = (day: number) => new Date(START + day * DAY);
const link = (url: string) => `<p>As <a href="${url}">told</a>.</p>`;
const FINE: SourceCheck = { isReached: true, fault: null };
const GONE: SourceCheck = { isReached: true, fault: 'It answers 404.' };

/** Checks all that is due on a day. Returns what was asked, in order. */
async function check(day: number, answer: (url: string) => SourceCheck) {
	const asked: string[] = [];
	const ask = async (url: string) => {
		asked.push(url);
		return Promise.resolve(answer(url));
	};
	await checkSources(db, on(day), { ask, hasTime: () => true, pause: 0 });
	return asked.sort();
}
const due = async () => (await call(api.getDue, {}, await asAdmin(db))).sources;

test('the addresses of public articles are asked once a week, and told of after two failures', async () => {
	const article = await makePost(db, {
		title: 'Cites',
		content: link('https://a.example/x?a=1&#x26;b=2#part') + link('https://b.example/'),
	});
	await makePost(db, { title: 'Too', content: link('https://b.example/') });
	await makePost(db, { published: false, content: link('https://draft.example/') });
	const [a, b] = ['https://a.example/x?a=1&b=2', 'https://b.example/'];
	const bIsGone = (url: string) => (url === b ? GONE : FINE);
	expect(await check(0, bIsGone)).toEqual([a, b]);
	expect(await due()).toEqual([]);
	expect(await check(0.5, bIsGone)).toEqual([]);
	// What failed is asked again after a day.
	expect(await check(1.1, bIsGone)).toEqual([b]);
	expect(await due()).toEqual([
		{
			url: b,
			said: 'It answers 404.',
			checkedAt: on(1.1).toISOString(),
			articles: [expect.objectContaining({ title: 'Cites' }), expect.anything()],
		},
	]);
	// An article that was mended is named no more, before anything is asked again.
	await db
		.update(posts)
		.set({ content: link(a) })
		.where(eq(posts.id, article.id));
	expect((await due())[0]!.articles.map(({ title }) => title)).toEqual(['Too']);
	expect(await check(7.2, () => FINE)).toEqual([a, b]);
	expect(await due()).toEqual([]);
	// What nobody links to is forgotten.
	await db.delete(posts).where(eq(posts.title, 'Too'));
	await check(8.3, () => FINE);
	expect((await db.select().from(sources)).map(({ url }) => url)).toEqual([a]);
});

test('of a host one address is asked at a time, and nothing more once time is up', async () => {
	const urls = [1, 2, 3, 4].flatMap((n) => [`https://a.example/${n}`, `https://b.example/${n}`]);
	await makePost(db, { content: urls.map(link).join('') });
	let most = 0;
	let asked = 0;
	const busy = new Map<string, number>();
	const ask = async (url: string) => {
		const { host } = new URL(url);
		busy.set(host, (busy.get(host) ?? 0) + 1);
		most = Math.max(most, busy.get(host)!);
		await new Promise(setImmediate);
		busy.set(host, busy.get(host)! - 1);
		asked++;
		return FINE;
	};
	expect(await checkSources(db, on(0), { ask, hasTime: () => asked < 5, pause: 0 })).toBe(asked);
	expect(most).toBe(1);
	expect(asked).toBeLessThan(urls.length);
	await checkSources(db, on(0.1), { ask, hasTime: () => true, pause: 0 });
	expect(asked).toBe(urls.length);
});

test('of several servers with one schedule one asks', async () => {
	await makePost(db, { content: link('https://a.example/') });
	const turns = await Promise.all([
		check(0, () => GONE),
		check(0, () => GONE),
		check(0, () => GONE),
	]);
	expect(turns.flat()).toEqual(['https://a.example/']);
	expect((await db.select().from(sources)).map(({ failures }) => failures)).toEqual([1]);
});

test('without a network nothing is kept', async () => {
	const hosts = ['a', 'b', 'c'].map((name) => `https://${name}.example/`);
	await makePost(db, { content: hosts.map(link).join('') });
	const away = () => ({ isReached: false, fault: 'It cannot be reached.' });
	expect(await check(0, away)).toHaveLength(3);
	expect(await check(0.1, away)).toHaveLength(3);
	expect(await due()).toEqual([]);
	expect(await db.$count(sources, eq(sources.failures, 0))).toBe(3);
});

test('links are read as browsers read them', () => {
	const html =
		'<a class="x" href="https://a.example/?a=1&amp;b=2#c">a</a><a href="/here">b</a><a href="mailto:a@b.example">c</a><a href="https://[">d</a>';
	expect([...webLinks(html)]).toEqual(['https://a.example/?a=1&b=2']);
});

/** Requests that the host was asked, as method and path. */
const asked: string[] = [];
let port: number;
const server = createServer((request, response) => {
	asked.push(`${request.method} ${request.url}`);
	const { url = '', method } = request;
	if (url === '/hangs') return;
	if (url === '/moved') return void response.writeHead(301, { Location: '/fine' }).end();
	if (url === '/around') return void response.writeHead(302, { Location: '/around' }).end();
	if (url === '/inside')
		return void response.writeHead(302, { Location: `http://127.0.0.2:${port}/fine` }).end();
	if (url === '/elsewhere')
		return void response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
	if (url === '/no-head') return void response.writeHead(method === 'HEAD' ? 404 : 200).end('x');
	response.writeHead(Number(url.slice(1)) || 200).end();
});
beforeAll(async () => {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

test.each([
	['/fine', null, ['HEAD /fine']],
	['/no-head', null, ['HEAD /no-head', 'GET /no-head']],
	['/moved', null, ['HEAD /moved', 'HEAD /fine']],
	['/403', null, ['HEAD /403']],
	['/429', null, ['HEAD /429']],
	['/404', 'It answers 404.', ['HEAD /404', 'GET /404']],
	['/410', 'It answers 410.', ['HEAD /410', 'GET /410']],
	['/500', 'It answers 500.', ['HEAD /500', 'GET /500']],
	['/elsewhere', 'It leads to no web address.', ['HEAD /elsewhere', 'GET /elsewhere']],
])('a source at %s says %j', async (path, fault, requests) => {
	asked.length = 0;
	const here = { allowIPAddressList: ['127.0.0.1'] };
	const said = await checkSource(`http://127.0.0.1:${port}${path}`, 'https://x.example', here);
	expect(said).toEqual({ isReached: true, fault });
	expect(asked).toEqual(requests);
});

test('no check reaches what is not public, whatever leads there', async () => {
	asked.length = 0;
	const here = { allowIPAddressList: ['127.0.0.1'] };
	const inside = await checkSource(`http://127.0.0.1:${port}/inside`, 'https://x.example', here);
	expect(inside.fault).toBe(`127.0.0.2:${port} cannot be reached.`);
	expect(asked).toEqual(['HEAD /inside', 'GET /inside']);
	const own = await checkSource(`http://127.0.0.1:${port}/fine`, 'https://x.example');
	expect(own).toEqual({ isReached: false, fault: `127.0.0.1:${port} cannot be reached.` });
	const around = await checkSource(`http://127.0.0.1:${port}/around`, 'https://x.example', here);
	expect(around.fault).toBe('It leads from address to address.');
	expect(asked).not.toContain('HEAD /fine');
});

test.each([
	['dataScientists.employment', '2023-05', '2025-03-01', false],
	['dataScientists.employment', '2023-05', '2025-06-01', true],
	['populationEstimate', '2025-07-01', '2026-11-01', false],
	['populationEstimate', '2025-07-01', '2027-02-01', true],
	['population', '2020-04-01', '2030-12-01', false],
	['population', '2020-04-01', '2031-06-01', true],
])('of %s as of %s there should be a newer one on %s: %j', (key, asOf, day, is) => {
	expect(isReleased({ key, asOf }, new Date(day))).toBe(is);
});
