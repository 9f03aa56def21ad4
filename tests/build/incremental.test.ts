import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import {
	categories,
	comments,
	mentions,
	pages,
	posts,
	postTags,
	redirects,
	renderedPosts,
	tags,
} from '#db/schema.ts';
import { useBundle } from '#src/build/bundles.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { addCounts } from '#src/features/counts/counts.server.ts';
import { setEnv } from '#src/lib/env.ts';
import { comparable } from '#tests/support/comparable.ts';

const run = promisify(execFile);
/** A name of this run alone, so that its first build finds no bundle; each time, the bundle that other sites of the run have. */
const GA_MEASUREMENT_ID = process.env['TESTS'] === 'daily' ? '' : `G-TEST${process.pid}`;
let folder: string;
let db: Db;
let first: Map<string, string>;

/** Builds into a new folder, by what a further argument says, and returns every file of it. */
async function build(cache: string, ...by: 'astro'[]): Promise<Map<string, string>> {
	const out = join(folder, `out-${cache}`);
	const program = ['tests/support/build-site.ts', out, join(folder, cache), ...by];
	await run(process.execPath, program, {
		env: {
			...process.env,
			DATABASE_URL: `file:${join(folder, 'site.db')}`,
			ASTRO_TELEMETRY_DISABLED: '1',
			GA_MEASUREMENT_ID,
		},
	});
	return takeFiles(out);
}

/** Returns every file of a folder, and removes it. */
async function takeFiles(out: string): Promise<Map<string, string>> {
	const names = await readdir(out, { recursive: true, withFileTypes: true });
	const files = names
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
	const contents = await Promise.all(
		files.map(async (file) => [file.slice(out.length), await readFile(file, 'latin1')] as const),
	);
	await rm(out, { recursive: true });
	return new Map(contents.sort());
}

/** Returns the bundle that the builds of this run share. */
function bundleOfRun(): ReturnType<typeof useBundle> {
	vi.stubEnv('GA_MEASUREMENT_ID', GA_MEASUREMENT_ID);
	setEnv();
	return useBundle();
}

/** Builds without any page of earlier builds. */
async function buildAnew(): Promise<Map<string, string>> {
	await rm(join(folder, 'fresh'), { recursive: true, force: true });
	return build('fresh');
}

/** The paths whose files differ, and those that only one of the two has. */
function differences(one: Map<string, string>, other: Map<string, string>): string[] {
	return [...new Set([...one.keys(), ...other.keys()])].filter(
		(name) => comparable(name, one.get(name)) !== comparable(name, other.get(name)),
	);
}

beforeAll(async () => {
	// In the checkout: Astro takes no other for its bundles.
	await mkdir('.site', { recursive: true });
	folder = resolve(await mkdtemp(join('.site', 'incremental-')));
	db = await openDb(`file:${join(folder, 'site.db')}`);
	await migrateDb(db);
	await db.insert(categories).values([
		{ id: 'c1', name: 'Vision', slug: 'vision' },
		{ id: 'c2', name: 'Language', slug: 'language' },
	]);
	await db.insert(tags).values([
		{ id: 't1', name: 'Metrics', slug: 'metrics' },
		{ id: 't2', name: 'Search', slug: 'search' },
	]);
	const at = (day: number) => new Date(Date.UTC(2026, 0, day));
	await db.insert(posts).values(
		[1, 2, 3, 4, 5, 6].map((n) => ({
			id: `p${n}`,
			slug: `post-${n}`,
			title: `Post ${n}`,
			excerpt: `Excerpt ${n}`,
			content: `<h2>Part</h2><p>Text of post ${n}.</p><pre><code class="language-python">x = ${n}</code></pre>`,
			author: 'Groundtruth',
			categoryId: n % 2 ? 'c1' : 'c2',
			published: true,
			publishedAt: at(n),
			createdAt: at(n),
			updatedAt: at(n),
		})),
	);
	await db.insert(postTags).values([
		{ postId: 'p1', tagId: 't1' },
		{ postId: 'p2', tagId: 't1' },
		{ postId: 'p3', tagId: 't2' },
	]);
	first = await build('warm');
}, 600_000);

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
	if (GA_MEASUREMENT_ID) await rm(dirname((await bundleOfRun()).renderer), { recursive: true });
});

test(
	'a build in another folder equals the first one',
	{ tags: ['nightly'], timeout: 600_000 },
	async () => {
		expect(differences(first, await buildAnew())).toEqual([]);
	},
);

test(
	'a build by Astro itself equals the first one',
	{ tags: ['nightly'], timeout: 600_000 },
	async () => {
		expect(differences(first, await build('astro', 'astro'))).toEqual([]);
	},
);

test(
	'the bundle holds nothing of the environment that it was made in',
	{ tags: ['nightly'] },
	async () => {
		const { renderer } = await bundleOfRun();
		const names = (await readdir(renderer, { recursive: true })).filter((name) =>
			name.endsWith('.mjs'),
		);
		expect(names).not.toEqual([]);
		const texts = await Promise.all(names.map((name) => readFile(join(renderer, name), 'utf8')));
		expect(names.filter((_, at) => texts[at]!.includes(join(folder, 'site.db')))).toEqual([]);
	},
);

test(
	'pages that take a key from an email load nothing of the tag service, all others do',
	{ tags: ['nightly'] },
	() => {
		const silent = [...first]
			.filter(([name, html]) => name.endsWith('.html') && !html.includes('measurement-id'))
			.map(([name]) => name);
		expect(silent.sort()).toEqual([
			'/admin.html',
			'/course.html',
			'/preferences.html',
			'/preview.html',
			'/unsubscribe.html',
		]);
	},
);

type Change = [name: string, change: () => Promise<unknown>, page: string, shows: RegExp];

/** Rounds of changes that touch different pages, each with a page that must show it. */
const rounds: Change[][] = [
	[
		[
			'an edited post',
			() => db.update(posts).set({ content: '<p>Rewritten.</p>' }).where(eq(posts.id, 'p1')),
			'/blog/post-1.html',
			/Rewritten\./,
		],
		[
			'a new tag',
			async () => {
				await db.insert(tags).values({ id: 't3', name: 'Novelty', slug: 'novelty' });
				await db.insert(postTags).values({ postId: 'p4', tagId: 't3' });
			},
			'/tag/novelty.html',
			/Post 4/,
		],
		[
			'an approved comment',
			() =>
				db
					.insert(comments)
					.values({ postId: 'p5', author: 'Ada', email: 'ada@example.com', content: 'Well put' }),
			'/blog/post-5.html',
			/Well put/,
		],
		[
			'a share',
			() => db.batch([...addCounts(db, { postId: 'p3', day: 20_000, views: 4, shares: 2 })]),
			'/blog/post-3.html',
			/id="share-title"[^]{0,200}>\s*2 shares\s*</,
		],
		[
			'a post at a network',
			() =>
				db.insert(mentions).values({
					...{ postId: 'p2', network: 'mastodon', url: 'https://mastodon.example/@ann/1' },
					...{ ref: '1', replies: 2, likes: 1 },
				}),
			'/blog/post-2.html',
			/rel="syndication" href="https:\/\/mastodon.example\/@ann\/1">\s*Mastodon\s*<\/a>\s*2 replies, 1 like/,
		],
	],
	[
		[
			'a renamed category',
			() => db.update(categories).set({ name: 'Sight' }).where(eq(categories.id, 'c1')),
			'/blog/post-3.html',
			/Sight/,
		],
	],
	[
		[
			'a changed related post',
			() => db.update(posts).set({ title: 'Another name' }).where(eq(posts.id, 'p2')),
			'/blog/post-1.html',
			/Another name/,
		],
		[
			'an unpublished post',
			() => db.update(posts).set({ published: false }).where(eq(posts.id, 'p6')),
			'/blog.html',
			/5 Articles/,
		],
	],
	[
		[
			'a new page',
			() =>
				db.insert(pages).values({
					slug: 'imprint',
					title: 'Imprint of %SITE_NAME%',
					content: '<p>By %SITE_NAME%.</p>',
					published: true,
					footer: true,
				}),
			'/imprint.html',
			/<p>By Groundtruth\.<\/p>/,
		],
		[
			'its link in the footer of every other page',
			async () => {},
			'/blog/post-1.html',
			/href="\/imprint"[^>]*>\s*Imprint of Groundtruth\s*</,
		],
	],
	[
		[
			'an edited page',
			() => db.update(pages).set({ content: '<p>By Ada.</p>' }).where(eq(pages.slug, 'imprint')),
			'/imprint.html',
			/<p>By Ada\.<\/p>/,
		],
		[
			'a question',
			() =>
				db.insert(pages).values({
					slug: 'home',
					title: 'Home',
					questions: [{ question: 'Who asks?', answer: 'I do.' }],
				}),
			'/index.html',
			/Who asks\?/,
		],
	],
];

/** Rounds of which each has a build: each night all, in `npm test` one for the first four; the last changes a page once more. */
const built =
	process.env['TESTS'] === 'daily' ? [rounds.slice(0, 4).flat(), ...rounds.slice(4)] : rounds;

let warm: Map<string, string>;

/** Compares the last warm build with one that begins anew. */
async function expectWhole(): Promise<void> {
	expect(differences(warm, await buildAnew())).toEqual([]);
}

test.each(built.map((round) => [round.map(([name]) => name).join(', '), round] as const))(
	'after %s a warm build shows it, and is whole',
	async (_, round) => {
		for (const [, change] of round) await change();
		warm = await build('warm');
		// That it is whole is seen after the last change as well, and in histories.
		if (process.env['TESTS'] !== 'daily') await expectWhole();
		for (const [, , page, shows] of round) expect(warm.get(page)).toMatch(shows);
		expect(warm.get('/blog/post-3.html')).toBeDefined();
	},
	600_000,
);

test('the home page shows no heading over nothing', () => {
	const home = warm.get('/index.html')!;
	expect(home).toContain('Recent Posts');
	expect(home).toContain('href="/category/vision"');
	// Nothing is featured, and the footer's categories are others.
	for (const none of ['Featured Articles', '>Categories</h2>']) expect(home).not.toContain(none);
	// There is no state in this database.
	expect(warm.get('/ai-best-practices.html')).toContain('No state guides here');
	expect(warm.get('/ai-best-practices.html')).not.toContain('>The guides<');
});

test('the styleguide is no page of a production build', { tags: ['nightly'] }, () => {
	expect(warm.has('/about.html')).toBe(true);
	expect([...warm.keys()].filter((name) => /styleguide/i.test(name))).toEqual([]);
});

test('an unpublished post has no page', () => {
	expect(warm.has('/blog/post-6.html')).toBe(false);
	expect([...warm.values()].some((html) => html.includes('Post 6'))).toBe(false);
});

test('an unchanged page is taken from the last build, not rendered again', async () => {
	const html = warm.get('/blog/post-3.html')!;
	for (const name of await readdir(join(folder, 'warm', 'files'))) {
		const stored = join(folder, 'warm', 'files', name);
		if ((await readFile(stored, 'latin1')) !== html) continue;
		await writeFile(stored, `${html}<!-- kept -->`, 'latin1');
	}
	warm = await build('warm');
	await db.update(posts).set({ title: 'The third' }).where(eq(posts.id, 'p3'));
	expect((await build('warm')).get('/blog/post-3.html')).not.toContain('<!-- kept -->');
	expect(warm.get('/blog/post-3.html')).toContain('<!-- kept -->');
}, 600_000);

test(
	'a damaged list of the last pages costs a full build, not the build',
	{ tags: ['nightly'], timeout: 600_000 },
	async () => {
		await writeFile(join(folder, 'warm', 'parts.json'), '["a digest", ');
		warm = await build('warm');
		expect(warm.get('/blog/post-3.html')).toContain('The third');
	},
);

test('after all of these changes and a new renderer version a warm build equals a fresh one', async () => {
	// What another renderer wrote for one of them.
	await db
		.update(renderedPosts)
		.set({ html: '<p>By the next renderer.</p>', digest: 'next' })
		.where(eq(renderedPosts.postId, 'p3'));
	warm = await build('warm');
	await expectWhole();
	expect(warm.get('/blog/post-3.html')).toContain('By the next renderer.');
	// The sixth is not published any more: a draft is not rendered.
	expect(await renderStalePosts(db, 'next')).toBe(5);
	const left = await db
		.select({ postId: renderedPosts.postId })
		.from(renderedPosts)
		.where(ne(renderedPosts.renderer, 'next'));
	expect(left).toEqual([{ postId: 'p6' }]);
}, 600_000);

test(
	"Astro's own command makes a whole site: the same files, and the social pictures",
	{ tags: ['nightly'], timeout: 600_000 },
	async () => {
		await db.insert(redirects).values({ slug: 'former', postId: 'p1' });
		const out = join(folder, 'out-command');
		await run('node_modules/.bin/astro', ['build', '--outDir', out], {
			env: {
				...process.env,
				PATH: `${resolve('node_modules/.bin')}:${process.env['PATH']}`,
				DATABASE_URL: `file:${join(folder, 'site.db')}`,
				ASTRO_TELEMETRY_DISABLED: '1',
				GA_MEASUREMENT_ID,
				SAMPLE_CONTENT: 'off',
			},
		});
		const whole = await takeFiles(out);
		// The other builds of these tests leave them to later ones, and have the site's own in their place.
		const pictures = [...whole.keys()].filter((name) => name.startsWith('/social/'));
		const html = [...whole].flatMap(([name, text]) => (name.endsWith('.html') ? text : []));
		const named = html.flatMap((text) =>
			[...text.matchAll(/property="og:image" content="([^"]+)"/g)].map(([, url]) => url!),
		);
		expect(named.filter((url) => !whole.has(new URL(url).pathname))).toEqual([]);
		expect(pictures.length).toBeGreaterThan(5);
		expect(whole.get('/_redirects')).toBe('/blog/former /blog/post-1 301\n');
		const others = differences(whole, await buildAnew()).filter((name) => !pictures.includes(name));
		expect(others).toEqual([]);
		expect(whole.get('/sitemap-settled-0-0.xml')).toContain('/blog/post-1<');
	},
);
