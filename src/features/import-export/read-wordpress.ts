import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { AppError } from '#src/lib/errors.ts';
import { randomId } from '#src/lib/random-id.ts';
import { slugify } from '#src/lib/slug.ts';
import { slugOf } from '#src/features/posts/editing.ts';
import { paths } from '#src/site.ts';
import { addPage, addPost } from './add-post.ts';
import type { Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { plainText } from './foreign-html.ts';
import { cutOffMessage } from './places.ts';
import { linkPosts, pathOf } from './old-addresses.ts';
import { timeOf } from './times.ts';
import { contentOf, type Attachment } from './wordpress-content.ts';
import { READ_FIELDS, seoText } from './wordpress-notes.ts';
import {
	addMoved,
	addNote,
	emptyBundle,
	recordItem,
	tagPath,
	importedComment,
	type Bundle,
	type Item,
} from './bundle.ts';

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

	const numbers = new Map<string, string>();
	const seen = { authors: new Set<string>(), tags: new Set<string>() };
	for (const item of items) {
		const type = text(item['wp:post_type']) || 'post';
		const status = text(item['wp:status']) || 'publish';
		const where = plainText(text(item['title'])) || `WordPress ${text(item['wp:post_id'])}`;
		if (type === 'attachment') continue;
		const isGone = ['trash', 'auto-draft', 'inherit'].includes(status);
		if (type === 'page' && !isGone) {
			addSide(item, where, status);
			for (const comment of list(item['wp:comment'])) {
				const kind = isPing(comment) ? 'ping' : 'comment';
				leave(kind, 'Pages have no comments here', where, bundle.items);
			}
			continue;
		}
		if (type === 'post' && !isGone) {
			addItem(item, where, status);
			continue;
		}
		const [kind, why] =
			type === 'post' || type === 'page'
				? [type, `It was of state “${status}”`]
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
			addMoved(bundle, paths.author(slugify(login)), paths.author(slugify(name)));
		} else leave('author', 'Wrote none of the posts', name, bundle.items);
	}
	const addTag = (name: string, slug: string) => {
		if (seen.tags.has(name)) {
			bundle.items.push({ kind: 'tag', outcome: 'imported', notes: [], where: name });
			addMoved(bundle, paths.tag(decoded(slug)), tagPath(name));
		} else leave('tag', 'On none of the posts', name, bundle.items);
	};
	for (const tag of all('wp:tag'))
		addTag(plainText(text(tag['wp:tag_name'])), text(tag['wp:tag_slug']));
	for (const term of all('wp:term')) {
		const taxonomy = text(term['wp:term_taxonomy']);
		const name = plainText(text(term['wp:term_name']));
		if (taxonomy === 'post_tag') addTag(name, text(term['wp:term_slug']));
		else if (taxonomy === 'category')
			addCategory(bundle, term, 'term_name', 'term_slug', 'term_parent', 'term_description');
		else
			leave('term', 'Only categories and tags are imported', `${taxonomy}: ${name}`, bundle.items);
	}
	const parents = new Map(
		[...all('wp:category'), ...all('wp:term')].map((term) => [
			text(term['wp:category_nicename']) || text(term['wp:term_slug']),
			text(term['wp:category_parent']) || text(term['wp:term_parent']),
		]),
	);
	for (const { slug } of bundle.categories)
		addMoved(bundle, paths.category(linesOf(parents, slug).join('/')), paths.category(slug));
	linkPosts(bundle, { hosts: hostsOf(channels), others: numbers });
	images.tellUnused((path) => /\.xml$/i.test(path));
	return bundle;

	function addSide(item: Node, title: string, status: string): void {
		const key = keyOf(item, title);
		const report = (kind: string, what: string, detail?: string) =>
			recordItem(bundle, title, kind, what, detail);
		const content = text(item['content:encoded']);
		const isSecret = text(item['wp:post_password']) !== '';
		const page = { key, title, slug: decoded(text(item['wp:post_name'])) };
		addPage(
			bundle,
			images,
			{
				...page,
				content: contentOf(content, attachments, metaOf(item)('footnotes'), report),
				published: status === 'publish',
				createdAt: dateOf(item['wp:post_date_gmt'], item['wp:post_date']),
				updatedAt: dateOf(item['wp:post_modified_gmt'], item['wp:post_modified']),
			},
			isSecret ? 'A password protected it' : UNPUBLISHED[status],
		);
		// WordPress puts a page below another one: the first of a name has its address here.
		if (bundle.pages.some((one) => one.key !== key && slugOf(one) === slugOf(page))) return;
		for (const old of oldAddressesOf(item, status === 'publish' && !isSecret))
			addMoved(bundle, old, paths.page(slugOf(page)));
	}

	function addItem(item: Node, where: string, status: string): void {
		const key = keyOf(item, where);
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
			if (READ_FIELDS.has(name)) continue;
			if (name.startsWith('_'))
				report('field of WordPress', 'Left out: WordPress or a plugin kept it for itself', name);
			else report('custom field', 'Left out: a post has none', name);
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
		const excerpt = plainText(text(item['excerpt:encoded']));
		const facts = { title: where, excerpt, category: category?.name ?? '' };
		const stored = text(item['content:encoded']);
		addPost(
			bundle,
			images,
			{
				key,
				title: where,
				slug: decoded(text(item['wp:post_name'])),
				excerpt,
				content: contentOf(stored, attachments, meta('footnotes'), report),
				featuredImage: attachments.get(meta('_thumbnail_id'))?.url ?? '',
				metaTitle: seoText(bundle, key, 'title', meta, facts),
				metaDescription: seoText(bundle, key, 'description', meta, facts),
				author: authors.get(login) ?? login,
				category: category?.name ?? '',
				tags,
				published: isPublic,
				featured: isSticky,
				publishedAt: date,
				createdAt: date,
				updatedAt: dateOf(item['wp:post_modified_gmt'], item['wp:post_modified']),
				redirects: oldAddressesOf(item, isPublic),
			},
			isSecret ? 'A password protected it' : UNPUBLISHED[status],
		);
		addComments(bundle, list(item['wp:comment']), key, where);
		const number = text(item['wp:post_id']);
		if (number) numbers.set(`?p=${number}`, key);
	}
}

const keyOf = (item: Node, where: string) =>
	`WordPress ${text(item['wp:post_id']) || text(item['guid']) || where}`;

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
	addNamed(bundle, name, slug, plainText(text(category[`wp:${described}`])));
	const parent = text(category[`wp:${parented}`]);
	if (parent)
		addNote(
			bundle,
			name.slice(0, 100),
			'It was below another one: here all stand side by side',
			parent,
		);
}

/** Returns the slugs of a category's ancestors, the first one first, and its own. */
function linesOf(parents: ReadonlyMap<string, string>, slug: string): string[] {
	const line = [slug];
	for (let next = parents.get(slug); next && !line.includes(next); next = parents.get(next))
		line.unshift(next);
	return line;
}

function addNamed(bundle: Bundle, name: string, given: string, description = ''): void {
	const slug = slugOf({ slug: decoded(given), title: name });
	bundle.categories.push({
		name: name.slice(0, 100),
		slug,
		description: description.slice(0, 500) || null,
		position: null,
	});
}

function hasCategory({ categories }: Bundle, name: string): boolean {
	return categories.some((one) => one.name.toLowerCase() === name.slice(0, 100).toLowerCase());
}

/** Adds the comments of a post. A reply may stand before what it answers; here it belongs to the first comment of its thread. */
function addComments(bundle: Bundle, given: Node[], post: string, title: string): void {
	const taken = new Map<string, { id: string; parent: string; comment: Node }>();
	for (const comment of given) {
		const approved = text(comment['wp:comment_approved']);
		const where = `${authorOf(comment)} on “${title}”`;
		if (isPing(comment)) {
			leave('ping', 'No comment of a reader', where, bundle.items);
			continue;
		}
		const why =
			(!/^[01]$/.test(approved) && `It was ${approved || 'not approved'}`) ||
			(!plainText(text(comment['wp:comment_content'])) && 'It has no text') ||
			(!commentDate(comment) && 'It has no date');
		if (why) {
			leave('comment', why, where, bundle.items);
			continue;
		}
		const id = randomId();
		const parent = text(comment['wp:comment_parent']).replace(/^0$/, '');
		taken.set(text(comment['wp:comment_id']) || id, { id, parent, comment });
	}
	for (const { id, parent, comment } of taken.values()) {
		const content = plainText(text(comment['wp:comment_content']));
		const seen = new Set([id]);
		let first = taken.get(parent);
		while (first && taken.has(first.parent) && !seen.has(first.id)) {
			seen.add(first.id);
			first = taken.get(first.parent);
		}
		// In a circle of answers none is the first.
		const parentId = first && !seen.has(first.id) ? first.id : null;
		bundle.comments.push(
			importedComment.parse({
				id,
				post,
				parentId,
				author: authorOf(comment),
				email: text(comment['wp:comment_author_email']).toLowerCase().slice(0, 255),
				content: content.slice(0, 20_000),
				approved: text(comment['wp:comment_approved']) === '1',
				createdAt: commentDate(comment),
			}),
		);
		if (content.length > 20_000) addNote(bundle, id, 'It is cut at 20,000 characters');
		if (parent && !parentId)
			addNote(bundle, id, 'What it answered is not in the file: it stands among the others');
	}
}

const authorOf = (comment: Node) =>
	plainText(text(comment['wp:comment_author'])).slice(0, 100) || 'Anonymous';
const commentDate = (comment: Node) =>
	dateOf(comment['wp:comment_date_gmt'], comment['wp:comment_date']);

/** The path at which a post was read, and those before it got its last name. */
function oldAddressesOf(item: Node, isPublic: boolean): string[] {
	const link = text(item['link']);
	const path = isPublic && !link.includes('?') ? pathOf(link) : '';
	if (path === '') return [];
	const former = list(item['wp:postmeta'])
		.filter((one) => text(one['wp:meta_key']) === '_wp_old_slug')
		.map((one) => path.replace(/[^/]+$/, () => decoded(text(one['wp:meta_value']))));
	return [path, ...former];
}

/** The hosts of the site that a file comes from. */
function hostsOf(channels: Node[]): Set<string> {
	const given = channels.flatMap((channel) =>
		['link', 'wp:base_site_url', 'wp:base_blog_url'].map((name) => text(channel[name])),
	);
	return new Set(
		given.filter((one) => URL.canParse(one)).map((one) => new URL(one).host.replace(/^www\./, '')),
	);
}

function isPing(comment: Node): boolean {
	const kind = text(comment['wp:comment_type']);
	return kind !== '' && kind !== 'comment';
}

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
