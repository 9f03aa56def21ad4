import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { siteFolder } from '#src/build/builds.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { find, findCaddy } from '#tests/support/programs.mjs';
import { startHost } from '#tests/support/host.ts';
import { freePort } from '#tests/support/ports.ts';
import { Sqld } from '#tests/support/sqld.ts';

const caddy = findCaddy();
const nginx = find('nginx');
const openssl = find('openssl');
if (!caddy)
	console.warn('Caddy is not installed and could not be: what it passes on is not tested.');
if (!nginx || !openssl)
	console.warn('nginx or openssl is not installed: its sample is not tested.');

const METRICS_TOKEN = 'a token of the tests';

let folder: string;
let deploy: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'proxies-'));
	deploy = await readFile('docs/deploy.md', 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The sample of docs/deploy.md in a language, with other words where this machine needs them. */
function sample(language: string, changes: Record<string, string>): string {
	let [, text = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(deploy) ?? [];
	for (const [from, to] of Object.entries(changes)) {
		expect(text).toContain(from);
		text = text.replaceAll(from, to);
	}
	return text;
}

/** Waits for a state; where the program ends that should bring it about, throws what it said. */
async function until(
	condition: () => Promise<boolean>,
	{ child, said = () => '' }: { child?: ChildProcess; said?: () => string } = {},
): Promise<void> {
	while (!(await condition())) {
		if (child && (child.exitCode ?? child.signalCode) !== null) {
			throw new Error(`The program ended: ${said()}`);
		}
		await sleep(50);
	}
}

const statusOf = (address: string, init?: RequestInit) =>
	fetch(address, init).then(
		({ status }) => status,
		() => 0,
	);

function run(command: string, args: string[]): ChildProcess {
	const child = spawn(command, args, {
		stdio: 'ignore',
		env: {
			PATH: process.env['PATH'],
			HOME: folder,
			XDG_DATA_HOME: folder,
			XDG_CONFIG_HOME: folder,
		},
	});
	onTestFinished(async () => {
		const ended = once(child, 'exit');
		if (child.kill('SIGTERM')) await ended;
	});
	return child;
}

/** Starts Caddy with the sample in front of an address. Returns its own. */
async function startCaddy(upstream: string): Promise<string> {
	const address = `http://127.0.0.1:${await freePort()}`;
	const file = join(folder, 'Caddyfile');
	await writeFile(
		file,
		`{\n\tadmin off\n}\n${sample('caddy', { 'blog.example': address, '127.0.0.1:8888': upstream })}`,
	);
	const child = run(caddy!, ['run', '--adapter', 'caddyfile', '--config', file]);
	await until(async () => (await statusOf(address)) > 0, { child });
	return address;
}

/** A server that answers with the headers that it was asked with. */
async function startEcho(): Promise<string> {
	const server = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.skipIf(!caddy)(
	'behind Caddy readers read on when the database has gone, and what is written is stored again when it is back',
	{ tags: ['nightly'], timeout: 10 * MINUTE },
	async () => {
		const primary = await Sqld.start();
		onTestFinished(async () => {
			await primary.remove();
			await rm(siteFolder(primary.url), { recursive: true, force: true });
		});
		const PORT = String(await freePort());
		const env = {
			PORT,
			DATABASE_URL: primary.url,
			SECRET: 'a secret that only the tests know',
			SITE_URL: 'https://groundtruth.test',
			TRUST_PROXY: 'on',
			METRICS_TOKEN,
			// A site of a few pages is built in seconds.
			SAMPLE_CONTENT: 'off',
		};
		const site = await startCaddy(`127.0.0.1:${PORT}`);
		const first = await startHost(env);
		onTestFinished(() => first.kill());
		const direct = first.address;
		const { id, slug } = await first.publish('Read on', '<p>To the end.</p>');
		const page = `${site}/blog/${slug}`;
		await until(async () => (await statusOf(page)) === 200);
		let letters = 0;
		const comment = () =>
			statusOf(`${site}/api/comments`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.5' },
				body: JSON.stringify({
					postId: id,
					author: 'Ada',
					email: `ada${++letters}@example.com`,
					content: `Letter ${letters}.`,
				}),
			});
		const state = async (path: string) => {
			const response = await fetch(direct + path);
			return [response.status, ((await response.json()) as { writes?: boolean }).writes];
		};
		/** How often the server was asked whether it is ready. */
		const asked = async () => {
			const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
			const text = await (await fetch(`${direct}/metrics`, { headers })).text();
			const counts = text.matchAll(
				/^http_request_duration_seconds_count{.*"\/api\/ready".*} (\d+)$/gm,
			);
			return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
		};
		/** Reads until Caddy has asked again, and once more. */
		const readOn = async () => {
			const before = await asked();
			while ((await asked()) < before + 2) {
				expect(await statusOf(page)).toBe(200);
				await sleep(100);
			}
			expect(await statusOf(page)).toBe(200);
		};
		expect(await comment()).toBe(201);
		expect(await state('/api/ready')).toEqual([200, true]);

		await primary.kill();
		await until(async () => (await state('/api/ready'))[1] === false);
		await readOn();
		expect(await comment()).toBe(503);
		expect(await state('/api/ready')).toEqual([200, false]);
		expect(await state('/api/health')).toEqual([200, false]);

		// A process that starts now has the pages of the last build, and heals.
		await first.kill();
		const second = await startAlone(env);
		await until(async () => (await statusOf(page)) === 200, second);
		await readOn();
		// What a process prints may arrive after what it serves.
		const unreachable = /^The database cannot be [^\n]* Until it is back, pages are served/m;
		await until(async () => unreachable.test(second.said()), second);
		expect(await comment()).toBe(503);

		await primary.start();
		await until(async () => (await comment()) === 201, second);
		await until(async () => (await state('/api/ready'))[1] === true);
		await until(async () => second.said().includes('The site is up to date.'), second);
		expect(await statusOf(page)).toBe(200);

		// The same where it hangs, which nobody is told.
		await second.kill();
		primary.freeze();
		const third = await startAlone(env);
		await until(async () => (await statusOf(page)) === 200, third);
		const hangs = /^The database does not answer\. Until it is back, /m;
		await until(async () => hangs.test(third.said()), third);
		primary.thaw();
		await until(async () => third.said().includes('The site is up to date.'), third);
	},
);

/** Starts the server while it has no database: nothing says when it is done. */
async function startAlone(env: Record<string, string>) {
	let text = '';
	const child = spawn(process.execPath, ['src/cli/main.ts'], {
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: {
			...process.env,
			ADMIN_EMAIL: 'admin@example.com',
			ADMIN_PASSWORD: 'Correct-Horse-7',
			...env,
		},
	});
	for (const stream of [child.stdout!, child.stderr!]) {
		stream.on('data', (chunk) => (text += String(chunk)));
	}
	const kill = async () => {
		const ended = once(child, 'exit');
		if (child.kill('SIGKILL')) await ended;
	};
	onTestFinished(kill);
	return { child, kill, said: () => text };
}

test.skipIf(!caddy)(
	'Caddy keeps figures to itself, and the names of requests are its own',
	async () => {
		const site = await startCaddy(await startEcho());
		await until(async () => (await statusOf(site)) === 200);
		expect(await statusOf(`${site}/metrics`)).toBe(403);
		const forged = { 'X-Request-Id': 'made-by-a-client', 'X-Forwarded-For': '198.51.100.7' };
		const passed = (await (await fetch(site, { headers: forged })).json()) as Record<
			string,
			string
		>;
		expect(passed['x-request-id']).toMatch(/^[\da-f-]{36}$/);
		expect(passed['x-forwarded-for']?.split(', ').at(-1)).toBe('127.0.0.1');
	},
);

test.skipIf(!nginx || !openssl)(
	'nginx takes its sample, keeps figures to itself, and writes no token of an email down',
	async () => {
		const ports = [await freePort(), await freePort()];
		const path = (name: string) => join(folder, name);
		execFileSync(
			openssl!,
			`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=blog.example -keyout ${path('key')} -out ${path('pem')}`.split(
				' ',
			),
			{ stdio: 'ignore' },
		);
		const text = sample('nginx', {
			'listen 443': `listen 127.0.0.1:${ports[0]}`,
			'listen 80': `listen 127.0.0.1:${ports[1]}`,
			'/etc/ssl/blog.example.pem': path('pem'),
			'/etc/ssl/blog.example.key': path('key'),
			'/var/log/nginx/': `${folder}/`,
			'127.0.0.1:8888': await startEcho(),
		});
		const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
			.map((name) => `${name}_temp_path ${path(name)};`)
			.join('\n');
		await writeFile(
			path('nginx.conf'),
			`pid ${path('pid')};\nevents {}\nhttp {\n${places}\n${text}}\n`,
		);
		const args = ['-p', folder, '-e', path('start.log'), '-c', path('nginx.conf')];
		execFileSync(nginx!, ['-t', '-q', ...args]);
		const child = run(nginx!, [...args, '-g', 'daemon off;']);
		const ask = (target: string) =>
			new Promise<{ status: number; body: string }>((resolve) => {
				request(
					{
						host: '127.0.0.1',
						port: ports[0],
						path: target,
						rejectUnauthorized: false,
						headers: {
							'X-Request-Id': 'made-by-a-client',
							Referer: 'https://blog.example/preferences?token=SECRET',
						},
					},
					(response) => {
						let body = '';
						response.on('data', (chunk) => (body += String(chunk)));
						response.on('end', () => resolve({ status: response.statusCode!, body }));
					},
				)
					.on('error', () => resolve({ status: 0, body: '' }))
					.end();
			});
		await until(async () => (await ask('/')).status === 200, { child });
		expect((await ask('/metrics')).status).toBe(403);
		const { body } = await ask('/unsubscribe?token=SECRET');
		expect((JSON.parse(body) as Record<string, string>)['x-request-id']).toMatch(/^[\da-f]{32}$/);
		await ask('/api/preview/SECRET');
		await ask('/api/downloads/SECRET/workbook.pdf');
		const log = () => readFile(path('groundtruth.log'), 'utf8');
		await until(async () => (await log()).includes('/api/downloads/'));
		expect(await log()).toMatch(/ GET \/unsubscribe 200 /);
		const errors = await readFile(path('groundtruth.error.log'), 'utf8');
		expect((await log()) + errors).not.toContain('SECRET');
	},
);
