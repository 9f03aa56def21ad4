import Validator from '@adobe/structured-data-validator';
import type { APIRequestContext } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Root, RootContent } from 'hast';
import { RESERVED_IDS } from '#src/core/articles/render.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { expect, mapsOf, test } from './fixtures.ts';

type Page = {
	path: string;
	status: number;
	location: string | undefined;
	type: string;
	text: string;
};

/** Addresses that links name and that only people or programs with something to send may open. */
const NOT_CRAWLED = /^\/api\/(?!openapi\.json)/;

/** Every page and file of the site that a link of another one leads to, from the home page on. */
async function crawl(request: APIRequestContext): Promise<Map<string, Page>> {
	const found = new Map<string, Page>();
	let waiting = ['/'];
	while (waiting.length > 0) {
		const batch = waiting.splice(0, 8);
		const pages = await Promise.all(
			batch.map(async (path): Promise<Page> => {
				const response = await request.get(path, { maxRedirects: 0 });
				const headers = response.headers();
				const type = (headers['content-type'] ?? '').split(';')[0]!;
				const isText = /html|xml|json|markdown|plain/.test(type);
				const text = isText ? await response.text() : '';
				return { path, status: response.status(), location: headers['location'], type, text };
			}),
		);
		for (const page of pages) found.set(page.path, page);
		const linked = pages
			.filter(isHtml)
			.flatMap(({ path, text }) => linksOf(path, text).map((link) => link.pathname + link.search));
		waiting = [...new Set([...waiting, ...linked])].filter(
			(path) => !found.has(path) && !NOT_CRAWLED.test(path),
		);
	}
	return found;
}

const ORIGIN = 'http://site';
/** Returns whether a page is among the first three of a folder: what differs among those is what people wrote. */
function isFirstOfKind({ path }: Page, _index: number, all: Page[]): boolean {
	const folder = (page: string) => page.replace(/[^/]*$/, '');
	const alike = all.filter((other) => folder(other.path) === folder(path));
	return path.lastIndexOf('/') === 0 || alike.slice(0, 3).some((first) => first.path === path);
}
const isHtml = ({ type, status }: Page) => type === 'text/html' && status === 200;

/** Where a page's links and embedded files are, on this site. */
function linksOf(path: string, html: string): URL[] {
	return [...html.matchAll(/<(?:a|link|img|script|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g)]
		.map(([, target]) => target!.replaceAll('&amp;', '&').replaceAll('&#38;', '&'))
		.filter((target) => URL.canParse(target, ORIGIN + path))
		.map((target) => new URL(target, ORIGIN + path))
		.filter(({ origin }) => origin === ORIGIN);
}

/** Structured data of a page. */
function graphOf(html: string): { '@type': string }[] {
	const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
	return text ? (JSON.parse(text) as { '@graph': { '@type': string }[] })['@graph'] : [];
}

// One crawl for all of them.
test.describe.configure({ mode: 'default' });

test.describe('a crawl of the whole site', () => {
	let site: Map<string, Page>;
	let maps: Map<string, string>;
	const pages = () => [...site.values()].filter(isHtml);

	test.beforeAll(async ({ playwright, baseURL }) => {
		test.setTimeout(300_000);
		const request = await playwright.request.newContext({ baseURL: baseURL! });
		maps = await mapsOf(request);
		// Other tests publish, and take pages away: the site is crawled while it stands still.
		await expect(async () => {
			const before = maps;
			site = await crawl(request);
			maps = await mapsOf(request);
			expect([...maps]).toEqual([...before]);
		}).toPass();
		await request.dispose();
	});

	test('finds every page, with no dead link and no redirect behind a link', () => {
		const bad = [...site.values()].filter(({ status }) => status !== 200);
		expect(bad.map(({ path, status, location }) => `${path} ${status} ${location ?? ''}`)).toEqual(
			[],
		);
		expect(pages().length).toBeGreaterThan(200);
	});

	test('finds a target for every fragment', () => {
		const dead = pages().flatMap(({ path, text }) =>
			linksOf(path, text)
				.filter(({ hash }) => hash.length > 1)
				.filter(({ pathname, hash }) => {
					const id = decodeURIComponent(hash.slice(1)).replaceAll('&', '&amp;');
					const target = site.get(pathname);
					return target && isHtml(target) && !target.text.includes(`id="${id}"`);
				})
				.map(({ pathname, hash }) => `${path} -> ${pathname}${hash}`),
		);
		expect(dead).toEqual([]);
	});

	test('reaches every page of the sitemap, each under its canonical address', () => {
		const listed = new Set<string>();
		for (const text of maps.values()) {
			expect(XMLValidator.validate(text)).toBe(true);
			for (const [, url] of text.matchAll(/<loc>([^<]*)<\/loc>/g)) {
				listed.add(decodeURI(new URL(url!).pathname));
			}
			for (const [, at] of text.matchAll(/<lastmod>([^<]*)<\/lastmod>/g)) {
				expect(Date.parse(at!)).toBeLessThanOrEqual(Date.now());
			}
		}
		expect([...listed].filter((path) => !site.has(path))).toEqual([]);
		const indexable = pages().filter(
			({ text }) => !/<meta name="robots" content="noindex/.test(text),
		);
		const canonical = new Set(
			indexable.map(({ text }) => {
				const address = /<link rel="canonical" href="([^"]*)"/.exec(text)?.[1];
				return decodeURI(new URL(address!).pathname);
			}),
		);
		expect([...canonical].filter((path) => !listed.has(path)).sort()).toEqual([]);
		expect([...listed].filter((path) => !canonical.has(path)).sort()).toEqual([]);
	});

	test('goes from the first page of each list to its oldest article, and meets each one once', () => {
		const addressOf = (text: string, rel: string) =>
			new RegExp(`<a[^>]* rel="${rel}"[^>]*href="([^"]*)"|<a[^>]*href="([^"]*)"[^>]* rel="${rel}"`)
				.exec(text)
				?.slice(1)
				.find(Boolean);
		const lists = pages().filter(({ path }) => /^\/(blog|(category|tag)\/[^/]+)$/.test(path));
		const lengths = lists.map(({ path, text }) => {
			const articles: string[] = [];
			let length = 0;
			for (let at: string | undefined = path, before: string | undefined; at; length++) {
				const page: Page = site.get(at)!;
				expect(addressOf(page.text, 'prev')).toBe(before);
				// What a short page shows of the next one is met there.
				const [own] = page.text.split('<section class="topic" aria-labelledby="next"');
				const cards = [...own!.matchAll(/<h[23][^>]*>\s*<a href="(\/blog\/[^"]*)"/g)];
				expect(cards.length).toBeLessThanOrEqual(24);
				articles.push(...cards.map(([, address]) => address!));
				before = at;
				at = addressOf(page.text, 'next');
			}
			const total = Number(/>(\d+) Articles?\b/.exec(text)?.[1]);
			expect([path, new Set(articles).size, articles.length]).toEqual([path, total, total]);
			return length;
		});
		expect(lists.length).toBeGreaterThan(50);
		expect(Math.max(...lengths)).toBeGreaterThan(2);
	});

	for (const [where, isChosen] of [
		['on pages of each kind', isFirstOfKind],
		['everywhere @nightly', () => true],
	] as const)
		test(`finds valid HTML ${where}`, async () => {
			test.setTimeout(400_000);
			const validator = new HtmlValidate(
				new StaticConfigLoader({ extends: ['html-validate:standard'] }),
			);
			const problems: string[] = [];
			for (const { path, text } of pages().filter(isChosen)) {
				// Astro itself puts one rule for its islands' elements where the first of them stands.
				const html = text.replace(/<style>astro-island[^<]*<\/style>/, '');
				const { results } = await validator.validateString(html);
				for (const { messages } of results) {
					for (const { ruleId, message, selector } of messages) {
						problems.push(`${path}: ${ruleId} ${message} ${selector}`);
					}
				}
			}
			expect(problems).toEqual([]);
		});

	test('finds no page of more than 150 KB', () => {
		for (const { path, text } of pages())
			expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(150 * 1024);
	});

	test('finds no id around a text that a heading of the text could get', () => {
		const others = new Set<string>();
		const read = (node: Root | RootContent) => {
			if (!('children' in node)) return;
			if (node.type === 'element') {
				const { id, className } = node.properties;
				if (Array.isArray(className) && className.includes('prose')) return;
				// What a heading becomes has small letters, digits and hyphens.
				const isComment = /^comment-[\da-f-]{36}$/.test(String(id ?? ''));
				if (!isComment && /^[a-z0-9-]+$/.test(String(id ?? ''))) others.add(String(id));
			}
			for (const child of node.children) read(child);
		};
		// A text whose headings have ids.
		const texts = pages().filter(({ text }) => text.includes('class="anchor"'));
		expect(texts.length).toBeGreaterThan(50);
		for (const { text } of texts) read(parseHtml(text));
		expect([...others].filter((id) => !RESERVED_IDS.includes(id))).toEqual([]);
	});

	test('finds structured data that search engines take', async () => {
		const validator = new Validator(null);
		const kinds = new Map<string, Set<string>>();
		for (const { path, text } of pages()) {
			const graph = graphOf(text);
			const jsonld = Object.fromEntries(Map.groupBy(graph, (node) => node['@type']));
			const issues = await validator.validate({ jsonld, microdata: {}, rdfa: {} });
			expect(
				issues.filter(({ severity }) => severity === 'ERROR'),
				path,
			).toEqual([]);
			kinds.set(path, new Set(graph.map((node) => node['@type'])));
		}
		const typesOf = (path: string) => [...(kinds.get(path) ?? [])].sort();
		expect(typesOf('/')).toEqual(['FAQPage', 'Organization', 'WebSite']);
		expect(typesOf('/blog')).toEqual(['BreadcrumbList', 'CollectionPage']);
		expect(typesOf('/category/machine-learning')).toEqual(['BreadcrumbList', 'CollectionPage']);
		expect(typesOf('/blog/attention-in-plain-arithmetic')).toEqual([
			'Article',
			'BreadcrumbList',
			'FAQPage',
		]);
		expect(typesOf('/ai-best-practices/california')).toEqual([
			'BreadcrumbList',
			'Dataset',
			'FAQPage',
		]);
		expect(typesOf('/newsletter')).toEqual(['Course', 'FAQPage']);
	});

	test('finds feeds that their formats allow, with the newest twenty articles whole and the others in short', () => {
		const parser = new XMLParser({
			ignoreAttributes: false,
			isArray: (name) => ['item', 'entry'].includes(name),
		});
		const feeds = [...site.values()].filter(({ path }) =>
			/\/(rss\.xml|atom\.xml|feed\.json)$/.test(path),
		);
		expect(feeds.length).toBeGreaterThan(100);
		for (const { path, text, type } of feeds) {
			if (path.endsWith('json')) {
				expect(type).toBe('application/feed+json');
				const feed = JSON.parse(text) as JsonFeed;
				expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
				expect(new Set(feed.items.map(({ id }) => id)).size).toBe(feed.items.length);
				for (const [index, { content_html, content_text }] of feed.items.entries()) {
					expect((content_html ?? content_text)!.length, path).toBeGreaterThan(20);
					if (index < 20) expect(content_html, path).toBeTruthy();
				}
				continue;
			}
			expect(XMLValidator.validate(text), path).toBe(true);
			const root = parser.parse(text) as XmlFeed;
			if (path.endsWith('atom.xml')) {
				expect(type).toBe('application/atom+xml');
				expect(root.feed!['@_xmlns']).toBe('http://www.w3.org/2005/Atom');
				for (const name of ['id', 'title', 'updated'] as const)
					expect(root.feed![name]).toBeTruthy();
				for (const [index, entry] of (root.feed!.entry ?? []).entries()) {
					const text = index < 20 ? 'content' : 'summary';
					for (const name of ['id', 'title', 'updated', text] as const) {
						expect(entry[name], path).toBeTruthy();
					}
				}
			} else {
				expect(type).toBe('application/rss+xml');
				const { channel } = root.rss!;
				for (const name of ['title', 'link', 'description'] as const)
					expect(channel[name]).toBeTruthy();
				for (const [index, item] of (channel.item ?? []).entries()) {
					expect(Date.parse(item.pubDate)).not.toBeNaN();
					expect((item['content:encoded'] ?? item.description)!.length, path).toBeGreaterThan(20);
					if (index < 20) expect(item['content:encoded'], path).toBeTruthy();
				}
			}
		}
		const newest = JSON.parse(site.get('/feed.json')!.text) as JsonFeed;
		expect(newest.items.length).toBeGreaterThanOrEqual(43);
		expect(newest.items.length).toBeLessThanOrEqual(50);
	});
});

type JsonFeed = {
	version: string;
	items: { id: string; content_html?: string; content_text?: string }[];
};
type XmlFeed = {
	rss?: {
		channel: { title: string; link: string; description: string; item?: RssItem[] };
	};
	feed?: Record<'id' | 'title' | 'updated' | '@_xmlns', string> & {
		entry?: Record<'id' | 'title' | 'updated' | 'content' | 'summary', string>[];
	};
};
type RssItem = { pubDate: string; description?: string; 'content:encoded'?: string };
