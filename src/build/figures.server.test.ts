import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, media, posts, renderedPosts } from '#db/schema.ts';
import { describeProblems } from '#src/core/builds/problems.server.ts';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { readerHtml } from '#src/features/feeds/feed.ts';
import { undrawnByPost, withoutPictures } from '#src/core/figures/pictures.server.ts';
import { checkDrawings, makeFigures } from './figures.server.ts';
import { toPngApart } from './raster.ts';

const plot = JSON.stringify({
	title: 'Up',
	data: {
		values: [
			{ x: 'a', y: 1 },
			{ x: 'b', y: 2 },
		],
	},
	mark: 'bar',
	encoding: { x: { field: 'x', type: 'nominal' }, y: { field: 'y', type: 'quantitative' } },
});
const content =
	`<pre><code class="language-vega-lite">${plot}</code></pre>` +
	'<pre><code class="language-mermaid">graph LR\nA[One] --> B[Two]</code></pre>';

test('each drawing is made a PNG once, at the address that feeds and email show', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'figures-'));
	const db = await openDb(':memory:');
	await migrateDb(db);
	await db.insert(categories).values({ id: 'c1', name: 'A', slug: 'a', color: '#536D36' });
	const post = { title: 'One', slug: 'one', author: 'A', published: true, categoryId: 'c1' };
	await db.insert(posts).values({ ...post, content });
	await renderStalePosts(db);
	const files = await makeFigures(db, folder);
	// A plot for wide and for narrow columns, and a diagram.
	expect(files.size).toBe(3);
	for (const file of files.values()) {
		const { data, info } = await sharp(await readFile(file))
			.removeAlpha()
			.raw()
			.toBuffer({ resolveWithObject: true });
		expect(info.width).toBeGreaterThan(300);
		expect(data.some((value) => value < 60)).toBe(true);
		expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
	}

	const { html } = await renderArticle(content);
	const shown = (text: string) =>
		[...text.matchAll(/<img src="https:\/\/x\.example(\/media\/figure-\w+\.png)"/g)].map(
			([, path]) => path!,
		);
	const feed = shown(readerHtml(html, 'https://x.example/blog/one'));
	const email = shown(await emailHtml(html, { siteUrl: 'https://x.example', campaign: 'w' }));
	expect(feed).toHaveLength(2);
	expect(email).toHaveLength(2);
	expect(feed[0]).not.toBe(email[0]);
	for (const path of [...feed, ...email]) expect(files.has(path)).toBe(true);

	await writeFile(join(folder, 'old.png'), '');
	const [first] = files.values();
	const { mtimeMs } = await stat(first!);
	await makeFigures(db, folder);
	expect((await stat(first!)).mtimeMs).toBe(mtimeMs);
	expect(await readdir(folder)).not.toContain('old.png');
	await rm(folder, { recursive: true, force: true });
});

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="400" height="200">
	<rect x="20" width="20" height="20" fill="var(--color-accent)"/><text x="1" y="15" font-size="16">W<tspan fill="#f00">W</tspan></text></svg>`;

/** Stores a drawing and renders an article that shows it. Returns the database, and a folder for files. */
async function withDrawing(svg: string, alt: string) {
	const folder = await mkdtemp(join(tmpdir(), 'figures-'));
	const db = await openDb(':memory:');
	await migrateDb(db);
	const bytes = Buffer.from(svg);
	const row = { id: 'drawing-1', name: 'a.svg', type: 'image/svg+xml', digest: '1', bytes };
	await db.insert(media).values({ ...row, width: 400, height: 200, size: bytes.length });
	await db.insert(categories).values({ id: 'c1', name: 'A', slug: 'a', color: '#536D36' });
	const post = { title: 'One', slug: 'one', author: 'A', published: true, categoryId: 'c1' };
	const content = `<p><img src="/api/media/drawing-1" alt="${alt}"></p>`;
	await db.insert(posts).values({ ...post, id: 'p1', content });
	await renderStalePosts(db);
	return { db, folder };
}

test('a drawing of the library is a picture on paper, with its words and the colors of paper', async () => {
	const { db, folder } = await withDrawing(drawing, 'A');
	const [file] = [...(await makeFigures(db, folder)).values()];
	const { data, info } = await sharp(await readFile(file!))
		.removeAlpha()
		.raw()
		.toBuffer({ resolveWithObject: true });
	expect([info.width, info.height]).toEqual([880, 480]);
	const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
	expect(at(5, 5)).toEqual([255, 255, 255]);
	expect(at(700, 100)).toEqual([0x0e, 0x74, 0x90]);
	const isRed = (i: number) => data[i]! > 200 && data[i + 1]! < 60;
	expect([...data.keys()].some((i) => i % 3 === 0 && isRed(i))).toBe(true);
	await rm(folder, { recursive: true, force: true });
});

const corners = Array.from(
	{ length: 30_000 },
	(_, i) => `L${(i * 7919) % 1000} ${(i * 104_729) % 1000}`,
);
const endless = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><path stroke="#00f" d="M0 0${corners.join('')}"/></svg>`;

test(
	'of a drawing that cannot be made a picture, feeds and email show the words, and it is not tried again',
	{ timeout: 60_000 },
	async () => {
		const { db, folder } = await withDrawing(endless, 'A knot');
		const told = vi.spyOn(console, 'error').mockImplementation(() => {});
		await checkDrawings(db, folder);
		const undrawn = (await undrawnByPost(db)).get('p1')!;
		expect(undrawn).toHaveLength(1);
		expect(await describeProblems(db)).toContain('A figure of “One” has no picture in feeds');
		const [{ html } = { html: '' }] = await db.select().from(renderedPosts);
		const left = withoutPictures(html, undrawn);
		const feed = readerHtml(left, 'https://x.example/blog/one');
		expect(feed).not.toContain('<img');
		expect(feed).toContain('>See the figure</a>');
		expect(await emailHtml(left, { siteUrl: 'https://x.example', campaign: 'w' })).toMatch(
			/^(?!.*<img).*A knot/s,
		);

		expect((await makeFigures(db, folder)).size).toBe(0);
		expect(told).toHaveBeenCalledOnce();
		await db.update(posts).set({ content: '<p>None.</p>' });
		await renderStalePosts(db);
		await makeFigures(db, folder);
		expect(await undrawnByPost(db)).toEqual(new Map());
		await rm(folder, { recursive: true, force: true });
	},
);

test(
	'a drawing that takes its program too long is given up, and one that can be drawn is not',
	{ timeout: 60_000 },
	async () => {
		await expect(toPngApart(endless, 1600, 115)).rejects.toThrow('too long');
		await expect(toPngApart('<svg', 100, 72)).rejects.toThrow('cannot be drawn');
		const plain =
			'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
		expect(await sharp(await toPngApart(plain, 100, 72)).metadata()).toMatchObject({ width: 100 });
	},
);
