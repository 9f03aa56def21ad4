import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDb } from '#db/local.ts';
import { posts } from '#db/schema.ts';
import { folderOf } from '#src/host/builds.ts';
import { ENV_NAMES } from '#src/lib/env.ts';

// Processes start slowly where much else runs.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;

/** Starts a command of the project with nothing in the environment but what is given. */
function run(command: string[], env: Record<string, string>) {
	const child = spawn(process.execPath, command, {
		env: { PATH: process.env['PATH'], ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const said = { out: '', err: '' };
	child.stdout.on('data', (chunk) => (said.out += String(chunk)));
	child.stderr.on('data', (chunk) => (said.err += String(chunk)));
	const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
	return { child, said, ended };
}

const main = (env: Record<string, string>, ...args: string[]) =>
	run(['src/host/main.ts', ...args], {
		PORT: '0',
		DATABASE_URL: `file:${join(folder, 'site.db')}`,
		...env,
	});

async function waitFor(condition: () => Promise<boolean> | boolean): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'start-'));
});
afterAll(async () => {
	await rm(folderOf(`file:${join(folder, 'site.db')}`), { recursive: true, force: true });
	await rm(folder, { recursive: true, force: true });
});

test('.env.example has every variable that is ours, and no other', async () => {
	const lines = (await readFile('.env.example', 'utf8')).split('\n');
	const names = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=')[0]);
	expect(names).toEqual(ENV_NAMES);
});

test('a malformed variable is named in one sentence', async () => {
	const { code, err } = await main({ PORT: 'eighty' }).ended;
	expect([code, err]).toEqual([
		1,
		'The environment is not right: PORT must be a port number from 0 to 65535.\n',
	]);
});

test('variables that are not ours are ignored', async () => {
	const { code, out } = await main({ PORTS: 'eighty', SECRETS: '' }, 'migrate').ended;
	expect([code, out]).toEqual([0, 'The database is up to date.\n']);
});

test('a taken port is one sentence, also for the dev server', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const PORT = String((other.address() as AddressInfo).port);
	for (const args of [[], ['dev']]) {
		const { code, err } = await main({ PORT }, ...args).ended;
		expect(code).toBe(1);
		expect(err).toMatch(new RegExp(`^Port ${PORT} on 127.0.0.1 is taken: [^\n]*\n$`));
	}
	other.close();
});

test('an unreadable database is one sentence', async () => {
	const broken = join(folder, 'broken.db');
	await writeFile(broken, 'This is no database. '.repeat(100));
	for (const url of [`file:${broken}`, `file:${folder}`, `file:${broken}/site.db`]) {
		const { code, err } = await main({ DATABASE_URL: url }).ended;
		expect(code, url).toBe(1);
		expect(err).toMatch(/^The database [^\n]* cannot be opened: [^\n]*\.\n$/);
	}
	for (const url of ['http://127.0.0.1:9', ':memory:']) {
		const { code, err } = await main({ DATABASE_URL: url }).ended;
		expect(code, url).toBe(1);
		expect(err).toMatch(/^[^\n]+\.\n$/);
	}
});

test('an unknown command is one sentence', async () => {
	const { code, err } = await main({}, 'launch').ended;
	expect([code, err]).toEqual([1, 'There is no command "launch".\n']);
});

test('a Node that is too old is one sentence, before anything else', async () => {
	const old = join(folder, 'old.mjs');
	await writeFile(
		old,
		`Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });`,
	);
	const { code, err } = await run(['--import', old, 'src/host/start.mjs'], {}).ended;
	expect([code, err]).toEqual([
		1,
		'Node 18.20.0 is too old to install with: use Node 20 or newer.\n',
	]);
});

test('the first start builds and shows the password once; the second does neither', async () => {
	const port = await freePort();
	const start = () => run(['src/host/start.mjs'], env(port));
	const first = start();
	await waitFor(() => first.said.out.includes('Password') || first.child.exitCode !== null);
	expect(first.said.out).toContain('Building pages');
	expect((await stat(join(folder, 'site.secret'))).mode & 0o777).toBe(0o600);
	const page = await fetch(`http://127.0.0.1:${port}/blog/data-leakage`);
	expect(page.status).toBe(200);
	first.child.kill('SIGTERM');
	expect(await first.ended).toMatchObject({ code: 0, err: '' });

	const second = start();
	await waitFor(() => second.said.out.includes('/admin') || second.child.exitCode !== null);
	expect(second.said.out).not.toMatch(/Building|Password/);
	expect((await fetch(`http://127.0.0.1:${port}/blog/data-leakage`)).status).toBe(200);
	// Nothing of the server may stay behind, however what started it ended.
	second.child.kill('SIGKILL');
	await waitFor(() =>
		fetch(`http://127.0.0.1:${port}/`).then(
			() => false,
			() => true,
		),
	);
});

test('a build that finds no posts where there were some leaves the site as it was', async () => {
	const db = await openDb(`file:${join(folder, 'site.db')}`);
	await db.update(posts).set({ published: false });
	const port = await freePort();
	const { child, said, ended } = run(['src/host/start.mjs'], env(port));
	await waitFor(() => said.out.includes('/admin') || child.exitCode !== null);
	expect(said.err).toMatch(/^The site stays as it was, [^\n]*No published posts[^\n]*\n$/);
	expect((await fetch(`http://127.0.0.1:${port}/blog/data-leakage`)).status).toBe(200);
	child.kill('SIGTERM');
	expect((await ended).code).toBe(0);
	db.$client.close();
	await expect(access(join(folderOf(`file:${join(folder, 'site.db')}`), 'lock'))).rejects.toThrow();
});

const env = (port: number) => ({
	PORT: String(port),
	DATABASE_URL: `file:${join(folder, 'site.db')}`,
});

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
