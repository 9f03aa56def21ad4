import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import type { PostForm } from '#src/features/posts/editing.ts';

/** What was written, as this device keeps it until the server has it. */
export type Copy = {
	/** Null for a post that the server does not know yet. */
	postId: string | null;
	form: PostForm;
	/** When it was kept: milliseconds. */
	at: number;
};

/** Where copies are kept, each under a key of its post and its tab. */
export type Device = {
	keep(key: string, copy: Copy): Promise<void>;
	forget(key: string): Promise<void>;
};

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
let opened: UseStore | undefined;
const store = () => (opened ??= createStore('groundtruth-writing', 'copies'));

export const device: Device = {
	keep: (key, copy) => set(key, copy, store()),
	forget: (key) => del(key, store()),
};

/** Copies of a post (or of posts without an id) that the server never had, newest first. Those of a month ago are deleted. */
export async function copiesOf(
	postId: string | null,
	now = Date.now(),
): Promise<(Copy & { key: string })[]> {
	const all = (await entries<string, Copy>(store())).map(([key, copy]) => ({ ...copy, key }));
	const old = all.filter(({ at }) => now - at > KEEP_MS);
	if (old.length > 0)
		await delMany(
			old.map(({ key }) => key),
			store(),
		);
	return all
		.filter((copy) => copy.postId === postId && !old.includes(copy))
		.sort((a, b) => b.at - a.at);
}
