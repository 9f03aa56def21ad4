import { hash } from 'node:crypto';
import { connect } from 'node:net';
import {
	appendFile,
	mkdir,
	mkdtemp,
	rm,
	stat,
	symlink,
	truncate,
	writeFile,
} from 'node:fs/promises';
import {
	Agent,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getDb } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import edgeMarkdown from '#netlify/edge-functions/markdown.ts';
import type { RequestSummary } from '#src/core/request-context.ts';
import { openMetrics, type Metrics } from '#src/host/metrics.ts';
import { ROOT, type Progress } from '#src/build/builds.ts';
import { memoryEnds, wantOfMemory } from '#src/build/room.ts';
import { loadFunctions, type FunctionFile } from '#src/build/functions.ts';
import { routeFunctions, type Functions } from '#src/host/router.ts';
import { listen, type Server } from '#src/host/server.ts';
import { FileStore } from '#src/build/file-store.ts';
import { storeFiles } from '#src/build/site-files.ts';
import { Site } from '#src/host/static-site.ts';
import { useTestDb } from '#tests/support/db.ts';
import { storedSite } from '#tests/support/stored-site.ts';

const LONG = '<p>The same words again and again.</p>'.repeat(100);
const BYTES = '0123456789'.repeat(200);
const PAGES = {
	'index.html': `<h1>Home</h1>${LONG}`,
	'blog.html': '<h1>Blog</h1>',
	'blog/leakage.html': `<h1>Leakage</h1>${LONG}`,
	'404.html': '<h1>Page Not Found</h1>',
	'404-article.html': '<h1>Article Not Found</h1>',
	'404-category.html': '<h1>Category Not Found</h1>',
	'404-tag.html': '<h1>Tag Not Found</h1>',
	'404-state.html': '<h1>State Not Found</h1>',
	'notes.md': '# Notes',
	'feed.xml': '<rss/>',
	'ai-best-practices/ohio.md': '# Ohio',
	'ai-best-practices/iowa.html': `<h1>Iowa</h1>${LONG}`,
	'ai-best-practices/iowa.md': '# Iowa',
	'category/vision/feed.json': '{}',
	'llms.txt': '# Site',
	'api/openapi.json': '{}',
	'data.bin': BYTES,
	'site.webmanifest': '{}',
	'_astro/app.abc123.js': `export default "${LONG}";`,
	_redirects:
		'/old /blog 302\n/away/* https://elsewhere.example/:splat 301\n/deep/:slug/* /:splat 301\n/blog /new 301!\n',
	'.env': 'SECRET=1',
	'docs/.hidden': 'hidden',
};

let folder: string;
let site: Site;
let files: FunctionFile[];
let functions: Functions;
let server: Server;

/** Asks the server as a browser that takes no compression. */
function get(path: string, init: RequestInit = {}): Promise<Response> {
	const headers = { 'Accept-Encoding': 'identity', ...init.headers };
	return fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual', ...init, headers });
}

/** Sends an address exactly as it is, which `fetch` would tidy up. */
function raw(target: string, headers: Record<string, string> = {}, method = 'GET') {
	return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
		(resolve, reject) => {
			const options = { host: '127.0.0.1', port: server.port, method, path: target, headers };
			httpRequest(options, (response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () =>
					resolve({
						status: response.statusCode!,
						headers: response.headers,
						body: Buffer.concat(chunks),
					}),
				);
			})
				.on('error', reject)
				.end();
		},
	);
}

/** Sends bytes over a socket and answers all that comes back; `isPatient` leaves it to the server to end the connection. */
function bytes(text: string, isPatient = false): Promise<string> {
	return new Promise((resolve, reject) => {
		let answer = '';
		const socket = connect(server.port, '127.0.0.1', () =>
			isPatient ? socket.write(text) : socket.end(text),
		);
		socket.on('data', (chunk) => (answer += String(chunk)));
		socket.on('close', () => resolve(answer)).on('error', reject);
	});
}

async function write(dir: string, pages: Record<string, string>): Promise<void> {
	for (const [name, text] of Object.entries(pages)) {
		await mkdir(dirname(join(dir, name)), { recursive: true });
		await writeFile(join(dir, name), text);
	}
}

async function start(
	more: FunctionFile[] = [],
	trustProxy = false,
	observe?: (request: RequestSummary) => void,
	metrics?: Metrics,
): Promise<Server> {
	functions = routeFunctions([...files, ...more]);
	const started = await listen({ host: '127.0.0.1', port: 0, trustProxy, observe, metrics });
	started.setContent({ site, functions });
	started.open();
	return started;
}

const ipEcho: FunctionFile = {
	name: 'ip',
	default: async (_request, { ip }) => new Response(ip),
	config: { path: '/api/test/ip' },
};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'host-'));
	const dir = join(folder, 'site');
	await write(dir, PAGES);
	await writeFile(join(folder, 'secret.txt'), 'secret');
	await symlink(join(folder, 'secret.txt'), join(dir, 'link.txt'));
	site = await storedSite(dir);
	files = await loadFunctions();
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
	await useTestDb();
	server = await start();
});
afterEach(() => server.close());

test('pages answer at their address without ending and slash', async () => {
	expect(await (await get('/')).text()).toContain('<h1>Home</h1>');
	const page = await get('/blog/leakage?from=mail');
	expect(page.status).toBe(200);
	expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	expect(await page.text()).toContain('<h1>Leakage</h1>');
});

test.each([
	['/blog/leakage/', '/blog/leakage'],
	['/blog/leakage/?q=1&r=%2F', '/blog/leakage?q=1&r=%2F'],
	['/blog/leakage.html', '/blog/leakage'],
	['/index.html', '/'],
	['/index', '/'],
	['/index/?q=1', '/?q=1'],
	['/old', '/blog'],
	['/old?q=1', '/blog?q=1'],
	['/away/a/b', 'https://elsewhere.example/a/b'],
	['/category/ethics-ai', '/category/ai-ethics'],
	['/category/ethics-ai/', '/category/ai-ethics'],
	// Feeds of other programs.
	...['/feed', '/feed/', '/rss', '/rss/', '/feed/rss2', '/index.xml', '/feeds/posts/default'].map(
		(path) => [path, '/rss.xml'],
	),
	['/atom', '/atom.xml'],
	['/feed/json', '/feed.json'],
	['/tag/evaluation/feed/', '/tag/evaluation/rss.xml'],
	['/category/vision/feed/', '/category/vision/rss.xml'],
])('%s redirects to %s', async (path, location) => {
	const response = await get(path);
	expect(response.status).toBe(path.startsWith('/old') ? 302 : 301);
	expect(response.headers.get('Location')).toBe(location);
});

test('a forced rule wins over a file, and a rule without force does not', async () => {
	expect((await get('/blog')).headers.get('Location')).toBe('/new');
	expect((await get('/blog/leakage')).status).toBe(200);
});

test.each([
	'//evil.example/',
	'//evil.example/..',
	'/\\evil.example/',
	'//evil.example/blog.html',
	'/deep/x//evil.example',
	'/deep/x/%5Cevil.example',
	'/deep/x/\\evil.example',
])('%s never redirects to another host', async (path) => {
	const { status, headers } = await raw(path);
	const location = String(headers['location'] ?? '/');
	expect(new URL(location, 'http://here.example').host).toBe('here.example');
	expect(status).toBeLessThan(500);
});

test.each([
	['/nothing', 'Page Not Found'],
	['/blog/nothing', 'Article Not Found'],
	['/category/nothing', 'Category Not Found'],
	['/tag/nothing', 'Tag Not Found'],
	['/ai-best-practices/nothing', 'State Not Found'],
	['/404', 'Page Not Found'],
	['/404-state.html', 'State Not Found'],
])('%s answers 404 with the screen "%s"', async (path, title) => {
	const response = await get(path);
	expect(response.status).toBe(404);
	expect(await response.text()).toContain(title);
});

test("an unknown API address answers in the API's error shape, for every method", async () => {
	for (const method of ['GET', 'POST', 'DELETE']) {
		const response = await get('/api/nothing', { method });
		expect(response.status).toBe(404);
		expect(await response.json()).toEqual({
			error: { code: 'not_found', message: "We couldn't find what you were looking for." },
		});
	}
});

test('functions answer by their own path, and leave what they exclude', async () => {
	expect(await (await get('/api/health')).json()).toMatchObject({ status: 'ok' });
	expect(await (await get('/api/posts/featured')).json()).toEqual([]);
	expect((await get('/api/posts/nothing')).status).toBe(404);
	expect(await (await get('/api/admin/status')).json()).toEqual({ isAuthenticated: false });
	expect((await get('/api/admin/anything/else')).status).toBe(401);
});

test('no address of the API has two functions', () => {
	for (const { config } of files) {
		// Where a function takes one method only, a page has the others.
		const [method = 'GET'] = [config?.method ?? []].flat();
		for (const path of [config?.path ?? []].flat()) {
			const address = path.replace('*', 'a/b').replace(/:\w+/g, 'some');
			const answering = files.filter((file) => {
				const call = routeFunctions([file]).match(address, method);
				return call?.handler === file.default;
			});
			expect(answering, address).toHaveLength(1);
		}
	}
});

test('HEAD answers as GET does, without a body', async () => {
	for (const path of ['/blog/leakage', '/api/health', '/nothing']) {
		const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)];
		expect([head.status, await head.text()]).toEqual([full.status, '']);
		expect(head.headers.get('Content-Type')).toBe(full.headers.get('Content-Type'));
		await full.text();
	}
	const { headers, body } = await raw('/blog/leakage', {}, 'HEAD');
	expect(Number(headers['content-length'])).toBe(PAGES['blog/leakage.html'].length);
	expect(body).toHaveLength(0);
});

test('a page can only be read', async () => {
	const response = await get('/blog/leakage', { method: 'POST', body: 'x' });
	expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
	expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
	expect((await get('/nothing', { method: 'POST', body: 'x' })).status).toBe(404);
});

test.each([
	['br, gzip', 'br'],
	['gzip, br', 'br'],
	['gzip', 'gzip'],
	['gzip;q=1, br;q=0.5', 'gzip'],
	['br;q=0, gzip', 'gzip'],
	['*', 'br'],
	['*;q=0, gzip', 'gzip'],
	['GZIP', 'gzip'],
	['identity, gzip;q=0.5', undefined],
	['br;q=0', undefined],
	['', undefined],
])('a client that accepts "%s" gets %s', async (accepted, encoding) => {
	const { headers, body } = await raw('/blog/leakage', { 'Accept-Encoding': accepted });
	expect(headers['content-encoding']).toBe(encoding);
	expect(headers['vary']).toBe('Accept, Accept-Encoding');
	expect(Number(headers['content-length'])).toBe(body.length);
	const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
	expect(String(decode?.(body) ?? body)).toBe(PAGES['blog/leakage.html']);
});

test('each encoding has its own strong ETag, and a copy that is still right is not sent again', async () => {
	const tags = await Promise.all(
		['br', 'gzip', 'identity'].map(
			async (name) =>
				(await raw('/blog/leakage', { 'Accept-Encoding': name })).headers['etag'] as string,
		),
	);
	expect(new Set(tags).size).toBe(3);
	for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
	const ask = (headers: Record<string, string>) =>
		raw('/blog/leakage', { 'Accept-Encoding': 'br', ...headers });
	const same = await ask({ 'If-None-Match': `"other", W/${tags[0]}` });
	expect([same.status, same.body.length]).toEqual([304, 0]);
	expect(same.headers).toMatchObject({ etag: tags[0], vary: 'Accept, Accept-Encoding' });
	expect((await ask({ 'If-None-Match': tags[1]! })).status).toBe(200);
	const modified = (await ask({})).headers['last-modified'] as string;
	expect((await ask({ 'If-Modified-Since': modified })).status).toBe(304);
	expect((await ask({ 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status).toBe(200);
	expect((await ask({ 'If-Modified-Since': modified, 'If-None-Match': '"x"' })).status).toBe(200);
});

test.each([
	['bytes=0-9', 206, '0123456789', 'bytes 0-9/2000'],
	['bytes=1995-', 206, '56789', 'bytes 1995-1999/2000'],
	['bytes=-3', 206, '789', 'bytes 1997-1999/2000'],
	['bytes=1998-5000', 206, '89', 'bytes 1998-1999/2000'],
	['bytes=-5000', 206, BYTES, 'bytes 0-1999/2000'],
	['bytes=2000-', 416, '', 'bytes */2000'],
	['bytes=-0', 416, '', 'bytes */2000'],
	['bytes=9-1', 200, BYTES, undefined],
	['bytes=0-1,4-5', 200, BYTES, undefined],
	['lines=1-2', 200, BYTES, undefined],
])('the range %s answers %i', async (range, status, body, contentRange) => {
	const answer = await raw('/data.bin', { Range: range, 'Accept-Encoding': 'br, gzip' });
	expect(answer.status).toBe(status);
	expect(String(answer.body)).toBe(body);
	expect(answer.headers['content-range']).toBe(contentRange);
	expect(answer.headers['content-encoding']).toBeUndefined();
});

test('a download goes on only with the file that it was begun with', async () => {
	const etag = (await raw('/data.bin')).headers['etag'] as string;
	const go = (tag: string) => raw('/data.bin', { Range: 'bytes=5-', 'If-Range': tag });
	expect((await go(etag)).status).toBe(206);
	expect((await go('"another"')).status).toBe(200);
});

test('hashed assets are kept for ever, all else is asked for each time', async () => {
	const caching = async (path: string) => (await get(path)).headers.get('Cache-Control');
	expect(await caching('/_astro/app.abc123.js')).toBe('public, max-age=31536000, immutable');
	expect(await caching('/blog/leakage')).toBe('public, max-age=0, must-revalidate');
	expect(await caching('/nothing')).toBe('public, max-age=0, must-revalidate');
});

test('what is missing is never kept: the next release, or the next moment, may have it', async () => {
	for (const path of ['/_astro/gone.abc123.js', '/media/gone-640.avif', '/media/a/b']) {
		const { status, headers } = await get(path);
		expect([status, headers.get('Cache-Control')], path).toEqual([404, 'no-store']);
	}
	expect(
		(await get('/_astro/app.abc123.js', { method: 'POST', body: 'x' })).headers.get(
			'Cache-Control',
		),
	).toBe('no-store');
	const url = new URL('http://localhost/_astro/gone.abc123.js');
	const alone = await site.respond(new Request(url), url);
	expect([alone.status, alone.headers.get('Cache-Control')]).toEqual([
		404,
		'public, max-age=0, must-revalidate',
	]);
});

test.each([
	['HTTP/1.0', ''],
	['HTTP/1.0', 'Accept-Encoding: gzip\r\n'],
	['HTTP/1.1', 'Host:\r\nConnection: close\r\n'],
	['HTTP/1.1', 'Host: \r\nConnection: close\r\n'],
])('a client of %s that names no host is answered (%j)', async (version, headers) => {
	for (const path of ['/api/health', '/api/ready', '/api/posts/featured', '/', '/blog/leakage']) {
		const answer = await bytes(`GET ${path} ${version}\r\n${headers}\r\n`, true);
		expect(answer.split('\r\n')[0], path).toMatch(/ 200 /);
	}
	// HTTP/1.1 asks for one.
	expect(await bytes('GET / HTTP/1.1\r\n\r\n')).toMatch(/ 400 /);
});

test('a copy of another date than the one that is served is sent again, also an older one', async () => {
	const date = (await get('/blog/leakage')).headers.get('Last-Modified')!;
	const asked = async (since: Date) =>
		(await get('/blog/leakage', { headers: { 'If-Modified-Since': since.toUTCString() } })).status;
	expect(await asked(new Date(date))).toBe(304);
	// The build was newer before somebody went back to this one.
	for (const seconds of [-3600, -1, 1, 3600])
		expect(await asked(new Date(Date.parse(date) + seconds * 1000))).toBe(200);
});

const answering = (body: string, headers: Record<string, string>): FunctionFile => ({
	name: 'answering',
	default: async () =>
		new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } }),
	config: { path: '/api/test/answer' },
});
const PUBLIC = { 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: 'W/"one"' };

test.each([
	['public', PUBLIC, LONG, true],
	['short', PUBLIC, 'short', false],
	["somebody's", { 'Cache-Control': 'no-store' }, LONG, false],
	['without a word about caches', {}, LONG, false],
	['with a cookie', { ...PUBLIC, 'Set-Cookie': 'a=b' }, LONG, false],
	['a picture', { ...PUBLIC, 'Content-Type': 'image/png' }, LONG, false],
	['compressed already', { ...PUBLIC, 'Content-Encoding': 'identity' }, LONG, false],
])(
	'an answer of a function that is %s is compressed only where anybody may have it',
	async (...given) => {
		const [, headers, body, isCompressed] = given;
		await server.close();
		server = await start([answering(body, headers)]);
		for (const [accepted, unpack] of [
			['br', brotliDecompressSync],
			['gzip;q=1, br;q=0', gunzipSync],
		] as const) {
			const response = await raw('/api/test/answer', { 'Accept-Encoding': accepted });
			expect(response.headers['content-encoding'] === accepted.slice(0, 4).replace(/;.*/, '')).toBe(
				isCompressed,
			);
			expect(String(isCompressed ? unpack(response.body) : response.body)).toBe(body);
			if (isCompressed) {
				expect(response.headers['vary']).toContain('Accept-Encoding');
				expect(response.headers['etag']).toBe('W/"one"');
				expect(response.body.length).toBeLessThan(body.length / 2);
			}
		}
		const plain = await raw('/api/test/answer');
		expect(String(plain.body)).toBe(body);
	},
);

test("what is compressed of a function keeps its tag: a client's copy is right in any encoding", async () => {
	const first = await raw('/api/states', { 'Accept-Encoding': 'br' });
	const etag = String(first.headers['etag']);
	for (const accepted of ['br', 'gzip', 'identity']) {
		const headers = { 'Accept-Encoding': accepted, 'If-None-Match': etag };
		expect((await raw('/api/states', headers)).status).toBe(304);
	}
});

/** Copies the built site, so that its files can be damaged, and serves the copy. */
async function damagedSite(damage: (file: (path: string) => string) => Promise<void>) {
	const dir = join(folder, `damaged-${Math.random().toString(36).slice(2)}`);
	await write(dir, PAGES);
	const store = new FileStore(`${dir}.store`);
	const listing = await storeFiles(await store.open(), { dir });
	const reported: string[] = [];
	const built = { listing, locate: (_path: string, file: { hash: string }) => store.path(file) };
	const opened = await Site.open(built, dir, (file) => reported.push(file));
	const fileOf = (path: string) => store.path(listing.get(path)!);
	await damage(fileOf);
	server.setContent({ site: opened, functions });
	return { opened, reported, fileOf };
}

const HOME = PAGES['index.html'];
const DAMAGES: Record<string, (file: string) => Promise<void>> = {
	'cut short': (file) => truncate(file, 100),
	empty: (file) => truncate(file, 0),
	gone: (file) => rm(file),
	'as long, of zeros': async (file) => writeFile(file, Buffer.alloc((await stat(file)).size)),
	'longer than it was': (file) => appendFile(file, 'more'),
};

test.each(Object.entries(DAMAGES))(
	'a file of the site that is %s is answered from another encoding, and told of',
	async (_, damage) => {
		const { reported, fileOf } = await damagedSite(async (file) => {
			await damage(`${file('/index.html')}.br`);
			await damage(`${file('/blog/leakage.html')}.gz`);
		});
		const home = await raw('/', { 'Accept-Encoding': 'br, gzip' });
		expect([home.status, home.headers['content-encoding']]).toEqual([200, 'gzip']);
		expect(String(gunzipSync(home.body))).toBe(HOME);
		expect(reported).toEqual([`${fileOf('/index.html')}.br`]);
		const only = await raw('/', { 'Accept-Encoding': 'br' });
		expect([only.status, String(only.body)]).toEqual([200, HOME]);
		const article = await get('/blog/leakage');
		expect([article.status, await article.text()]).toEqual([200, PAGES['blog/leakage.html']]);
		expect(reported).toContain(`${fileOf('/blog/leakage.html')}.gz`);
	},
);

test('where nothing of a file is left, its page says when to come back, and the others are there', async () => {
	const { opened, reported, fileOf } = await damagedSite(async (file) => {
		for (const ending of ['.br', '.gz']) await truncate(file('/index.html') + ending, 9);
		await truncate(file('/data.bin'), 9);
	});
	for (const accepted of ['br, gzip', 'identity']) {
		const response = await raw('/', { 'Accept-Encoding': accepted });
		expect([response.status, response.headers['retry-after']]).toEqual([503, '10']);
		expect(response.headers['cache-control']).toBe('no-store');
	}
	expect((await get('/blog/leakage')).status).toBe(200);
	reported.length = 0;
	await opened.check();
	expect(new Set(reported)).toEqual(
		new Set([
			...['.br', '.gz'].map((ending) => fileOf('/index.html') + ending),
			fileOf('/data.bin'),
		]),
	);
});

test('a large file that is damaged hangs nobody', async () => {
	const large = join(folder, 'large');
	await write(large, { 'large.bin': '0123456789'.repeat(60_000) });
	const store = new FileStore(`${large}.store`);
	const listing = await storeFiles(await store.open(), { dir: large });
	const built = { listing, locate: (_path: string, file: { hash: string }) => store.path(file) };
	server.setContent({ site: await Site.open(built, large), functions });
	expect((await (await get('/large.bin')).text()).length).toBe(600_000);
	await truncate(store.path(listing.get('/large.bin')!), 300_000);
	expect((await get('/large.bin')).status).toBe(503);
});

test('a large file that is stored compressed is unpacked for whoever takes no compression, in parts as well', async () => {
	const large = join(folder, 'large-text');
	const text = Array.from({ length: 60_000 }, (_, line) => `${line}\n`).join('');
	await write(large, { 'large.txt': text });
	const store = new FileStore(`${large}.store`);
	const listing = await storeFiles(await store.open(), { dir: large });
	const file = listing.get('/large.txt')!;
	await expect(stat(store.path(file))).rejects.toThrow('ENOENT');
	const reported: string[] = [];
	const built = { listing, locate: () => store.path(file) };
	const opened = await Site.open(built, large, (name) => reported.push(name));
	server.setContent({ site: opened, functions });
	const parts: [range: string, status: number, body: string][] = [
		['', 200, text],
		['bytes=100000-100099', 206, text.slice(100_000, 100_100)],
		['bytes=0-0', 206, '0'],
		['bytes=-7', 206, text.slice(-7)],
		['bytes=-999999999', 206, text],
		['bytes=300000-', 206, text.slice(300_000)],
	];
	const answers = async () => {
		for (const [range, status, body] of parts) {
			const response = await raw('/large.txt', range ? { Range: range } : {});
			expect([response.status, String(response.body) === body], range).toEqual([status, true]);
			expect(response.headers['content-length']).toBe(String(body.length));
		}
	};
	await answers();
	expect(reported).toEqual([]);
	// As long as it was, so that only unpacking tells.
	const packed = `${store.path(file)}.gz`;
	await writeFile(packed, Buffer.alloc(file.gz!));
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	await expect(get('/large.txt').then((response) => response.text())).rejects.toThrow();
	log.mockRestore();
	expect(reported).toEqual([packed]);
	await truncate(packed, 100);
	await answers();
	expect(new Set(reported)).toEqual(new Set([packed]));
	await truncate(`${store.path(file)}.br`, 100);
	expect((await raw('/large.txt', {})).status).toBe(503);
});

test("netlify.toml's headers are on pages, not on functions", async () => {
	const page = await get('/');
	expect(page.headers.get('Permissions-Policy')).toContain('camera=()');
	expect(page.headers.get('Content-Security-Policy')).toContain('frame-ancestors');
	expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
	expect((await get('/api/health')).headers.has('Permissions-Policy')).toBe(false);
});

test('a page is Markdown to whoever prefers that, on both hosts', async () => {
	const path = '/ai-best-practices/iowa?from=x';
	const ask = async (Accept: string) => {
		const { headers, status, body } = await raw(path, { Accept });
		return [status, headers['content-type'], headers['vary'], String(body).slice(0, 6)];
	};
	const html = [200, 'text/html; charset=utf-8', 'Accept, Accept-Encoding', '<h1>Io'];
	const markdown = [
		200,
		'text/markdown; charset=utf-8',
		expect.stringMatching(/^Accept\b/),
		'# Iowa',
	];
	for (let round = 0; round < 2; round++) {
		expect(await ask('text/html,*/*;q=0.8')).toEqual(html);
		expect(await ask('text/markdown, text/html;q=0.9')).toEqual(markdown);
	}
	const asked = (Accept: string) =>
		edgeMarkdown(new Request(`https://groundtruth.test${path}`, { headers: { Accept } }))?.href;
	expect(asked('text/markdown')).toBe('https://groundtruth.test/ai-best-practices/iowa.md?from=x');
	expect(asked('text/html, text/markdown;q=0.9')).toBeUndefined();
});

test.each([
	['/notes.md', 'text/markdown; charset=utf-8'],
	['/feed.xml', 'application/xml; charset=utf-8'],
	['/site.webmanifest', 'application/manifest+json'],
	['/data.bin', 'application/octet-stream'],
])('%s has the type %s', async (path, type) => {
	expect((await get(path)).headers.get('Content-Type')).toBe(type);
});

test.each([
	'/../secret.txt',
	'/blog/../../secret.txt',
	'/%2e%2e/secret.txt',
	'/%2e%2e%2fsecret.txt',
	'/..%2fsecret.txt',
	'/..%5csecret.txt',
	'/..\\secret.txt',
	'/blog/..%252f..%252fsecret.txt',
	'/link.txt',
	'/.env',
	'/docs/.hidden',
	'/_redirects',
	'/index.html.br',
	'http://elsewhere.example/../secret.txt',
])('%s leads to no file', async (target) => {
	const { status, body } = await raw(target);
	expect([400, 404]).toContain(status);
	expect(String(body)).not.toMatch(/secret|SECRET|hidden/);
});

test('a malformed address is refused', async () => {
	for (const target of ['/%', '/%E0%A4%A', '/%00', '/a%00.html', `/${'a'.repeat(9000)}`]) {
		expect((await raw(target)).status, target).toBe(400);
	}
});

test('nonsense on the socket does not end the server', async () => {
	expect(await bytes('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')).toMatch(
		/^HTTP\/1\.1 400/,
	);
	// Also from memory.
	await get('/');
	expect(await bytes('GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n')).toMatch(
		/^HTTP\/1\.1 400/,
	);
	expect(await bytes('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
	expect(await bytes('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 (200|400)/);
	await bytes('TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
	await bytes('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
	expect((await get('/')).status).toBe(200);
});

test('a function that throws is a logged server error that tells nothing', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	await server.close();
	const broken: FunctionFile = {
		name: 'broken',
		default: () => Promise.reject(new Error('the inside')),
		config: { path: '/api/test/broken' },
	};
	server = await start([broken]);
	const response = await get('/api/test/broken');
	expect(response.status).toBe(500);
	expect(await response.text()).not.toContain('the inside');
	expect(log).toHaveBeenCalledOnce();
});

test('a function with preferStatic leaves its path to a file, and takes the others', async () => {
	await server.close();
	const polite: FunctionFile = {
		name: 'polite',
		default: async () => new Response('function'),
		config: { path: '/blog/*', preferStatic: true },
	};
	server = await start([polite]);
	expect(await (await get('/blog/leakage')).text()).toContain('Leakage');
	expect(await (await get('/blog/other')).text()).toBe('function');
});

test('a prebuilt part of the API answers, and all else there is a 404 of the API', async () => {
	const part = await get('/api/openapi.json');
	expect([part.status, part.headers.get('Content-Type')]).toEqual([200, 'application/json']);
	expect(await part.text()).toBe('{}');
	const other = await get('/api/openapi');
	expect([other.status, other.headers.get('Content-Type')]).toEqual([404, 'application/json']);
});

test.each([
	['/api/openapi.json', '*'],
	['/category/vision/feed.json', '*'],
	['/feed.xml', '*'],
	['/ai-best-practices/ohio.md', '*'],
	['/llms.txt', '*'],
	['/site.webmanifest', null],
	['/blog/leakage', null],
	['/_astro/app.abc123.js', null],
])("%s may be read by other sites' pages: %s", async (path, origin) => {
	const { status, headers } = await get(path);
	expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([200, origin]);
});

test.each([
	['::ffff:1400:a', '20.0.0.10'],
	['::FFFF:20.0.0.10', '20.0.0.10'],
	['0:0:0:0:0:ffff:1400:000a', '20.0.0.10'],
	['020.000.0.010', '20.0.0.10'],
	['20.0.0.10', '20.0.0.10'],
	['2001:DB8:0:0::1', '2001:db8::1'],
	['2001:db8::1', '2001:db8::1'],
	['0.0.0.0', '0.0.0.0'],
	['unknown', 'unknown'],
])('an address has one form, whoever passes it on: %s is %s', async (passed, address) => {
	await server.close();
	server = await start([ipEcho], true);
	const response = await get('/api/test/ip', { headers: { 'X-Forwarded-For': passed } });
	expect(await response.text()).toBe(address);
});

test('X-Forwarded-For is believed only where the owner says so, and then its last entry', async () => {
	const ask = async (value: string) =>
		(await get('/api/test/ip', { headers: { 'X-Forwarded-For': value } })).text();
	await server.close();
	server = await start([ipEcho]);
	expect(await ask('203.0.113.9')).toBe('127.0.0.1');
	await server.close();
	server = await start([ipEcho], true);
	expect(await ask('198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
	expect(await (await get('/api/test/ip')).text()).toBe('127.0.0.1');
});

test('until there is a site, every address says to come back, and the process lives', async () => {
	await server.close();
	server = await listen({ host: '127.0.0.1', port: 0, trustProxy: false });
	const response = await get('/');
	expect([response.status, response.headers.has('Retry-After')]).toEqual([503, true]);
	const health = await get('/api/health');
	expect([health.status, await health.json()]).toEqual([
		200,
		{ status: 'ok', writes: false, schemaVersion: null, builtAt: null },
	]);
});

test('until it is open, pages are served and functions say to come back', async () => {
	await server.close();
	server = await listen({ host: '127.0.0.1', port: 0, trustProxy: false });
	server.setContent({ site, functions });
	expect((await get('/blog/leakage')).status).toBe(200);
	for (const [path, method] of [
		['/api/posts', 'GET'],
		['/api/comments', 'POST'],
		['/api/ready', 'GET'],
	] as const) {
		const { status, headers } = await get(path, { method });
		expect([status, headers.get('Retry-After')], path).toEqual([503, '5']);
	}
	expect((await get('/api/health')).status).toBe(200);
	server.open();
	expect((await get('/api/posts')).status).toBe(200);
	expect((await get('/api/ready')).status).toBe(200);
});

test('a new site takes over in one step', async () => {
	const dir = join(folder, 'next');
	await write(dir, { ...PAGES, 'index.html': '<h1>Next</h1>', _redirects: '' });
	const next = await storedSite(dir);
	server.setContent({ site: next, functions });
	expect(await (await get('/')).text()).toBe('<h1>Next</h1>');
	expect((await get('/blog')).status).toBe(200);
});

test('closing lets a slow answer and the work that it left behind finish, and takes no more', async () => {
	const done: string[] = [];
	const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
	let begun = () => {};
	const hasBegun = new Promise<void>((resolve) => (begun = resolve));
	const slow: FunctionFile = {
		name: 'slow',
		async default(_request, { waitUntil }) {
			begun();
			await pause(300);
			waitUntil(pause(200).then(() => done.push('work')));
			return new Response('slow');
		},
		config: { path: '/api/test/slow' },
	};
	await server.close();
	server = await start([slow]);
	const answer = get('/api/test/slow').then((response) => response.text());
	await hasBegun;
	const closed = server.close().then(() => done.push('closed'));
	await pause(50);
	await expect(get('/')).rejects.toThrow();
	expect(await answer).toBe('slow');
	await closed;
	expect(done).toEqual(['work', 'closed']);
	server = await start();
});

test('ready is who serves a site and is not ending; what cannot be written is said', async () => {
	const ready = async () => {
		const response = await get('/api/ready');
		return [response.status, response.headers.get('Cache-Control'), await response.json()];
	};
	expect(await ready()).toEqual([200, 'no-store', { status: 'ready', writes: true }]);
	await useTestDb();
	vi.spyOn(console, 'error').mockImplementation(() => {});
	getDb().$client.close();
	expect(await ready()).toEqual([200, 'no-store', { status: 'ready', writes: false }]);
	const closed = server.close(60_000);
	expect((await get('/api/ready')).status).toBe(503);
	expect((await get('/blog/leakage')).status).toBe(200);
	await server.close();
	await closed;
	await expect(get('/api/ready')).rejects.toThrow();
});

test('until there is a site, pages say how far it is, functions answer, and what is there already is served', async () => {
	await server.close();
	let progress: Progress = { doing: 'Rendering <articles>', done: 1200, total: 3400 };
	server = await listen({
		host: '127.0.0.1',
		port: 0,
		trustProxy: false,
		progress: () => progress,
	});
	for (const path of ['/', '/api/posts']) expect((await get(path)).status, path).toBe(503);
	server.setContent({ functions });
	server.open();
	const page = await get('/blog/leakage?a=b');
	expect(page.status).toBe(503);
	expect(page.headers.get('Retry-After')).toMatch(/^\d+$/);
	expect(page.headers.get('Cache-Control')).toBe('no-store');
	expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	const html = await page.text();
	expect(html).toContain('Rendering &lt;articles&gt;');
	expect(html).toContain('1,200 of 3,400');
	expect(html).toContain('value="1200" max="3400"');
	// Nothing is loaded from anywhere, and only what stands here runs.
	expect(html).not.toMatch(/(?:src|href)=|url\(/);
	const policy = page.headers.get('Content-Security-Policy')!;
	for (const [, text] of html.matchAll(/<(?:style|script)>([^]*?)<\/(?:style|script)>/g))
		expect(policy).toContain(`'sha256-${hash('sha256', text!, 'base64')}'`);
	progress = { doing: '' };
	expect(await (await get('/')).text()).toContain('Starting…');
	expect(await (await get('/', { method: 'HEAD' })).text()).toBe('');
	// Part of a page that was left open: gone or not is not known yet.
	for (const path of ['/_astro/app.old.js', '/api/openapi.json'])
		expect(await (await get(path)).json()).toMatchObject({ error: { code: 'unavailable' } });
	expect((await get('/api/posts')).status).toBe(200);
	expect(await (await get('/api/ready')).json()).toMatchObject({ error: { code: 'unavailable' } });
	server.setContent({ functions, early: site });
	expect((await get('/blog/leakage')).status).toBe(200);
	expect((await get('/blog/other')).status).toBe(503);
	expect((await get('/api/ready')).status).toBe(503);
	server.setContent({ functions, site });
	expect((await get('/blog/other')).status).toBe(404);
	expect((await get('/api/ready')).status).toBe(200);
});

test('an idle connection outlives those that a proxy keeps', async () => {
	const response = await get('/api/ready');
	const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('Keep-Alive')!)!;
	expect(Number(seconds)).toBeGreaterThan(120);
});

test('a connection that was kept alive is told of the end with its next answer, and never cut off', async () => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const ask = (path: string) =>
		new Promise<{ status?: number; connection?: string; isOld: boolean }>((resolve, reject) => {
			const options = { host: '127.0.0.1', port: server.port, path, agent };
			const request = httpRequest(options, (response) => {
				const { statusCode: status, headers } = response;
				const { connection } = headers;
				response.resume().once('end', () =>
					resolve({
						...(status && { status }),
						...(connection && { connection }),
						isOld: request.reusedSocket,
					}),
				);
			});
			request.on('error', reject).end();
		});
	expect(await ask('/')).toEqual({ status: 200, connection: 'keep-alive', isOld: false });
	const closed = server.close(60_000);
	const last = { status: 200, connection: 'close' };
	// Read from a file, sent again from memory, of a function: whatever answers.
	expect(await ask('/blog/leakage')).toEqual({ ...last, isOld: true });
	expect(await ask('/blog/leakage')).toEqual({ ...last, isOld: false });
	expect(await ask('/api/posts')).toEqual({ ...last, isOld: false });
	await server.close();
	await closed;
	agent.destroy();
});

test('each answer has an id of its own, or the one that our proxy gave', async () => {
	const ask = async (headers: Record<string, string> = {}, path = '/blog/leakage') =>
		(await get(path, { headers })).headers.get('X-Request-Id');
	const [one, other] = [await ask(), await ask({}, '/api/health')];
	expect(one).toMatch(/^[\da-f-]{36}$/);
	expect(other).not.toBe(one);
	expect(await ask({ 'X-Request-Id': 'given-by-anybody' })).not.toBe('given-by-anybody');
	await server.close();
	server = await start([], true);
	expect(await ask({ 'X-Request-Id': 'given-by-proxy' })).toBe('given-by-proxy');
	expect(await ask({ 'X-Request-Id': 'two words' })).toMatch(/^[\da-f-]{36}$/);
});

test('a failure is logged under the id that its answer has, which functions know too', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	await server.close();
	const failing: FunctionFile = {
		name: 'failing',
		default: async (_request, { requestId }) => Promise.reject(new Error(requestId)),
		config: { path: '/api/test/failing' },
	};
	server = await start([failing]);
	const requestId = (await get('/api/test/failing')).headers.get('X-Request-Id');
	expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: requestId }), {
		requestId,
	});
});

test('what is told of a request names its route and nobody', async () => {
	const told: RequestSummary[] = [];
	await server.close();
	server = await start([], false, (request) => told.push(request));
	const agent = 'Agent 7';
	const headers = { Cookie: 'session=1', 'User-Agent': agent };
	await (await get('/blog/leakage?email=a@example.com', { headers })).text();
	await get('/api/posts/some-slug', { headers });
	await get('/api/downloads/some-token');
	await get('/nothing');
	await get('/blog/leakage/');
	await get('/_astro/app.abc123.js', { method: 'HEAD' });
	await vi.waitFor(() => expect(told).toHaveLength(6));
	expect(told.map(({ method, route, path, status }) => [method, route, path, status])).toEqual([
		['GET', 'page', '/blog/leakage', 200],
		['GET', '/api/posts/:slug', '', 404],
		['GET', '/api/downloads/:token', '', 404],
		['GET', 'unknown', '/nothing', 404],
		['GET', 'redirect', '/blog/leakage/', 301],
		['HEAD', 'file', '/_astro/app.abc123.js', 200],
	]);
	expect(told[0]!.bytes).toBeGreaterThan(PAGES['blog/leakage.html'].length);
	expect(told[0]!.ms).toBeGreaterThan(0);
	expect(JSON.stringify(told)).not.toMatch(/email|session|Agent|127\.0\.0\.1|some-token/);
});

test('metrics are there only where they are asked for, and only for who has the token', async () => {
	expect((await get('/metrics')).status).toBe(404);
	await server.close();
	const metrics = openMetrics('a token of the tests');
	server = await start([], false, metrics.observe, metrics);
	await (await get('/api/health')).text();
	await (await get('/blog/leakage')).text();
	const oldest = new Date(Date.now() - 90_000);
	await getDb()
		.insert(outbox)
		.values([
			{ kind: 'welcome', key: '1', payload: {}, dueAt: oldest, createdAt: oldest },
			{ kind: 'welcome', key: '2', payload: {}, dueAt: new Date(Date.now() + 90_000) },
			{ kind: 'welcome', key: '3', payload: {}, failedAt: new Date() },
		]);
	metrics.built(true, 4000, 5e8);
	const ended = memoryEnds();
	wantOfMemory('The build', null, 'SIGKILL');
	wantOfMemory('The build', 1, null);
	await mkdir(join(ROOT, '.site'), { recursive: true });
	const scrape = (token: string) =>
		get('/metrics', { headers: { Authorization: `Bearer ${token}` } });
	for (const token of ['', 'another token']) {
		const refused = await scrape(token);
		expect([refused.status, await refused.text()]).toEqual([401, '']);
	}
	const text = await (await scrape('a token of the tests')).text();
	const age = (Date.now() - oldest.getTime()) / 1000;
	const value = (name: string) =>
		Number(
			text
				.split('\n')
				.find((line) => line.startsWith(`${name} `))
				?.split(' ')[1],
		);
	const count = (labels: string) => value(`http_request_duration_seconds_count{${labels}}`);
	expect(count('method="GET",route="/api/health",status="200"')).toBe(1);
	expect(count('method="GET",route="page",status="200"')).toBe(1);
	expect(count('method="GET",route="/metrics",status="401"')).toBe(2);
	expect(value('groundtruth_build_duration_seconds_sum{result="live"}')).toBe(4);
	expect(value('groundtruth_build_memory_peak_bytes')).toBe(5e8);
	expect(value('groundtruth_memory_ends_total')).toBe(ended + 1);
	expect(value('groundtruth_outbox_waiting')).toBe(2);
	expect(value('groundtruth_outbox_failed')).toBe(1);
	expect(value('groundtruth_outbox_oldest_seconds')).toBeGreaterThanOrEqual(90);
	expect(value('groundtruth_outbox_oldest_seconds')).toBeLessThanOrEqual(age);
	expect(text).toContain('groundtruth_outbox_sent_age_seconds +Inf');
	expect(value('groundtruth_disk_free_bytes{place="builds"}')).toBeGreaterThan(0);
	expect(value('groundtruth_database_up')).toBe(1);
	expect(value('groundtruth_database_writable')).toBe(1);
	// Of a database that is no file nobody here knows the size.
	expect(text).not.toContain('groundtruth_database_size_bytes');
	expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
	expect(text).not.toContain('leakage');
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	getDb().$client.close();
	const broken = await (await scrape('a token of the tests')).text();
	expect(broken).toContain('groundtruth_database_up 0');
	expect(log).toHaveBeenCalledOnce();
});

test('a scheduled function is not reachable by HTTP', async () => {
	await server.close();
	const run = vi.fn(async () => new Response('ran'));
	server = await start([{ name: 'tidy', default: run, config: { schedule: '@hourly' } }]);
	await get('/.netlify/functions/tidy');
	await get('/tidy');
	expect(run).not.toHaveBeenCalled();
});

test('a scheduled function runs at its time', async () => {
	vi.useFakeTimers({ now: new Date('2026-11-21T12:59:58Z') });
	const run = vi.fn(async () => new Response(null));
	const scheduled = routeFunctions([
		{ name: 'tidy', default: run, config: { schedule: '@hourly' } },
	]);
	scheduled.startSchedules();
	await vi.advanceTimersByTimeAsync(1000);
	expect(run).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(2000);
	expect(run).toHaveBeenCalledOnce();
	await scheduled.settle();
});

test('of a schedule or work that fails, the log has neither what people typed nor how schedules are made', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => {});
	vi.useFakeTimers({ now: new Date('2026-11-21T12:59:59Z') });
	const query = () =>
		getDb()
			.insert(outbox)
			.values({ kind: 'welcome', key: 'ada@example.com' } as never);
	const scheduled = routeFunctions([
		{
			name: 'tidy',
			async default(_request, { waitUntil }) {
				waitUntil(Promise.resolve(query()));
				await query();
				return new Response(null);
			},
			config: { schedule: '@hourly' },
		},
	]);
	scheduled.startSchedules();
	await vi.advanceTimersByTimeAsync(2000);
	await scheduled.settle();
	expect(log.mock.calls.map((said) => said.length)).toEqual([1, 1]);
	expect(inspect(log.mock.calls, { depth: 9 })).not.toContain('ada@example.com');
});

test(
	'what is kept of answers is bounded by all that it takes, and by no means for each odd request',
	{ tags: ['nightly'] },
	async () => {
		const dir = join(folder, 'bounded');
		await write(dir, { 'robots.txt': 'User-agent: *', _redirects: '/any/* /robots.txt 200\n' });
		const bounded = await storedSite(dir);
		const ask = async (path: string, accepted: string) => {
			const headers = { 'Accept-Encoding': accepted };
			const url = new URL(path, 'http://localhost');
			expect((await bounded.respond(new Request(url, { headers }), url)).status).toBe(200);
		};
		const isKept = (path: string, accepted: string) => {
			const headers = { 'accept-encoding': accepted };
			const outgoing = { writeHead: () => ({ end: () => {} }) } as unknown as ServerResponse;
			const incoming = { method: 'GET', url: path, headers } as unknown as IncomingMessage;
			return bounded.respondFromCache(incoming, outgoing, []) !== undefined;
		};
		await ask('/robots.txt', 'gzip, deflate, br, zstd');
		expect(isKept('/robots.txt', 'gzip, deflate, br, zstd')).toBe(true);
		await ask('/robots.txt', `gzip, ${'x'.repeat(8000)}`);
		expect(isKept('/robots.txt', `gzip, ${'x'.repeat(8000)}`)).toBe(false);
		const long = 'x'.repeat(1024 * 1024);
		for (let index = 0; index < 64; index++) await ask(`/any/${index}/${long}`, 'gzip');
		expect(isKept(`/any/63/${long}`, 'gzip')).toBe(true);
		expect(isKept('/robots.txt', 'gzip, deflate, br, zstd')).toBe(false);
	},
);
