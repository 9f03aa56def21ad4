import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT, siteFolder } from '#src/build/builds.ts';
import { childrenOf, startHost } from '#tests/support/host.ts';

const TOKEN = 'a token for metrics';

test('pages are sent while functions stand still, or are gone; another process takes their place', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'host-front-'));
	// Relative, as it is without a word of the environment: both processes have to mean the same site.
	const DATABASE_URL = `file:${relative(ROOT, join(folder, 'site.db'))}`;
	// A site of a few pages is built in seconds.
	const host = await startHost({
		...{ DATABASE_URL, SAMPLE_CONTENT: 'off', METRICS_TOKEN: TOKEN },
		// What is left behind is seen.
		TMPDIR: folder,
	});
	onTestFinished(async () => {
		await host.stop();
		await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
		await rm(folder, { recursive: true, force: true });
	});
	const get = (path: string, init: RequestInit = {}) =>
		fetch(host.address + path, { redirect: 'manual', ...init });
	const post = (path: string, body: object, headers: Record<string, string> = {}) =>
		get(path, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', ...headers },
			body: JSON.stringify(body),
		});
	const behind = async () => {
		const [pid] = await childrenOf(host.process.pid!);
		return pid!;
	};
	const counted = async (route: string) => {
		const headers = { Authorization: `Bearer ${TOKEN}` };
		const all = await (await get('/metrics', { headers })).text();
		return Number(
			new RegExp(`_count\\{[^}]*route="${route}",status="200"\\} (\\d+)`).exec(all)?.[1] ?? 0,
		);
	};

	const { slug } = await host.publish('Shown', '<p>Published from behind.</p>');
	await vi.waitFor(
		async () => expect(await (await get(`/blog/${slug}`)).text()).toContain('from behind.'),
		60_000,
	);
	const [pages, lists] = [await counted('page'), await counted('/api/categories')];
	// Each is told once, by whoever answered.
	for (let round = 0; round < 3; round++) await (await get('/about')).text();
	await (await get('/api/categories')).text();
	expect([await counted('page'), await counted('/api/categories')]).toEqual([pages + 3, lists + 1]);
	// Nobody says who they are by a header: all of these are of one address, whose limit they meet.
	const report = {
		message: 'x',
		stack: `TypeError: x\n at show (${host.address}/a.js:1:2)`,
		path: '/',
	};
	const told = await Promise.all(
		Array.from({ length: 60 }, (_, number) =>
			post('/api/errors', report, { 'X-Forwarded-For': `198.51.100.${number}` }),
		),
	);
	expect(told.map(({ status }) => status)).toContain(429);

	const first = await behind();
	process.kill(first, 'SIGSTOP');
	let isAnswered = false;
	const waiting = get('/api/categories').finally(() => (isAnswered = true));
	for (const [path, status] of [
		[`/blog/${slug}`, 200],
		['/contact', 200],
		['/contact/', 301],
		['/nothing', 404],
		['/rss.xml', 200],
	] as const)
		expect((await get(path)).status, path).toBe(status);
	expect(isAnswered).toBe(false);
	process.kill(first, 'SIGCONT');
	expect((await waiting).status).toBe(200);

	let said = '';
	host.process.stderr!.on('data', (chunk) => (said += String(chunk)));
	process.kill(first, 'SIGKILL');
	await vi.waitFor(async () => expect(await childrenOf(host.process.pid!)).toEqual([]));
	expect((await get('/about')).status).toBe(200);
	expect((await get('/api/health')).status).toBe(200);
	expect((await get('/metrics')).status).toBe(503);
	const refused = await post('/api/subscribers', { email: 'reader@example.com' });
	expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
	// A balancer goes on sending readers.
	expect((await get('/api/ready')).status).toBe(200);
	await vi.waitFor(async () => expect((await get('/api/categories')).status).toBe(200), 60_000);
	expect(await behind()).not.toBe(first);
	// The system kills where memory runs out, so that is named.
	expect(said).toMatch(
		/The process of functions was ended because memory ran out \(SIGKILL; .*takes its place\./,
	);
	expect((await post('/api/subscribers', { email: 'reader@example.com' })).status).toBe(201);
	const other = await host.publish('After', '<p>By the other one.</p>');
	await vi.waitFor(
		async () => expect(await (await get(`/blog/${other.slug}`)).text()).toContain('other one.'),
		60_000,
	);

	const last = await behind();
	await host.stop();
	expect(() => process.kill(last, 0)).toThrow('ESRCH');
	expect((await readdir(folder)).filter((name) => name.startsWith('groundtruth-'))).toEqual([]);
}, 240_000);
