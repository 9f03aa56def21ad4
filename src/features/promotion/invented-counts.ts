/** Ranges of invented figures for posts without a count (product.md section 7), only while invented proof is on. */
export const INVENTED_RANGES = {
	views: { from: 100, to: 999 },
	shares: { from: 10, to: 99 },
} as const;

type Range = { from: number; to: number };

/** Returns a pseudo-random number from 0 to below 1 that is always the same for the same text (FNV-1a). */
function pseudoRandom(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
	return (hash >>> 0) / 2 ** 32;
}

/**
 * Returns counted posts with their real figures, then the others with invented ones, which are in falling order
 * and stay below every real one.
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
