import { isNewer } from './article-lists.ts';
import type { Article, Site } from './site.ts';

/** Returns the public articles that have a score, by it, newest first among equals. */
export function trendingArticles(
	scores: ReadonlyMap<string, number>,
	articleOf: Site['articleOf'],
): { article: Article; score: number }[] {
	return [...scores]
		.flatMap(([id, score]) => {
			const article = articleOf(id);
			return article && score > 0 ? [{ article, score }] : [];
		})
		.sort((a, b) => b.score - a.score || (isNewer(a.article, b.article) ? -1 : 1));
}
