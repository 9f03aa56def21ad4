import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { site } from '#src/site.ts';
import { readSite } from '#src/features/site/load.server.ts';
import {
	createComposer,
	drawPictures,
	listSocialPictures,
	rasterize,
	type SocialPicture,
} from './social.server.ts';
import { loadLettering } from './lettering.server.ts';

const subject: SocialPicture = {
	path: '/social/blog/one.png',
	title: 'Attention in plain arithmetic',
	kind: 'Large Language Models',
	slug: 'one',
	cover: '',
	color: '#02707E',
};

let folder: string;
let db: Db;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'social-'));
	db = await openDb(':memory:');
	await migrateDb(db);
	await db
		.insert(categories)
		.values([{ id: 'c1', name: 'Vision', slug: 'computer-vision', color: '#536D36' }]);
	const dated = { author: 'Groundtruth', content: '<p>Text.</p>', categoryId: 'c1' };
	await db.insert(posts).values([
		{ ...dated, id: 'p1', title: 'First', slug: 'first', published: true },
		{ ...dated, id: 'p2', title: 'Second', slug: 'second', published: true },
		{ ...dated, id: 'p3', title: 'Draft', slug: 'draft', published: false },
	]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const subjects = async () => {
	await renderStalePosts(db);
	return listSocialPictures(await readSite(db, new Date()), []);
};

test('a picture is a PNG of 1200 by 630 with a palette and fewer than 60 kB', async () => {
	const png = await rasterize((await createComposer())(subject));
	expect(await sharp(png).metadata()).toMatchObject({
		format: 'png',
		width: 1200,
		height: 630,
		isPalette: true,
	});
	expect(png.length).toBeLessThan(60_000);
	// Paper at the corner, ink in the site's name; the palette may differ by a little.
	const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
	const darkest = (from: number, to: number) => Math.min(...data.subarray(from, to));
	expect(darkest(0, 3)).toBeGreaterThan(240);
	expect(darkest(80 * 3600, 81 * 3600)).toBeLessThan(30);
});

const titles = [
	'AI',
	'Attention in plain arithmetic',
	'A long account of calibration, priors and posteriors, '.repeat(4).slice(0, 200),
	'W'.repeat(200),
	'Đặng: “naïve” & <b>bold</b> 中文 🙂',
	'',
];

test.each(titles)(
	'no line of “%s” is wider than its room, nor are there too many',
	async (title) => {
		const { fit, width } = await loadLettering(700, -0.02);
		const most = (size: number) => Math.floor(370 / size);
		const { size, lines } = fit(title, 592, [76, 60, 44, 32], most);
		for (const line of lines) expect(width(line, size)).toBeLessThanOrEqual(592);
		expect(lines.length).toBeLessThanOrEqual(most(size));
		expect((await createComposer())({ ...subject, title })).not.toMatch(/NaN|undefined|<b>/);
	},
);

test.each([
	['عنوان مقال طويل', 'An excerpt in English', 'An excerpt in English'],
	['机器学习入门：梯度下降', '也没有', site.tagline],
	['Заголовок', '', site.tagline],
	['🙂🚀', 'An excerpt', 'An excerpt'],
	['GPT-4 如何工作：从头开始的完整介绍', 'An excerpt', 'An excerpt'],
	['agents 🤖  A very long', 'An excerpt', 'agents A very long'],
	['Transformers 中文', 'An excerpt', 'Transformers'],
	['Łódź und Ørsted', 'An excerpt', 'Łódź und Ørsted'],
])('the picture of “%s” has words on it', async (title, excerpt, words) => {
	const compose = await createComposer();
	expect(compose({ ...subject, title, excerpt })).toBe(compose({ ...subject, title: words }));
	expect((await loadLettering(700, -0.02)).width(words, 40)).toBeGreaterThan(0);
});

const draw = async (...options: Parameters<typeof drawPictures>) =>
	new Map((await drawPictures(...options)).map(({ path, file }) => [path, file]));

test('a picture is made anew only when what it shows changed, and removed when nothing shows it', async () => {
	const cache = join(folder, 'cache');
	const drawn: number[] = [];
	const drawAgain = async () => {
		drawn.length = 0;
		return draw(await subjects(), cache, { onProgress: (done) => drawn.push(done) });
	};
	const first = await drawAgain();
	expect([...first.keys()].sort()).toEqual([
		'/social/blog/first.png',
		'/social/blog/second.png',
		'/social/category/computer-vision.png',
		'/social/site.png',
	]);
	expect(drawn).toHaveLength(4);

	await drawAgain();
	expect(drawn).toEqual([]);

	await db.update(posts).set({ title: 'Renamed', excerpt: 'New.' }).where(eq(posts.id, 'p1'));
	await db.update(posts).set({ content: '<p>Other.</p>' }).where(eq(posts.id, 'p2'));
	await writeFile(join(cache, 'left-over.png.part'), '');
	const second = await drawAgain();
	expect(drawn).toEqual([1]);
	expect(second.get('/social/blog/first.png')).not.toBe(first.get('/social/blog/first.png'));
	expect(second.get('/social/blog/second.png')).toBe(first.get('/social/blog/second.png'));
	expect((await readdir(cache)).length).toBe(4);

	for (const file of second.values()) expect((await stat(file)).size).toBeGreaterThan(1000);
});

test('without time a post has its category’s picture, and its own after a later build', async () => {
	const cache = join(folder, 'hurried');
	const first = await draw(await subjects(), cache, { hasTime: () => false });
	const category = first.get('/social/category/computer-vision.png');
	expect(first.get('/social/blog/second.png')).toBe(category);
	expect(await readdir(cache)).toHaveLength(2);
	const second = await draw(await subjects(), cache);
	expect(second.get('/social/blog/second.png')).not.toBe(category);
	expect(await readdir(cache)).toHaveLength(4);
});

test('what a build left waits behind what is new, and is told from it', async () => {
	const cache = join(folder, 'left');
	const left = new Set<string>();
	await draw(await subjects(), cache, { left, hasTime: () => false });
	expect(left.size).toBe(2);
	await db.update(posts).set({ title: 'Renamed again' }).where(eq(posts.id, 'p2'));
	const asked: boolean[] = [];
	const hasTime = ({ wasLeft }: { wasLeft: boolean }) => {
		asked.push(wasLeft);
		return !wasLeft;
	};
	const files = await draw(await subjects(), cache, { left, hasTime });
	expect(asked).toEqual([false, true]);
	expect(left.size).toBe(1);
	const category = files.get('/social/category/computer-vision.png');
	const own = ['first', 'second'].map((slug) => files.get(`/social/blog/${slug}.png`) !== category);
	expect(own.filter(Boolean)).toHaveLength(1);
});

test('what a hurried build leaves, the next one draws before what was left earlier', async () => {
	const cache = join(folder, 'hurry');
	const left = new Set<string>();
	await draw(await subjects(), cache, { left, hasTime: () => false });
	const before = new Set(left);
	await db.update(posts).set({ title: 'Renamed in a hurry' }).where(eq(posts.id, 'p2'));
	const wanted = await subjects();
	const waiting = { left, isQuick: true, hasTime: () => false, isHurried: () => true };
	const hurried = await draw(wanted, cache, waiting);
	expect(left.isSubsetOf(before)).toBe(true);
	const hasTime = ({ wasLeft }: { wasLeft: boolean }) => !wasLeft;
	const next = await draw(wanted, cache, { left, isQuick: true, hasTime });
	const drawn = wanted.filter(({ path }) => next.get(path) !== hurried.get(path));
	expect(drawn.map(({ path }) => path)).toEqual(['/social/blog/second.png']);
});

test('a quick build looks for what is new alone, and leaves files that a later one removes', async () => {
	const cache = join(folder, 'quick');
	const wanted = await subjects();
	const first = await drawPictures(wanted, cache);
	await writeFile(join(cache, 'of-nothing.png'), '');
	await rm(first.at(-1)!.file);
	const more = { ...subject, slug: 'more', path: '/social/blog/more.png' };
	const drawn: number[] = [];
	const onProgress = (done: number) => drawn.push(done);
	const second = await drawPictures([...wanted, more], cache, { isQuick: true, onProgress });
	expect(drawn).toEqual([1]);
	expect(second.slice(0, -1).every((file, at) => file === first[at])).toBe(true);
	expect(await readdir(cache)).toContain('of-nothing.png');
	const third = await drawPictures([...wanted, more], cache, { onProgress });
	expect(drawn).toEqual([1, 1]);
	expect(third).toEqual(second);
	expect((await readdir(cache)).sort()).toEqual(third.map(({ key }) => key).sort());
});

test('a picture that stands in for many is the same file each time', async () => {
	const cache = join(folder, 'stand-in');
	const wanted = await subjects();
	const hasTime = () => false;
	const left = new Set<string>();
	const first = await drawPictures(wanted, cache, { left, hasTime });
	const second = await drawPictures(wanted, cache, { left, hasTime, isQuick: true });
	expect(second.filter((file, at) => file !== first[at])).toEqual([]);
	expect(left.size).toBe(2);
});
