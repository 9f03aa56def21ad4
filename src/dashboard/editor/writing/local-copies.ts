import { createStore, del, delMany, entries, set, type UseStore } from 'idb-keyval';
import type { PostForm } from '#src/features/posts/editing.ts';

/** An unsaved form, stored on this device until the server has it. */
export type LocalCopy = {
	/** Null for a post that the server does not know yet. */
	postId: string | null;
	form: PostForm;
	/** When it was stored: milliseconds. */
	at: number;
};

/** A copy with the key that it is stored under. */
export type FoundCopy = LocalCopy & { key: string };

/** Where copies are stored, each under a key of its post and its tab. */
export type CopyStore = {
	save(key: string, copy: LocalCopy): Promise<void>;
	remove(key: string): Promise<void>;
};

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
let opened: UseStore | undefined;
const database = () => (opened ??= createStore('desk-writing', 'copies'));

export const localCopies: CopyStore = {
	save: (key, copy) => set(key, copy, database()),
	remove: (key) => del(key, database()),
};

/** Returns the copies of a post (or of posts without an id) that the server never had, newest first. Deletes those of a month ago. */
export async function findCopies(postId: string | null, now = Date.now()): Promise<FoundCopy[]> {
	const all = (await entries<string, LocalCopy>(database())).map(([key, copy]) => ({
		...copy,
		key,
	}));
	const old = all.filter(({ at }) => now - at > MAX_AGE_MS);
	if (old.length > 0)
		await delMany(
			old.map(({ key }) => key),
			database(),
		);
	return all
		.filter((copy) => copy.postId === postId && !old.includes(copy))
		.sort((a, b) => b.at - a.at);
}

/** Returns the id under which a post is sent that the server does not know yet: the writing's own. */
export const idOfCopy = (key: string): string | undefined =>
	key.startsWith('new|') ? key.slice('new|'.length) : undefined;

/**
 * Keeps the one copy of what is being written. `session` tells its key from those of other tabs. Private windows may
 * refuse to store anything: then only the server has the words, and leaving the page warns.
 */
export function sessionCopy(copies: CopyStore, session: string) {
	let lastStored: { key: string; form: PostForm } | null = null;
	const keyOf = (postId: string | null) => `${postId ?? 'new'}|${session}`;
	const isStored = (postId: string | null, form: PostForm) =>
		lastStored?.form === form && lastStored.key === keyOf(postId);

	async function save(postId: string | null, form: PostForm): Promise<void> {
		if (isStored(postId, form)) return;
		const key = keyOf(postId);
		try {
			await copies.save(key, { postId, form, at: Date.now() });
			lastStored = { key, form };
		} catch {
			// `isStored` tells of it.
		}
	}

	async function removeKey(key: string): Promise<void> {
		await copies.remove(key).catch(() => undefined);
	}

	async function remove(postId: string | null): Promise<void> {
		lastStored = null;
		await removeKey(keyOf(postId));
	}

	/** Removes the copy that a form comes from, once the form is stored under its own key. */
	async function takeOver(key: string, postId: string | null, form: PostForm): Promise<void> {
		await save(postId, form);
		if (isStored(postId, form) && key !== keyOf(postId)) await removeKey(key);
	}

	return { keyOf, isStored, save, remove, removeKey, takeOver };
}

export type SessionCopy = ReturnType<typeof sessionCopy>;
