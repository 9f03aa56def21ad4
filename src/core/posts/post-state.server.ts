import {
	and,
	eq,
	gt,
	isNotNull,
	isNull,
	lte,
	ne,
	or,
	type Placeholder,
	type SQL,
} from 'drizzle-orm';
import { posts } from '#db/schema.ts';
import { STATE_FACTS, type PostFact, type PostState } from './post-state.ts';

/** Returns the condition for posts that are in a state at `now`: `postStateOf` in SQL. */
export function isInState(state: PostState, now: Date | Placeholder): SQL {
	const facts = Object.entries(STATE_FACTS[state]) as [PostFact, boolean][];
	return and(...facts.map(([fact, value]) => CONDITIONS[fact](value, now)))!;
}

const CONDITIONS: Record<PostFact, (value: boolean, now: Date | Placeholder) => SQL> = {
	isDeleted: (value) => (value ? isNotNull : isNull)(posts.deletedAt),
	isPublished: (value) => (value ? eq : ne)(posts.published, true),
	isDated: (value) => (value ? isNotNull : isNull)(posts.publishedAt),
	isFuture: (value, now) =>
		value
			? gt(posts.publishedAt, now)
			: or(isNull(posts.publishedAt), lte(posts.publishedAt, now))!,
};

/** Condition for posts that are published or scheduled. */
export const isScheduledOrPublished = and(eq(posts.published, true), isNull(posts.deletedAt))!;
