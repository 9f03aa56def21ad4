/**
 * Collects related posts: most shared tags first, then the same category, then the newest. A candidate's `age` is
 * its position in a list of `count` posts, newest first; it may be offered more than once. Rule and age form one
 * number, so that most candidates cost one comparison: a build offers millions.
 */
export function relatedPosts(count: number, limit: number) {
	const ranks: number[] = [];
	return {
		offer(age: number, sharedTags: number, isSameCategory: boolean): void {
			const rank = (sharedTags * 2 + (isSameCategory ? 1 : 0) + 1) * count - age;
			if (rank <= (ranks[limit - 1] ?? 0) || ranks.includes(rank)) return;
			ranks.push(rank);
			ranks.sort((a, b) => b - a).splice(limit);
		},
		/** Returns the ages of the best, best first. */
		best: (): number[] => ranks.map((rank) => Math.ceil(rank / count) * count - rank),
	};
}
