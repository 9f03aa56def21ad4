import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { eq, inArray, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import {
	builds,
	categories,
	comments,
	contentProblems,
	media,
	pages as sitePages,
	posts,
	postTags,
	postTotals,
	redirects,
	tags,
} from '#db/schema.ts';
import { addCounts } from '#src/features/counts/counts.server.ts';
import type { BuildMessage, BuildOrder } from '#src/build/build-queue.ts';
import {
	currentBuild,
	buildDir,
	openFiles,
	siteFolder,
	ROOT,
	type Build,
	release,
	rollBack,
	storeOf,
} from '#src/build/builds.ts';
import { digestOf, namesOf } from '#src/build/file-store.ts';
import { undoAction } from '#src/core/undo/undo.server.ts';
import { deleteSeries, mergeCategory } from '#src/features/taxonomy/removal.server.ts';
import {
	createSeries,
	updateCategory,
	updateSeries,
	updateTag,
} from '#src/features/taxonomy/terms.server.ts';
import { Site } from '#src/host/static-site.ts';
import { describeProblems } from '#src/core/builds/problems.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { BuildProcess, forkBuild } from '#tests/support/build-process.ts';
import { comparable } from '#tests/support/comparable.ts';

// Processes start slowly where much else runs.
vi.setConfig({ testTimeout: 600_000 });

const INDEXNOW_KEY = 'a1b2c3d4-e5f6';
let folder: string;
let site: string;
let url: string;
let db: Db;

let builder: BuildProcess;
/** Paths of what could be served of the first build before its end. */
let early: string[];

/** Brings the site up to date as the server does. Returns how it ended, and how many pages were made. */
const build = (...orders: BuildOrder[]) => builder.build(...orders);

/** Builds until no picture is left to a later build, as where the machine is busy. Returns how the last one ended. */
async function finish() {
	for (;;) {
		const outcome = await build();
		if ((await currentBuild(site))!.fingerprint !== 'unfinished') return outcome;
	}
}

/** Every file of the current build, whole. */
async function files(): Promise<Map<string, string>> {
	const { listing } = await opened();
	const store = storeOf(site);
	const read = [...listing]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(async ([name, file]) => [name, (await store.read(file)).toString('latin1')] as const);
	return new Map(await Promise.all(read));
}

/** The files of a build. */
async function opened(build?: Build) {
	return openFiles(site, build ?? (await currentBuild(site))!);
}

/** How many files of the current build are made of pages and endpoints, and not besides. */
async function rendered(): Promise<number> {
	const besides =
		/^\/(_astro|social|media)\/|^\/(sw\.js|sitemap-[\w-]+\.xml|\w+\.(svg|css)|[\w-]+\.txt)$/;
	return [...(await opened()).listing].filter(([path]) => !besides.test(path)).length;
}

const page = async (name: string) => (await files()).get(name);

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'updates-'));
	url = `file:${join(folder, 'site.db')}`;
	site = siteFolder(url);
	builder = new BuildProcess(url, { INDEXNOW_KEY });
	db = await openDb(url);
	await migrateDb(db);
	await db.insert(categories).values([
		{ id: 'c1', name: 'Vision', slug: 'vision' },
		{ id: 'c2', name: 'Language', slug: 'language' },
	]);
	await db.insert(tags).values({ id: 't1', name: 'Metrics', slug: 'metrics' });
	const at = (day: number) => new Date(Date.UTC(2026, 0, day));
	await db.insert(posts).values(
		Array.from({ length: 30 }, (_, n) => ({
			id: `p${n}`,
			slug: `post-${n}`,
			title: `Post ${n}`,
			content: `<h2>Part</h2><p>Text of post ${n}.</p><pre><code class="language-python">x = ${n}</code></pre>`,
			author: 'Groundtruth',
			categoryId: n % 2 ? 'c1' : 'c2',
			published: true,
			publishedAt: at(n + 1),
			createdAt: at(n + 1),
			updatedAt: at(n + 1),
		})),
	);
	await db.insert(postTags).values([
		{ postId: 'p1', tagId: 't1' },
		{ postId: 'p2', tagId: 't1' },
	]);
	const first = await build();
	expect(first).toHaveProperty('live');
	early = first.early!;
	expect(await finish()).toHaveProperty('live');
}, 600_000);

afterAll(async () => {
	builder.stop();
	await rm(site, { recursive: true, force: true });
	await rm(folder, { recursive: true, force: true });
});

test('nothing is built where nothing changed', async () => {
	const before = (await currentBuild(site))!.id;
	expect(await build()).toMatchObject({ live: before, pages: 0 });
});

test('content that cannot be shown stops nothing else, is named, and is forgotten when it is mended', async () => {
	const title = 'Odd “title” \u202e \u0007 ]]> </script> {{x}} %00 <b>';
	const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123' } })
		.png()
		.toBuffer();
	const lying = Buffer.from(png);
	lying.writeUInt32BE(2 ** 31 - 1, 16);
	lying.writeUInt32BE(2 ** 31 - 1, 20);
	const image = { type: 'image/png', width: 2 ** 31 - 1, height: 2 ** 31 - 1, size: png.length };
	await db.insert(media).values([
		{ ...image, id: 'lying', name: 'lying.png', digest: 'l', bytes: lying },
		{
			...image,
			id: 'cut',
			name: 'cut.png',
			digest: 'c',
			width: 64,
			height: 64,
			bytes: png.subarray(0, 50),
		},
		{
			...image,
			id: 'text',
			name: 'text.png',
			digest: 't',
			width: 64,
			height: 64,
			bytes: Buffer.from('text'),
		},
	]);
	const deep = '<div>'.repeat(20_000) + 'Deep words.';
	const post = { content: '<p>New.</p>', author: 'Groundtruth', categoryId: 'c1', published: true };
	const publishedAt = new Date(Date.UTC(2026, 1, 1));
	await db.insert(posts).values([
		{ ...post, publishedAt, id: 'deep', slug: 'deep', title: 'Deep', content: deep },
		{ ...post, publishedAt, id: 'odd', slug: 'odd', title, excerpt: title, author: title },
		...['lying', 'cut', 'text', 'gone'].map((id) => ({
			...post,
			publishedAt,
			id,
			slug: id,
			title: `With ${id}`,
			featuredImage: `/api/media/${id}`,
		})),
		{ ...post, id: 'draft', slug: 'draft', title: 'Draft', published: false, content: deep },
	]);
	await db.update(posts).set({ content: deep }).where(eq(posts.id, 'p3'));
	const before = await page('/blog/post-3.html');
	expect(await build()).toHaveProperty('live');
	expect(await page('/blog/post-3.html')).toContain('Text of post 3.');
	expect(before).toContain('Text of post 3.');
	expect(await page('/blog/deep.html')).toContain('<p>Deep words.</p>');
	expect(await page('/blog/odd.html')).toContain('<p>New.</p>');
	for (const id of ['lying', 'cut', 'text', 'gone']) {
		expect(await page(`/blog/${id}.html`), id).toContain('<p>New.</p>');
		expect(await page(`/blog/${id}.html`), id).not.toContain('<picture');
	}
	expect(await describeProblems(db)).toMatch(
		/“(Deep|Post 3)” keeps the text it had: .+ “(Deep|Post 3)” .+ And \d more\./,
	);
	expect(
		(await db.select().from(contentProblems)).map(({ subjectId }) => subjectId).sort(),
	).toEqual(['cut', 'deep', 'lying', 'p3', 'text']);
	await db
		.update(posts)
		.set({ content: '<p>Mended.</p>' })
		.where(inArray(posts.id, ['p3', 'deep']));
	await db.delete(posts).where(inArray(posts.id, ['odd', 'lying', 'cut', 'text', 'gone', 'draft']));
	await db.delete(media);
	expect(await build()).toHaveProperty('live');
	expect(await page('/blog/post-3.html')).toContain('<p>Mended.</p>');
	expect(await describeProblems(db)).toBeNull();
	await db.delete(posts).where(eq(posts.id, 'deep'));
	await build();
});

test('what trends is built anew where its order has changed, and only then', async () => {
	const day = Math.floor(Date.now() / DAY);
	const first = (await currentBuild(site))!.id;
	const view = async (postId: string, views: number) => {
		await db.batch(addCounts(db, { postId, day, views, shares: 0 }));
		return (await build()).live;
	};
	const second = await view('p2', 3);
	expect(second).not.toBe(first);
	const rows = JSON.parse((await page('/blog.json'))!) as { slug: string; score: number }[];
	expect(rows.find(({ slug }) => slug === 'post-2')!.score).toBeCloseTo(3, 0);
	expect(await view('p2', 2)).toBe(second);
	const third = await view('p9', 4);
	expect(third).not.toBe(second);
	expect(await view('p9', 4)).not.toBe(third);
	// As if that was long ago: scores fall at midnight, and what follows compares pages of different moments.
	await db.update(postTotals).set({ heat: sql`heat / 1e9` });
	await build();
});

test('a build that another one waits for leaves pictures to it', async () => {
	await rm(join(site, 'cache/social'), { recursive: true });
	await db.update(posts).set({ title: 'Post 3, named anew', version: 2 }).where(eq(posts.id, 'p3'));
	const pictures = async () => {
		const { listing } = await opened();
		return [3, 4].map((n) => listing.get(`/social/blog/post-${n}.png`)!.hash);
	};
	const before = await pictures();
	expect(await build('hurry')).toHaveProperty('live');
	const hurried = await pictures();
	expect(hurried.filter((one) => before.includes(one))).toEqual([]);
	expect(await finish()).toHaveProperty('live');
	const [renamed, same] = await pictures();
	expect(same).toBe(before[1]);
	expect(renamed).not.toBe(before[0]);
	expect(hurried).not.toContain(renamed);
	await db.update(posts).set({ title: 'Post 3', version: 3 }).where(eq(posts.id, 'p3'));
	await finish();
});

test('the address of a card changes with its title, wherever it is named, and no other address does', async () => {
	/** The addresses of a post's card in its page and in the feed of its category. */
	const named = async (n: number) => {
		const card = new RegExp(`[^"]+/social/blog/post-${n}\\.png\\?v=\\w+`, 'g');
		const html = (await page(`/blog/post-${n}.html`))!;
		const feed = (await page(`/category/${n % 2 ? 'vision' : 'language'}/feed.json`))!;
		return [html, feed].map((text) => [...new Set(text.match(card))]);
	};
	const before = await named(3);
	const others = await named(4);
	expect(before).toEqual([[expect.any(String)], before[0]]);
	await db.update(posts).set({ title: 'Another', version: 6 }).where(eq(posts.id, 'p3'));
	await finish();
	const after = await named(3);
	expect(after).toEqual([[expect.any(String)], after[0]]);
	expect(after).not.toEqual(before);
	expect(await named(4)).toEqual(others);
	await db.update(posts).set({ title: 'Post 3', version: 7 }).where(eq(posts.id, 'p3'));
	await finish();
	expect(await named(3)).toEqual(before);
});

test('a correction overtakes the pages of which only names have changed', async () => {
	const rename = (name: string) =>
		db.update(categories).set({ name }).where(eq(categories.id, 'c1'));
	await rename('Sight');
	expect(await build('hurry')).toMatchObject({ left: expect.any(Number) });
	expect(await page('/category/vision.html')).toContain('Sight');
	expect(await page('/blog/post-1.html')).not.toContain('Sight');
	await db.update(posts).set({ content: '<p>Corrected.</p>' }).where(eq(posts.id, 'p5'));
	await db.update(posts).set({ published: false }).where(eq(posts.id, 'p7'));
	await build('hurry');
	expect(await page('/blog/post-5.html')).toMatch(/Sight[^]+Corrected/);
	expect(await page('/blog/post-1.html')).not.toContain('Sight');
	const showing = [...(await files())].filter(([, text]) => text.includes('post-7'));
	expect(showing.map(([name]) => name)).toEqual([]);
	await finish();
	const named = [...(await files())].flatMap(([name, text]) =>
		/^\/blog\/post-\d*[13579]\.html$/.test(name) ? text.includes('Sight') : [],
	);
	// All of the category but the one that was withdrawn.
	expect(named).toEqual(Array.from({ length: 14 }, () => true));
	await rename('Vision');
	await db.update(posts).set({ published: true }).where(eq(posts.id, 'p7'));
	await finish();
	// So does one those of which a new page changes the footer alone.
	const late = { id: 'late', slug: 'late', title: 'Latecomers', published: true, footer: true };
	await db.insert(sitePages).values(late);
	await db.update(posts).set({ content: '<p>Corrected twice.</p>' }).where(eq(posts.id, 'p5'));
	expect(await build('hurry')).toMatchObject({ left: expect.any(Number) });
	expect(await page('/blog/post-5.html')).toMatch(/Corrected twice[^]+Latecomers/);
	expect(await page('/blog/post-1.html')).not.toContain('Latecomers');
	await db.delete(sitePages).where(eq(sitePages.id, 'late'));
	await finish();
});

test('an edit makes a few pages anew and takes the others as they are', async () => {
	const before = (await currentBuild(site))!;
	const fileOf = async (name: string, build?: Build) => {
		const { listing, locate } = await opened(build);
		return `${locate(name, listing.get(name)!)}.gz`;
	};
	const unchanged = await fileOf('/blog/post-20.html');
	const { ino } = await stat(unchanged);
	await db
		.update(posts)
		.set({ content: '<p>Rewritten.</p>', version: 2 })
		.where(eq(posts.id, 'p3'));
	const { live, pages } = await build();
	expect(pages).toBeGreaterThan(0);
	expect(pages).toBeLessThanOrEqual((await rendered()) / 2);
	const after = (await currentBuild(site))!;
	expect(after.id).toBe(live);
	expect(await fileOf('/blog/post-20.html')).toBe(unchanged);
	expect((await stat(unchanged)).ino).toBe(ino);
	expect(await page('/blog/post-3.html')).toContain('Rewritten.');
	const old = await readFile(await fileOf('/blog/post-3.html', before));
	expect(String(gunzipSync(old))).not.toContain('Rewritten.');
});

test('the pages of a first build can be read before anything is drawn', async () => {
	const isDrawn = (path: string) => /^\/(social|media)\//.test(path);
	const paths = [...(await opened()).listing].map(([path]) => path);
	const pagesOf = (all: string[]) => all.filter((path) => path.endsWith('.html')).sort();
	expect(pagesOf(early)).toEqual(pagesOf(paths));
	expect(early.filter((path) => path.startsWith('/_astro/'))).not.toEqual([]);
	expect(early.filter(isDrawn)).toEqual([]);
	expect(paths.filter(isDrawn)).not.toEqual([]);
});

test('a process that has learned the served build looks only at what changes after it', async () => {
	const { id } = (await currentBuild(site))!;
	const isThere = async () => {
		const file = (await opened()).listing.get('/tag/metrics.html')!;
		const found = namesOf(file).map((name) => stat(join(site, 'store', name)).catch(() => null));
		return !(await Promise.all(found)).includes(null);
	};
	const edit = async (by: BuildProcess, text: string) => {
		await db.update(posts).set({ content: text }).where(eq(posts.id, 'p5'));
		const now = { state: 'queued' as const, cause: '', requestedAt: new Date() };
		await db.insert(builds).values({ ...now, id: text });
		const built = await by.build();
		await db.update(builds).set({ state: 'live' });
		const file = (await opened()).listing.get('/blog/post-5.html')!;
		expect(String(await storeOf(site).read(file))).toContain(text);
		return built.pages;
	};
	const [learned, unlearned] = [0, 1].map(() => new BuildProcess(url, { INDEXNOW_KEY }));
	try {
		expect(await learned!.learn()).toMatchObject({ live: id, pages: 0 });
		expect((await currentBuild(site))!.id).toBe(id);
		for (const name of namesOf((await opened()).listing.get('/tag/metrics.html')!))
			await rm(join(site, 'store', name));
		expect(await edit(learned!, '<p>Learned.</p>')).toBeLessThan((await rendered()) / 2);
		expect(await isThere()).toBe(false);
		await edit(unlearned!, '<p>Unlearned.</p>');
		expect(await isThere()).toBe(true);
	} finally {
		learned!.stop();
		unlearned!.stop();
	}
});

test('where nobody waits, all pages are compressed well, also those of a site that was there before', async () => {
	const before = (await opened()).listing;
	// Every page names this one at its foot, so that each is another one, as with new code.
	await db.insert(sitePages).values({ slug: 'imprint', title: 'I', published: true, footer: true });
	await build();
	const { listing } = await opened();
	const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
	for (let n = 0; n < 30; n++) {
		const path = `/blog/post-${n}.html`;
		const file = listing.get(path)!;
		expect(file.hash).not.toBe(before.get(path)!.hash);
		const fine = brotliCompressSync(await storeOf(site).read(file), { params });
		expect(file.br, path).toBeLessThanOrEqual(fine.length);
	}
	await db.delete(sitePages).where(eq(sitePages.slug, 'imprint'));
	await build();
});

test('after many updates the site is the one that a first build makes, byte for byte', async () => {
	const now = new Date(Date.UTC(2026, 3, 1));
	const values = { author: 'Groundtruth', categoryId: 'c1', published: true, publishedAt: now };
	await db.insert(posts).values({
		...values,
		id: 'new',
		slug: 'new',
		title: 'New',
		content: '<p>N.</p>',
		updatedAt: now,
	});
	await build();
	await db.update(posts).set({ slug: 'renamed', version: 2 }).where(eq(posts.id, 'p5'));
	await db.insert(redirects).values({ slug: 'post-5', postId: 'p5' });
	await db.update(posts).set({ deletedAt: now }).where(eq(posts.id, 'p6'));
	await build();
	await db.update(categories).set({ name: 'Sight' }).where(eq(categories.id, 'c1'));
	await db.insert(tags).values({ id: 't2', name: 'Novelty', slug: 'novelty' });
	await db.insert(postTags).values({ postId: 'p8', tagId: 't2' });
	await db.insert(comments).values({
		postId: 'p9',
		author: 'Ada',
		email: 'ada@example.com',
		content: 'Well put',
		createdAt: now,
		updatedAt: now,
	});
	const { pages } = await build();
	await finish();
	const updated = await files();
	const { id } = (await currentBuild(site))!;
	expect(pages).toBeLessThan(await rendered());
	expect(await readFile(join(buildDir(site, id), '_redirects'), 'utf8')).toBe(
		'/blog/post-5 /blog/renamed 301\n',
	);
	expect([updated.has('/blog/post-5.html'), updated.has('/blog/post-6.html')]).toEqual([
		false,
		false,
	]);
	await rm(site, { recursive: true });
	await finish();
	const first = await files();
	const names = new Set([...updated.keys(), ...first.keys()]);
	const shown = (site: Map<string, string>, name: string) => comparable(name, site.get(name));
	expect([...names].filter((name) => shown(updated, name) !== shown(first, name))).toEqual([]);
	expect(first.get('/blog/post-9.html')).toContain('Well put');
	expect(first.get('/sitemap-settled-0-0.xml')).toContain('https://groundtruth.test/blog/renamed');
	expect(first.get(`/${INDEXNOW_KEY}.txt`)).toBe(INDEXNOW_KEY);
	expect(JSON.parse(first.get('/api/openapi.json')!)).toMatchObject({
		openapi: '3.1.0',
		servers: [{ url: 'https://groundtruth.test' }],
	});
});

/** Where a server of the current build sends a reader, or the title of the page. */
async function follow(path: string): Promise<string> {
	const { id } = (await currentBuild(site))!;
	const server = await Site.open(await opened(), buildDir(site, id));
	const address = new URL(path, 'https://groundtruth.test');
	const response = await server.respond(new Request(address), address);
	const to = response.headers.get('Location');
	if (to) return `${response.status} ${to}`;
	return `${response.status} ${/<title>(.*?) [-–|]/.exec(await response.text())?.[1] ?? ''}`.trim();
}

test('pages, feeds and former addresses follow renames and merges, and come back with an undo', async () => {
	const actor = { actor: 'admin@example.com', now: new Date() };
	const before = await files();
	const first = await updateCategory(db, 'c1', { name: 'Eyes' }, actor);
	const renamed = await updateCategory(db, 'c1', { name: 'Optics', description: 'Lenses.' }, actor);
	const tag = await updateTag(db, 't1', { name: 'Measures', description: 'How to count.' }, actor);
	const series = await createSeries(db, { name: 'A path', articles: ['p1', 'p2'] }, actor);
	await updateSeries(db, series.id, { name: 'The path', description: 'Two steps.' }, actor);
	await build();
	expect(await page('/series/the-path.html')).toContain('Two steps.');
	expect(await page('/blog/post-2.html')).toMatch(/Part\s+2\s+of\s+2/);
	expect(await page('/sitemap-pages-0.xml')).toContain('/series/the-path<');
	for (const [from, to] of [
		['/series/a-path', '/series/the-path'],
		['/category/vision', '/category/optics'],
		['/category/eyes', '/category/optics'],
		['/category/vision/', '/category/optics'],
		['/category/vision/page/2', '/category/optics/page/2'],
		['/category/eyes/rss.xml', '/category/optics/rss.xml'],
		['/tag/metrics', '/tag/measures'],
		['/tag/metrics/feed.json', '/tag/measures/feed.json'],
	]) {
		expect([from, await follow(from!)]).toEqual([from, `301 ${to}`]);
	}
	expect(await page('/category/optics.html')).toContain('Lenses.');
	expect(await page('/tag/measures.html')).toContain('How to count.');
	expect(await page('/tag/measures/rss.xml')).toContain('How to count.');
	expect(await page('/blog/post-1.html')).toContain('href="/category/optics"');
	expect(await page('/blog/post-1.html')).toContain('href="/tag/measures"');
	expect(await page('/sitemap-pages-0.xml')).not.toMatch(/\/category\/vision<|\/tag\/metrics</);
	// The drawing of an article is its own, whatever its category is called.
	const coverOf = (html: string | undefined) =>
		/<svg[^>]*class="cover[^]*?<\/svg>/.exec(html ?? '')?.[0];
	expect(coverOf(await page('/blog/post-1.html'))).toBeDefined();
	expect(coverOf(await page('/blog/post-1.html'))).toBe(coverOf(before.get('/blog/post-1.html')));

	const merged = await mergeCategory(db, 'c1', 'c2', actor);
	await build();
	for (const from of ['/category/vision', '/category/eyes', '/category/optics'])
		expect(await follow(from)).toBe('301 /category/language');
	expect(await page('/category/language/page/2.html')).toContain('Language');
	expect(await page('/category/language/rss.xml')).toContain('/blog/post-1<');
	expect(await page('/blog.json')).not.toContain('"optics"');

	for (const token of [merged!.undo, tag!.undo!, renamed!.undo!, first!.undo!])
		await undoAction(db, token, actor);
	await deleteSeries(db, series.id, actor);
	await build();
	expect(await follow('/series/the-path')).toMatch(/^404/);
	expect(await page('/blog/post-2.html')).not.toContain('the-path');
	expect(await follow('/category/optics')).toBe('404 Category Not Found');
	expect(await follow('/tag/measures')).toBe('404 Tag Not Found');
	const after = await files();
	const lists = [...before.keys()].filter((name) =>
		/^\/(category|tag)\/|^\/blog\.json$/.test(name),
	);
	expect(lists).toContain('/category/vision.html');
	for (const name of lists)
		expect([name, comparable(name, after.get(name))]).toEqual([
			name,
			comparable(name, before.get(name)),
		]);
});

test('a build that fails leaves the site as it was', async () => {
	const before = await currentBuild(site);
	await db.run(sql`create table kept as select * from posts`);
	await db.run(sql`pragma foreign_keys = off`);
	await db.delete(posts);
	expect(await build()).toEqual({
		failed: 'No posts were found in a database that had some at the last build.',
		pages: 0,
	});
	expect(await currentBuild(site)).toEqual(before);
	await db.run(sql`insert into posts select * from kept`);
	await db.run(sql`drop table kept`);
	await db.run(sql`pragma foreign_keys = on`);
});

test('a build that no server could open is not published', async () => {
	const before = await currentBuild(site);
	// As if the check of rows had not known of it.
	await db.run(
		sql`create trigger unknown after insert on content_problems begin delete from content_problems; end`,
	);
	await db.insert(redirects).values({ slug: ':old slug', postId: 'p4' });
	expect((await build()).failed).toMatch(/^The site's rules cannot be read: .*old slug/);
	expect(await currentBuild(site)).toEqual(before);
	await db.run(sql`drop trigger unknown`);
	await db.delete(redirects).where(eq(redirects.slug, ':old slug'));
});

test('the last public post can be taken back', async () => {
	await db.update(posts).set({ published: false });
	expect((await build()).live).toBeDefined();
	expect(await page('/blog/post-4.html')).toBeUndefined();
	expect(await page('/blog.html')).not.toContain('/blog/post-');
	await db.update(posts).set({ published: true });
	expect((await build()).live).toBeDefined();
	expect(await page('/blog/post-4.html')).toBeDefined();
});

test('the site goes back to an earlier build as it was, and forward to what was saved since', async () => {
	const before = await files();
	const { id } = (await currentBuild(site))!;
	const change = { content: '<p>Regretted.</p>', version: 8 };
	await db.update(posts).set(change).where(eq(posts.id, 'p4'));
	expect((await build()).live).toBeDefined();
	expect(await page('/blog/post-4.html')).toContain('Regretted.');
	await rollBack(site, id);
	expect(await files()).toEqual(before);
	// One that had begun already.
	expect((await build()).failed).toMatch(/put back to an earlier build/);
	expect(await files()).toEqual(before);
	await release(site);
	expect((await build()).live).toBeDefined();
	expect(await page('/blog/post-4.html')).toContain('Regretted.');
});

test('a build killed at ten moments leaves a whole site each time, and the next one brings the change', async () => {
	const whole = async () => {
		const { listing, locate } = await opened();
		for (const [name, file] of listing) {
			expect(digestOf(await storeOf(site).read(file))).toBe(file.hash);
			if (file.br) expect((await stat(`${locate(name, file)}.br`)).size).toBe(file.br);
		}
	};
	/** Changes an article and builds, killed where `isTime` after a message or a file. Returns what had been read until then. */
	const killed = async (kill: number, isTime: (said: string[], files: string[]) => boolean) => {
		const content = `<p>Kill ${kill}.</p>`;
		await db
			.update(posts)
			.set({ content, version: 10 + kill })
			.where(eq(posts.id, 'p4'));
		const child = forkBuild(url, { INDEXNOW_KEY });
		child.send('build');
		const said: string[] = [];
		const made: string[] = [];
		let isKilled = false;
		const look = () => {
			// Who has said its end waits for an answer.
			if (isTime(said, made) || said.at(-1) === 'Ended') isKilled = child.kill('SIGKILL');
		};
		const watchers = [site, join(site, 'builds')].map((dir) =>
			watch(dir, (_event, name) => {
				made.push(name ?? '');
				look();
			}),
		);
		child.on('message', (message: BuildMessage) => {
			// It went on saying until the signal came.
			if (isKilled) return;
			said.push(
				'progress' in message ? message.progress.doing : 'taken' in message ? 'Taken' : 'Ended',
			);
			look();
		});
		await once(child, 'close');
		for (const watcher of watchers) watcher.close();
		await whole();
		expect(await page('/blog/post-4.html')).toMatch(/<\/html>\s*$/);
		return said;
	};
	const all = await killed(0, () => false);
	const moments = [all];
	// At seven messages from the first to the last, and at each of two renames that make the build the current one.
	for (let kill = 1; kill < 8; kill++) {
		const at = 1 + Math.floor(((kill - 1) * (all.length - 1)) / 6);
		moments.push(await killed(kill, (said) => said.length >= at));
	}
	moments.push(await killed(8, (_said, made) => made.some((name) => /^\d{17}-/.test(name))));
	moments.push(await killed(9, (_said, made) => made.some((name) => /^current\./.test(name))));
	expect(moments).toHaveLength(10);
	const phases = new Set(moments.map((said) => said.at(-1)));
	expect([...phases]).toEqual(expect.arrayContaining(['Taken', 'Building pages', 'Ended']));
	await build();
	await whole();
	expect(await page('/blog/post-4.html')).toContain('Kill 9.');
});

test('readers see a whole page all the time: the old one, then the new one', async () => {
	const server = spawn(process.execPath, ['src/cli/main.ts'], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
		env: {
			...process.env,
			PORT: '0',
			DATABASE_URL: url,
			SITE_URL: 'https://groundtruth.test',
			ADMIN_EMAIL: 'admin@example.com',
			ADMIN_PASSWORD: 'Correct-Horse-7',
			// Its own articles are enough.
			SAMPLE_CONTENT: 'off',
		},
	});
	let said = '';
	server.stdout!.on('data', (chunk) => (said += String(chunk)));
	const address = () => /^Admin +(\S+)\/admin/m.exec(said)?.[1];
	while (!address()) await sleep(50);
	const send = (method: string, path: string, body: object, cookie = '') =>
		fetch(address()! + path, {
			method,
			headers: { 'Content-Type': 'application/json', Cookie: cookie },
			body: JSON.stringify(body),
		});
	const admin = { email: 'admin@example.com', password: 'Correct-Horse-7' };
	const signedIn = await send('POST', '/api/admin/login', admin);
	const cookie = signedIn.headers
		.getSetCookie()
		.map((one) => one.split(';')[0])
		.join('; ');
	const saved = await send('PUT', '/api/admin/posts/p7', { content: '<p>Seen.</p>' }, cookie);
	const { digest } = (await saved.json()) as { digest: string };
	const seen: string[] = [];
	for (;;) {
		for (const path of ['/blog/post-7', '/blog/post-8', '/blog']) {
			const response = await fetch(address()! + path);
			expect(response.status).toBe(200);
			const html = await response.text();
			expect(html).toMatch(/<\/html>\s*$/);
			if (path === '/blog/post-7') seen.push(html.includes(digest) ? 'new' : 'old');
		}
		if (seen.at(-1) === 'new') break;
	}
	expect(seen.indexOf('new')).toBe(seen.length - 1);
	const builds = await fetch(`${address()!}/api/admin/builds`, { headers: { Cookie: cookie } });
	while (
		(
			(await (await fetch(builds.url, { headers: { Cookie: cookie } })).json()) as {
				state: string;
			}[]
		)[0]?.state !== 'live'
	)
		await sleep(20);
	server.kill('SIGTERM');
	await once(server, 'exit');
});
