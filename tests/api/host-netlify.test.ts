import { listFunctions, zipFunctions } from '@netlify/zip-it-and-ship-it';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUNDLES, bundleFunctions } from '#src/host/bundle.ts';
import { functions as ours } from '#tests/support/api.ts';

type Zipped = Awaited<ReturnType<typeof zipFunctions>>[number];

/** Of each function's zip, in bytes; a third of a megabyte is Netlify's own start code. */
const LIMIT = 1e6;
/** The one that sends files, which come on top. */
const CARRIES_FILES = 'downloads';
let bundles: string;
let folder: string;
let zipped: Zipped[];

beforeAll(async () => {
	// Within the project, as where they are when Netlify zips them.
	await mkdir(dirname(BUNDLES), { recursive: true });
	folder = await mkdtemp(`${BUNDLES}-`);
	bundles = join(folder, 'bundled');
	await bundleFunctions(bundles);
	zipped = await zipFunctions(bundles, join(folder, 'zipped'), {
		basePath: process.cwd(),
		config: { '*': { nodeVersion: '24' } },
	});
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

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

test('each function is under a megabyte, alone', async () => {
	for (const { name, path } of zipped) {
		const zip = await readFile(path, 'latin1');
		if (name !== CARRIES_FILES) expect(zip.length, name).toBeLessThan(LIMIT);
		// The names of a zip's files are in plain text. Nothing is left to be found where it runs.
		expect(zip, name).not.toMatch(/node_modules\/(?!@netlify\/)[\w@]|[\w@/.-]+\.node(?![.\w])/);
	}
});

test('what is heavy is loaded by those alone who use it, and only then', async () => {
	const carried = (name: string) => chunksOf(bundles, `${name}.mjs`);
	const reads = ['categories', 'health', 'post', 'posts', 'posts-search', 'states', 'state'];
	for (const name of reads) {
		expect([...(await carried(name)).keys()].join(), name).not.toMatch(/nodemailer|letter\.server/);
	}
	const mail = await carried('deliver');
	for (const heavy of ['nodemailer', 'letter.server']) {
		const [file, isLoadedAtOnce] = [...mail].find(([chunk]) => chunk.includes(heavy))!;
		expect(isLoadedAtOnce, file).toBe(false);
	}
});

/** The files that a bundle imports, and whether that is at once. */
async function chunksOf(
	dir: string,
	file: string,
	atOnce = true,
	found = new Map<string, boolean>(),
): Promise<Map<string, boolean>> {
	const path = join(dir, file);
	if (found.get(path) || (found.has(path) && !atOnce)) return found;
	found.set(path, atOnce);
	const code = await readFile(path, 'utf8');
	for (const [, later, name] of code.matchAll(/(import\()?"(\.{1,2}\/[\w./-]+\.mjs)"/g)) {
		await chunksOf(dirname(path), name!, atOnce && !later, found);
	}
	return found;
}
