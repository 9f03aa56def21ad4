import type { PostRef } from '#src/features/posts/post.ts';
import type { WritableAtom } from 'nanostores';
import { track } from '#src/features/analytics/track.ts';
import { seedLikes } from '#src/features/promotion/likes.ts';
import { storedList, storedMap } from '#src/lib/stored.ts';
import {
	likesAfter,
	highlight,
	HISTORY_MAX,
	likeCount,
	likedPost,
	postId,
	readPost,
	addToHistory,
	savedPost,
	type Highlight,
	type LikedPost,
	type SavedPost,
} from './reader.ts';

/** A visitor's data in this browser: keys and shapes of product.md section 3, newest first. */
export const $readingHistory = storedList('readingHistory', postId);
export const $savedPosts = storedList('savedPosts', savedPost);
export const $likedPosts = storedList('likedPosts', likedPost);
export const $postLikeCounts = storedMap('postLikeCounts', likeCount);
export const $highlights = storedList('highlights', highlight);
/** Titles of the ids in the history, to show it offline, and what tells how their texts have changed. */
export const $readingTitles = storedMap('readingTitles', readPost);

/** Undoes an action. */
export type Undo = () => void;

/** Likes an article or removes the like. */
export function toggleLike({ id, slug, title }: PostRef): void {
	const liked = $likedPosts.get().find((post) => post.id === id);
	if (liked) unlike(liked);
	else {
		$likedPosts.set([{ id, title, likedAt: new Date().toISOString(), slug }, ...$likedPosts.get()]);
		changeCount(id, true);
		track('like', slug);
	}
}

export function unlike(post: LikedPost): Undo {
	const restore = removeWithUndo($likedPosts, ({ id }) => id === post.id);
	changeCount(post.id, false);
	track('unlike', post.slug ?? post.id);
	return () => {
		restore();
		changeCount(post.id, true);
	};
}

function changeCount(id: string, liked: boolean): void {
	const counts = $postLikeCounts.get();
	$postLikeCounts.set({ ...counts, [id]: likesAfter(counts[id] ?? 0, liked) });
}

/** Invents the likes of an article on the first visit; later visits reuse them. */
export function inventLikes(id: string): void {
	const counts = $postLikeCounts.get();
	if (!Object.hasOwn(counts, id)) $postLikeCounts.set({ ...counts, [id]: seedLikes(Math.random) });
}

/** Saves an article or removes it. Returns whether it is saved now. */
export function toggleSave({ id, slug, title }: PostRef): boolean {
	const saved = $savedPosts.get().find((post) => post.id === id);
	if (saved) {
		unsave(saved);
		return false;
	}
	$savedPosts.set([{ id, title, savedAt: new Date().toISOString(), slug }, ...$savedPosts.get()]);
	track('save', slug);
	return true;
}

export function unsave(post: SavedPost): Undo {
	track('unsave', post.slug ?? post.id);
	return removeWithUndo($savedPosts, ({ id }) => id === post.id);
}

/** Moves an article that was really read to the top of the history, with the digests of its passages. */
export function recordRead({ id, slug, title }: PostRef, passages: string): void {
	const ids = addToHistory($readingHistory.get(), id);
	const readAt = new Date().toISOString();
	const known = { ...$readingTitles.get(), [id]: { title, slug, readAt, passages } };
	$readingHistory.set(ids);
	$readingTitles.set(
		Object.fromEntries(Object.entries(known).filter(([other]) => ids.includes(other))),
	);
}

export function removeFromHistory(id: string): Undo {
	return removeWithUndo($readingHistory, (other) => other === id);
}

export function clearHistory(): Undo {
	const ids = $readingHistory.get();
	$readingHistory.set([]);
	return () =>
		$readingHistory.set([...new Set([...$readingHistory.get(), ...ids])].slice(0, HISTORY_MAX));
}

export function addHighlight(added: Omit<Highlight, 'timestamp'>): void {
	const timestamp = new Date().toISOString();
	$highlights.set([{ ...added, timestamp } as Highlight, ...$highlights.get()]);
}

export function removeHighlight(removed: Highlight): Undo {
	return removeWithUndo($highlights, (highlight) => isSameHighlight(highlight, removed));
}

/** Records for each highlight whether its article still has its text. */
export function markMissing(missing: ReadonlyMap<Highlight, boolean>): void {
	const before = $highlights.get();
	const after = before.map((highlight) => {
		const isMissing = missing.get(highlight);
		return isMissing === undefined || isMissing === (highlight.missing ?? false)
			? highlight
			: { ...highlight, missing: isMissing };
	});
	if (after.some((one, index) => one !== before[index])) $highlights.set(after);
}

/** Compares highlights by value: each tab parses storage separately. */
function isSameHighlight(one: Highlight, other: Highlight): boolean {
	return one.text === other.text && one.url === other.url && one.timestamp === other.timestamp;
}

/** Removes the first entry that `matches`. Undo restores it at its position, never twice. */
function removeWithUndo<T>(
	store: WritableAtom<readonly T[]>,
	matches: (entry: T) => boolean,
): Undo {
	const index = store.get().findIndex(matches);
	const entry = store.get()[index];
	if (entry === undefined) return () => {};
	store.set(store.get().toSpliced(index, 1));
	return () => {
		if (!store.get().some(matches)) store.set(store.get().toSpliced(index, 0, entry));
	};
}
