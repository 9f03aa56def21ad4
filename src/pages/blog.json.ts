import type { APIRoute } from 'astro';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import type { BlogRow } from '#src/features/posts/blog-list.ts';
import { fallbackPath } from '#src/features/posts/picture.ts';
import { buildDb, getSite } from '#src/features/site/site-data.server.ts';

/** The full list of articles for filtering and sorting in the browser, loaded on demand. */
export const GET: APIRoute = async () => {
	const { articles } = await getSite();
	const scores = await trendingScores(await buildDb(), new Date());
	const rows = articles.map(({ post, category }): BlogRow => ({
		slug: post.slug,
		title: post.title,
		excerpt: post.excerpt,
		author: post.author,
		category: category.slug,
		readTime: post.readTime,
		publishedAt: post.publishedAt,
		...(post.picture && {
			picture: fallbackPath(post.picture),
			figure: post.picture.figure,
		}),
		score: scores.get(post.id) ?? 0,
	}));
	return Response.json(rows);
};
