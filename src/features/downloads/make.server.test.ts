import { readFile, rm, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { eq, notInArray } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { categories, posts } from '#db/schema.ts';
import { describeProblems } from '#src/core/builds/problems.server.ts';
import { useTestDb } from '#tests/support/db.ts';
import { seedContent } from '#tests/support/seed.ts';
import { sha256 } from '#src/lib/digest.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { makeBook } from './book.server.ts';
import { summaryOf, UPGRADES, type Upgrade } from './download.ts';
import { openDownload, readManifest } from './downloads.server.ts';
import { guideOf, readGuidedPosts } from './guide.server.ts';
import { makeDownloads, MAX_BYTES, sourcesDigest } from './make.server.ts';

// Reading a book of 200 pages takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const now = new Date('2030-01-01T00:00:00Z');
const making = { siteUrl: 'https://groundtruth.example', now, sources: 'one' };

let folder: string;
let db: Db;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'downloads-'));
	db = await useTestDb();
	await seedContent(db);
	expect(await makeDownloads(db, folder, making)).toEqual([...UPGRADES]);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function bytesOf(kind: Upgrade): Promise<Buffer> {
	const { file } = (await readManifest(folder))[kind]!;
	return readFile(join(folder, file));
}

async function readPdf(bytes: Uint8Array) {
	const pdf = await getDocumentProxy(new Uint8Array(bytes));
	const { text } = await extractText(pdf, { mergePages: false });
	return { pdf, pages: text };
}

const words = (text: string) => text.split(/\s+/).filter((one) => /[\p{L}\p{N}]/u.test(one)).length;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The chapters of an outline with the pages on which they start, counted from 0. */
async function startsOf(pdf: Pdf): Promise<{ title: string; page: number }[]> {
	const outline = await pdf.getOutline();
	const chapters = outline.flatMap((one) => (one.items.length > 0 ? one.items : [one]));
	const starts = chapters.map(async ({ title, dest }) => {
		const [target] = dest as [Parameters<Pdf['getPageIndex']>[0]];
		return { title, page: await pdf.getPageIndex(target) };
	});
	return (await Promise.all(starts)).filter(({ title }) => title !== 'Contents');
}

/** Pages that are neither the title nor the contents. */
const textPages = (pages: string[]) =>
	pages.slice(1 + pages.slice(1).findIndex((text) => /Preface/.test(text.slice(0, 400))));

/** Returns the share of a page, counted from 0, that is free below its lowest text, its margin included. */
async function freeShare(pdf: Pdf, index: number): Promise<number> {
	const page = await pdf.getPage(index + 1);
	const { items } = await page.getTextContent();
	const bottoms = items.flatMap((item) =>
		'str' in item && item.str.trim() ? [(item.transform as number[])[5]!] : [],
	);
	return Math.min(...bottoms) / page.view[3]!;
}

describe('the guide', () => {
	test('has more than twice the fifty pages it was planned with, as its summary says, each full before the last', async () => {
		const { pdf, pages } = await readPdf(await bytesOf('guide'));
		const text = textPages(pages);
		expect(summaryOf('guide')).toContain('50 pages that has grown to more than twice that');
		expect(text.length).toBeGreaterThan(100);
		expect(pages[0]).not.toMatch(/field guide/i);
		expect(pages.length - text.length).toBeLessThanOrEqual(3);
		// The last one ends where the text does. A figure has a quarter of a page and hardly a word.
		const full = text.slice(0, -1);
		const wordsOf = (page: string) =>
			page.split(/\s+/).length + 100 * (page.match(/^Figure \d+\./gm)?.length ?? 0);
		expect(full.filter((page) => wordsOf(page) < 200)).toEqual([]);
		const first = pages.length - text.length;
		const free = await Promise.all(full.map((_, index) => freeShare(pdf, first + index)));
		expect(free.flatMap((share, index) => (share > 1 / 3 ? [[first + index, share]] : []))).toEqual(
			[],
		);
	});

	test('numbers its pages, and heads them with the chapter at their top', async () => {
		const { pdf, pages } = await readPdf(await bytesOf('guide'));
		const starts = await startsOf(pdf);
		pages.slice(1).forEach((text, index) => {
			expect(text.slice(0, 140)).toMatch(new RegExp(`(^|\\s)${index + 2}\\s`));
		});
		for (const [index, text] of pages.entries()) {
			const before = starts.filter(({ page }) => page < index).at(-1);
			const here = starts.filter(({ page }) => page === index);
			if (!before) continue;
			const head = text.slice(0, 140).replace(/\s+/g, ' ');
			expect([before, ...here].some(({ title }) => head.includes(title))).toBe(true);
		}
	});

	test('has an outline and contents that lead to the pages they name', async () => {
		const { pdf, pages } = await readPdf(await bytesOf('guide'));
		expect((await pdf.getOutline()).map(({ title }) => title)).toContain(
			'6 · A model that runs for a year',
		);
		const starts = await startsOf(pdf);
		expect(starts.length).toBeGreaterThan(20);
		const contents = pages.slice(1, starts[0]!.page).join(' ').replace(/\s+/g, ' ');
		for (const { title, page } of starts) {
			expect(pages[page]!.replace(/\s+/g, ' ')).toContain(title.split(' ').slice(0, 2).join(' '));
			expect(contents).toContain(`${title} ${page + 1}`);
		}
	});

	test('refers to chapters by page, and names sources at their ends', async () => {
		const { pages } = await readPdf(await bytesOf('guide'));
		const all = pages.join('\n').replace(/\s+/g, ' ');
		expect(all).toMatch(/temperature \(p\. \d+\)/);
		expect(all.match(/Sources and notes/g)!.length).toBeGreaterThanOrEqual(10);
	});

	test('has curly quotation marks, as the pages have, and straight ones in code', async () => {
		const { pages } = await readPdf(await bytesOf('guide'));
		const all = pages.join('\n').replace(/\s+/g, ' ');
		expect(all.match(/[a-z]’s /g)!.length).toBeGreaterThan(50);
		expect(all).not.toMatch(/[“”]{2}|’’/);
		expect(all).toMatch(/print\( ?f?"/);
	});

	test('says who wrote it, in which language, and what is read aloud', async () => {
		const { pdf } = await readPdf(await bytesOf('guide'));
		const { info } = await pdf.getMetadata();
		expect(info).toMatchObject({
			Title: 'The complete guide',
			Author: 'Groundtruth',
			Language: 'en-US',
		});
		expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
		const [, lesson] = await startsOf(pdf);
		const tree = await (await pdf.getPage(lesson!.page + 1)).getStructTree();
		for (const role of ['H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD']) {
			expect(JSON.stringify(tree)).toContain(`"role":"${role}"`);
		}
	});
});

test('each document names itself PDF/UA-1 and is tagged', async () => {
	for (const kind of ['pdf', 'cheatsheet', 'guide'] as const) {
		const { pdf } = await readPdf(await bytesOf(kind));
		const { metadata } = (await pdf.getMetadata()) as { metadata: { getRaw: () => string } };
		expect(metadata.getRaw(), kind).toContain('<pdfuaid:part>1</pdfuaid:part>');
		expect(await pdf.getMarkInfo(), kind).toMatchObject({ Marked: true });
	}
});

test('the book has every article, under its category', async () => {
	const { pdf, pages } = await readPdf(await bytesOf('pdf'));
	const titles = (await pdf.getOutline()).flatMap(({ items }) => items.map(({ title }) => title));
	const rows = await db.select({ title: posts.title }).from(posts);
	expect(titles.sort()).toEqual(rows.map(({ title }) => curlQuotes(title)).sort());
	expect(textPages(pages).length).toBeGreaterThan(200);
});

describe('the cheat sheet', () => {
	test('is exactly two pages, both of them full', async () => {
		const { pages } = await readPdf(await bytesOf('cheatsheet'));
		expect(pages).toHaveLength(2);
		for (const page of pages) expect(words(page)).toBeGreaterThan(400);
	});

	test('has no figure that is not in the article it names', async () => {
		const sheet = await readFile('content/guides/cheatsheet.md', 'utf8');
		const strange: string[] = [];
		for (const section of sheet.split(/^## /m).slice(1)) {
			const [title, , sources, ...rest] = section.split('\n');
			const slugs = sources!.replaceAll('_', '').split(/,\s*/);
			const texts = await Promise.all(
				slugs.map((slug) => readFile(`content/posts/${slug}.md`, 'utf8')),
			);
			const known = new Set(texts.join('\n').match(/\d[\d,]*(?:\.\d+)?/g));
			const figures = rest.join('\n').match(/\d[\d,]*(?:\.\d+)?/g) ?? [];
			for (const figure of figures) {
				const plain = figure.replace(/,$/, '');
				if (![plain, `${plain},`].some((one) => known.has(one))) strange.push(`${title}: ${plain}`);
			}
		}
		expect(strange).toEqual([]);
	});
});

test('the template is a Word document and Markdown with the same questions', async () => {
	const files = unzipSync(await bytesOf('template'));
	expect(Object.keys(files).sort()).toEqual(['project-template.docx', 'project-template.md']);
	const markdown = strFromU8(files['project-template.md']!);
	const inner = unzipSync(files['project-template.docx']!);
	const document = strFromU8(inner['word/document.xml']!);
	for (const [, heading] of markdown.matchAll(/^##+ (.+)$/gm)) expect(document).toContain(heading);
	expect(markdown).toContain('](https://groundtruth.example/blog/data-leakage)');
	expect(markdown).not.toMatch(/\]\(\//);
	expect(strFromU8(inner['word/_rels/document.xml.rels']!)).toContain(
		'https://groundtruth.example/blog/data-leakage',
	);
	expect(document.match(/<w:tbl>/g)!.length).toBe(markdown.match(/^\| ---/gm)!.length);
});

test('each is smaller than a function can carry', async () => {
	for (const kind of UPGRADES) {
		const bytes = await bytesOf(kind);
		expect(bytes.length).toBeGreaterThan(10_000);
		expect(bytes.length).toBeLessThan(MAX_BYTES);
	}
});

test('a link opens what was made', async () => {
	const { file, size } = (await openDownload(folder, 'guide'))!;
	await file.close();
	expect(size).toBe((await bytesOf('guide')).length);
});

test('the same content gives the same bytes', async () => {
	const again = await makeBook(await guideOf(await readGuidedPosts(db, now), making.siteUrl));
	expect(sha256(again)).toBe(sha256(await bytesOf('guide')));
}, 120_000);

test('only what has other content is made anew, and nothing stale is left', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	// Two articles are set in a tenth of the time.
	const db = await useTestDb();
	await seedContent(db);
	await db.delete(posts).where(notInArray(posts.slug, ['pid-four-faults', 'bm25-baseline']));
	expect(await makeDownloads(db, folder, making)).toEqual([...UPGRADES]);
	const readBook = async (kind: Upgrade) => {
		const { file } = (await readManifest(folder))[kind]!;
		return (await readPdf(await readFile(join(folder, file)))).pages.join('\n');
	};
	const before = await readManifest(folder);
	const times = async () =>
		Promise.all(
			(await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mtimeMs),
		);
	const untouched = await times();
	expect(await makeDownloads(db, folder, making)).toEqual([]);
	expect(await times()).toEqual(untouched);

	await db.update(posts).set({ title: 'A new title' }).where(eq(posts.slug, 'pid-four-faults'));
	expect(await makeDownloads(db, folder, making)).toEqual(['pdf', 'cheatsheet']);
	const after = await readManifest(folder);
	expect(after).toEqual({ ...before, pdf: after.pdf, cheatsheet: after.cheatsheet });
	expect(await readBook('cheatsheet')).toContain('A new title');
	expect(await readBook('pdf')).toContain('A new title');
	expect(await readBook('guide')).toContain('BM25 is still the baseline');
	// A reader who had the last manifest still finds its file, for as long as the next one lasts.
	expect(await readdir(folder)).toContain(before.pdf!.file);

	await db.update(posts).set({ published: false }).where(eq(posts.slug, 'bm25-baseline'));
	expect(await makeDownloads(db, folder, making)).toEqual(['pdf', 'cheatsheet', 'guide']);
	const names = await readdir(folder);
	expect(names).not.toContain(before.pdf!.file);
	expect(await readBook('guide')).not.toContain('BM25 is still the baseline');
	expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
}, 300_000);

test('an article that cannot be set stops neither its book nor the other downloads', async () => {
	const other = await mkdtemp(join(tmpdir(), 'downloads-'));
	onTestFinished(() => rm(other, { recursive: true, force: true }));
	const fresh = await useTestDb();
	await fresh.insert(categories).values([{ id: 'c1', name: 'Vision', slug: 'computer-vision' }]);
	await fresh.insert(posts).values([
		{
			...{ id: 'p1', title: 'Far away', slug: 'far-away', author: 'Groundtruth', categoryId: 'c1' },
			published: true,
			content: `<p>Its <a href="https://example.org/${'a'.repeat(9000)}">words</a> stay.</p>`,
		},
	]);
	const sentences: string[] = [];
	const report = (sentence: string) => sentences.push(sentence);
	expect(await makeDownloads(fresh, other, { ...making, report })).toEqual([...UPGRADES]);
	expect(sentences).toEqual([
		expect.stringMatching(/^In “The field guide”, “Far away” is set as plain text: .*too long/i),
	]);
	const { file } = (await readManifest(other)).pdf!;
	const { pages } = await readPdf(await readFile(join(other, file)));
	expect(pages.join(' ').replace(/\s+/g, ' ')).toContain('Its words stay.');
	// The timeline of publishing says so until the article is mended.
	expect(await describeProblems(fresh)).toBe(sentences[0]!.slice(0, 300));
	await fresh.update(posts).set({ content: '<p>Its words are mended.</p>' });
	expect(await makeDownloads(fresh, other, { ...making, report })).toEqual(['pdf']);
	expect(sentences).toHaveLength(1);
	expect(await describeProblems(fresh)).toBeNull();
}, 120_000);

test('they are made of texts and code whose digest is the same until one of them changes', async () => {
	expect(await sourcesDigest()).toMatch(/^[0-9a-f]{64}$/);
	expect(await sourcesDigest()).toBe(await sourcesDigest());
});

test('an article that cannot be rendered stops no download, and is in its book as plain text', async () => {
	const [post] = await readGuidedPosts(db, now);
	const content = `${'<div>'.repeat(30_000)}Deep words.`;
	const { parts } = await guideOf([{ ...post!, content }], making.siteUrl);
	const chapters = parts.flatMap((part) => part.chapters);
	const { tree } = chapters.find(({ id }) => id === `/blog/${post!.slug}`)!;
	expect(tree.children).toMatchObject([
		{ tagName: 'p', children: [{ type: 'text', value: 'Deep words.' }] },
	]);
});
