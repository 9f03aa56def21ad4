import type { BlogRow } from './blog-list.ts';
import { fallbackPath } from './picture.ts';
import type { Card } from './post.ts';
import { site } from '#src/site.ts';

/** Returns an article as a row of the list that the browser filters and sorts. */
export function toBlogRow(card: Card, score: number): BlogRow {
	const { slug, title, excerpt, author, category, readTime, publishedAt, picture, cover } = card;
	return {
		...{ slug, title, excerpt, readTime, publishedAt },
		author: author === site.name ? '' : author,
		category: category.slug,
		...(picture && { picture: fallbackPath(picture), figure: picture.figure }),
		// Without the title of its plot.
		...(!picture && cover && { cover: cover.split('\n', 6).join('\n') }),
		score,
	};
}
