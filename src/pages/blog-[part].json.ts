import type { APIRoute } from 'astro';
import { PART_SIZE } from '#src/features/posts/blog-list.ts';
import { toBlogRow } from '#src/features/posts/blog-rows.server.ts';
import type { ListPage } from '#src/features/posts/list-page.ts';
import { getSite, paginate, staticPath } from '#src/features/site/site-data.server.ts';

export async function getStaticPaths() {
	const { articles } = await getSite();
	return paginate(articles, PART_SIZE)
		.slice(1)
		.map((list) => staticPath({ part: String(list.page) }, { list }));
}

/** A part of the list for filtering and sorting in the browser, behind the newest articles of `/blog.json`. */
export const GET: APIRoute<{ list: ListPage }> = ({ props: { list } }) =>
	Response.json(list.rows.map((card) => toBlogRow(card, 0)));
