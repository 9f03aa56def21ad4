import { listFunctions, zipFunctions } from '@netlify/zip-it-and-ship-it';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functions as ours } from '#tests/support/api.ts';

type Zipped = Awaited<ReturnType<typeof zipFunctions>>[number];

/** A third of a megabyte is Netlify's own start code. */
const LIMIT = 1.5 * 1024 * 1024;
/** Of those that render or convert articles: they carry grammars and converters. */
const RENDERER_LIMIT = 3 * 1024 * 1024;
/** Of those that deliver or preview mail: they carry its transport or its renderer, and load them when they are needed. */
const MAIL_LIMIT = 2.5 * 1024 * 1024;
const carriesMail = (zip: string) => /node_modules\/(nodemailer|@react-email)\//.test(zip);
let folder: string;
let zipped: Zipped[];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'functions-'));
	zipped = await zipFunctions('functions', folder, {
		basePath: process.cwd(),
		config: { '*': { nodeBundler: 'esbuild', nodeVersion: '24' } },
	});
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('Netlify finds every function, and nothing that is none', async () => {
	const files = await readdir('functions', { withFileTypes: true });
	const names = files.filter((file) => file.isFile()).map(({ name }) => name.replace(/\.ts$/, ''));
	const listed = await listFunctions('functions', { basePath: process.cwd() });
	expect(listed.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(zipped.map(({ name }) => name).sort()).toEqual(names);
});

test('Netlify reads every path and schedule without running the code', async () => {
	for (const { name, config } of await ours()) {
		const found = zipped.find((one) => `${one.name}.ts` === name)!;
		const patterns = (routes: Zipped['routes']) => (routes ?? []).map(({ pattern }) => pattern);
		expect(patterns(found.routes), name).toEqual([config.path ?? []].flat());
		expect(patterns(found.excludedRoutes), name).toEqual([config.excludedPath ?? []].flat());
		expect(found.schedule, name).toBe(config.schedule);
	}
});

test('every call of the specification so far is routed', () => {
	const patterns = zipped.flatMap(({ routes }) => (routes ?? []).map(({ pattern }) => pattern));
	expect(patterns).toEqual(
		expect.arrayContaining([
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
		]),
	);
});

test('no function carries a native driver or what only one machine needs, and each stays small', async () => {
	for (const { name, path } of zipped) {
		const zip = await readFile(path, 'latin1');
		const limit = /^(preview|admin-export|admin-import)$/.test(name)
			? RENDERER_LIMIT
			: carriesMail(zip)
				? MAIL_LIMIT
				: LIMIT;
		expect(zip.length, name).toBeLessThan(limit);
		// The names of a zip's files are in plain text.
		expect(zip, name).toContain('node_modules/zod/');
		expect(zip, name).not.toMatch(
			/@libsql\/(linux|darwin|win32)|node_modules\/libsql\/|node_modules\/[\w@/.-]+\.node(?![.\w])/,
		);
		expect(zip, name).not.toMatch(/src\/host\/|db\/local\.|node_modules\/(astro|hono)\//);
		if (name !== 'preview') expect(zip, name).not.toContain('node_modules/shiki/');
	}
});

test('what merely reads carries no mail', async () => {
	const reads = ['categories', 'health', 'post', 'posts', 'posts-search', 'states', 'state'];
	for (const { name, path } of zipped.filter((one) => reads.includes(one.name))) {
		expect(carriesMail(await readFile(path, 'latin1')), name).toBe(false);
	}
});
