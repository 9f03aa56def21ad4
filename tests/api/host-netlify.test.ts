import type { Metafile } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Context } from '@netlify/functions';
import { openServers } from '#db/client.ts';
import { migrateDb } from '#db/local.ts';
import { posts, subscribers } from '#db/schema.ts';
import * as buildCache from '#netlify/build-cache/index.js';
import { downloadsFolder } from '#src/features/downloads/downloads.server.ts';
import * as limits from '#src/core/limits/limits.server.ts';
import { siteFolder, ROOT } from '#src/build/builds.ts';
import { BUNDLES, bundleFunctions } from '#src/build/bundle.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { matcherOf } from '#src/lib/path-pattern.ts';
import { functions as ours } from '#tests/support/api.ts';
import { makePost } from '#tests/support/factories.ts';
import { ensureSqld } from '#tests/support/programs.mjs';
import { Sqld } from '#tests/support/sqld.ts';
import { loadZipIt, type Zipped } from '#tests/support/zip-it.ts';

const { listFunctions, zipFunctions } = await loadZipIt();

/** Maximum size of each function's zip, in bytes; a third of a megabyte is Netlify's own start code. */
const LIMIT = 1e6;
/** The one that sends files, which come on top. */
const CARRIES_FILES = 'downloads';
/** These store pictures, which a native package decodes (docs/decisions/029), and what its zip may have: it is traced each night. */
const DECODES = ['admin-pictures', 'mcp'];
const DECODING_LIMIT = 12e6;
const TRACED = process.env['TESTS'] === 'daily' ? [] : DECODES;
/** They render articles: what draws figures is loaded by the first article that has one. */
const DRAWS = ['admin', 'preview'];
const DRAWING_LIMIT = 2.5e6;
/** Additional bytes of some: the lists of common passwords, the library of passkeys, and all else of the admin area. */
const EXTRA: Record<string, number> = {
	admin: 1e6,
	'admin-reset': 0.5e6,
	...{ 'admin-login': 0.3e6, 'admin-login-passkey': 0.3e6 },
};
const BESIDE = ['b.mailbox', 'a.mailbox/letter.eml', 'a.accepted/id'];
let bundles: string;
let metafile: Metafile;
let folder: string;
let zipped: Zipped[];

beforeAll(async () => {
	// Within the project, as where they are when Netlify zips them.
	await mkdir(dirname(BUNDLES), { recursive: true });
	folder = await mkdtemp(`${BUNDLES}-`);
	bundles = join(folder, 'bundled');
	// What is beside an embedded database of this machine, whatever its name.
	await mkdir(join(folder, 'a.mailbox'));
	await mkdir(join(folder, 'a.accepted'));
	for (const name of BESIDE) await writeFile(join(folder, name), '');
	const rules = await readFile('netlify.toml', 'utf8');
	metafile = await bundleFunctions(bundles);
	zipped = await zipFunctions(bundles, join(folder, 'zipped'), {
		basePath: process.cwd(),
		config: {
			'*': { nodeVersion: '24', nodeBundler: bundlerIn(/\[functions\]\n.*/, rules) },
			...Object.fromEntries(TRACED.map((name) => [name, settingsOf(name, rules)])),
		},
	});
}, 900_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the bundler that netlify.toml names after this. */
function bundlerIn(after: RegExp, rules: string) {
	const [, bundler] = new RegExp(`${after.source}\\nnode_bundler = "(.*)"`).exec(rules)!;
	return bundler as 'none' | 'nft';
}

/** Returns what netlify.toml says of one function. */
function settingsOf(name: string, rules: string) {
	const [, list] = new RegExp(`\\[functions\\."${name}"\\]\\n.*\\nincluded_files = (.*)`).exec(
		rules,
	)!;
	return {
		includedFiles: JSON.parse(list!) as string[],
		nodeBundler: bundlerIn(new RegExp(`\\[functions\\."${name}"\\]`), rules),
	};
}

test('Netlify finds every function, and nothing that is none', async () => {
	const files = await readdir('functions', { withFileTypes: true });
	const names = files.filter((file) => file.isFile()).map(({ name }) => name.replace(/\.ts$/, ''));
	const listed = await listFunctions(bundles, { basePath: process.cwd() });
	expect(listed.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(zipped.map(({ name }) => name).sort()).toEqual(names);
	const directory = /^\[functions\]\ndirectory = "(.*)"$/m.exec(
		await readFile('netlify.toml', 'utf8'),
	);
	expect(join(process.cwd(), directory![1]!)).toBe(BUNDLES);
});

test('Netlify reads every path and schedule without running the code', async () => {
	for (const { name, config } of await ours()) {
		const found = zipped.find((one) => one.name === name)!;
		const patterns = (routes: Zipped['routes']) => (routes ?? []).map(({ pattern }) => pattern);
		expect(patterns(found.routes), name).toEqual([config.path ?? []].flat());
		expect(patterns(found.excludedRoutes), name).toEqual([config.excludedPath ?? []].flat());
		expect(found.schedule, name).toBe(config.schedule);
	}
});

test('Netlify tells the timeline of its deploys', () => {
	const told = zipped.filter(({ eventSubscriptions }) => eventSubscriptions?.length);
	expect(told.map(({ name, eventSubscriptions }) => [name, eventSubscriptions?.sort()])).toEqual([
		['deploys', ['deploy_building', 'deploy_failed', 'deploy_succeeded']],
	]);
});

/** The limit of our own that a function names: in the window that Netlify counts, it allows as much. */
function ownLimit(source: string): number {
	const limit = Object.entries(limits).find(
		([name]) => name.endsWith('PerAddress') && new RegExp(`\\b${name}\\b`).test(source),
	)?.[1];
	return limit && 'count' in limit ? limit.count : 0;
}

/** Their limit stands where the links of emails are answered, functions/lib/screen.ts. */
const CLICKS = ['course', 'preferences', 'unsubscribe'];
/** A mail provider reports many bounces from one address, and its signature is looked at before anything is stored. */
const SIGNED = ['bounces'];

test('what anybody may post to is limited by Netlify as well, for each address, more generously than by us', async () => {
	const open = new Map<string, number>();
	for (const { name, default: handler } of await ours()) {
		const source = await readFile(`functions/${name}.ts`, 'utf8');
		if (/serveAdmin|schedule/.test(source) || typeof handler !== 'function') continue;
		// Whatever it says of this body: it is no answer to a method that does not exist here.
		const request = new Request('https://groundtruth.test/', { method: 'POST' });
		const { status } = await handler(request, {} as Context);
		if (status !== 405) open.set(name, ownLimit(source));
	}
	// These say no to everybody, or change nothing.
	const idle = ['admin-logout', 'missing-file'];
	for (const name of idle) expect(open.delete(name), name).toBe(true);
	expect([...open.values()].filter(Boolean)).toHaveLength(
		open.size - [...CLICKS, ...SIGNED].length,
	);
	for (const [name, least] of open) {
		const { config } = zipped.find((one) => one.name === name)!.trafficRules!.action;
		expect(config.aggregate.keys, name).toEqual([{ type: 'ip' }, { type: 'domain' }]);
		expect(config.rateLimitConfig.windowSize, name).toBe(60);
		expect(config.rateLimitConfig.windowLimit, name).toBeGreaterThan(least);
	}
});

test('what is missing among files that are kept for a year is answered by a function, which no header reaches', async () => {
	const rules = await readFile('netlify.toml', 'utf8');
	const kept = [
		...rules.matchAll(/for = "(.*)"\n\[headers.values\]\nCache-Control = ".*immutable"/g),
	];
	const missing = zipped.find(({ name }) => name === 'missing-file')!;
	expect(missing.routes!.map(({ pattern }) => pattern)).toEqual(kept.map(([, path]) => path));
	expect(missing.routes!.every(({ prefer_static: isPolite }) => isPolite)).toBe(true);
});

test('every call of product.md section 7 is routed', () => {
	const patterns = zipped.flatMap(({ routes }) => (routes ?? []).map(({ pattern }) => pattern));
	const calls = [
		'/api/posts',
		'/api/posts/featured',
		'/api/posts/trending',
		'/api/posts/most-shared',
		'/api/posts/search',
		'/api/posts/:slug',
		'/api/posts/:id/related',
		'/api/posts/:id/comments',
		'/api/comments',
		'/api/categories',
		'/api/categories/:slug/posts',
		'/api/states',
		'/api/states/:slug',
		'/api/subscribers',
		'/api/emailjs-config',
		'/api/admin/status',
		'/api/admin/login',
		'/api/admin/logout',
		'/api/admin/posts',
		'/api/health',
	];
	expect(calls.filter((path) => !patterns.some((pattern) => matcherOf(pattern)(path)))).toEqual([]);
});

test('each function is under a megabyte, alone', async () => {
	for (const { name, path } of zipped) {
		const zip = await readFile(path, 'latin1');
		for (const file of BESIDE) expect(zip, name).not.toContain(file);
		if (DECODES.includes(name)) continue;
		const limit = (DRAWS.includes(name) ? DRAWING_LIMIT : LIMIT) + (EXTRA[name] ?? 0);
		if (name !== CARRIES_FILES) expect.soft(zip.length, name).toBeLessThan(limit);
		// The names of a zip's files are in plain text. Nothing is left to be found where it runs.
		expect(zip, name).not.toMatch(/node_modules\/(?!@netlify\/)[\w@]|[\w@/.-]+\.node(?![.\w])/);
	}
});

test(
	'a function that decodes pictures carries the package that does it, and no other',
	{ tags: ['nightly'] },
	async () => {
		const zips = zipped.filter(({ name }) => DECODES.includes(name));
		expect(zips).toHaveLength(DECODES.length);
		for (const { name, path } of zips) {
			const zip = await readFile(path, 'latin1');
			expect(zip.length, name).toBeLessThan(DECODING_LIMIT);
			expect(zip, name).toMatch(/node_modules\/sharp\//);
			expect(zip, name).not.toMatch(
				/node_modules\/(?!@netlify\/|sharp\/|@img\/|detect-libc\/|semver\/)[\w@]/,
			);
		}
	},
);

test('what is heavy is loaded by those alone who use it, and only then', () => {
	const reads = ['categories', 'health', 'post', 'posts', 'posts-search', 'states', 'state'];
	for (const name of reads) {
		expect(carriedBy(name).join(), name).not.toMatch(/nodemailer|email-document\.server/);
	}
	const mail = carriedBy('deliver');
	const atOnce = loadedAtOnce('deliver');
	for (const heavy of ['nodemailer', '/email-document.server']) {
		const files = mail.filter((file) => file.includes(heavy));
		expect(files, heavy).not.toEqual([]);
		expect(
			files.filter((file) => atOnce.has(file)),
			heavy,
		).toEqual([]);
	}
});

/** The files of which something is in a function's bundle. */
function carriedBy(name: string): string[] {
	const [, { inputs }] = Object.entries(metafile.outputs).find(([path]) =>
		path.endsWith(`/${name}.mjs`),
	)!;
	return Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0);
}

/** Those of them that run when the function is loaded: what leads there is no `import()` of a function. */
function loadedAtOnce(name: string): Set<string> {
	const carried = new Set(carriedBy(name));
	const found = new Set([`functions/${name}.ts`]);
	for (const file of found) {
		for (const { path, kind } of metafile.inputs[file]!.imports) {
			if (kind !== 'dynamic-import' && carried.has(path)) found.add(path);
		}
	}
	return found;
}

test.skipIf(!ensureSqld())(
	'functions as they are deployed read from replicas and write to the primary',
	{ timeout: MINUTE },
	async () => {
		const primary = await Sqld.start();
		const replicas = await Promise.all([Sqld.start({ primary }), Sqld.start({ primary })]);
		onTestFinished(async () => {
			await Promise.all([primary, ...replicas].map((server) => server.remove()));
		});
		const db = openServers([[primary.url]], { patience: MINUTE });
		await migrateDb(db);
		await makePost(db);
		for (const { url } of replicas) {
			const replica = openServers([[url]]);
			await vi.waitFor(async () => expect(await replica.$count(posts)).toBe(1));
		}
		const script = `
			const answer = async (name, init) => {
				const { default: handler } = await import('${bundles}/' + name + '.mjs');
				const pending = [];
				const context = { params: {}, ip: '203.0.113.1', waitUntil: (work) => pending.push(work) };
				const response = await handler(new Request('https://groundtruth.test/api/' + name, init), context);
				await Promise.all(pending);
				return response;
			};
			const posts = await (await answer('posts')).json();
			const body = JSON.stringify({ email: 'ada@example.com', source: 'Newsletter Button' });
			const subscribed = await answer('subscribers', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
			console.log(JSON.stringify([posts.length > 0, subscribed.status]));
			process.exit();`;
		const { stdout, stderr } = await promisify(execFile)(
			process.execPath,
			['--input-type=module', '--eval', script],
			{
				env: {
					PATH: process.env['PATH'],
					SECRET: 'a secret that only the tests know',
					DATABASE_URL: primary.url,
					DATABASE_READ_URL: replicas.map(({ url }) => url).join(),
				},
			},
		);
		expect([stderr, stdout]).toEqual(['', '[true,201]\n']);
		expect(await db.$count(subscribers)).toBe(1);
	},
);

test('the build cache is restored before a build and kept after it', async () => {
	const said = vi.spyOn(console, 'log').mockImplementation(() => {});
	const calls: [string, string[]][] = [];
	const note = (what: string) => async (paths: string[]) => Boolean(calls.push([what, paths]));
	const utils = { cache: { restore: note('restore'), save: note('save') } };
	await buildCache.onPreBuild({ utils });
	await buildCache.onPostBuild({ utils });
	// Where `npm run build` keeps its own, and what it makes for functions.
	const [kept] = relative(ROOT, siteFolder('libsql://db.example')).split(sep);
	const paths = [kept, relative(ROOT, downloadsFolder('libsql://db.example'))];
	expect(calls).toEqual([
		['restore', paths],
		['save', paths],
	]);
	expect(said.mock.calls).toEqual([['The build cache is restored.'], ['The build cache is kept.']]);
	// Netlify refuses any other export.
	expect(Object.keys(buildCache).sort()).toEqual(['onPostBuild', 'onPreBuild']);
	expect(await readFile('netlify.toml', 'utf8')).toContain('package = "./netlify/build-cache"');
});

test('a build cache that fails costs time, not the build', async () => {
	const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const fail = () => Promise.reject(new Error('The disk is full.'));
	const utils = { cache: { restore: fail, save: fail } };
	await buildCache.onPreBuild({ utils });
	await buildCache.onPostBuild({ utils });
	expect(said.mock.calls).toEqual([
		['The build cache could not be restored: The disk is full.'],
		['The build cache could not be kept: The disk is full.'],
	]);
});
