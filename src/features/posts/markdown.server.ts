import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { markdownVersion } from '#src/features/metadata/markdown-version.ts';
import { paths } from '#src/site.ts';
import { POST_FIELDS, record, IN_MARKDOWN } from './fields.ts';
import { categoryRef, changedAt, isPublic } from './posts.server.ts';

type Wanted = { slug: string; siteUrl: string; now: Date };

/** Returns the Markdown version of a public article as last rendered, or null. */
export async function getPostMarkdown(
	db: Db,
	{ slug, siteUrl, now }: Wanted,
): Promise<string | null> {
	const [row] = await db
		.select({
			title: posts.title,
			texts: record(IN_MARKDOWN, (name) => posts[name]),
			publishedAt: posts.publishedAt,
			updatedAt: changedAt,
			category: categoryRef.name,
			tags: renderedPosts.tags,
			markdown: renderedPosts.markdown,
		})
		.from(posts)
		.innerJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(eq(posts.slug, slug), isPublic(now)));
	if (!row?.markdown) return null;
	const { title, texts, category, markdown } = row;
	const facts = {
		url: siteUrl + encodeURI(paths.post(slug)),
		...Object.fromEntries(IN_MARKDOWN.map((name) => [POST_FIELDS[name].markdownName, texts[name]])),
		published: row.publishedAt?.toISOString() ?? null,
		updated: row.updatedAt.toISOString(),
		category,
		tags: row.tags.split(', ').filter(Boolean),
	};
	return markdownVersion(title, facts, markdown);
}

/** Returns the Markdown of a public article's text alone, with its headings in order, or null. */
export async function getPostHeadings(db: Db, { slug, now }: Omit<Wanted, 'siteUrl'>) {
	const [row] = await db
		.select({ text: renderedPosts.markdown, headings: renderedPosts.headings })
		.from(posts)
		.innerJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(and(eq(posts.slug, slug), isPublic(now)));
	return row ?? null;
}
