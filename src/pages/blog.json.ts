import type { APIRoute } from 'astro';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import { PART_SIZE } from '#src/features/posts/blog-list.ts';
import { toBlogRow } from '#src/features/posts/blog-rows.server.ts';
import { toCard } from '#src/features/site/site.ts';
import { trendingArticles } from '#src/features/site/trending.ts';
import { buildDb, getSite, paginate } from '#src/features/site/site-data.server.ts';

/** How many older articles are listed because readers look at them most. */
const MOST_TRENDING = 200;

/**
 * The newest articles for filtering and sorting in the browser, loaded on demand, and the older ones that trend the most: what
 * readers look at must not change the parts in which the rest is listed.
 */
export const GET: APIRoute = async () => {
	const { articles, articleOf } = await getSite();
	const scores = await trendingScores(await buildDb(), new Date());
	const { rows: newest } = paginate(articles, PART_SIZE)[0]!;
	const isNewest = new Set(newest);
	const trending = trendingArticles(scores, articleOf)
		.map(({ article }) => toCard(article))
		.filter((card) => !isNewest.has(card))
		.slice(0, MOST_TRENDING);
	return Response.json(
		[...newest, ...trending].map((card) => toBlogRow(card, scores.get(card.id) ?? 0)),
	);
};
