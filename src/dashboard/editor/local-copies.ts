import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import type { PostForm } from '#src/features/posts/editing.ts';

/** An unsaved form, stored on this device until the server has it. */
export type LocalCopy = {
	/** Null for a post that the server does not know yet. */
	postId: string | null;
	form: PostForm;
	/** When it was kept: milliseconds. */
	at: number;
};

/** Where copies are kept, each under a key of its post and its tab. */
export type CopyStore = {
	save(key: string, copy: LocalCopy): Promise<void>;
	remove(key: string): Promise<void>;
};

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
let opened: UseStore | undefined;
const store = () => (opened ??= createStore('groundtruth-writing', 'copies'));

export const localCopies: CopyStore = {
	save: (key, copy) => set(key, copy, store()),
	remove: (key) => del(key, store()),
};

/** Copies of a post (or of posts without an id) that the server never had, newest first. Those of a month ago are deleted. */
export async function findCopies(
	postId: string | null,
	now = Date.now(),
): Promise<(LocalCopy & { key: string })[]> {
	const all = (await entries<string, LocalCopy>(store())).map(([key, copy]) => ({ ...copy, key }));
	const old = all.filter(({ at }) => now - at > MAX_AGE_MS);
	if (old.length > 0)
		await delMany(
			old.map(({ key }) => key),
			store(),
		);
	return all
		.filter((copy) => copy.postId === postId && !old.includes(copy))
		.sort((a, b) => b.at - a.at);
}
