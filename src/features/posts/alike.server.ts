import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts, renderedPosts } from '#db/schema.ts';
import { plainTextOf } from '#src/core/articles/plain-text.ts';
import { parseArticle } from '#src/core/articles/sanitize.ts';
import { countTerms, sharedWords } from '#src/core/meaning/meaning.ts';
import { embedQuery, findNeighbors } from '#src/core/meaning/meaning.server.ts';
import { isPublic } from './posts.server.ts';

/** A text of fewer different words says too little to be compared. */
const MIN_WORDS = 40;
/** Texts that are nearest in meaning, and from which nearness on their words are compared. */
const MAX_NEIGHBORS = 20;
const MIN_NEARNESS = 0.75;
/** Share of words from which on two articles are alike: decision 74 says how it was measured. */
const MIN_SHARED = 0.6;

/** Returns the public article that says nearly what this text says, other than the article that it is of, or null. */
export async function findAlike(
	db: Db,
	{ id = '', content }: { id?: string | undefined; content: string },
	now: Date,
): Promise<{ title: string; slug: string } | null> {
	const words = countTerms(plainTextOf(parseArticle(content)));
	if (words.size < MIN_WORDS) return null;
	const meant = await embedQuery(db, words);
	const neighbors = meant ? await findNeighbors(db, meant, MAX_NEIGHBORS) : [];
	const ids = neighbors.flatMap(({ articleId, near }) =>
		articleId !== null && near >= MIN_NEARNESS ? [articleId] : [],
	);
	if (ids.length === 0) return null;
	const rows = await db
		.select({ title: posts.title, slug: posts.slug, body: renderedPosts.body })
		.from(renderedPosts)
		.innerJoin(posts, eq(posts.id, renderedPosts.postId))
		.where(and(inArray(renderedPosts.id, ids), ne(posts.id, id), isPublic(now)));
	const compared = rows
		.map(({ body, ...post }) => ({ post, shared: sharedWords(words, countTerms(body)) }))
		.sort((a, b) => b.shared - a.shared);
	const [best] = compared;
	return best && best.shared >= MIN_SHARED ? best.post : null;
}
