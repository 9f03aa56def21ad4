import { eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts, renderedPosts } from '#db/schema.ts';
import { htmlToMarkdown } from '#src/features/transfer/html-to-markdown.ts';
import { digest } from '#src/lib/digest.ts';
import { renderArticle, RENDERER_VERSION } from './render.ts';

/** Posts rendered and stored in one go: few enough for memory, many enough for speed. */
const CHUNK = 100;

/**
 * Renders every post whose stored rendering is missing, stale (triggers empty its digest) or of another renderer.
 * Reads no content of posts that are up to date. Answers how many were rendered.
 */
export async function renderStalePosts(
	db: Db,
	renderer: string = RENDERER_VERSION,
	onProgress: (done: number, total: number) => void = () => {},
): Promise<number> {
	const stale = await db
		.select({ id: posts.id })
		.from(posts)
		.leftJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(
			or(
				isNull(renderedPosts.id),
				eq(renderedPosts.digest, ''),
				ne(renderedPosts.renderer, renderer),
			),
		);
	const ids = stale.map(({ id }) => id);
	for (let start = 0; start < ids.length; start += CHUNK) {
		await renderChunk(db, ids.slice(start, start + CHUNK), renderer);
		onProgress(Math.min(start + CHUNK, ids.length), ids.length);
	}
	return ids.length;
}

/**
 * Plain names: in a select from one table the query builder leaves out table names. Sorted inside, because a libSQL
 * server reads no order in an aggregate.
 */
const TAGS = sql<string>`coalesce((select group_concat(name, ', ') from (select t.name as name from post_tags pt
	join tags t on t.id = pt.tag_id where pt.post_id = posts.id order by pt.position, t.name)), '')`;

async function renderChunk(db: Db, ids: string[], renderer: string): Promise<void> {
	const rows = await db
		.select({
			id: posts.id,
			title: posts.title,
			excerpt: posts.excerpt,
			content: posts.content,
			tags: TAGS,
		})
		.from(posts)
		.where(inArray(posts.id, ids));
	const statements = [];
	for (const { id, title, excerpt, content, tags } of rows) {
		const { html, headings, text } = await renderArticle(content);
		statements.push(
			db
				.insert(renderedPosts)
				.select(
					// A post that was edited or deleted while it was being rendered is left for the next time.
					sql`select null, id, ${digest(html)}, ${renderer}, ${html}, ${JSON.stringify(headings)},
						title, coalesce(excerpt, ''), ${tags}, ${text}, ${htmlToMarkdown(content)}
						from posts where id = ${id} and title = ${title} and excerpt is ${excerpt}
						and content = ${content} and ${TAGS} = ${tags}`,
				)
				.onConflictDoUpdate({ target: renderedPosts.postId, set: REPLACED }),
		);
	}
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}

const REPLACED = {
	digest: sql`excluded.digest`,
	renderer: sql`excluded.renderer`,
	html: sql`excluded.html`,
	headings: sql`excluded.headings`,
	title: sql`excluded.title`,
	excerpt: sql`excluded.excerpt`,
	tags: sql`excluded.tags`,
	body: sql`excluded.body`,
	markdown: sql`excluded.markdown`,
};
