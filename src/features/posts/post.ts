import type { Picture } from './picture.ts';

/** A category as other things name it. */
export type CategoryRef = { name: string; slug: string };
export type TagRef = { id: string; name: string; slug: string };

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
export type Card = Omit<PostSummary, 'views' | 'shareCount'> & { picture: Picture | null };

/** A post as an article's islands need it. */
export type PostRef = { id: string; slug: string; title: string };

/** A post as its article shows it (product.md section 3, "Shapes as read by screens"). */
export type Post = Omit<PostSummary, 'views' | 'shareCount'> & {
	/** Sanitized HTML. */
	content: string;
	metaTitle: string | null;
	metaDescription: string | null;
	categoryId: string;
	tags: TagRef[];
	published: boolean;
	featured: boolean;
	createdAt: string;
	updatedAt: string;
};

/** A related post or a search result: what their rows show, no more. */
export type RelatedPost = Omit<PostSummary, 'author' | 'views' | 'shareCount'>;

/** Cards on one page of a list. */
export const PAGE_SIZE = 24;

export const LIMITS = {
	recent: 8,
	trending: 5,
	mostShared: 3,
	related: 3,
	sitemap: 12,
	featured: 3,
};

/** Where drafts are until somebody chooses; readers see it only with a post in it. */
export const UNCATEGORIZED = { name: 'Uncategorized', slug: 'uncategorized' };
