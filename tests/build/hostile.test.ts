import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, comments, contentProblems, posts, postTags, tags } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { buildDir, currentBuild, openFiles, siteFolder, storeOf } from '#src/build/builds.ts';
import { describeProblems } from '#src/core/builds/problems.server.ts';
import { listAdminPosts } from '#src/features/posts/editing.server.ts';
import { BuildProcess } from '#tests/support/build-process.ts';

let folder: string;
let site: string;
let url: string;
let db: Db;

let builder: BuildProcess;

/** Brings the site up to date as the server does. Returns how that ended. */
const build = () => builder.build();

/** Builds until no picture is left to a later build, as where the machine is busy. Returns how the last one ended. */
async function finish() {
	for (;;) {
		const outcome = await build();
		if ((await currentBuild(site))!.fingerprint !== 'unfinished') return outcome;
	}
}

async function page(name: string): Promise<string | undefined> {
	const { listing } = await openFiles(site, (await currentBuild(site))!);
	const file = listing.get(`/${name}`);
	return file && String(await storeOf(site).read(file));
}

/** Every post of the site and what is wrong with it. All but `good` and those that say so are left out. */
const POSTS: Record<string, string> = {
	good: '',
	slash: `slug = '../../etc/a b'`,
	percent: `slug = '50%'`,
	nothing: `slug = ''`,
	long: `slug = replace(hex(zeroblob(300)), '00', 'ab')`,
	blob: `title = x'4d6978ff'`,
	excerpt: `excerpt = x'ff00'`,
	author: `author = cast('Ada' as blob)`,
	broken: `title = cast(x'4d6978ff' as text)`,
	cut: `title = 'Cut' || char(0) || 'off'`,
	words: `content = cast(x'3c703eff' as text)`,
	clock: `updated_at = 9e15`,
	huge: `created_at = 9223372036854775807`,
	ages: `published_at = -9e15`,
	once: `updated_at = 'once'`,
	soon: `published_at = 'soon'`,
	number: `read_time = 'long'`,
	picture: `featured_image = '/' || char(0) || '../x'`,
};
const SHOWN = ['good', 'lone', 'script'];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hostile-'));
	url = `file:${join(folder, 'site.db')}`;
	site = siteFolder(url);
	builder = new BuildProcess(url);
	db = await openDb(url);
	await migrateDb(db);
	await db.insert(categories).values([
		{ id: 'c1', name: 'Vision', slug: 'vision' },
		{ id: 'c2', name: 'Sound', slug: 'sound' },
	]);
	await db.insert(tags).values([
		{ id: 't1', name: 'Metrics', slug: 'metrics' },
		{ id: 't2', name: 'Speed', slug: 'speed' },
		{ id: 't3', name: 'Size', slug: 'size' },
	]);
	const time = new Date(Date.UTC(2026, 0, 5));
	await db.insert(posts).values(
		[...Object.keys(POSTS), 'lone', 'script'].map((name) => ({
			id: name,
			slug: name === 'script' ? 'привет' : name,
			title: `Of ${name}`,
			content: `<p>Text of ${name}.</p>`,
			author: 'Groundtruth',
			categoryId: name === 'lone' ? 'c2' : 'c1',
			published: true,
			publishedAt: time,
			createdAt: time,
			updatedAt: time,
		})),
	);
	await db.insert(postTags).values(['t1', 't2', 't3'].map((tagId) => ({ postId: 'good', tagId })));
	await db.insert(comments).values(
		['Ada', 'Grace', 'Joan', 'Mary'].map((author) => ({
			id: author,
			postId: 'good',
			author,
			email: 'reader@example.com',
			content: `Words of ${author}`,
		})),
	);
	expect(await finish()).toHaveProperty('live');
}, 600_000);

afterAll(async () => {
	builder.stop();
	await rm(site, { recursive: true, force: true });
	await rm(folder, { recursive: true, force: true });
});

const STATE = `insert into states (id, name, slug, abbreviation, population, capital, major_cities, ai_companies,
	universities, tech_hubs, key_industries, ai_initiatives, research_centers, startup_ecosystem, government_support,
	description, meta_title, meta_description, keywords, figures, answers, updated_at)`;
const LISTS = `'[]', '[]', '[]', '[]', '[]', '[]', '[]', 'x', '[]', 'd', 'm', 'm', '[]'`;

/** Rows beside posts, as another program or an older version might have stored them. */
const HOSTILE = [
	`update categories set slug = 'a/b', name = cast(x'ff' as text) where id = 'c2'`,
	`update categories set color = 'red"/><x' where id = 'c1'`,
	`update tags set slug = 'c/c++' where id = 't1'`,
	`update tags set name = cast(x'ff' as text) where id = 't2'`,
	`update comments set author = x'ff' where id = 'Ada'`,
	`update comments set created_at = 'x' where id = 'Grace'`,
	`update comments set content = cast(x'ff' as text) where id = 'Joan'`,
	`insert into redirects (slug, post_id) values ('a b/:x*', 'good')`,
	`insert into redirects (slug, post_id) values ('a' || char(10) || '/* /evil 301', 'good')`,
	`insert into redirects (slug, post_id) values ('earlier', 'good')`,
	`insert into term_redirects (kind, slug, term_id) values ('category', 'former/:x*', 'c1')`,
	`insert into term_redirects (kind, slug, term_id) values ('tag', 'a' || char(10) || '/* /evil 301', 't3')`,
	`insert into term_redirects (kind, slug, term_id) values ('category', 'former', 'c1')`,
	`insert into path_redirects (path, target) values ('/moved', 'https://elsewhere.example/' || char(10) || '/* /evil 301')`,
	`insert into path_redirects (path, target) values ('/*', '/evil')`,
	`insert into path_redirects (path, target) values (cast(x'2fff' as text), '/about')`,
	`insert into term_redirects (kind, slug, term_id) values ('category', 'gone', 'nowhere')`,
	`insert into issues (date, subject, posts, created_at) values ('2026-01-01', 'S', 'nope', 1)`,
	`insert into issues (date, subject, posts) values ('2026-01-08', 'S', '[{"id": "good", "slug": "good", "title": "Good", "excerpt": null, "category": "Vision", "minutes": 3}]')`,
	`insert into issues (date, subject, posts) values ('2026-01-15', 'S', '[1, null, {"title": 3}]')`,
	`insert into issues (date, subject, posts) values ('a/../b', 'S', '[]')`,
	`${STATE} values ('s1', 'Nowhere', 'no/where', 'NW', 1, 'X', ${LISTS}, '[]', '{}', 1)`,
	`${STATE} values ('s2', 'Elsewhere', 'elsewhere', 'EW', 1, 'X', ${LISTS}, 'nope', '{}', 1)`,
	`${STATE} values ('s3', 'Somewhere', 'somewhere', 'SW', 1, 'X', ${LISTS}, '[{"key": 1}, 2]', '{}', 1)`,
	`${STATE} values ('s4', 'Never', 'never', 'NV', 1, 'X', ${LISTS}, '[]', '{}', 'x')`,
	`insert into pages (id, slug, title, content, published) values ('g1', 'kept', 'Kept', '<p>Kept.</p>', 1)`,
	`insert into pages (id, slug, title, content, published) values ('g2', 'no/where', 'Slash', '<p>Slash.</p>', 1)`,
	`insert into pages (id, slug, title, content, published) values ('g3', 'about', 'About', x'ff', 1)`,
	`insert into pages (id, slug, title, questions, published) values ('g4', 'home', 'Home', '[{"question": 1}]', 1)`,
	`insert into pages (id, slug, title, content, published) values ('g5', 'blog', 'A collision', '<p>A collision.</p>', 1)`,
	`insert into pages (id, slug, title, content, published, footer) values ('g6', 'admin', 'Another', '<p>x</p>', 1, 1)`,
	`insert into term_redirects (kind, slug, term_id) values ('page', 'kept-before', 'g1')`,
	`insert into term_redirects (kind, slug, term_id) values ('page', 'blog', 'g1')`,
	`insert into media (id, name, type, width, height, size, digest, bytes) values ('m1', cast(x'ff' as text), 'image/png', 'wide', 1, 1, 'd', x'00')`,
	`update posts set featured_image = '/api/media/m1' where id = 'good'`,
];

test('rows that no page can be made of are left out and named, and everything else goes live', async () => {
	const bad = Object.entries(POSTS).filter(([, change]) => change);
	for (const [id, change] of bad)
		await db.run(sql.raw(`update posts set ${change} where id = '${id}'`));
	for (const statement of HOSTILE) await db.run(sql.raw(statement));
	const before = await bytes();
	expect(await finish()).toHaveProperty('live');

	const good = (await page('blog/good.html'))!;
	expect(good).toContain('Text of good.');
	expect(good).toContain('Words of Mary');
	for (const gone of [
		'Words of Ada',
		'Words of Grace',
		'Words of Joan',
		'/tag/c',
		'Speed',
		'<picture',
	])
		expect(good, gone).not.toContain(gone);
	expect(good).toContain('/tag/size');
	expect(await page('blog/привет.html')).toContain('Text of script.');
	// Its category cannot be read.
	expect(await page('blog/lone.html')).toContain('/category/uncategorized');
	expect(await page('category/uncategorized.html')).toContain('Of lone');
	expect(await page('social/category/uncategorized.png')).toBeDefined();
	expect(await page('category/vision.html')).toContain('Of good');
	expect(await page('newsletter/2026-01-08.html')).toContain('Good');
	const { id } = (await currentBuild(site))!;
	expect(await readFile(join(buildDir(site, id), '_redirects'), 'utf8')).toBe(
		'/blog/earlier /blog/good 301\n' +
			'/category/former /category/vision 301\n/category/former/* /category/vision/:splat 301\n' +
			'/kept-before /kept 301\n',
	);
	const listed = JSON.parse((await page('blog.json'))!) as { title: string }[];
	expect(listed.map(({ title }) => title).sort()).toEqual(SHOWN.map((name) => `Of ${name}`).sort());

	expect(await page('kept.html')).toContain('<p>Kept.</p>');
	expect(await page('about.html')).toContain('>About</h1>');
	expect(await page('blog.html')).not.toContain('A collision');
	expect(await page('kept.html')).not.toContain('>Another<');

	// An address may be what cannot be read.
	const problems = await db.select(tolerant(contentProblems)).from(contentProblems);
	const of = (kind: string) =>
		problems.filter((one) => one.kind === kind).map(({ subjectId }) => subjectId);
	expect(of('post row').sort()).toEqual(bad.map(([id]) => id).sort());
	expect(of('comment row').sort()).toEqual(['Ada', 'Grace', 'Joan']);
	expect(of('issue row').sort()).toEqual(['2026-01-01', '2026-01-15', 'a/../b']);
	expect(of('state row').sort()).toEqual(['s1', 's2', 's3', 's4']);
	expect(of('page row').sort()).toEqual(['g2', 'g3', 'g4']);
	expect(of('redirect row')).toHaveLength(2);
	expect(of('term redirect row')).toHaveLength(2);
	expect([of('category row'), of('category color'), of('image row')]).toEqual([
		['c2'],
		['c1'],
		['m1'],
	]);
	expect(of('tag row').sort()).toEqual(['t1', 't2']);
	const reasons = problems.map(({ reason }) => reason);
	expect(reasons).toContain('The article “Of slash” is left out: its address cannot be one.');
	expect(reasons).toContain('The article “Mix\ufffd” is left out: its “title” holds no text.');
	expect(reasons).toContain('The article “Of clock” is left out: its “updated at” holds no time.');
	expect(reasons).toContain('The category “Vision” has the default color: its own is none.');
	expect(await describeProblems(db)).toMatch(/^The .+ is left out: .+ And \d+ more\.$/);
	const { rows } = await listAdminPosts(db, { pageSize: 100 }, new Date());
	expect(rows).toHaveLength(Object.keys(POSTS).length + 2);
	const problemOf = (id: string) => rows.find((row) => row.id === id)!.problem;
	expect(problemOf('slash')).toBe('The article “Of slash” is left out: its address cannot be one.');
	expect(problemOf('good')).toMatch(/^The image “.” is left out: /);
	expect(problemOf('lone')).toBeNull();

	// Nothing is rewritten, and nothing is built again.
	expect(await bytes()).toEqual(before);
	const live = (await currentBuild(site))!.id;
	expect((await build()).live).toBe(live);

	await db.run(sql`update posts set slug = id, title = 'Mended', excerpt = null, author = 'Ada', content = '<p>Mended.</p>',
		read_time = 5, featured_image = null, published_at = 1767571200000, created_at = 1767571200000, updated_at = 1767571200000`);
	expect(await finish()).toHaveProperty('live');
	for (const id of Object.keys(POSTS))
		expect(await page(`blog/${id}.html`), id).toContain('Mended.');
	expect(
		(await db.select({ kind: contentProblems.kind }).from(contentProblems)).map(({ kind }) => kind),
	).not.toContain('post row');
}, 600_000);

/** Returns what is stored in posts, byte by byte. */
async function bytes(): Promise<unknown[]> {
	return db.all(sql`select id, hex(slug), hex(title), hex(excerpt), hex(author), hex(content), quote(updated_at),
		quote(created_at), quote(published_at) from posts order by id`);
}
