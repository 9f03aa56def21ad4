import { XMLBuilder } from 'fast-xml-parser';
import { escapeHtml } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';

/** Maximum number of articles in a feed. */
export const FEED_LENGTH = 50;
/** How many of them are included in full. Feed readers poll often and have the older ones already. */
export const FEED_WHOLE = 20;

/** A feed, with absolute addresses. */
export type Feed = {
	title: string;
	/** Address of the site's icon, a square. */
	icon: string;
	description: string;
	/** The page that the feed belongs to. */
	home: string;
	/** The feed's own address. */
	self: string;
	/** The same list in the other formats, which readers choose by their type. */
	others: { type: string; href: string }[];
	/** Address of the WebSub hub that is told when the list changes. */
	hub?: string | undefined;
	updated: Date;
	items: FeedItem[];
};

export type FeedItem = {
	/** Stays the same when the address changes. */
	id: string;
	url: string;
	/** Plain text, like the summary. */
	title: string;
	summary: string | null;
	/** The full content, or null if only the summary is included. */
	html: string | null;
	author: string;
	/** Address of the author's page. */
	authorUrl?: string;
	tags: string[];
	image?: string;
	published: Date;
	updated: Date;
};

/** Feed formats by file name: media type, label, and the function that writes them. */
export const FORMATS = {
	'rss.xml': { type: 'application/rss+xml', label: 'RSS', write: rss },
	'atom.xml': { type: 'application/atom+xml', label: 'Atom', write: atom },
	'feed.json': { type: 'application/feed+json', label: 'JSON Feed', write: jsonFeed },
} as const;
export type FeedFile = keyof typeof FORMATS;
export const FEED_FILES = Object.keys(FORMATS) as FeedFile[];

/** Returns a page's links to the feeds of a list. */
export function feedLinks({ title, path }: { title: string; path: string }) {
	return FEED_FILES.map((file) => ({
		type: FORMATS[file].type,
		title: `${title} (${FORMATS[file].label})`,
		href: paths.feed(path, file),
	}));
}

const builder = new XMLBuilder({
	attributeNamePrefix: '@',
	ignoreAttributes: false,
	suppressEmptyNode: true,
});

function xml(root: object): string {
	return `<?xml version="1.0" encoding="utf-8"?>\n${builder.build(root)}\n`;
}

/** Returns the links of a feed to itself, to its other formats and to its hub, as elements of Atom. */
function linksOf({
	self,
	type,
	others,
	hub,
}: Pick<Feed, 'self' | 'others' | 'hub'> & { type: string }) {
	return [
		{ '@rel': 'self', '@type': type, '@href': self },
		...others.map((one) => ({ '@rel': 'alternate', '@type': one.type, '@href': one.href })),
		...(hub ? [{ '@rel': 'hub', '@href': hub }] : []),
	];
}

/** Removes control characters that XML does not allow. */
function clean(text: string): string {
	return text.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '').toWellFormed();
}

/** Writes RSS 2.0 with full texts in `content:encoded`. A description is HTML; titles are read as either. */
function rss({ title, description, home, self, others, hub, updated, items }: Feed): string {
	return xml({
		rss: {
			'@version': '2.0',
			'@xmlns:atom': 'http://www.w3.org/2005/Atom',
			'@xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
			'@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
			channel: {
				title: clean(title),
				link: home,
				description: escapeHtml(clean(description)),
				language: site.language.toLowerCase(),
				...(items.length > 0 && { lastBuildDate: updated.toUTCString() }),
				'atom:link': linksOf({ self, type: FORMATS['rss.xml'].type, others, hub }),
				item: items.map((item) => ({
					title: clean(item.title),
					link: item.url,
					guid: { '@isPermaLink': 'false', '#text': item.id },
					pubDate: item.published.toUTCString(),
					'dc:creator': clean(item.author),
					category: item.tags.map(clean),
					...(item.summary && { description: escapeHtml(clean(item.summary)) }),
					...(item.html !== null && { 'content:encoded': clean(item.html) }),
				})),
			},
		},
	});
}

/** Writes Atom (RFC 4287). */
function atom({ title, icon, description, home, self, hub, updated, items }: Feed): string {
	return xml({
		feed: {
			'@xmlns': 'http://www.w3.org/2005/Atom',
			'@xml:lang': site.language,
			id: self,
			title: clean(title),
			subtitle: clean(description),
			icon,
			updated: updated.toISOString(),
			link: [
				// No other format: newsboat takes the last alternate for the page of the feed, others take the first.
				...linksOf({ self, type: FORMATS['atom.xml'].type, others: [], hub }),
				{ '@rel': 'alternate', '@type': 'text/html', '@href': home },
			],
			author: { name: site.name },
			entry: items.map((item) => ({
				id: item.id,
				title: clean(item.title),
				link: { '@rel': 'alternate', '@type': 'text/html', '@href': item.url },
				published: item.published.toISOString(),
				updated: item.updated.toISOString(),
				author: { name: clean(item.author), ...(item.authorUrl && { uri: item.authorUrl }) },
				category: item.tags.map((tag) => ({ '@term': clean(tag) })),
				...(item.summary && { summary: clean(item.summary) }),
				...(item.html !== null && { content: { '@type': 'html', '#text': clean(item.html) } }),
			})),
		},
	});
}

/** Writes JSON Feed 1.1. */
function jsonFeed({ title, icon, description, home, self, hub, items }: Feed): string {
	return `${JSON.stringify({
		version: 'https://jsonfeed.org/version/1.1',
		title,
		description,
		icon,
		home_page_url: home,
		feed_url: self,
		...(hub && { hubs: [{ type: 'WebSub', url: hub }] }),
		language: site.language,
		authors: [{ name: site.name }],
		items: items.map(
			({
				id,
				url,
				html,
				summary,
				image,
				author,
				authorUrl,
				tags,
				published,
				updated,
				...item
			}) => ({
				id,
				url,
				title: item.title,
				...(html === null ? { content_text: summary ?? item.title } : { content_html: html }),
				...(summary && { summary }),
				...(image && { image }),
				date_published: published.toISOString(),
				date_modified: updated.toISOString(),
				authors: [{ name: author, ...(authorUrl && { url: authorUrl }) }],
				tags,
			}),
		),
	})}\n`;
}

/** Attributes of an element, whose values may contain `>`. */
const ATTRIBUTES = String.raw`(?:[^">]|"[^"]*")*`;
/** To the last end: a drawing may hold others. */
const DRAWING = new RegExp(`<svg ${ATTRIBUTES}>.*</svg>`, 's');
const OTHERS = new RegExp(
	`<svg ${ATTRIBUTES} class="drawn-(?:narrow|full)[^"]*"${ATTRIBUTES}>.*?</svg>`,
	'gs',
);
const TAG = new RegExp(`<[a-z]${ATTRIBUTES}>`, 'g');
const ANCHOR = new RegExp(`<a ${ATTRIBUTES} class="anchor"${ATTRIBUTES}></a>`, 'g');

/** Returns the PNG of a figure's drawing as an image, with the drawing's name and size. */
function pictureTag(svg: string, id: string): string {
	const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(svg)?.[1] ?? '';
	if (!of('data-picture')) return `<a href="#${id}">See the figure</a>`;
	return `<img src="${of('data-picture')}" alt="${of('aria-label')}" width="${of('width')}" height="${of('height')}">`;
}

/** Returns rendered HTML for feed readers: absolute addresses, and no markup that only this site's styles need. */
export function readerHtml(html: string, url: string): string {
	return (
		html
			// A drawing needs the site's colors: its PNG stands in. Its caption and its data stay.
			.replace(/<figure id="(fig-[\w-]+)" class="drawn">.*?<\/figure>/gs, (figure, id: string) =>
				figure.replace(OTHERS, '').replace(DRAWING, (svg) => pictureTag(svg, id)),
			)
			.replace(/<span class="t-\w">([^<]*)<\/span>/g, '$1')
			.replace(ANCHOR, '')
			.replace(TAG, (tag) =>
				tag.replace(
					/ (href|src)="(?![a-z][a-z+.-]*:)([^"]*)"/g,
					(_, name: string, path: string) => {
						return ` ${name}="${URL.parse(path, url)?.href ?? path}"`;
					},
				),
			)
	);
}
