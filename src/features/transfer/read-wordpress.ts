import { XMLParser } from 'fast-xml-parser';
import { AppError } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { emptyBundle, importedComment, importedPost, type Bundle } from './transfer.ts';

/** A node of the file: text, or tags with texts, lists and attributes. */
type Node = { [name: string]: unknown };

const parser = new XMLParser({
	ignoreAttributes: false,
	attributeNamePrefix: '@',
	parseTagValue: false,
	trimValues: false,
	isArray: (name) => LISTS.has(name),
});
const LISTS = new Set([
	'item',
	'category',
	'wp:category',
	'wp:author',
	'wp:comment',
	'wp:postmeta',
]);

/** Reads what WordPress exports ("WXR"). Pages and other things are counted and told; comments come with their posts. */
export function readWordPress(xml: string): Bundle {
	// Exports have none; one is how a file makes a reader grow without end.
	if (/<!DOCTYPE|<!ENTITY/i.test(xml.slice(0, 10_000))) {
		throw new AppError('validation', 'This file declares entities, which no export does.');
	}
	const rss = node(node(parser.parse(xml))['rss']);
	const channel = node(rss['channel']);
	const items = list(channel['item']);
	const bundle = emptyBundle('WordPress export');
	const authors = new Map(
		list(channel['wp:author']).map((author) => [
			text(author['wp:author_login']),
			text(author['wp:author_display_name']),
		]),
	);
	const images = new Map(
		items
			.filter((item) => text(item['wp:post_type']) === 'attachment')
			.map((item) => [text(item['wp:post_id']), text(item['wp:attachment_url'])]),
	);
	for (const category of list(channel['wp:category'])) {
		const name = text(category['wp:cat_name']);
		const slug = slugify(text(category['wp:category_nicename']) || name);
		if (!name || !slug || slug === 'uncategorized') continue;
		const description = text(category['wp:category_description']).slice(0, 500) || null;
		bundle.categories.push({
			name: name.slice(0, 100),
			slug: slug.slice(0, 100),
			description,
			position: null,
		});
	}
	const left = new Map<string, number>();
	for (const item of items) {
		const type = text(item['wp:post_type']) || 'post';
		const status = text(item['wp:status']) || 'publish';
		if (type !== 'post' || status === 'trash' || status === 'auto-draft') {
			const kind = type === 'post' ? `${status} post` : type;
			if (type !== 'attachment') left.set(kind, (left.get(kind) ?? 0) + 1);
			continue;
		}
		const key = `WordPress ${text(item['wp:post_id'])}`;
		const where = text(item['title']) || key;
		const terms = list(item['category']).map((term) => ({
			domain: text(term['@domain']),
			name: text(term),
			slug: text(term['@nicename']),
		}));
		const [category] = terms.filter(
			({ domain, slug }) => domain === 'category' && slug !== 'uncategorized',
		);
		const html = contentOf(text(item['content:encoded']));
		const shortcodes = [...new Set(html.match(/\[\/?[a-z][\w-]*(?:\s[^\]\n]*)?\](?!\()/gi) ?? [])];
		if (shortcodes.length > 0) {
			const shown = shortcodes.slice(0, 3).join(' ');
			bundle.problems.push({ where, what: `Shortcodes stay as they are written: ${shown}` });
		}
		const metas = list(item['wp:postmeta']);
		const meta = (name: string) =>
			text(metas.find((one) => text(one['wp:meta_key']) === name)?.['wp:meta_value']);
		const login = text(item['dc:creator']);
		bundle.posts.push(
			importedPost.parse({
				key,
				title: where,
				slug: text(item['wp:post_name']),
				excerpt: plain(text(item['excerpt:encoded'])),
				content: html,
				featuredImage: images.get(meta('_thumbnail_id')) ?? '',
				metaTitle: meta('_yoast_wpseo_title'),
				metaDescription: meta('_yoast_wpseo_metadesc'),
				author: authors.get(login) ?? login,
				category: category?.name ?? '',
				tags: terms.filter(({ domain }) => domain === 'post_tag').map(({ name }) => name),
				published: status === 'publish' || status === 'future',
				publishedAt: timeOf(item['wp:post_date_gmt'], item['wp:post_date']),
				createdAt: timeOf(item['wp:post_date_gmt'], item['wp:post_date']),
				updatedAt: timeOf(item['wp:post_modified_gmt'], item['wp:post_modified']),
			}),
		);
		if (status === 'private') {
			bundle.problems.push({ where, what: 'This post was private: it comes in as a draft.' });
		}
		for (const comment of list(item['wp:comment'])) {
			const approved = text(comment['wp:comment_approved']);
			const kind = text(comment['wp:comment_type']);
			const content = plain(text(comment['wp:comment_content']));
			const createdAt = timeOf(comment['wp:comment_date_gmt'], comment['wp:comment_date']);
			if ((kind !== '' && kind !== 'comment') || !/^[01]$/.test(approved)) continue;
			if (!content || !createdAt) continue;
			bundle.comments.push(
				importedComment.parse({
					post: key,
					author: text(comment['wp:comment_author']).slice(0, 100) || 'Anonymous',
					email: text(comment['wp:comment_author_email']).toLowerCase().slice(0, 255),
					content: content.slice(0, 20_000),
					approved: approved === '1',
					createdAt,
				}),
			);
		}
	}
	for (const [kind, count] of left) {
		bundle.problems.push({ where: `${count} of kind “${kind}”`, what: 'No posts: left out.' });
	}
	return bundle;
}

/** Whether a text looks like WordPress's export. */
export function isWordPress(xml: string): boolean {
	return /<rss\b/.test(xml.slice(0, 5000)) && xml.includes('wordpress.org/export/');
}

/** The HTML that WordPress makes of what it stores: paragraphs between empty lines, captions of images. */
function contentOf(stored: string): string {
	const captioned = stored
		.replace(/<!--\s*\/?wp:[^]*?-->/g, '')
		.replace(
			/\[caption\b[^\]]*\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*?)\[\/caption\]/g,
			(_, image: string, caption: string) =>
				`\n\n<figure>${image}<figcaption>${caption.trim()}</figcaption></figure>\n\n`,
		);
	if (/<p\b/i.test(captioned)) return captioned.trim();
	return captioned
		.replaceAll('\r\n', '\n')
		.split(/\n\s*\n/)
		.map((part) => part.trim())
		.filter(Boolean)
		.map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`))
		.join('\n');
}
const BLOCK = /^<(figure|h[1-6]|ul|ol|pre|blockquote|table|div|hr|section|aside|p)\b/i;

/** Without markup. */
function plain(html: string): string {
	return html
		.replace(/<br\s*\/?>/gi, '\n')
		.replace(/<[^>]*>/g, '')
		.replace(/&(amp|lt|gt|quot|#0?39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
		.trim();
}
const ENTITIES: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	'#39': "'",
	'#039': "'",
	nbsp: ' ',
};

function node(value: unknown): Node {
	return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function list(value: unknown): Node[] {
	return Array.isArray(value)
		? value.map((one) => (typeof one === 'string' ? { '#text': one } : node(one)))
		: [];
}

function text(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'object' && value !== null ? text((value as Node)['#text']) : '';
}

/** WordPress's "2024-05-01 10:00:00" in UTC; drafts have zeros. */
function timeOf(gmt: unknown, local: unknown): string | null {
	for (const given of [text(gmt), text(local)]) {
		const time = given.startsWith('0000') ? NaN : Date.parse(`${given.replace(' ', 'T')}Z`);
		if (!Number.isNaN(time)) return new Date(time).toISOString();
	}
	return null;
}
