import type { AuthorLink } from '#db/schema.ts';
import type { Category } from '#src/features/categories/category.ts';
import type { CommentView } from '#src/features/comments/comment.ts';
import type { Mention } from '#src/features/networks/networks.ts';
import type { Page } from '#src/features/pages/page.ts';
import type { Card, CategoryRef, Post, PostRef, TagRef } from '#src/features/posts/post.ts';
import type { ArticleChange } from '#src/features/posts/changes.ts';
import type { Freshness } from '#src/features/posts/freshness.ts';
import type { State } from '#src/features/states/state.ts';
import { plural } from '#src/lib/text.ts';
import type { SiteLink } from '#src/site.ts';

/** Facts that an article's page reads, except its HTML, which `rendering` identifies, and the articles related to it. */
export type Article = {
	post: Omit<Card, 'marks' | 'place'> &
		Omit<Post, 'content' | 'tags' | 'categoryId' | 'published' | 'createdAt'>;
	category: Category;
	tags: TagRef[];
	/** Slugs of the articles that its writer put first among the related ones. */
	chosen: string[];
	/** The page of its author; null where a name makes no address. */
	byline: Byline | null;
	/** The series that it is a part of, by name. */
	series: SeriesPlace[];
	/** The public articles before and after it in time. */
	older: PostRef | null;
	newer: PostRef | null;
	/** Those that its page shows at once. */
	comments: CommentView[];
	/** Number of all that are shown. */
	commentCount: number;
	/** Digest of the rendered HTML. */
	rendering: string;
	/** Paths of pictures of its figures that cannot be made. */
	undrawn: string[];
	/** Identifies this version of the post in its page. */
	digest: string;
	wordCount: number;
	/** Marks that lists show, separated by spaces. */
	marks: string;
	/** When it last changed, or was found to be still true. */
	checkedAt: string;
	/** By that, as of the build. */
	freshness: Freshness;
	/** Its updates and corrections, newest first. */
	changes: ArticleChange[];
	/** Times that it was shared, as of the build. */
	shares: number;
	/** The posts at networks that tell of it. */
	mentions: Mention[];
};

/** A related article, as a page shows it. */
export type RelatedCard = Card & { color: string };

/** All that the page of an article shows. */
export type ArticlePage = { article: Article; related: readonly RelatedCard[] };

/** An author with a page: one whom the desk knows, or any other name of a byline. */
export type Byline = {
	name: string;
	slug: string;
	/** The site's own name, of which the desk says nothing. */
	isOwn?: true;
};

/** An author, with the page's facts. */
export type Author = Byline & {
	description: string | null;
	/** Path of a picture; empty for none. */
	picture: string;
	links: AuthorLink[];
};

/** The place of an article in a series, with its neighbors there. */
export type SeriesPlace = {
	name: string;
	slug: string;
	/** From 1. */
	part: number;
	total: number;
	previous: PostRef | null;
	next: PostRef | null;
};

/** A series with its public articles, in order; at least one. */
export type Series = {
	name: string;
	slug: string;
	description: string | null;
	articles: Article[];
};

/**
 * The public site as of now, read once per build, without the articles' texts. What did not change since the site before is
 * the same object.
 */
export type Site = {
	/** Newest first. */
	articles: Article[];
	/** Returns a public article by the id of its post. */
	articleOf: (postId: string) => Article | undefined;
	/** The articles' pages, newest first. */
	articlePages: readonly ArticlePage[];
	categories: Category[];
	tags: (TagRef & { description: string | null })[];
	/** By name. */
	series: Series[];
	/** By name; those whom a public article names. */
	authors: Author[];
	/** By slug, newest first; none is empty. */
	byCategory: ReadonlyMap<string, readonly Article[]>;
	byAuthor: ReadonlyMap<string, readonly Article[]>;
	byTag: ReadonlyMap<string, readonly Article[]>;
	/** By name, as stored, and as pages show them: with curly quotation marks. */
	states: State[];
	shownStates: State[];
	/** Pages that the admin edits, by title. */
	pages: Page[];
	footer: CategoryRef[];
	/** The admin's pages in the footer. */
	footerPages: SiteLink[];
	/** Visitors a day in the last whole week; 0 where none were counted, or where figures are invented. */
	readers: number;
	/** Former addresses of public articles, categories, tags and pages, and the current one of each. May end with a placeholder. */
	redirects: { from: string; to: string }[];
};

/** The articles of an author, counted. */
export type Work = {
	minutes: number;
	/** Articles whose code runs on the page. */
	running: number;
	/** Articles of each category, most first. */
	topics: { slug: string; count: number }[];
};

/** Returns what these articles come to. */
export function workOf(articles: readonly Article[]): Work {
	const bySlug = Map.groupBy(articles, ({ category }) => category.slug);
	return {
		minutes: articles.reduce((sum, { post }) => sum + post.readTime, 0),
		running: articles.filter(({ marks }) => marks.includes('runs')).length,
		topics: [...bySlug]
			.map(([slug, { length }]) => ({ slug, count: length }))
			.sort((a, b) => b.count - a.count),
	};
}

/** Says how long they take, and how many run. */
export function workText({ minutes, running }: Work): string {
	const runs = running > 0 ? `, ${running} with code that runs on the page` : '';
	return `${plural(minutes, 'minute')} of reading${runs}`;
}

/** Other tags of the same articles that a page of a tag names. */
const MOST_BESIDE = 8;

/** Returns the other tags of articles that have this one, those that share most with it first. */
export function tagsBeside(articles: readonly Article[], slug: string): CategoryRef[] {
	const counts = new Map<string, CategoryRef & { count: number }>();
	for (const tag of articles.flatMap(({ tags }) => tags)) {
		const { count } = counts.get(tag.slug) ?? { count: 0 };
		if (tag.slug !== slug)
			counts.set(tag.slug, { name: tag.name, slug: tag.slug, count: count + 1 });
	}
	return [...counts.values()]
		.sort((a, b) => b.count - a.count)
		.slice(0, MOST_BESIDE)
		.map(({ name, slug }) => ({ name, slug }));
}

const cards = new WeakMap<Article, Card>();

/** Returns an article as a row of a list: the same object for the same article. */
export function toCard(article: Article): Card {
	const known = cards.get(article);
	if (known) return known;
	const {
		post,
		marks,
		series: [place],
	} = article;
	const { id, slug, title, excerpt, featuredImage, author, category } = post;
	const { readTime, publishedAt, picture, cover } = post;
	const card = {
		id,
		slug,
		title,
		excerpt,
		featuredImage,
		author,
		category,
		readTime,
		publishedAt,
		picture,
		cover,
		marks,
		place: place ? { name: place.name, part: place.part, total: place.total } : null,
	};
	cards.set(article, card);
	return card;
}
