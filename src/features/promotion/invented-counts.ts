/** Stand-ins for figures that nobody has counted yet (specification section 7), only where invented proof is on. */
export const INVENTED_RANGES = {
	views: { from: 100, to: 999 },
	shares: { from: 10, to: 99 },
} as const;

type Range = { from: number; to: number };

/** From 0 to below 1: seems drawn, and is the same for the same text whenever and wherever it is asked for (FNV-1a). */
function pseudoRandom(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
	return (hash >>> 0) / 2 ** 32;
}

/**
 * Posts, the most counted first as they come, with their real figures; after them the others with invented ones, which
 * fall as well and stay below every real one.
 */
export function fillWithInvented<Post extends { id: string }>(
	posts: readonly Post[],
	count: (post: Post) => number,
	{ from, to }: Range,
): [post: Post, figure: number][] {
	const real = posts.filter((post) => count(post) > 0).map((post) => [post, count(post)] as const);
	const most = Math.min(to, ...real.map(([, figure]) => figure - 1));
	const least = Math.min(from, most);
	const others = posts
		.filter((post) => count(post) <= 0)
		.map((post) => [post, least + Math.floor(pseudoRandom(post.id) * (most - least + 1))] as const)
		.sort(([, one], [, other]) => other - one);
	return [...real, ...others].map(([post, figure]) => [post, figure]);
}
