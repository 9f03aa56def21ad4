import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts, redirects } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import type { ChosenPosts } from './editing.api.ts';
import { chosenSlugs } from './related.ts';

/** Returns the posts with these slugs, by slug: with those that they have now, or had before a post was renamed. */
export async function findBySlugs(db: Db, slugs: readonly string[]) {
	if (slugs.length === 0) return new Map<string, never>();
	const columns = tolerant({
		id: posts.id,
		slug: posts.slug,
		title: posts.title,
		published: posts.published,
		publishedAt: posts.publishedAt,
		deletedAt: posts.deletedAt,
	});
	const [current, former] = await Promise.all([
		db
			.select(columns)
			.from(posts)
			.where(inArray(posts.slug, [...slugs])),
		db
			.select({ from: redirects.slug, post: columns })
			.from(redirects)
			.innerJoin(posts, eq(posts.id, redirects.postId))
			.where(inArray(redirects.slug, [...slugs])),
	]);
	return new Map([
		...former.map(({ from, post }) => [from, post] as const),
		...current.map((post) => [post.slug, post] as const),
	]);
}

/** Returns what the chosen articles are, for the writer: those that exist, also where readers see none of them. */
export async function describeChosen(db: Db, asked: string, now: Date): Promise<ChosenPosts> {
	const found = await findBySlugs(db, chosenSlugs(asked));
	return {
		asked,
		posts: [...found].map(([given, post]) => ({
			given,
			slug: post.slug,
			title: post.title,
			state: postStateOf(post, now),
		})),
	};
}
