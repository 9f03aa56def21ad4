import { slugify } from '#src/lib/slug.ts';

/** Maximum number of articles that a writer puts first. */
export const MAX_CHOSEN = 3;

/** Returns the slugs of chosen articles, each once. They may be written as addresses of pages. */
export function chosenSlugs(text: string): string[] {
	const slugs = text.split(/[\s,]+/).map((part) =>
		slugify(
			part
				.replace(/[?#].*$/, '')
				.replace(/\/+$/, '')
				.replace(/^.*\//, ''),
		),
	);
	return [...new Set(slugs.filter(Boolean))];
}

/** Maximum number of posts, the newest, that are compared where nothing but the category is shared. */
export const MAX_OF_CATEGORY = 50;

/** Steps of similarity in meaning that are told apart: what differs by less is as near. */
export const NEARNESS_STEPS = 1000;

/** Returns how well a post fits another one: a whole number from 1. */
export const fitOf = (sharedTags: number, isSameCategory: boolean, steps: number) =>
	(sharedTags * 2 + (isSameCategory ? 1 : 0)) * (NEARNESS_STEPS + 1) + 1 + steps;

/**
 * Collects related posts: most shared tags first, then the same category, then the nearest in meaning, then the newest.
 * A candidate's `age` is its position in a list of `count` posts, newest first; it may be offered more than once. All of
 * it forms one number, and similarity is asked for only where it can matter, so that most candidates cost one comparison:
 * a build offers millions.
 */
export function relatedPosts(count: number, limit: number) {
	const ranks: number[] = [];
	return {
		offer(
			age: number,
			sharedTags: number,
			isSameCategory: boolean,
			similarity: () => number = () => 0,
		): void {
			const shared = fitOf(sharedTags, isSameCategory, 0);
			const worst = ranks[limit - 1] ?? 0;
			if ((shared + NEARNESS_STEPS) * count - age <= worst) return;
			const rank = (shared + similarity()) * count - age;
			if (rank <= worst || ranks.includes(rank)) return;
			ranks.push(rank);
			ranks.sort((a, b) => b - a).splice(limit);
		},
		/** Returns the ages of the best, best first. */
		best: (): number[] => ranks.map((rank) => Math.ceil(rank / count) * count - rank),
		/** Returns how well each of them fits, in the same order: the same number whatever else is in the list. */
		fits: (): number[] => ranks.map((rank) => Math.ceil(rank / count)),
	};
}
