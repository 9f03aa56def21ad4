import * as api from '#src/features/comments/comments.api.ts';
import { readSignedCookie, setCookie, sign } from './cookie.ts';

/** Holds the ids of the latest comments from this browser. It reveals nothing that is not public. */
const COOKIE = 'groundtruth_comments';
const COOKIE_DAYS = 365;
const REMEMBERED = 10;

/** Returns the ids of the latest comments from this browser, newest first. */
export function knownComments(request: Request): string[] {
	return readSignedCookie(request, COOKIE, COOKIE)?.split('_') ?? [];
}

/** Returns a `Set-Cookie` value that adds a comment to those of this browser. */
export function rememberComment(id: string, known: readonly string[]): string {
	const newest = [id, ...known].slice(0, REMEMBERED).join('_');
	return setCookie(COOKIE, sign(newest, COOKIE), api.createComment.path, COOKIE_DAYS);
}
