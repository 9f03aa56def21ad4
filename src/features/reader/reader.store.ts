import type { PostRef } from '#src/features/posts/post.ts';
import type { WritableAtom } from 'nanostores';
import { track } from '#src/features/analytics/analytics.ts';
import { seedLikes } from '#src/features/promotion/likes.ts';
import { storedList, storedMap } from '#src/lib/stored.ts';
import {
	countAfter,
	highlight,
	HISTORY_MAX,
	likeCount,
	likedPost,
	postId,
	readPost,
	remember,
	savedPost,
	type Highlight,
	type LikedPost,
	type SavedPost,
} from './reader.ts';

/** A visitor's own memory, in this browser only: keys and shapes of specification section 3, the newest first. */
export const readingHistory = storedList('readingHistory', postId);
export const savedPosts = storedList('savedPosts', savedPost);
export const likedPosts = storedList('likedPosts', likedPost);
export const postLikeCounts = storedMap('postLikeCounts', likeCount);
export const highlights = storedList('highlights', highlight);
/** What the history's ids stand for, so that it can be shown without a connection. */
export const readingTitles = storedMap('readingTitles', readPost);

/** Takes something back. */
export type Undo = () => void;

/** Likes an article, or takes the like back. */
export function toggleLike({ id, slug, title }: PostRef): void {
	const liked = likedPosts.get().find((one) => one.id === id);
	if (liked) unlike(liked);
	else {
		likedPosts.set([{ id, title, likedAt: new Date().toISOString(), slug }, ...likedPosts.get()]);
		count(id, true);
		track('like', slug);
	}
}

export function unlike(post: LikedPost): Undo {
	const restore = removeWithUndo(likedPosts, ({ id }) => id === post.id);
	count(post.id, false);
	track('unlike', post.slug ?? post.id);
	return () => {
		restore();
		count(post.id, true);
	};
}

function count(id: string, liked: boolean): void {
	const counts = postLikeCounts.get();
	postLikeCounts.set({ ...counts, [id]: countAfter(counts[id] ?? 0, liked) });
}

/** Invents the likes that an article has at the first visit; later visits find them. */
export function inventLikes(id: string): void {
	const counts = postLikeCounts.get();
	if (!Object.hasOwn(counts, id)) postLikeCounts.set({ ...counts, [id]: seedLikes(Math.random) });
}

/** Saves an article, or takes it from the saved ones. Answers whether it is saved now. */
export function toggleSave({ id, slug, title }: PostRef): boolean {
	const saved = savedPosts.get().find((one) => one.id === id);
	if (saved) {
		unsave(saved);
		return false;
	}
	savedPosts.set([{ id, title, savedAt: new Date().toISOString(), slug }, ...savedPosts.get()]);
	track('save', slug);
	return true;
}

export function unsave(post: SavedPost): Undo {
	track('unsave', post.slug ?? post.id);
	return removeWithUndo(savedPosts, ({ id }) => id === post.id);
}

/** Puts an article that was really read first in the history. */
export function recordRead({ id, slug, title }: PostRef): void {
	const ids = remember(readingHistory.get(), id);
	const known = { ...readingTitles.get(), [id]: { title, slug } };
	readingHistory.set(ids);
	readingTitles.set(
		Object.fromEntries(Object.entries(known).filter(([other]) => ids.includes(other))),
	);
}

export function forget(id: string): Undo {
	return removeWithUndo(readingHistory, (other) => other === id);
}

export function clearHistory(): Undo {
	const ids = readingHistory.get();
	readingHistory.set([]);
	return () =>
		readingHistory.set([...new Set([...readingHistory.get(), ...ids])].slice(0, HISTORY_MAX));
}

export function addHighlight(added: Omit<Highlight, 'timestamp'>): void {
	const timestamp = new Date().toISOString();
	highlights.set([{ ...added, timestamp } as Highlight, ...highlights.get()]);
}

export function removeHighlight(removed: Highlight): Undo {
	return removeWithUndo(highlights, (one) => isSame(one, removed));
}

/** Notes of each highlight whether its article still has its text. */
export function noteMissing(missing: ReadonlyMap<Highlight, boolean>): void {
	const before = highlights.get();
	const after = before.map((one) => {
		const is = missing.get(one);
		return is === undefined || is === (one.missing ?? false) ? one : { ...one, missing: is };
	});
	if (after.some((one, index) => one !== before[index])) highlights.set(after);
}

/** Storage is parsed anew in each tab: entries are the same by what they say. */
function isSame(one: Highlight, other: Highlight): boolean {
	return one.text === other.text && one.url === other.url && one.timestamp === other.timestamp;
}

/** Takes the first entry that `is` out of a list; undone, it is where it was, and never there twice. */
function removeWithUndo<T>(store: WritableAtom<readonly T[]>, is: (entry: T) => boolean): Undo {
	const index = store.get().findIndex(is);
	const entry = store.get()[index];
	if (entry === undefined) return () => {};
	store.set(store.get().toSpliced(index, 1));
	return () => {
		if (!store.get().some(is)) store.set(store.get().toSpliced(index, 0, entry));
	};
}
