import { MINUTE } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';

/** How an article is mailed. A letter has an id, so that it is sent once, and an ISO time; empty for after publication. */
export type Mailing = { how: 'issue' | 'none' } | { how: 'letter'; id: string; sendAt: string };

/** How readers are told of an article; with `posts` false, no network is. */
export type Telling = { mailing: Mailing; posts: boolean };

/** Time between publication and the letter: its page is there by then, and the letter can still be stopped. */
const LETTER_DELAY_MS = 2 * MINUTE;

/** Returns a number of people in words. */
export const people = (count: number) => plural(count, 'person', 'people');

/** Returns when a letter leaves whose article is published at a time, or now. */
export function sendTime({ sendAt }: { sendAt: string }, publishedAt: string, now: Date): string {
	const published = Math.max(Date.parse(publishedAt) || 0, now.getTime());
	return new Date(Date.parse(sendAt) || published + LETTER_DELAY_MS).toISOString();
}
