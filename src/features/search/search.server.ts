import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { dated, isPublic, summaryColumns } from '#src/features/posts/posts.server.ts';
import type { SearchResult } from './search.api.ts';
import { SEARCH_LIMIT, SEARCH_MINIMUM, toMatchQuery } from './search.ts';

/** Public posts that hold every word, best first: title counts most, then tags, excerpt and text. */
export async function searchPosts(db: Db, text: string, now: Date): Promise<SearchResult[]> {
	const match = text.length < SEARCH_MINIMUM ? null : toMatchQuery(text);
	if (match === null) return [];
	const rows = await db
		.select(summaryColumns)
		.from(sql`search_index`)
		.innerJoin(renderedPosts, sql`${renderedPosts.id} = search_index.rowid`)
		.innerJoin(posts, eq(posts.id, renderedPosts.postId))
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(sql`search_index match ${match} and ${isPublic(now)}`)
		.orderBy(sql`bm25(search_index, 10, 4, 6, 1)`)
		.limit(SEARCH_LIMIT);
	return rows.map(dated).map(({ author: _author, ...post }) => post);
}
