import { eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts, postTags, renderedPosts, tags } from '#db/schema.ts';
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
			or(isNull(renderedPosts.id), eq(renderedPosts.digest, ''), ne(renderedPosts.renderer, renderer)),
		);
	const ids = stale.map(({ id }) => id);
	for (let start = 0; start < ids.length; start += CHUNK) {
		await renderChunk(db, ids.slice(start, start + CHUNK), renderer);
		onProgress(Math.min(start + CHUNK, ids.length), ids.length);
	}
	return ids.length;
}

async function renderChunk(db: Db, ids: string[], renderer: string): Promise<void> {
	const rows = await db
		.select({
			id: posts.id,
			title: posts.title,
			excerpt: posts.excerpt,
			content: posts.content,
			tags: sql<string>`coalesce((select group_concat(${tags.name}, ', ') from ${postTags} join ${tags} on ${tags.id} = ${postTags.tagId} where ${postTags.postId} = ${posts.id}), '')`,
		})
		.from(posts)
		.where(inArray(posts.id, ids));
	const statements = [];
	for (const row of rows) {
		const { html, headings, text } = await renderArticle(row.content);
		const values = {
			digest: digest(html),
			renderer,
			html,
			headings,
			title: row.title,
			excerpt: row.excerpt ?? '',
			tags: row.tags,
			body: text,
		};
		statements.push(
			db
				.insert(renderedPosts)
				.values({ postId: row.id, ...values })
				.onConflictDoUpdate({
					target: renderedPosts.postId,
					set: values,
					// A post edited while it was being rendered stays stale.
					setWhere: sql`exists (select 1 from ${posts} where ${posts.id} = ${row.id}
						and ${posts.content} = ${row.content} and ${posts.title} = ${row.title})`,
				}),
		);
	}
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}
