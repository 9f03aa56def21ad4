import { createHash } from 'node:crypto';
import type { posts } from './schema.ts';

/** Words and looks of a sample article. Its author follows the site's name. */
type Sample = Pick<
	typeof posts.$inferSelect,
	| 'title'
	| 'excerpt'
	| 'content'
	| 'featuredImage'
	| 'metaTitle'
	| 'metaDescription'
	| 'published'
	| 'featured'
	| 'publishedAt'
>;

/** Returns what tells whether an article is still as it was seeded. */
export function sampleDigest(post: Sample): string {
	const { title, excerpt, content, featuredImage, metaTitle, metaDescription } = post;
	const said = [title, excerpt, content, featuredImage, metaTitle, metaDescription];
	const shown = [post.published, post.featured, post.publishedAt];
	return createHash('sha256')
		.update(JSON.stringify([...said, ...shown]))
		.digest('hex');
}
