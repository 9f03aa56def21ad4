import * as z from 'zod/mini';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { addPage, addPost } from './add-post.ts';
import type { Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { lexicalToHtml, mobiledocToHtml } from './ghost-editors.ts';
import { linkPosts } from './old-addresses.ts';
import { timeOf } from './times.ts';
import { addMoved, addNote, emptyBundle, recordItem, tagPath, type Bundle } from './bundle.ts';

const text = z.optional(z.nullable(z.string()));
const flag = z.optional(z.nullable(z.union([z.boolean(), z.number()])));
const id = z.pipe(
	z.union([z.string(), z.number()]),
	z.transform((value) => String(value)),
);
const data = z.looseObject({
	posts: z.array(
		z.object({
			id,
			title: text,
			slug: text,
			html: text,
			plaintext: text,
			lexical: text,
			mobiledoc: text,
			visibility: text,
			feature_image: text,
			feature_image_alt: text,
			feature_image_caption: text,
			canonical_url: text,
			featured: flag,
			type: text,
			page: flag,
			status: text,
			meta_title: text,
			meta_description: text,
			custom_excerpt: text,
			author_id: z.optional(z.nullable(id)),
			published_at: z.optional(z.nullable(z.union([z.string(), z.number()]))),
			created_at: z.optional(z.nullable(z.union([z.string(), z.number()]))),
			updated_at: z.optional(z.nullable(z.union([z.string(), z.number()]))),
		}),
	),
	tags: z._default(z.array(z.object({ id, name: text, slug: text, visibility: text })), []),
	posts_tags: z._default(
		z.array(z.object({ post_id: id, tag_id: id, sort_order: z.optional(z.nullable(z.number())) })),
		[],
	),
	users: z._default(z.array(z.object({ id, name: text, slug: text })), []),
	posts_authors: z._default(
		z.array(
			z.object({ post_id: id, author_id: id, sort_order: z.optional(z.nullable(z.number())) }),
		),
		[],
	),
	posts_meta: z._default(
		z.array(
			z.object({
				post_id: id,
				meta_title: text,
				meta_description: text,
				feature_image_alt: text,
				feature_image_caption: text,
			}),
		),
		[],
	),
});
const file = z.union([
	z.object({ db: z.array(z.object({ data })).check(z.minLength(1)) }),
	z.object({ data }),
]);

/** Whether a JSON file looks like Ghost's. */
export function isGhost(json: unknown): boolean {
	return file.safeParse(json).success;
}

/** Tables that are read, or that say nothing that is not in another one. */
const READ = new Set(['posts', 'tags', 'posts_tags', 'users', 'posts_authors', 'posts_meta']);
const MADE_BY_GHOST =
	/^(settings|migrations|migrations_lock|roles|permissions|sessions|brute)|_(roles|users|permissions)$/;

/** Reads what Ghost's admin area exports, with the images that lie beside it. Everything that is no post is counted. */
export async function readGhost(json: unknown, files: Files, now = new Date()): Promise<Bundle> {
	const parsed = file.parse(json);
	const ghost = 'db' in parsed ? parsed.db[0]!.data : parsed.data;
	const bundle = emptyBundle('Ghost export');
	const images = archiveImages(bundle, files, now);
	const names = new Map(ghost.users.map((user) => [user.id, user.name ?? '']));
	const tags = new Map(ghost.tags.map((tag) => [tag.id, tag]));
	const meta = new Map(ghost.posts_meta.map((row) => [row.post_id, row]));
	const tagsOf = Map.groupBy(ghost.posts_tags, (row) => row.post_id);
	const authorsOf = Map.groupBy(ghost.posts_authors, (row) => row.post_id);
	const used = new Set<string>();
	const leave = (kind: string, where: string, what: string) =>
		bundle.items.push({ kind, outcome: 'left', notes: [{ what }], where });
	for (const post of ghost.posts) {
		const key = `Ghost ${post.id}`;
		const where = post.title || `post ${post.id}`;
		const isPage = post.type === 'page' || post.page === true || post.page === 1;
		const content = await contentOf(bundle, key, where, post);
		if (!content && !post.title) {
			leave(isPage ? 'page' : 'post', where, 'It has neither a title nor a text');
			continue;
		}
		if (isPage) {
			const published = post.status === 'published';
			const dates = { createdAt: timeOf(post.created_at), updatedAt: timeOf(post.updated_at) };
			const page = { key, title: post.title ?? '', slug: post.slug ?? '', content };
			addPage(
				bundle,
				images,
				{ ...page, ...dates, published },
				secretOf(post.visibility ?? 'public'),
			);
			continue;
		}
		const writers = ordered(authorsOf.get(post.id) ?? []).map((row) => row.author_id);
		if (writers.length === 0 && post.author_id) writers.push(post.author_id);
		for (const writer of writers) used.add(writer);
		if (writers.length > 1) {
			const others = writers.slice(1).map((writer) => names.get(writer) ?? writer);
			addNote(bundle, key, 'A post has one author: its first stands on it', others.join(', '));
		}
		const given = ordered(tagsOf.get(post.id) ?? [])
			.map((row) => tags.get(row.tag_id))
			.filter((tag) => tag !== undefined && !isInternal(tag));
		for (const tag of given) used.add(`tag ${tag!.id}`);
		const isPublic = post.status === 'published' || post.status === 'scheduled';
		const more = meta.get(post.id);
		const caption = post.feature_image_caption || more?.feature_image_caption;
		if (caption)
			addNote(bundle, key, 'Its featured image has a caption, which a cover has not', caption);
		addPost(
			bundle,
			images,
			{
				key,
				title: post.title ?? '',
				slug: post.slug ?? '',
				excerpt: post.custom_excerpt ?? '',
				content,
				featuredImage: here(post.feature_image ?? ''),
				featuredAlt: post.feature_image_alt || more?.feature_image_alt || '',
				metaTitle: post.meta_title ?? more?.meta_title ?? '',
				metaDescription: post.meta_description ?? more?.meta_description ?? '',
				author: names.get(writers[0] ?? '') ?? '',
				// Ghost's first tag is what it sorts posts by. Where no category has its name, it is a tag alone.
				category: given[0]?.name ?? '',
				tags: given.map((tag) => tag!.name ?? ''),
				published: isPublic,
				featured: Boolean(post.featured),
				publishedAt: timeOf(post.published_at),
				createdAt: timeOf(post.created_at),
				updatedAt: timeOf(post.updated_at),
				redirects: isPublic && post.slug ? [`/${post.slug}`] : [],
			},
			isPublic ? secretOf(post.visibility ?? 'public') : sentOf(post.status),
		);
	}
	for (const tag of ghost.tags) {
		const name = tag.name ?? tag.id;
		if (used.has(`tag ${tag.id}`)) {
			bundle.items.push({ kind: 'tag', outcome: 'imported', notes: [], where: name });
			addMoved(bundle, paths.tag(tag.slug ?? ''), tagPath(name));
		} else leave('tag', name, isInternal(tag) ? 'It is internal to Ghost' : 'On none of the posts');
	}
	for (const user of ghost.users) {
		const name = user.name ?? user.id;
		const notes = [{ what: 'A name on the posts' }];
		if (used.has(user.id)) {
			bundle.items.push({ kind: 'author', outcome: 'changed', notes, where: name });
			addMoved(bundle, paths.author(user.slug ?? ''), paths.author(slugify(name)));
		} else leave('author', name, 'Wrote none of the posts');
	}
	for (const [table, rows] of Object.entries(ghost as Record<string, unknown>)) {
		if (READ.has(table) || MADE_BY_GHOST.test(table) || !Array.isArray(rows) || rows.length === 0)
			continue;
		const notes = [{ what: 'Only posts and pages are imported' }];
		bundle.items.push({
			kind: `row of “${table}”`,
			outcome: 'left',
			notes,
			where: '',
			count: rows.length,
		});
	}
	linkPosts(bundle, { hosts: new Set(), others: new Map() });
	images.tellUnused((path) => /\.json$/i.test(path));
	return bundle;
}

type GhostPost = z.infer<typeof data>['posts'][number];

/** A post's HTML: as the file has it, else made of what its editor stored, else of its plain text. */
async function contentOf(
	bundle: Bundle,
	key: string,
	where: string,
	post: GhostPost,
): Promise<string> {
	if (post.html) return here(post.html);
	const report = (kind: string, what: string, detail?: string) =>
		recordItem(bundle, where, kind, what, detail);
	const written =
		(post.lexical && (await lexicalToHtml(post.lexical, report))) ||
		(post.mobiledoc && (await mobiledocToHtml(post.mobiledoc, report)));
	if (written) {
		addNote(
			bundle,
			key,
			'Its text is made of what Ghost’s editor stored: the file has no HTML of it',
		);
		return here(written);
	}
	if (post.plaintext) {
		addNote(bundle, key, 'There is only plain text of it in the file: its formatting is lost');
	}
	return paragraphs(post.plaintext ?? '');
}

/** Addresses that are written without the site's own. */
function here(text: string): string {
	return text.replaceAll('__GHOST_URL__', '');
}

function secretOf(visibility: string): string | undefined {
	return visibility === 'public' ? undefined : 'It was for members only';
}

function sentOf(status: string | null | undefined): string | undefined {
	return status === 'sent' ? 'It was sent by email and never published' : undefined;
}

function isInternal(tag: {
	name?: string | null | undefined;
	visibility?: string | null | undefined;
}) {
	return tag.visibility === 'internal' || (tag.name ?? '').startsWith('#');
}

function ordered<Row extends { sort_order?: number | null | undefined }>(rows: Row[]): Row[] {
	return rows.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0));
}

function paragraphs(plain: string): string {
	const escape = (text: string) =>
		text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return plain
		.split(/\n{2,}/)
		.filter((part) => part.trim())
		.map((part) => `<p>${escape(part.trim())}</p>`)
		.join('\n');
}
