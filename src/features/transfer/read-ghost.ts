import * as z from 'zod/mini';
import { emptyBundle, importedPost, type Bundle } from './transfer.ts';

const text = z.optional(z.nullable(z.string()));
const flag = z.optional(z.nullable(z.union([z.boolean(), z.number()])));
const id = z.pipe(
	z.union([z.string(), z.number()]),
	z.transform((value) => String(value)),
);
const data = z.object({
	posts: z.array(
		z.object({
			id,
			title: text,
			slug: text,
			html: text,
			plaintext: text,
			feature_image: text,
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
	tags: z._default(z.array(z.object({ id, name: z.string(), visibility: text })), []),
	posts_tags: z._default(
		z.array(z.object({ post_id: id, tag_id: id, sort_order: z.optional(z.nullable(z.number())) })),
		[],
	),
	users: z._default(z.array(z.object({ id, name: text })), []),
	posts_authors: z._default(
		z.array(
			z.object({ post_id: id, author_id: id, sort_order: z.optional(z.nullable(z.number())) }),
		),
		[],
	),
	posts_meta: z._default(
		z.array(z.object({ post_id: id, meta_title: text, meta_description: text })),
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

/** Reads what Ghost's admin area exports. Pages are no posts and are told. */
export function readGhost(json: unknown): Bundle {
	const parsed = file.parse(json);
	const ghost = 'db' in parsed ? parsed.db[0]!.data : parsed.data;
	const bundle = emptyBundle('Ghost export');
	const names = new Map(ghost.users.map((user) => [user.id, user.name ?? '']));
	const tags = new Map(ghost.tags.map((tag) => [tag.id, tag]));
	const meta = new Map(ghost.posts_meta.map((row) => [row.post_id, row]));
	const tagsOf = Map.groupBy(ghost.posts_tags, (row) => row.post_id);
	const authorsOf = Map.groupBy(ghost.posts_authors, (row) => row.post_id);
	for (const post of ghost.posts) {
		const where = post.title || `post ${post.id}`;
		if (post.type === 'page' || post.page === true || post.page === 1) {
			bundle.problems.push({ where, what: 'This is a page, not a post: it is left out.' });
			continue;
		}
		if (!post.html && post.plaintext) {
			const what = 'There is only plain text of this post: its formatting is lost.';
			bundle.problems.push({ where, what });
		} else if (!post.html) {
			bundle.problems.push({ where, what: 'There is no text of this post in the file.' });
		}
		const [author] = ordered(authorsOf.get(post.id) ?? []).map((row) => row.author_id);
		const given = ordered(tagsOf.get(post.id) ?? [])
			.map((row) => tags.get(row.tag_id))
			.filter((tag) => tag && tag.visibility !== 'internal' && !tag.name.startsWith('#'));
		bundle.posts.push(
			importedPost.parse({
				key: `Ghost ${post.id}`,
				title: post.title ?? '',
				slug: post.slug ?? '',
				excerpt: post.custom_excerpt ?? '',
				content: (post.html ?? paragraphs(post.plaintext ?? '')).replaceAll('__GHOST_URL__', ''),
				featuredImage: (post.feature_image ?? '').replaceAll('__GHOST_URL__', ''),
				metaTitle: post.meta_title ?? meta.get(post.id)?.meta_title ?? '',
				metaDescription: post.meta_description ?? meta.get(post.id)?.meta_description ?? '',
				author: names.get(author ?? post.author_id ?? '') ?? '',
				// Ghost's first tag is what it sorts posts by. Where no category has its name, it is a tag alone.
				category: given[0]?.name ?? '',
				tags: given.map((tag) => tag!.name),
				published: post.status === 'published' || post.status === 'scheduled',
				featured: Boolean(post.featured),
				publishedAt: timeOf(post.published_at),
				createdAt: timeOf(post.created_at),
				updatedAt: timeOf(post.updated_at),
			}),
		);
	}
	return bundle;
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

function timeOf(value: string | number | null | undefined): string | null {
	const time = value == null ? NaN : new Date(value).getTime();
	return Number.isNaN(time) ? null : new Date(time).toISOString();
}
