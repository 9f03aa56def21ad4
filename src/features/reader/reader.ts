import * as z from 'zod/mini';

/** How many ids the reading history holds (specification section 9). */
export const HISTORY_MAX = 20;
/** A highlight may be longer than `longerThan` and shorter than `shorterThan` characters (specification section 9). */
const SELECTION = { longerThan: 10, shorterThan: 300 } as const;
/** An article counts as read after so many visible seconds, or so many percent of its page. */
const READ = { seconds: 10, percent: 25 } as const;

/** A text of a date, or its milliseconds. */
const time = z
	.union([z.string(), z.number()])
	.check(z.refine((value) => !Number.isNaN(new Date(value).getTime())));
/** What the specification does not ask for: worth having, and never a reason to lose an entry. */
const optionalText = z.catch(z.optional(z.string()), undefined);

/** Entries of the browser's storage (specification section 3). Unknown fields stay as they are. */
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
export const readPost = z.looseObject({ title: z.string(), slug: z.string() });
export const highlight = z.looseObject({
	text: z.string().check(z.minLength(1)),
	url: z.string().check(z.refine((url) => URL.canParse(url, 'http://any'))),
	timestamp: time,
	title: optionalText,
	/** Letters before and after, which tell one occurrence of the same text from another. */
	prefix: optionalText,
	suffix: optionalText,
	/** The article no longer has this text. */
	missing: z.catch(z.optional(z.boolean()), undefined),
});

export type SavedPost = z.infer<typeof savedPost>;
export type LikedPost = z.infer<typeof likedPost>;
export type Highlight = z.infer<typeof highlight>;

/** A history with this id read last: the newest first, each once. */
export function addToHistory(history: readonly string[], id: string): string[] {
	return [id, ...history.filter((other) => other !== id)].slice(0, HISTORY_MAX);
}

/** A count of likes after a like or its taking back: never below 0 (specification section 4). */
export function likesAfter(count: number, liked: boolean): number {
	return Math.max(0, count + (liked ? 1 : -1));
}

/** Likes to show: where none are invented, the only ones known here are the reader's own. */
export function likesShown(count: number, liked: boolean, invented: boolean): number {
	return invented ? count : Number(liked);
}

/** Whether the selection toolbar shows for this text. */
export function isSelectable(text: string): boolean {
	const { length } = text.trim();
	return length > SELECTION.longerThan && length < SELECTION.shorterThan;
}

/** Whether an article was really read: long enough, or far enough. */
export function isRead(seconds: number, percent: number): boolean {
	return seconds >= READ.seconds || percent >= READ.percent;
}

/** Whether a highlight belongs to the page of this path; hosts may change. */
export function isOnPage({ url }: Highlight, pathname: string): boolean {
	return new URL(url, 'http://any').pathname === pathname;
}

/** The address of a highlight's text in its article: the browser scrolls to it. */
export function highlightAddress({ url, text, missing }: Highlight): string {
	const { pathname } = new URL(url, 'http://any');
	if (missing) return pathname;
	return `${pathname}#:~:text=${encodeURIComponent(text).replaceAll('-', '%2D')}`;
}

/** The articles to recommend: all but the current one, shuffled, the first few (specification section 7). */
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
