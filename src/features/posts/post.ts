import type { PostForm, PublicName, TextName } from './fields.ts';
import type { Picture } from './picture.ts';

/** A category as other things name it. */
export type CategoryRef = { name: string; slug: string };
export type TagRef = { id: string; name: string; slug: string };

/** A tag as the admin edits it. */
export type StoredTag = TagRef & {
	description: string | null;
	/** Counts saves. Sent with the next one, it reveals a stale form. */
	version: number;
	/** Number of posts that are not deleted. */
	posts: number;
};

/** A post in a list (product.md section 7, GET /api/posts). */
export type PostSummary = {
	id: string;
	slug: string;
	title: string;
	excerpt: string | null;
	featuredImage: string | null;
	author: string;
	category: CategoryRef;
	/** Minutes. */
	readTime: number;
	publishedAt: string | null;
	views: number;
	shareCount: number;
};

/** A post as shown by a card or a list row. */
export type Card = Omit<PostSummary, 'views' | 'shareCount' | 'category'> & {
	category: CategoryRef;
	picture: Picture | null;
	/** The plot that its cover shows, as `artOf` writes it, or nothing. */
	cover: string;
	/** Marks, separated by spaces: that it has an explainer, that its code runs. */
	marks: string;
	/** Its place in a series. */
	place: { name: string; part: number; total: number } | null;
};

/** A post as an article's islands need it. */
export type PostRef = { id: string; slug: string; title: string };

/** A post as its article shows it (product.md section 3, "Shapes as read by screens"). */
export type Post = PublicFields & {
	id: string;
	/** Sanitized HTML. */
	content: string;
	category: CategoryRef;
	tags: TagRef[];
	/** Minutes. */
	readTime: number;
	publishedAt: string | null;
	createdAt: string;
	updatedAt: string;
};

/** The fields that the public may see, where their columns have the same type. */
type PublicFields = {
	[
		Name in Exclude<PublicName, 'content' | 'tags' | 'readTime' | 'publishedAt'>
	]: Name extends OptionalName ? string | null : PostForm[Name];
};
/** Texts whose column may not be null. */
export const REQUIRED_TEXTS = ['title', 'slug', 'content', 'author'] as const;
type OptionalName = Exclude<TextName, (typeof REQUIRED_TEXTS)[number]>;

/** A related post or a search result: what their rows show, no more. */
export type RelatedPost = Omit<PostSummary, 'author' | 'views' | 'shareCount'>;

/** Cards on one page of a list. */
export const PAGE_SIZE = 24;

/** Readings that have to be counted before an order is called popularity. */
export const MIN_READINGS = 20;

export const LIMITS = {
	recent: 8,
	trending: 5,
	mostShared: 3,
	related: 3,
	sitemap: 12,
	featured: 4,
};

/** Where drafts are until somebody chooses; readers see it only with a post in it. */
export const UNCATEGORIZED = { name: 'Uncategorized', slug: 'uncategorized' };
/** The category of a site that starts empty, so that its first article can be published. */
export const FIRST_CATEGORY = { name: 'Articles', slug: 'articles' };
