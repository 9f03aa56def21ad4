import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts } from '#db/schema.ts';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { readerHtml } from '#src/features/feeds/feed.ts';
import { makeFigures } from './figures.server.ts';

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
