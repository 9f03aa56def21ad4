import type { APIRoute } from 'astro';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import { PART_SIZE } from '#src/features/posts/blog-list.ts';
import { toBlogRow } from '#src/features/posts/blog-rows.server.ts';
import { buildDb, getSite, paginate } from '#src/features/site/site-data.server.ts';

/** How many older articles are listed because readers look at them most. */
const MOST_TRENDING = 200;

/**
 * The newest articles for filtering and sorting in the browser, loaded on demand, and the older ones that trend the most: what
 * readers look at must not change the parts in which the rest is listed.
 */
export const GET: APIRoute = async () => {
	const { articles } = await getSite();
	const scores = await trendingScores(await buildDb(), new Date());
	const scoreOf = ({ id }: { id: string }) => scores.get(id) ?? 0;
	const [newest, ...older] = paginate(articles, PART_SIZE);
	const trending = older
		.flatMap(({ rows }) => rows.filter(scoreOf))
		.sort((a, b) => scoreOf(b) - scoreOf(a))
		.slice(0, MOST_TRENDING);
	return Response.json(
		[...newest!.rows, ...trending].map((card) => toBlogRow(card, scoreOf(card))),
	);
};
