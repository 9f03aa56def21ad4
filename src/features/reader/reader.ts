import * as z from 'zod/mini';

/** Maximum number of ids in the reading history (product.md section 9). */
export const HISTORY_MAX = 20;
/** A highlight is longer than `longerThan` and shorter than `shorterThan` characters (product.md section 9). */
const SELECTION = { longerThan: 10, shorterThan: 300 } as const;
/** Visible seconds or percentage of the page after which an article counts as read. */
const READ = { seconds: 10, percent: 25 } as const;

/** A date as text or in milliseconds. */
const time = z
	.union([z.string(), z.number()])
	.check(z.refine((value) => !Number.isNaN(new Date(value).getTime())));
/** An addition to the shapes of product.md section 3. Invalid values are dropped instead of the entry. */
const optionalText = z.catch(z.optional(z.string()), undefined);

/** Entries in the browser's storage (product.md section 3). Unknown fields stay. */
export const postId = z.string().check(z.minLength(1));
export const likeCount = z.number().check(z.int(), z.nonnegative());
export const savedPost = z.looseObject({
	id: postId,
	title: z.string(),
	savedAt: time,
	slug: optionalText,
});
export const likedPost = z.looseObject({
	id: postId,
	title: z.string(),
	likedAt: time,
	slug: optionalText,
});
export const readPost = z.looseObject({
	title: z.string(),
	slug: z.string(),
	/** When its text was last read, and the digests of its passages then: see `changed.ts`. */
	readAt: optionalText,
	passages: optionalText,
});
export const highlight = z.looseObject({
	text: z.string().check(z.minLength(1)),
	url: z.string().check(z.refine((url) => URL.canParse(url, 'http://any'))),
	timestamp: time,
	title: optionalText,
	/** Letters before and after, which tell occurrences of the same text apart. */
	prefix: optionalText,
	suffix: optionalText,
	/** The article no longer has this text. */
	missing: z.catch(z.optional(z.boolean()), undefined),
});

export type SavedPost = z.infer<typeof savedPost>;
export type LikedPost = z.infer<typeof likedPost>;
export type Highlight = z.infer<typeof highlight>;

/** Returns the history with this id at the top, each id once. */
export function addToHistory(history: readonly string[], id: string): string[] {
	return [id, ...history.filter((other) => other !== id)].slice(0, HISTORY_MAX);
}

/** Returns the likes after a like or its removal, never below 0 (product.md section 4). */
export function likesAfter(count: number, liked: boolean): number {
	return Math.max(0, count + (liked ? 1 : -1));
}

/** Returns the likes to show: without invented ones, only the reader's own is known. */
export function likesShown(count: number, liked: boolean, invented: boolean): number {
	return invented ? count : Number(liked);
}

/** Returns whether the selection toolbar shows for this text. */
export function isSelectable(text: string): boolean {
	const { length } = text.trim();
	return length > SELECTION.longerThan && length < SELECTION.shorterThan;
}

/** Returns whether an article counts as read: long enough, or far enough. */
export function isRead(seconds: number, percent: number): boolean {
	return seconds >= READ.seconds || percent >= READ.percent;
}

/** Returns whether a highlight belongs to the page with this path, on any host. */
export function isOnPage({ url }: Highlight, pathname: string): boolean {
	return new URL(url, 'http://any').pathname === pathname;
}

/**
 * Returns the address of a highlight, to whose text its page scrolls. The time by which the page knows it tells passages of
 * the same words apart, and needs neither whole words nor a single paragraph, as a browser's own search for text does.
 */
export function highlightAddress({ url, timestamp, missing }: Highlight): string {
	const { pathname } = new URL(url, 'http://any');
	return missing ? pathname : `${pathname}#${HIGHLIGHT}${encodeURIComponent(timestamp)}`;
}

/** Returns whether the part of an address after `#` names a highlight. */
export function isNamedBy(hash: string, { timestamp }: Highlight): boolean {
	return hash === `#${HIGHLIGHT}${encodeURIComponent(timestamp)}`;
}
const HIGHLIGHT = 'highlight-';

/** Returns the recommended articles: all but the current one, shuffled, the first few (product.md section 7). */
export function recommend<Post extends { id: string }>(
	posts: readonly Post[],
	currentId: string,
	count: number,
	random: () => number,
): Post[] {
	return posts
		.filter(({ id }) => id !== currentId)
		.map((post) => ({ post, rank: random() }))
		.sort((one, other) => one.rank - other.rank)
		.slice(0, count)
		.map(({ post }) => post);
}
