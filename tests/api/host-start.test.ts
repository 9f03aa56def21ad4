import { setTimeout as sleep } from 'node:timers/promises';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
	chmod,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { and, eq, isNotNull, isNull, like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDb } from '#db/local.ts';
import { builds, outbox, posts, subscribers } from '#db/schema.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import {
	currentBuild,
	buildDir,
	siteFolder,
	storeOf,
	isLocked,
	keptBuilds,
	openFiles,
	withLock,
	activateBuild,
} from '#src/build/builds.ts';
import { Listing } from '#src/build/listing.ts';
import { KEPT_NOTE } from '#src/core/outbox/outbox.ts';
import { SECOND } from '#src/lib/dates.ts';
import { ENV_NAMES } from '#src/lib/env.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/ports.ts';
import { startSmtp } from '#tests/support/smtp.ts';

// Processes start slowly where much else runs.
vi.setConfig({ testTimeout: 600_000 });

let folder: string;

const children = new Set<ChildProcess>();

/** Starts a command of the project with nothing in the environment but what is given, and what helps Node to load it. */
function run(command: string[], env: Record<string, string>) {
	const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, STYLEGUIDE } = process.env;
	const child = spawn(process.execPath, command, {
		env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, STYLEGUIDE, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	children.add(child);
	const said = { out: '', err: '' };
	child.stdout.on('data', (chunk) => (said.out += String(chunk)));
	child.stderr.on('data', (chunk) => (said.err += String(chunk)));
	const ended = once(child, 'close').then(([code]) => {
		children.delete(child);
		return { code: code as number | null, ...said };
	});
	return { child, said, ended };
}

const main = (env: Record<string, string>, ...args: string[]) =>
	run(['src/cli/main.ts', ...args], {
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
	// Of a test that failed.
	for (const child of children) child.kill('SIGKILL');
	// A process that made downloads may be ending still.
	const all = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
	for (const url of [`file:${join(folder, 'site.db')}`, 'http://127.0.0.1:9']) {
		await rm(siteFolder(url), all);
	}
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
		'Invalid environment: PORT must be a port number from 0 to 65535.\n',
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

test('a password that everybody guesses makes no admin, and is said before anything is built', async () => {
	const DATABASE_URL = `file:${join(folder, 'weak.db')}`;
	const weak = { DATABASE_URL, ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Password1' };
	const common =
		'This password is among the first that are tried: choose one that is longer or less usual.\n';
	const started = await main(weak).ended;
	expect([started.code, started.err]).toEqual([
		1,
		`Invalid environment: ADMIN_PASSWORD. ${common}`,
	]);
	expect(started.out).not.toContain('Building');
	const asked = await main(weak, 'admin').ended;
	expect([asked.code, asked.err]).toEqual([1, common]);
	if (process.env['TESTS'] !== 'daily') {
		const short = await main({ ...weak, ADMIN_PASSWORD: 'short' }, 'admin').ended;
		expect([short.code, short.err]).toEqual([
			1,
			'Password must be at least 8 characters with uppercase, lowercase, and numbers.\n',
		]);
	}
	const good = await main({ ...weak, ADMIN_PASSWORD: 'Correct-Horse-7' }, 'admin').ended;
	expect([good.code, good.out]).toEqual([
		0,
		'The admin is admin@example.com.\nThe password is that of ADMIN_PASSWORD.\n',
	]);
});

test('an unreadable database is one sentence', async () => {
	const broken = join(folder, 'broken.db');
	await writeFile(broken, 'This is no database. '.repeat(100));
	const files = [`file:${broken}`, `file:${folder}`, `file:${broken}/site.db`];
	const others = ['http://127.0.0.1:9', ':memory:'];
	// Each has a process. What each is told, `db/client.test.ts` and `db/local.test.ts` know.
	const tried = process.env['TESTS'] === 'daily' ? files.slice(0, 1) : [...files, ...others];
	for (const url of tried) {
		const { code, err } = await main({ DATABASE_URL: url }).ended;
		expect(code, url).toBe(1);
		expect(err).toMatch(
			others.includes(url) ? /^[^\n]+\.\n$/ : /^The database [^\n]* cannot be opened: [^\n]*\.\n$/,
		);
		expect(err.includes('this is a folder'), err).toBe(url === `file:${folder}`);
	}
});

test('an unknown command is one sentence', async () => {
	const { code, err } = await main({}, 'launch').ended;
	expect([code, err]).toEqual([1, 'There is no command "launch".\n']);
});

test('a folder of builds that cannot be written is one sentence', async () => {
	const DATABASE_URL = `file:${join(folder, 'unwritable.db')}`;
	const place = siteFolder(DATABASE_URL);
	await writeFile(place, 'A file where the folder would be.');
	const { code, err } = await main({ DATABASE_URL }).ended;
	await rm(place);
	expect([code, err]).toEqual([
		1,
		`${place}, where builds are kept, cannot be written: EEXIST: file already exists. Give this user ${dirname(place)}, or mount a folder there.\n`,
	]);
});

test('the address of a site is that of its root', async () => {
	const { code, err } = await main({ SITE_URL: 'https://groundtruth.test/blog' }).ended;
	expect(code).toBe(1);
	expect(err).toMatch(/^Invalid environment: SITE_URL must be [^\n]* without a path[^\n]*\n$/);
});

/** Returns those of these paths that Git, by a file with its patterns, would leave out. */
function ignored(file: string, names: string[]): string[] {
	const excludes = `core.excludesFile=${resolve(file)}`;
	const { stdout, stderr } = spawnSync(
		'git',
		['-c', excludes, 'check-ignore', '--no-index', '--stdin'],
		{ cwd: folder, input: names.join('\n'), encoding: 'utf8' },
	);
	expect(stderr).toBe('');
	return stdout.split('\n').filter(Boolean);
}

test('what is secret goes neither into Git nor into an image, by the names that the documents give it', async () => {
	spawnSync('git', ['init', '--quiet', folder]);
	const deploy = await readFile('docs/deploy.md', 'utf8');
	const files = [...deploy.matchAll(/[\w.-]*\.env\b/g)].map(([name]) => name);
	expect(files).toContain('groundtruth.env');
	const secret = [
		...files.filter((name) => name !== '.env'),
		'.env',
		'.env.production',
		'db/local.db',
		'db/local.db-wal',
		'db/local.db.20261122191300.before',
		'db/local.db.restoring',
		'db/local.secret',
		'db/local.mailbox/1.eml',
		'db/local.downloads/1.pdf',
		'backups/local-2026-11-22-120000.db',
	];
	const tracked = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.split('\n');
	for (const file of ['.gitignore', '.dockerignore']) {
		expect(ignored(file, secret), file).toEqual(secret);
	}
	expect(ignored('.gitignore', tracked)).toEqual([]);
	// What the server runs on is in the image, and nothing that it does not.
	const needed = tracked.filter((name) => /^(src|functions|content|public|db)\//.test(name));
	expect(ignored('.dockerignore', needed)).toEqual([]);
	expect(ignored('.dockerignore', ['tests/run.mjs', 'docs/deploy.md', '.git/config'])).toHaveLength(
		3,
	);
});

test('whether figures are invented is what the environment says, on every host', async () => {
	expect(await readFile('netlify.toml', 'utf8')).not.toContain('INVENTED_PROOF');
});

test('a Node that is too old is one sentence, before anything else', async () => {
	const old = join(folder, 'old.mjs');
	await writeFile(
		old,
		`Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });`,
	);
	const { code, err } = await run(['--import', old, 'src/cli/start.mjs'], {}).ended;
	expect([code, err]).toEqual([
		1,
		'Node 18.20.0 is too old to install with: use Node 20 or newer.\n',
	]);
});

/** Makes a site of one article, which is built in seconds: that a new one gets all articles, the browser tests begin with. */
async function makeSmallSite(): Promise<void> {
	expect((await main({}, 'migrate').ended).err).toBe('');
	const db = await openDb(`file:${join(folder, 'site.db')}`);
	const { id } = await makeCategory(db);
	await makePost(db, { slug: 'data-leakage', categoryId: id });
	db.$client.close();
}

test('the first start serves the desk before pages, builds, and shows the password once; the second does neither', async () => {
	await makeSmallSite();
	const port = await freePort();
	const start = () => run(['src/cli/start.mjs'], env(port));
	const ask = (path: string, init?: RequestInit) =>
		fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
	const place = siteFolder(`file:${join(folder, 'site.db')}`);
	const first = start();
	const { said, child } = first;
	await waitFor(() =>
		stat(place)
			.catch(() => false)
			.then(Boolean),
	);
	// No build is served meanwhile.
	await withLock(place, 'switch', async () => {
		await waitFor(async () => (await ask('/admin'))?.status === 200 || child.exitCode !== null);
		const home = (await ask('/'))!;
		expect([home.status, await home.text()]).toEqual([
			503,
			expect.stringContaining('<h1>The site is being prepared</h1>'),
		]);
		expect((await ask('/api/ready'))!.status).toBe(503);
		expect((await ask('/api/posts?limit=1'))!.status).toBe(200);
		const [, password] = /Password, shown only this once: (\S+)/.exec(said.out)!;
		const [, email] = /as (\S+@\S+)/.exec(said.out)!;
		const signedIn = await ask('/api/admin/login', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Origin: 'https://groundtruth.test' },
			body: JSON.stringify({ email, password }),
		});
		expect(signedIn!.ok).toBe(true);
		const [script] = /\/_astro\/[^"]+\.js/.exec(await (await ask('/admin'))!.text())!;
		expect((await ask(script))!.headers.get('Cache-Control')).toContain('immutable');
	});
	await waitFor(async () => (await ask('/api/ready'))?.status === 200);
	await waitFor(() => said.out.includes('The site is up to date.'));
	expect(first.said.out).toContain('Building pages');
	expect(first.said.out).toMatch(/^The build took at most \d{2,4} MB of memory\.$/m);
	expect((await stat(join(folder, 'site.secret'))).mode & 0o777).toBe(0o600);
	const page = await fetch(`http://127.0.0.1:${port}/blog/data-leakage`);
	expect(page.status).toBe(200);
	// Without a token there are none.
	expect((await ask('/metrics'))!.status).toBe(404);
	for (const step of ['Preparing the database', 'Rendering articles', 'Compressing files']) {
		expect(first.said.out).toMatch(new RegExp(`^${step} took \\d+\\.\\d s\\.$`, 'm'));
	}
	expect(first.said.out).toMatch(/^Proof +only real figures are shown: [^\n]* is public$/m);
	// Nobody else on the machine reads what is stored.
	for (const path of [join(folder, 'site.db'), siteFolder(`file:${join(folder, 'site.db')}`)]) {
		expect((await stat(path)).mode & 0o077, path).toBe(0);
	}
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

test(
	'a copy and what it is put back as are for their owner alone',
	{ tags: ['nightly'] },
	async () => {
		const copies = join(folder, 'copies');
		const source = `file:${join(folder, 'site.db')}`;
		expect((await main({ DATABASE_URL: source }, 'backup', copies).ended).err).toBe('');
		const [name] = await readdir(copies);
		const copy = join(copies, name!);
		expect([(await stat(copies)).mode & 0o777, (await stat(copy)).mode & 0o777]).toEqual([
			0o700, 0o600,
		]);
		// It has been somewhere else.
		await chmod(copy, 0o644);
		const back = join(folder, 'back.db');
		expect((await main({ DATABASE_URL: `file:${back}` }, 'restore', copy).ended).err).toBe('');
		expect((await stat(back)).mode & 0o777).toBe(0o600);
	},
);

test(
	'another release serves the old pages until its own are built',
	{ tags: ['nightly'] },
	async () => {
		const port = await freePort();
		const site = siteFolder(`file:${join(folder, 'site.db')}`);
		const before = (await currentBuild(site))!.id;
		await withLock(site, 'build', async () => {
			const settings = { ...env(port), SITE_URL: 'https://another.test' };
			const { child, said, ended } = run(['src/cli/main.ts'], settings);
			await waitFor(() => said.out.includes('/admin') || child.exitCode !== null);
			const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
			expect((await ask('/api/ready')).status).toBe(200);
			const page = await ask('/blog/data-leakage');
			expect([page.status, await page.text()]).toEqual([
				200,
				expect.stringContaining('https://groundtruth.test/blog/data-leakage'),
			]);
			expect((await ask('/api/posts')).status).toBe(200);
			expect(said.out).not.toContain('up to date');
			child.kill('SIGTERM');
			expect(await ended).toMatchObject({ code: 0, err: '' });
		});
		expect((await currentBuild(site))!.id).toBe(before);
	},
);

test('a signal to npm ends the server', async () => {
	const port = await freePort();
	const npm = spawn('npm', ['start'], {
		env: { PATH: process.env['PATH'], HOME: folder, ...env(port) },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	children.add(npm);
	let out = '';
	npm.stdout.on('data', (chunk) => (out += String(chunk)));
	const ended = once(npm, 'exit');
	await waitFor(() => out.includes('/admin') || npm.exitCode !== null);
	expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
	npm.kill('SIGTERM');
	await ended;
	children.delete(npm);
	await waitFor(() =>
		fetch(`http://127.0.0.1:${port}/`).then(
			() => false,
			() => true,
		),
	);
});

test('the dev server says what a changed schema needs', { tags: ['nightly'] }, async () => {
	const port = await freePort();
	const { child, said, ended } = run(['src/cli/main.ts', 'dev'], env(port));
	await waitFor(() => said.out.includes('/admin') || child.exitCode !== null);
	await waitFor(async () => {
		const now = new Date();
		await utimes('db/schema.ts', now, now);
		return said.err.includes('npm run db:generate -- --name');
	});
	child.kill('SIGTERM');
	await ended;
});

test('a secret is made once by whoever comes first, also where a crash left an empty file', async () => {
	const DATABASE_URL = `file:${join(folder, 'secret.db')}`;
	const path = join(folder, 'secret.secret');
	await writeFile(path, '');
	const code = `import { prepareSecret } from '#src/build/prepare.ts';
		await prepareSecret();
		console.log(process.env.SECRET);`;
	const ask = () => run(['--input-type=module', '-e', code], { DATABASE_URL }).ended;
	const all = await Promise.all([ask(), ask(), ask()]);
	await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
	const kept = await readFile(path, 'utf8');
	expect(kept).toMatch(/^[\w-]{43}\n$/);
	expect(all.map(({ code, out, err }) => [code, out, err])).toEqual(all.map(() => [0, kept, '']));
	expect((await stat(path)).mode & 0o777).toBe(0o600);
	expect((await readdir(folder)).filter((name) => name.startsWith('secret.'))).toEqual([
		'secret.secret',
	]);
});

test(
	'processes that start at once on a new database do not disturb each other',
	{ tags: ['nightly'] },
	async () => {
		const DATABASE_URL = `file:${join(folder, 'new.db')}`;
		const all = [1, 2, 3].map(() => main({ DATABASE_URL }, 'seed').ended);
		const ended = await Promise.all(all);
		await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
		expect(ended.map(({ code, err }) => [code, err])).toEqual([0, 0, 0].map((code) => [code, '']));
		expect(ended.filter(({ out }) => out.startsWith('Added '))).toHaveLength(1);
	},
);

test(
	'two servers on one database build once, serve the same, mail once, and stand in for each other',
	{ tags: ['nightly'] },
	async () => {
		const DATABASE_URL = `file:${join(folder, 'site.db')}`;
		const ports = [await freePort(), await freePort()] as const;
		const METRICS_TOKEN = 'a token of the tests';
		const servers = ports.map((port, at) =>
			run(['src/cli/main.ts'], {
				...env(port),
				...(at === 1 && { LOG_FORMAT: 'json', METRICS_TOKEN }),
			}),
		);
		const [one, other] = servers as [(typeof servers)[0], (typeof servers)[0]];
		const ask = (at: 0 | 1, path: string, init?: RequestInit) =>
			fetch(`http://127.0.0.1:${ports[at]}${path}`, init).catch(() => undefined);
		const isReady = async (at: 0 | 1) => (await ask(at, '/api/ready'))?.ok;
		await waitFor(async () => Boolean((await isReady(0)) && (await isReady(1))));

		const db = await openDb(DATABASE_URL);
		const count = { build: 0, mail: 0 };
		const send = (at: 0 | 1) => {
			const email = `reader${++count.mail}@example.com`;
			const letter = {
				name: 'A reader',
				email,
				topic: 'General question',
				message: 'Is this known?',
			};
			const body = JSON.stringify(letter);
			const headers = { 'Content-Type': 'application/json' };
			return ask(at, '/api/contact', { method: 'POST', headers, body });
		};
		/** Changes a title; whoever delivers next builds. */
		const change = async () => {
			const title = `Title ${++count.build}`;
			await db.batch([
				db.update(posts).set({ title }).where(eq(posts.slug, 'data-leakage')),
				...requestBuild(db, title, new Date()),
			]);
			return title;
		};
		const shows = async (at: 0 | 1, title: string) =>
			(await (await ask(at, '/blog/data-leakage'))?.text())?.includes(title) ?? false;
		const state = async (cause: string) =>
			(await db.select().from(builds).where(eq(builds.cause, cause))).map((row) => row.state);

		const site = siteFolder(DATABASE_URL);
		const before = (await currentBuild(site))!.id;
		const first = await change();
		const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => send((n % 2) as 0 | 1)));
		expect(sent.map((response) => response?.status)).toEqual(sent.map(() => 201));
		await waitFor(async () => (await shows(0, first)) && (await shows(1, first)));
		await waitFor(async () => (await db.$count(outbox, isNotNull(outbox.dueAt))) === 0);
		// Both may show a build before its end is written down.
		await waitFor(async () => (await state(first))[0] !== 'building');
		expect(await state(first)).toEqual(['live']);
		const rows = await db.select().from(outbox).where(eq(outbox.kind, 'contact'));
		expect(rows.map(({ attempts, lastError }) => [attempts, lastError])).toEqual(
			rows.map(() => [1, KEPT_NOTE]),
		);
		const letters = await readdir(join(folder, 'site.mailbox'));
		expect(letters).toEqual(expect.arrayContaining(rows.map(({ id }) => `${id}.eml`)));
		expect(rows).toHaveLength(20);

		// Put back by the command, both show an earlier build, and what is saved waits.
		const rollback = (...args: string[]) => main({ DATABASE_URL }, 'rollback', ...args).ended;
		expect(await rollback()).toMatchObject({
			code: 0,
			out: expect.stringContaining(`  ${first}\n`),
		});
		// Another build may come first: of pictures that one left.
		await waitFor(async () => {
			const at = (await keptBuilds(site)).findIndex(({ id }) => id === before) + 1;
			expect(await rollback(String(at))).toMatchObject({ code: 0, err: '' });
			return (await currentBuild(site))!.id === before;
		});
		await waitFor(async () => !(await shows(0, first)) && !(await shows(1, first)));
		const held = await change();
		await send(0);
		const reason = async () =>
			(await db.select().from(builds).where(eq(builds.cause, held)))[0]!.reason;
		await waitFor(async () => (await reason())?.startsWith('The site was put back') ?? false);
		expect(await shows(0, held)).toBe(false);
		expect(await rollback('99')).toMatchObject({
			code: 1,
			err: expect.stringContaining('no build 99'),
		});
		expect(await rollback('newest')).toMatchObject({ code: 0 });
		await waitFor(async () => (await shows(0, held)) && (await shows(1, held)));
		// A build that had begun before may show it, too; what comes next would join one that still waits.
		await waitFor(async () => (await db.$count(builds, isNull(builds.endedAt))) === 0);

		// One dies while it builds: the other builds instead.
		const second = await change();
		await send(0);
		await waitFor(async () => (await state(second))[0] !== 'queued');
		one.child.kill('SIGKILL');
		await one.ended;
		await waitFor(() => shows(1, second));
		await waitFor(async () => (await state(second))[0] === 'live');

		const metrics = await ask(1, '/metrics', {
			headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
		});
		expect(await metrics!.text()).toMatch(/route="\/api\/contact",status="201"} \d/);
		await ask(1, '/search?q=visitor1%40example.com');
		other.child.kill('SIGTERM');
		const { code, out, err } = await other.ended;
		expect([code, err]).toEqual([0, '']);
		const lines = out.trim().split('\n');
		expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
			expect.objectContaining({
				msg: 'request',
				route: '/api/contact',
				method: 'POST',
				status: 201,
			}),
		);
		// A stack may name a package by its scope; nobody's name, address or words may be there.
		const telling = /A reader|reader\d|visitor\d|Is this known|127\.0\.0\.1"|\w@/;
		const found = lines.filter((line) => telling.test(line));
		expect(found, found.join('\n')).toEqual([]);
		db.$client.close();
	},
);

test(
	'a server that waits for its turn to build shows what others have built meanwhile',
	{ tags: ['nightly'] },
	async () => {
		const DATABASE_URL = `file:${join(folder, 'site.db')}`;
		const site = siteFolder(DATABASE_URL);
		const db = await openDb(DATABASE_URL);
		const port = await freePort();
		const { child, said, ended } = run(['src/cli/main.ts'], env(port));
		await waitFor(() => said.out.includes('/admin') || child.exitCode !== null);
		const marker = async () => (await fetch(`http://127.0.0.1:${port}/marker.txt`)).status;
		expect(await marker()).toBe(404);
		await withLock(site, 'build', async () => {
			const soon = new Date(Date.now() + 1000);
			await db.update(posts).set({ publishedAt: soon }).where(eq(posts.slug, 'data-leakage'));
			await waitFor(async () => (await db.$count(builds, like(builds.cause, 'Due: %'))) > 0);
			const current = (await currentBuild(site))!;
			const { listing } = await openFiles(site, current);
			const add = await storeOf(site).open();
			const file = { ...(await add('/marker.txt', Buffer.from('here'))), modified: 0 };
			const parts = await Listing.of([...listing, ['/marker.txt', file]]).store(
				async (text) => (await add('', Buffer.from(text))).hash,
			);
			await mkdir(buildDir(site, 'other'));
			await activateBuild(site, { ...current, id: 'other', fingerprint: 'other', parts });
			await waitFor(async () => (await marker()) === 200);
		});
		child.kill('SIGTERM');
		expect((await ended).code).toBe(0);
	},
);

test('a server that is ended lets the emails underway arrive, and leaves the others to the next one', async () => {
	const { url, received } = await startSmtp({ beforeAnswer: () => sleep(2 * SECOND) });
	const port = await freePort();
	const { child, said, ended } = run(['src/cli/main.ts'], { ...env(port), SMTP_URL: url });
	await waitFor(() => said.out.includes('/admin') || child.exitCode !== null);
	const db = await openDb(`file:${join(folder, 'site.db')}`);
	const emails = Array.from({ length: 100 }, (_, at) => `list${at}@example${at}.com`);
	const dueAt = new Date();
	await db.insert(subscribers).values(emails.map((email) => ({ email })));
	await db.insert(outbox).values(
		emails.map((email) => ({
			kind: 'welcome',
			key: email,
			recipient: email,
			payload: { email },
			dueAt,
		})),
	);
	// Wakes the worker.
	const body = JSON.stringify({ email: 'last@example.com' });
	const headers = { 'Content-Type': 'application/json' };
	await fetch(`http://127.0.0.1:${port}/api/subscribers`, { method: 'POST', headers, body });
	await waitFor(() => received.length > 0);
	child.kill('SIGTERM');
	expect(await ended).toMatchObject({ code: 0, err: '' });
	const isWelcome = eq(outbox.kind, 'welcome');
	// An issue may be due as well, or what a killed server held.
	const arrived = received.filter(({ mail }) => mail.subject?.startsWith('Welcome to ')).length;
	expect(await db.$count(outbox, and(isWelcome, isNotNull(outbox.deliveredAt)))).toBe(arrived);
	const left = await db
		.select()
		.from(outbox)
		.where(and(isWelcome, isNotNull(outbox.dueAt)));
	expect(left).toHaveLength(101 - arrived);
	expect(left.filter(({ attempts, leasedUntil }) => attempts > 0 || leasedUntil)).toEqual([]);
	db.$client.close();
});

test(
	'a build that finds no posts where there were some leaves the site as it was',
	{ tags: ['nightly'] },
	async () => {
		const db = await openDb(`file:${join(folder, 'site.db')}`);
		await db.delete(posts);
		const port = await freePort();
		const { child, said, ended } = run(['src/cli/start.mjs'], env(port));
		await waitFor(() => said.err.includes('\n') || child.exitCode !== null);
		expect(said.err).toMatch(/^The site stays as it was, [^\n]*No posts[^\n]*\n$/);
		expect((await fetch(`http://127.0.0.1:${port}/blog/data-leakage`)).status).toBe(200);
		child.kill('SIGTERM');
		expect((await ended).code).toBe(0);
		db.$client.close();
		expect(await isLocked(siteFolder(`file:${join(folder, 'site.db')}`), 'build')).toBe(false);
	},
);

const env = (port: number) => ({
	PORT: String(port),
	SAMPLE_CONTENT: 'off',
	// Always the same, so that pages stay as they are.
	SITE_URL: 'https://groundtruth.test',
	DATABASE_URL: `file:${join(folder, 'site.db')}`,
});
