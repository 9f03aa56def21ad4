import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { renderArticle } from '#src/core/articles/render.ts';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { FORMATS, feedLinks, readerHtml, type Feed } from './feed.ts';

const HOSTILE = ']]></title><script>alert("1")</script> & \u0000\u001b\ud800 "quoted" \'s 🦉';
const HARMLESS = HOSTILE.replace(/[\u0000\u001b]/g, '').replace('\ud800', '\ufffd');

const feed: Feed = {
	icon: 'https://example.com/icon-512.png',
	title: HOSTILE,
	description: HOSTILE,
	home: 'https://groundtruth.test/tag/a&b',
	self: 'https://groundtruth.test/rss.xml?a=1&b=2',
	others: [{ type: 'application/feed+json', href: 'https://groundtruth.test/feed.json?a=1&b=2' }],
	hub: 'https://hub.example/?a=1&b=2',
	updated: new Date('2026-03-02T10:00:00Z'),
	items: [
		{
			id: 'urn:uuid:1',
			url: 'https://groundtruth.test/blog/one',
			title: HOSTILE,
			summary: HOSTILE,
			html: `<p>${HOSTILE}</p>`,
			author: HOSTILE,
			tags: [HOSTILE, 'b'],
			published: new Date('2026-03-01T10:00:00Z'),
			updated: new Date('2026-03-02T10:00:00Z'),
		},
	],
};

const parser = new XMLParser({
	ignoreAttributes: false,
	trimValues: false,
	isArray: (name) => ['item', 'entry', 'category'].includes(name),
});
function parsed(file: 'rss.xml' | 'atom.xml', of = feed) {
	const text = FORMATS[file].write(of);
	expect(XMLValidator.validate(text)).toBe(true);
	return parser.parse(text);
}

const LINKS = [
	['self', feed.self],
	['alternate', feed.others[0]!.href],
	['hub', feed.hub],
];
const linksIn = (links: Record<string, string>[]) =>
	links.map((link) => [link['@_rel'], link['@_href']]);

test('an RSS feed holds hostile words as words', () => {
	const { channel } = parsed('rss.xml').rss;
	const [item] = channel.item;
	expect([channel.title, item.title]).toEqual([HARMLESS, HARMLESS]);
	// Readers take a description for HTML.
	expect([channel.description, item.description]).toEqual(Array(2).fill(escapeHtml(HARMLESS)));
	expect(item['content:encoded']).toBe(`<p>${HARMLESS}</p>`);
	expect([item['dc:creator'], ...item.category]).toEqual([HARMLESS, HARMLESS, 'b']);
	expect(item.guid).toEqual({ '#text': 'urn:uuid:1', '@_isPermaLink': 'false' });
	expect(item.pubDate).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
	expect(linksIn(channel['atom:link'])).toEqual(LINKS);
});

test('the page of an Atom feed is its only alternate, for readers that take the first or the last', () => {
	const links = linksIn(parsed('atom.xml').feed.link);
	expect(links.filter(([rel]) => rel === 'alternate')).toEqual([['alternate', feed.home]]);
	expect(links).toContainEqual(['hub', feed.hub]);
});

test('an Atom feed holds hostile words as words', () => {
	const root = parsed('atom.xml').feed;
	const [entry] = root.entry;
	expect([root.title, root.subtitle, entry.title, entry.summary, entry.author.name]).toEqual(
		Array(5).fill(HARMLESS),
	);
	expect(entry.content).toEqual({ '#text': `<p>${HARMLESS}</p>`, '@_type': 'html' });
	expect([entry.published, entry.updated, root.updated]).toEqual([
		'2026-03-01T10:00:00.000Z',
		'2026-03-02T10:00:00.000Z',
		'2026-03-02T10:00:00.000Z',
	]);
});

test('a JSON feed holds what its version asks for', () => {
	const json = JSON.parse(FORMATS['feed.json'].write(feed)) as { items: object[] };
	expect(json).toMatchObject({
		version: 'https://jsonfeed.org/version/1.1',
		home_page_url: feed.home,
		feed_url: feed.self,
	});
	expect(json.items[0]).toMatchObject({
		id: 'urn:uuid:1',
		url: 'https://groundtruth.test/blog/one',
		content_html: `<p>${HOSTILE}</p>`,
		tags: [HOSTILE, 'b'],
	});
	expect(json.items[0]).not.toHaveProperty('image');
});

test('an item whose text is left to its page has its summary in every format', () => {
	const short = { ...feed, items: [{ ...feed.items[0]!, summary: 'In short.', html: null }] };
	const [item] = parsed('rss.xml', short).rss.channel.item;
	expect(item).not.toHaveProperty('content:encoded');
	expect(item.description).toBe('In short.');
	const [entry] = parsed('atom.xml', short).feed.entry;
	expect(entry).not.toHaveProperty('content');
	expect(entry.summary).toBe('In short.');
	const json = JSON.parse(FORMATS['feed.json'].write(short)) as { items: object[] };
	expect(json.items[0]).toMatchObject({ content_text: 'In short.' });
	expect(json.items[0]).not.toHaveProperty('content_html');
});

test('a feed without items is a feed all the same', () => {
	const empty = { ...feed, items: [] };
	expect(parsed('rss.xml', empty).rss.channel).not.toHaveProperty('item');
	expect(parsed('atom.xml', empty).feed).not.toHaveProperty('entry');
});

test('what a reader gets has absolute addresses, and neither token spans nor heading anchors', () => {
	const html =
		'<h2 id="why">Why<a href="#why" class="anchor" aria-label="Link to a -> b"></a></h2><p><a href="#fn-1">1</a> <a href="/blog/two">2</a> <a href="//other.test/x">3</a> <a href="https://other.test">4</a> <a href="guide?a=1&#x26;b=2">5</a> <a href="//[">6</a> <img src="/api/media/1" alt=""></p><pre><code>&#x3C;a href="/kept"> <span class="t-k">if</span> x &#x3C; 1</code></pre>';
	expect(readerHtml(html, 'https://groundtruth.test/blog/one')).toBe(
		'<h2 id="why">Why</h2><p><a href="https://groundtruth.test/blog/one#fn-1">1</a> <a href="https://groundtruth.test/blog/two">2</a> <a href="https://other.test/x">3</a> <a href="https://other.test">4</a> <a href="https://groundtruth.test/blog/guide?a=1&#x26;b=2">5</a> <a href="//[">6</a> <img src="https://groundtruth.test/api/media/1" alt=""></p><pre><code>&#x3C;a href="/kept"> if x &#x3C; 1</code></pre>',
	);
});

test('each list names its feeds beside its own address', () => {
	expect(feedLinks({ title: 'All', path: '/' }).map(({ href }) => href)).toEqual([
		'/rss.xml',
		'/atom.xml',
		'/feed.json',
	]);
	expect(feedLinks({ title: 'A', path: '/tag/a' })[0]).toEqual({
		type: 'application/rss+xml',
		title: 'A (RSS)',
		href: '/tag/a/rss.xml',
	});
});

test('a drawn figure is its picture, its data and its caption', () => {
	const html =
		'<figure id="fig-a" class="drawn"><svg viewBox="0 0 7 3" width="7" height="3" class="drawn-wide" role="img" aria-label="A > b" data-picture="/media/figure-1.png"><g></g></svg><svg viewBox="0 0 1 1" class="drawn-narrow"></svg><svg viewBox="0 0 9 3" class="drawn-full drawn-out"></svg><details class="drawn-data"><summary>Data</summary></details><figcaption>A</figcaption></figure>';
	expect(readerHtml(html, 'https://a.example/blog/x')).toBe(
		'<figure id="fig-a" class="drawn"><img src="https://a.example/media/figure-1.png" alt="A > b" width="7" height="3"><details class="drawn-data"><summary>Data</summary></details><figcaption>A</figcaption></figure>',
	);
});

test('the card of a page is a link in feeds and in emails, with its picture and what it says', async () => {
	const { html } = await renderArticle(
		'<figure data-embed=""><a href="https://www.other.test/a"><img src="/api/media/1" alt=""> A page</a><figcaption>What it is</figcaption></figure>',
	);
	expect(html).toBe(
		'<figure class="embed embed-page"><a href="https://www.other.test/a"><img src="/api/media/1" alt=""><span class="embed-title">A page</span> <span class="embed-host">other.test</span></a><figcaption>What it is</figcaption></figure>',
	);
	expect(readerHtml(html, 'https://a.example/blog/x')).toContain(
		'<a href="https://www.other.test/a"><img src="https://a.example/api/media/1" alt="">',
	);
	expect((await emailHtml(html)).replace(/ style="[^"]*"/g, '')).toContain(
		'<a href="https://www.other.test/a"><img src="/api/media/1" alt="">A page other.test</a>',
	);
});
