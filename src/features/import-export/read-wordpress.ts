import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { AppError } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { addPost, recordItem } from './add-post.ts';
import type { Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { plainText } from './foreign-html.ts';
import { cutOffMessage } from './places.ts';
import { timeOf } from './times.ts';
import { addNote, emptyBundle, importedComment, type Bundle, type Item } from './bundle.ts';

/** A node of the file: text, or tags with texts, lists and attributes. */
type Node = { [name: string]: unknown };

const LISTS = new Set([
	'item',
	'category',
	'wp:category',
	'wp:tag',
	'wp:term',
	'wp:author',
	'wp:comment',
	'wp:postmeta',
]);
const parser = new XMLParser({
	ignoreAttributes: false,
	attributeNamePrefix: '@',
	parseTagValue: false,
	trimValues: false,
	isArray: (name) => LISTS.has(name),
});

/** Names of kinds in the report, and the reasons why they are left out. */
const OTHERS: Record<string, [kind: string, why: string]> = {
	page: ['page', 'Only posts are imported'],
	nav_menu_item: ['menu item', 'Menus are a part of the other site'],
	revision: ['revision', 'Only the last version of a post is imported'],
};
const UNPUBLISHED: Record<string, string> = {
	private: 'It was private',
	pending: 'It waited for somebody to look at it',
};

/**
 * Reads what WordPress exports ("WXR"), in one file or several, with the images that lie beside it. Comments come with
 * their posts; everything else is counted.
 */
export function readWordPress(texts: string[], files: Files, now = new Date()): Bundle {
	const channels = texts.map(channelOf);
	const all = (name: string) => channels.flatMap((channel) => list(channel[name]));
	const items = all('item');
	const bundle = emptyBundle('WordPress export');
	const images = archiveImages(bundle, files, now);
	const authors = new Map(
		all('wp:author').map((author) => [
			text(author['wp:author_login']),
			text(author['wp:author_display_name']) || text(author['wp:author_login']),
		]),
	);
	const attachments = new Map<string, Attachment>();
	for (const item of items.filter((one) => text(one['wp:post_type']) === 'attachment')) {
		attachments.set(text(item['wp:post_id']), {
			url: text(item['wp:attachment_url']),
			alt: metaOf(item)('_wp_attachment_image_alt'),
			caption: plainText(text(item['excerpt:encoded'])),
		});
	}
	for (const category of all('wp:category')) addCategory(bundle, category);

	const seen = { authors: new Set<string>(), tags: new Set<string>() };
	for (const item of items) {
		const type = text(item['wp:post_type']) || 'post';
		const status = text(item['wp:status']) || 'publish';
		const where = plainText(text(item['title'])) || `WordPress ${text(item['wp:post_id'])}`;
		if (type === 'attachment') continue;
		if (type === 'post' && !['trash', 'auto-draft', 'inherit'].includes(status)) {
			addItem(item, where, status);
			continue;
		}
		const [kind, why] =
			type === 'post'
				? ['post', `It was of state “${status}”`]
				: (OTHERS[type] ?? [type, 'No post']);
		bundle.items.push({ kind, outcome: 'left', notes: [{ what: why }], where });
		for (const comment of list(item['wp:comment'])) {
			leave(
				isPing(comment) ? 'ping' : 'comment',
				'What it is about is left out',
				where,
				bundle.items,
			);
		}
	}

	for (const { url } of attachments.values()) {
		if (images.isUsed(url))
			bundle.items.push({ kind: 'attachment', outcome: 'imported', notes: [], where: url });
		else
			leave(
				'attachment',
				'The file holds its address, and not the attachment itself',
				url,
				bundle.items,
			);
	}
	for (const [login, name] of authors) {
		if (seen.authors.has(login)) {
			bundle.items.push({
				kind: 'author',
				outcome: 'changed',
				notes: [{ what: 'A name on the posts' }],
				where: name,
			});
		} else leave('author', 'Wrote none of the posts', name, bundle.items);
	}
	const addTag = (name: string) => {
		if (seen.tags.has(name)) {
			bundle.items.push({ kind: 'tag', outcome: 'imported', notes: [], where: name });
		} else leave('tag', 'On none of the posts', name, bundle.items);
	};
	for (const tag of all('wp:tag')) addTag(plainText(text(tag['wp:tag_name'])));
	for (const term of all('wp:term')) {
		const taxonomy = text(term['wp:term_taxonomy']);
		const name = plainText(text(term['wp:term_name']));
		if (taxonomy === 'post_tag') addTag(name);
		else if (taxonomy === 'category')
			addCategory(bundle, term, 'term_name', 'term_slug', 'term_parent', 'term_description');
		else
			leave('term', 'Only categories and tags are imported', `${taxonomy}: ${name}`, bundle.items);
	}
	images.tellUnused((path) => /\.xml$/i.test(path));
	return bundle;

	function addItem(item: Node, where: string, status: string): void {
		const key = `WordPress ${text(item['wp:post_id']) || text(item['guid']) || where}`;
		const report = (kind: string, what: string, detail?: string) =>
			recordItem(bundle, where, kind, what, detail);
		const terms = list(item['category']).map((term) => ({
			domain: text(term['@domain']),
			name: plainText(text(term)),
			slug: text(term['@nicename']),
		}));
		const [category, ...others] = terms.filter(
			({ domain, slug }) => domain === 'category' && slug !== 'uncategorized',
		);
		const tags = terms.filter(({ domain }) => domain === 'post_tag').map(({ name }) => name);
		for (const name of tags) seen.tags.add(name);
		for (const { domain, name } of terms) {
			if (domain !== 'category' && domain !== 'post_tag') {
				report(
					'term of a post',
					'Left out: only categories and tags are imported',
					`${domain}: ${name}`,
				);
			}
		}
		if (others.length > 0) {
			const names = others.map(({ name }) => name);
			addNote(bundle, key, 'A post has one category: its others are tags', names.join(', '));
			tags.push(...names);
		}
		if (category && !hasCategory(bundle, category.name))
			addNamed(bundle, category.name, category.slug);
		const meta = metaOf(item);
		for (const one of list(item['wp:postmeta'])) {
			const name = text(one['wp:meta_key']);
			if (!name.startsWith('_')) report('custom field', 'Left out: a post has none', name);
		}
		const login = text(item['dc:creator']);
		seen.authors.add(login);
		const isSticky = text(item['wp:is_sticky']) === '1';
		if (isSticky) addNote(bundle, key, 'It was sticky: it is featured');
		const isPublic = status === 'publish' || status === 'future';
		const isSecret = text(item['wp:post_password']) !== '';
		const date = dateOf(
			item['wp:post_date_gmt'],
			item['wp:post_date'],
			isPublic && item['pubDate'],
		);
		addPost(
			bundle,
			images,
			{
				key,
				title: where,
				slug: decoded(text(item['wp:post_name'])),
				excerpt: plainText(text(item['excerpt:encoded'])),
				content: contentOf(text(item['content:encoded']), attachments, report),
				featuredImage: attachments.get(meta('_thumbnail_id'))?.url ?? '',
				metaTitle: meta('_yoast_wpseo_title'),
				metaDescription: meta('_yoast_wpseo_metadesc'),
				author: authors.get(login) ?? login,
				category: category?.name ?? '',
				tags,
				published: isPublic,
				featured: isSticky,
				publishedAt: date,
				createdAt: date,
				updatedAt: dateOf(item['wp:post_modified_gmt'], item['wp:post_modified']),
			},
			isSecret ? 'A password protected it' : UNPUBLISHED[status],
		);
		/** The first comment of each one's thread, by WordPress's number. */
		const threads = new Map<string, string>();
		for (const comment of list(item['wp:comment']))
			addComment(bundle, comment, key, where, threads);
	}
}

/** Whether a text looks like WordPress's export. */
export function isWordPress(xml: string): boolean {
	return /<rss\b/.test(xml.slice(0, 5000)) && xml.includes('wordpress.org/export/');
}

function channelOf(xml: string): Node {
	// Exports have none; one is how a file makes a reader grow without end.
	if (/<!DOCTYPE|<!ENTITY/i.test(xml.slice(0, 10_000))) {
		throw new AppError('validation', 'This file declares entities, which no export does.');
	}
	if (!/<\/rss>\s*$/.test(xml.slice(-1000))) throw new AppError('validation', cutOffMessage(xml));
	try {
		const channel = node(node(parser.parse(xml))['rss'])['channel'];
		if (channel !== undefined) return node(channel);
	} catch {
		// Where it is broken is said below.
	}
	const fault = XMLValidator.validate(xml);
	const place = fault === true ? '' : ` at line ${fault.err.line}`;
	throw new AppError(
		'validation',
		`This file looks like a WordPress export, and is broken${place}.`,
	);
}

function leave(kind: string, what: string, where: string, items: Item[]): void {
	items.push({ kind, outcome: 'left', notes: [{ what }], where });
}

function addCategory(
	bundle: Bundle,
	category: Node,
	...[
		named = 'cat_name',
		slugged = 'category_nicename',
		parented = 'category_parent',
		described = 'category_description',
	]: string[]
): void {
	const name = plainText(text(category[`wp:${named}`]));
	const slug = text(category[`wp:${slugged}`]);
	if (slug === 'uncategorized') {
		return leave('category', 'The chosen category stands for it', name || slug, bundle.items);
	}
	if (!name) return leave('category', 'It has no name', slug, bundle.items);
	if (hasCategory(bundle, name))
		return leave('category', 'It is in the file twice', name, bundle.items);
	const key = addNamed(bundle, name, slug, plainText(text(category[`wp:${described}`])));
	const parent = text(category[`wp:${parented}`]);
	if (parent) addNote(bundle, key, 'It was below another one: here all stand side by side', parent);
}

function addNamed(bundle: Bundle, name: string, given: string, description = ''): string {
	const slug = (slugify(decoded(given)) || slugify(name) || name).slice(0, 100);
	bundle.categories.push({
		name: name.slice(0, 100),
		slug,
		description: description.slice(0, 500) || null,
		position: null,
	});
	return slug;
}

function hasCategory({ categories }: Bundle, name: string): boolean {
	return categories.some((one) => one.name.toLowerCase() === name.slice(0, 100).toLowerCase());
}

function addComment(
	bundle: Bundle,
	comment: Node,
	post: string,
	title: string,
	threads: Map<string, string>,
): void {
	const approved = text(comment['wp:comment_approved']);
	const content = plainText(text(comment['wp:comment_content']));
	const createdAt = dateOf(comment['wp:comment_date_gmt'], comment['wp:comment_date']);
	const author = plainText(text(comment['wp:comment_author'])).slice(0, 100) || 'Anonymous';
	const where = `${author} on “${title}”`;
	if (isPing(comment)) return leave('ping', 'No comment of a reader', where, bundle.items);
	const why =
		(!/^[01]$/.test(approved) && `It was ${approved || 'not approved'}`) ||
		(!content && 'It has no text') ||
		(!createdAt && 'It has no date');
	if (why) return leave('comment', why, where, bundle.items);
	const id = crypto.randomUUID();
	const parent = text(comment['wp:comment_parent']);
	const isReply = parent !== '' && parent !== '0';
	const parentId = threads.get(parent) ?? null;
	threads.set(text(comment['wp:comment_id']), parentId ?? id);
	bundle.comments.push(
		importedComment.parse({
			id,
			post,
			parentId,
			author,
			email: text(comment['wp:comment_author_email']).toLowerCase().slice(0, 255),
			content: content.slice(0, 20_000),
			approved: approved === '1',
			createdAt,
		}),
	);
	if (content.length > 20_000) addNote(bundle, id, 'It is cut at 20,000 characters');
	if (isReply && !parentId)
		addNote(bundle, id, 'What it answered is not in the file: it stands among the others');
}

function isPing(comment: Node): boolean {
	const kind = text(comment['wp:comment_type']);
	return kind !== '' && kind !== 'comment';
}

type Attachment = { url: string; alt: string; caption: string };
type Report = (kind: string, what: string, detail?: string) => void;

/** The HTML that WordPress makes of what it stores: paragraphs between empty lines, captions and galleries of images. */
function contentOf(stored: string, attachments: Map<string, Attachment>, report: Report): string {
	const kept: string[] = [];
	const keep = (html: string) => `\u0001${kept.push(html) - 1}\u0001`;
	const source = stored
		.replaceAll('\r\n', '\n')
		.replace(/<!--\s*(more|nextpage)\b[^]*?-->/g, (_, name: string) => {
			if (name === 'more') report('more tag', 'Left out: lists show the excerpt');
			else report('page break', 'Left out: a post is one page');
			return '';
		})
		.replace(/<!--\s*wp:([\w/-]+)\b(?:(?!-->)[^])*\/-->/g, (_, name: string) => {
			report(
				'block',
				'Left out: WordPress draws it itself, and the file holds nothing of it',
				name,
			);
			return '';
		})
		.replace(/<!--[^]*?-->/g, '')
		.replace(/<(pre|code|script|style|table)\b[^]*?<\/\1>/gi, keep);
	const written = withShortcodes(source, attachments, report);
	const html = /<p\b/i.test(written) ? written.trim() : paragraphs(written);
	return html.replace(/\u0001(\d+)\u0001/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** Shortcodes of WordPress itself as HTML; those of plugins stay as they are written. */
function withShortcodes(
	source: string,
	attachments: Map<string, Attachment>,
	report: Report,
): string {
	const block = (html: string) => `\n\n${html}\n\n`;
	const attribute = (given: string, ...names: string[]) => {
		for (const name of names) {
			const [, quoted, bare] =
				new RegExp(`\\b${name}=(?:["']([^"']*)["']|([^\\s"'\\]]+))`).exec(given) ?? [];
			if (quoted ?? bare) return quoted ?? bare!;
		}
		return '';
	};
	const html = source
		.replace(
			/\[caption\b([^\]]*)\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*?)\[\/caption\]/g,
			(_, given: string, image: string, caption: string) =>
				block(
					`<figure>${image}<figcaption>${caption.trim() || attribute(given, 'caption')}</figcaption></figure>`,
				),
		)
		.replace(/\[gallery\b([^\]]*)\]/g, (tag, given: string) => {
			const found = attribute(given, 'ids', 'include')
				.split(',')
				.map((id) => attachments.get(id.trim()))
				.filter((one) => one !== undefined);
			if (found.length === 0) return tag;
			report('gallery', 'Its images stand one below the other');
			return block(
				found
					.map(
						({ url, alt, caption }) =>
							`<figure><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"><figcaption>${escapeHtml(caption)}</figcaption></figure>`,
					)
					.join('\n'),
			);
		})
		.replace(
			/\[(video|audio)\b([^\]]*)\](?:([^[]*)\[\/\1\])?/g,
			(tag, name: string, given: string, inside: string | undefined) => {
				const address =
					attribute(given, 'src', 'mp4', 'm4v', 'webm', 'ogv', 'mp3', 'm4a', 'ogg', 'wav') ||
					/https?:\/\/[^\s"'\]]+/.exec(`${given} ${inside ?? ''}`)?.[0];
				return address ? block(`<${name} src="${escapeHtml(address)}"></${name}>`) : tag;
			},
		)
		.replace(/\[embed\b[^\]]*\]\s*(https?:[^\s[]+)\s*\[\/embed\]/g, (_, address: string) =>
			block(address),
		)
		.replace(/\[playlist\b([^\]]*)\]/g, (tag, given: string) => {
			const found = attribute(given, 'ids')
				.split(',')
				.map((id) => attachments.get(id.trim()))
				.filter((one) => one !== undefined);
			return found.length > 0
				? block(found.map(({ url }) => `<audio src="${escapeHtml(url)}"></audio>`).join('\n\n'))
				: tag;
		})
		.replace(
			/\[(?:youtube|vimeo|dailymotion|soundcloud|tweet|instagram)\b[^\]]*?(https?:[^\s"'\]]+)[^\]]*\]/g,
			(_, address: string) => block(address),
		);
	for (const [tag] of html.matchAll(/\[[a-z][\w-]*(?:\s[^\]\n]*)?\](?!\()/gi)) {
		report('shortcode', 'Stays as it is written', tag.slice(0, 100));
	}
	return html;
}

function paragraphs(source: string): string {
	return source
		.split(/\n\s*\n/)
		.map((part) => part.trim())
		.filter(Boolean)
		.map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`))
		.join('\n');
}
const BLOCK =
	/^(?:\u0001|<(figure|h[1-6]|ul|ol|pre|blockquote|table|div|hr|section|aside|p|video|audio|iframe|object|embed)\b)/i;

function metaOf(item: Node): (name: string) => string {
	const metas = new Map(
		list(item['wp:postmeta']).map((one) => [text(one['wp:meta_key']), text(one['wp:meta_value'])]),
	);
	return (name) => metas.get(name) ?? '';
}

function decoded(slug: string): string {
	try {
		return decodeURIComponent(slug);
	} catch {
		return slug;
	}
}

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

/** The first time that is one; drafts have zeros. */
function dateOf(...given: unknown[]): string | null {
	for (const one of given) {
		const time = timeOf(text(one));
		if (time) return time;
	}
	return null;
}
