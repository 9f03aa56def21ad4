import { chromium } from '@playwright/test';
import { sql } from 'drizzle-orm';
import MiniSearch from 'minisearch';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Db } from '#db/client.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { findBrowser } from '#tests/support/browser.mjs';
import { ensurePackage } from '#tests/support/programs.mjs';
import { makeDatabase, randomFrom } from './corpus.ts';
import { withFolder } from './folder.ts';
import { measure, type Measured } from './measure.ts';
import { printTable } from './table.ts';

const run = promisify(execFile);

/** The part of Pagefind that is used. */
type Index = {
	addCustomRecord(record: object): Promise<unknown>;
	writeFiles(options: { outputPath: string }): Promise<unknown>;
	deleteIndex(): Promise<unknown>;
};

const QUERIES = 300;
/** Pagefind loads the text of each result by itself: so many are shown at first, as in its own interface. */
const PAGEFIND_SHOWN = 5;

type Post = {
	id: string;
	slug: string;
	title: string;
	excerpt: string;
	tags: string;
	body: string;
};
/** Measures the site's search, MiniSearch and Pagefind over the same posts with the same queries, and prints how they compare. */
export async function benchSearch(counts: number[]): Promise<void> {
	const rows: string[][] = [];
	for (const count of counts) {
		await withFolder(async (folder) => {
			const url = `file:${join(folder, 'site.db')}`;
			const db = await makeDatabase(url, count);
			await renderStalePosts(db);
			await indexEntries(db, { site: await readSite(db, new Date()), issues: [] });
			const words = await sizeOf(db);
			const started = performance.now();
			await updateVectors(db);
			const seconds = ((performance.now() - started) / 1000).toFixed(1);
			const size = await sizeOf(db);
			console.log(
				`${count} posts: the database has ${kilobytes(size)} kB, ${kilobytes(size - words)} of them for meaning, made in ${seconds} s`,
			);
			const posts = await readPosts(db);
			const queries = makeQueries(posts);
			const engines: [string, () => Promise<Measured>][] = [
				['Groundtruth, all text of everything, with passages', () => measureOurs(url, queries)],
				['MiniSearch, title, excerpt and tags', () => measureMiniSearch(posts, queries)],
				['Pagefind, all text, five with passages', () => measurePagefind(folder, posts, queries)],
			];
			for (const [name, measure] of engines) {
				const { times, work, found, first, later } = await measure();
				rows.push([
					count.toLocaleString('en-US'),
					name,
					percentile(times, 0.5),
					percentile(times, 0.99),
					percentile(work, 0.5),
					percentile(work, 0.99),
					`${Math.round((100 * found) / queries.length)}%`,
					kilobytes(first),
					kilobytes(later),
				]);
				console.log(rows.at(-1)!.join(', '));
			}
			db.$client.close();
		});
	}
	printTable(
		[
			'posts',
			'search',
			'p50 ms',
			'p99 ms',
			'processor p50',
			'p99',
			'answered',
			'kB first',
			'kB later',
		],
		rows,
	);
	console.log('Aim: p99 under 20 ms at 10,000 posts.');
}

/** Returns how many bytes a database has. */
async function sizeOf(db: Db): Promise<number> {
	const [row] = await db.all<{ size: number }>(
		sql`select page_count * page_size as size from pragma_page_count, pragma_page_size`,
	);
	return row!.size;
}

function percentile(values: number[], share: number): string {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length * share)]?.toFixed(1) ?? '';
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);

async function readPosts(db: Db): Promise<Post[]> {
	return db.all(
		sql`select posts.id, slug, rendered_posts.title, rendered_posts.excerpt, tags, body
			from rendered_posts join posts on posts.id = post_id`,
	);
}

/** One to three words of titles; every other time the last is half typed, every tenth time one has two letters swapped. */
function makeQueries(posts: Post[]): string[] {
	const random = randomFrom(1);
	return Array.from({ length: QUERIES }, (_, number) => {
		const words = Array.from({ length: 1 + (number % 3) }, () => {
			const { title } = posts[random(posts.length)]!;
			const long = title.toLowerCase().match(/[a-z]{5,}/g) ?? ['model'];
			return long[random(long.length)]!;
		});
		const last = words.pop()!;
		if (number % 10 === 9) words.push(`${last[0]}${last[2]}${last[1]}${last.slice(3)}`);
		else words.push(number % 2 ? last.slice(0, 4) : last);
		return words.join(' ');
	});
}

/** With the function that the site has, in a process of its own as its server is. */
async function measureOurs(url: string, queries: string[]): Promise<Measured> {
	const file = fileURLToPath(new URL('search-ours.ts', import.meta.url));
	const running = run(process.execPath, [file, url], { maxBuffer: 100_000_000 });
	running.child.stdin!.end(JSON.stringify(queries));
	return JSON.parse((await running).stdout) as Measured;
}

async function measureMiniSearch(posts: Post[], queries: string[]): Promise<Measured> {
	const fields = ['title', 'excerpt', 'tags'];
	const index = new MiniSearch<Post>({ fields, storeFields: ['title', 'slug', 'excerpt'] });
	index.addAll(posts);
	const library = await readFile(fileURLToPath(import.meta.resolve('minisearch')));
	const first = gzipSync(JSON.stringify(index)).length + gzipSync(library).length;
	const options = {
		prefix: true,
		fuzzy: 0.2,
		combineWith: 'AND' as const,
		boost: { title: 10, tags: 6, excerpt: 4 },
	};
	const measured = await measure(queries, async (query) => index.search(query, options).length);
	return { ...measured, first, later: 0 };
}

/** In a browser, which is where it runs. */
async function measurePagefind(
	folder: string,
	posts: Post[],
	queries: string[],
): Promise<Measured> {
	const output = join(folder, 'pagefind');
	const pagefind = join(ensurePackage('pagefind@1.5.2'), 'lib/index.js');
	const { createIndex } = (await import(pagefind)) as {
		createIndex: () => Promise<{ index: Index }>;
	};
	const { index } = await createIndex();
	for (const { slug, title, excerpt, tags, body } of posts) {
		await index.addCustomRecord({
			url: `/blog/${slug}`,
			content: [title, excerpt, tags, body].join('\n'),
			language: 'en',
			meta: { title },
		});
	}
	await index.writeFiles({ outputPath: output });
	await index.deleteIndex();
	let bytes = 0;
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url!, 'http://localhost');
		const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
		readFile(join(output, pathname)).then(
			(content) => {
				// Its index is compressed already; scripts would be by any host.
				bytes += type.startsWith('text/') ? gzipSync(content).length : content.length;
				response
					.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=3600' })
					.end(content);
			},
			() => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const executablePath = findBrowser();
	const browser = await chromium.launch({
		...(executablePath && { executablePath }),
		args: ['--no-sandbox'],
	});
	const page = await browser.newPage();
	await page.goto(`http://127.0.0.1:${port}/`);
	// As text, so that nothing that compiles this file rewrites what runs in the page.
	await page.evaluate(`import('/pagefind.js').then((pagefind) => {
		window.ask = async (query) => {
			const started = performance.now();
			const { results } = await pagefind.search(query);
			await Promise.all(results.slice(0, ${PAGEFIND_SHOWN}).map((result) => result.data()));
			return [performance.now() - started, results.length];
		};
	})`);
	const ask = (query: string) => page.evaluate<[number, number]>(`ask(${JSON.stringify(query)})`);
	await ask(queries[0]!);
	const first = bytes;
	const times: number[] = [];
	let found = 0;
	for (const query of queries.slice(1)) {
		const [ms, results] = await ask(query);
		times.push(ms);
		if (results > 0) found++;
	}
	await browser.close();
	server.close();
	return { times, work: [], found, first, later: (bytes - first) / times.length };
}
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.json': 'text/json' };
