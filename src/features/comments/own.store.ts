import * as z from 'zod/mini';
import { storedMap } from '#src/lib/stored.ts';
import { EDIT_MS, type CommentView } from './comment.ts';

/** When comments of this browser were written, by id. The server asks a cookie of its own. */
const $own = storedMap('ownComments', z.number());

/** Name and email of whoever comments in this browser, until they are forgotten. */
export const $commenter = storedMap('commenter', z.string());

/** Remembers a comment of this browser for as long as it can be changed. */
export function rememberOwn({ id }: CommentView): void {
	const now = Date.now();
	const recent = Object.entries($own.get()).filter(([, at]) => now - at < EDIT_MS);
	$own.set(Object.fromEntries([...recent, [id, now]]));
}

/** Returns whether a comment was written here, and not long ago. */
export function isChangeable({ id }: CommentView, now: number): boolean {
	const at = $own.get()[id];
	return at !== undefined && now - at < EDIT_MS;
}
