import { createHash } from 'node:crypto';
import type { posts } from './schema.ts';

/** The words of a sample article, and how it is shown. Its author follows the site's name. */
type Sample = Pick<
	typeof posts.$inferSelect,
	| 'title'
	| 'excerpt'
	| 'content'
	| 'featuredImage'
	| 'metaTitle'
	| 'metaDescription'
	| 'searchedAs'
	| 'related'
	| 'questions'
	| 'staleAfter'
	| 'published'
	| 'featured'
	| 'publishedAt'
>;

/** Returns what tells whether an article is still as it was seeded. */
export function sampleDigest(post: Sample): string {
	const { title, excerpt, content, featuredImage, metaTitle, metaDescription } = post;
	// What came later is left out where it is empty, so that earlier seeds keep their digests.
	const { searchedAs, related, questions, staleAfter } = post;
	const later = [searchedAs, related, questions, staleAfter].filter((value) => value !== null);
	const said = [title, excerpt, content, featuredImage, metaTitle, metaDescription, ...later];
	const shown = [post.published, post.featured, post.publishedAt];
	return createHash('sha256')
		.update(JSON.stringify([...said, ...shown]))
		.digest('hex');
}
