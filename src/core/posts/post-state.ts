/** Facts about a post that decide its state. */
export type PostFact = 'isDeleted' | 'isPublished' | 'isDated' | 'isFuture';

/** Each state by the facts that make a post have it. An unpublished post was public before; a draft was not. */
export const STATE_FACTS = {
	draft: { isDeleted: false, isPublished: false, isDated: false },
	scheduled: { isDeleted: false, isPublished: true, isFuture: true },
	published: { isDeleted: false, isPublished: true, isFuture: false },
	unpublished: { isDeleted: false, isPublished: false, isDated: true },
	deleted: { isDeleted: true },
} as const satisfies Record<string, Partial<Record<PostFact, boolean>>>;

export type PostState = keyof typeof STATE_FACTS;
export const POST_STATES = Object.keys(STATE_FACTS) as PostState[];

export function postStateOf(
	post: { published: boolean; publishedAt: Date | null; deletedAt: Date | null },
	now: Date,
): PostState {
	const facts: Record<PostFact, boolean> = {
		isDeleted: post.deletedAt !== null,
		isPublished: post.published,
		isDated: post.publishedAt !== null,
		isFuture: post.publishedAt !== null && post.publishedAt > now,
	};
	return POST_STATES.find((state) =>
		Object.entries(STATE_FACTS[state]).every(([fact, value]) => facts[fact as PostFact] === value),
	)!;
}
