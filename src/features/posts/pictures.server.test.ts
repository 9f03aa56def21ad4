import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { contentProblems, media, posts } from '#db/schema.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { makeFigures } from '#src/build/figures.server.ts';
import { FIRST_FIGURE } from './picture.ts';
import { findPictures, findThumbnails, makePictures, pictureKey } from './pictures.server.ts';

let db: Db;
let folder: string;

beforeEach(async () => {
	db = await useTestDb();
	folder = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function photograph(id: string, width: number, height: number, background = 'teal') {
	const bytes = await sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();
	const size = bytes.length;
	const row = { id, name: `${id}.png`, type: 'image/png', width, height, size, digest: background };
	await db.insert(media).values({ ...row, alt: 'A teal wall', bytes });
	return `/api/media/${id}`;
}
const names = async () => (await readdir(folder)).sort();

test('an image of the library has files in two formats, no wider than itself, of its own shape', async () => {
	await makePost(db, { featuredImage: await photograph('m1', 540, 360) });
	const files = await makePictures(db, folder);
	const found = (await findPictures(db, ['/api/media/m1'])).get('/api/media/m1')!;
	expect(found).toMatchObject({ width: 540, height: 360, alt: 'A teal wall' });
	expect([...files.keys()].sort()).toEqual(
		[480, 540]
			.flatMap((width) => ['avif', 'webp'].map((type) => `/media/${found.name}-${width}.${type}`))
			.sort(),
	);
	for (const [path, file] of files) {
		const { width, height, format, compression } = await sharp(await readFile(file)).metadata();
		expect(path).toContain(`-${width}.`);
		expect(height).toBe(Math.round((width / 3) * 2));
		expect(format === 'webp' ? 'webp' : compression).toBe(path.endsWith('avif') ? 'av1' : 'webp');
	}
});

test('a picture that is taller than WebP can be is made smaller', async () => {
	await makePost(db, { featuredImage: await photograph('m1', 30, 20_000) });
	const files = await makePictures(db, folder);
	expect(files.size).toBe(2);
	for (const file of files.values()) {
		const { width, height } = await sharp(await readFile(file)).metadata();
		expect([width, height]).toEqual([25, 16_383]);
	}
});

test('another build makes only what is new, and keeps nothing that is not used', async () => {
	const post = await makePost(db, { featuredImage: await photograph('m1', 300, 200) });
	const first = await makePictures(db, folder);
	for (const file of first.values()) await writeFile(file, 'kept');
	await makePost(db, { featuredImage: await photograph('m2', 300, 200, 'navy') });
	const made: [number, number][] = [];
	const second = await makePictures(db, folder, {
		onProgress: (done, total) => made.push([done, total]),
	});
	expect(made).toEqual([
		[1, 2],
		[2, 2],
	]);
	for (const [path, file] of first) {
		expect(second.get(path)).toBe(file);
		expect(await readFile(file, 'utf8')).toBe('kept');
	}
	await db.update(posts).set({ featuredImage: null }).where(eq(posts.id, post.id));
	await makePictures(db, folder);
	expect(await names()).toHaveLength(2);
});

test('what the public does not see has no files', async () => {
	await makePost(db, { published: false, featuredImage: await photograph('m1', 300, 200) });
	expect((await makePictures(db, folder)).size).toBe(0);
	expect(await names()).toEqual([]);
});

test.each([
	'https://elsewhere.example/photo.jpg',
	'//elsewhere.example/photo.jpg',
	'/api/media/gone',
	'/no-such-file.png',
	'/../package.json',
	'/robots',
	'',
])('the address %j has no picture, and its post a cover', async (address) => {
	await makePost(db, { featuredImage: address });
	expect(await findPictures(db, [address, null])).toEqual(new Map());
	expect((await makePictures(db, folder)).size).toBe(0);
});

test('a file of public/ is an image too', async () => {
	const found = (await findPictures(db, ['/favicon.svg'])).get('/favicon.svg');
	expect(found).toMatchObject({ alt: '' });
	expect(found!.width).toBeGreaterThan(0);
});

test('a post may show its first figure, and has a cover while there is none that can be drawn', async () => {
	const diagram = '<pre><code class="language-mermaid">graph LR\nA[One] --> B[Two]</code></pre>';
	const content = `<p>Words.</p>${diagram}`;
	const shown = await makePost(db, { featuredImage: FIRST_FIGURE, content });
	const without = await makePost(db, { featuredImage: FIRST_FIGURE });
	await renderStalePosts(db);
	const keys = [shown, without].map(pictureKey);
	const figures = join(folder, 'figures');
	const [path] = (await makeFigures(db, figures)).keys();
	const files = await makePictures(db, join(folder, 'media'), { figures });
	const found = await findPictures(db, keys);
	expect([...found.keys()]).toEqual([keys[0]]);
	const picture = found.get(keys[0]!)!;
	expect(picture).toMatchObject({ alt: 'Figure 1', figure: true });
	const { width, height } = await sharp(await readFile(join(figures, basename(path!)))).metadata();
	expect(picture).toMatchObject({ width, height });
	expect([...files.keys()]).toContain(`/media/${picture.name}-${width}.avif`);

	const row = { kind: 'figure', subjectId: path!, reason: 'It takes too long.' } as const;
	await db.insert(contentProblems).values(row);
	expect(await findPictures(db, keys)).toEqual(new Map());
});

test('a list shows the smallest file of what is built, the image of what is not, and covers for all others', async () => {
	const featuredImage = await photograph('m1', 540, 360);
	const rows = [
		{ id: 'built', featuredImage, isBuilt: true },
		{ id: 'draft', featuredImage, isBuilt: false },
		{ id: 'gone', featuredImage: '/api/media/gone', isBuilt: true },
		{ id: 'elsewhere', featuredImage: 'https://a.example/x.png', isBuilt: false },
		{ id: 'figure', featuredImage: FIRST_FIGURE, isBuilt: true },
		{ id: 'without', featuredImage: null, isBuilt: true },
	];
	const found = await findThumbnails(db, rows);
	expect([...found.keys()]).toEqual(['built', 'draft']);
	expect(found.get('draft')).toBe(featuredImage);
	await makePost(db, { featuredImage });
	expect([...(await makePictures(db, folder)).keys()]).toContain(found.get('built'));
});
