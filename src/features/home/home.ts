import * as z from 'zod/mini';
import type { NextIssue } from '#src/features/newsletter/next-issue.ts';
import type { DatedPost, EditedPost, Some } from '#src/features/posts/at-hand.ts';
import { DAY, HOUR } from '#src/lib/dates.ts';

/** First steps of a new site's owner, with which the set-up ends. */
export const STEPS = ['write', 'subscribers', 'articles', 'terms'] as const;
export type Step = (typeof STEPS)[number];

/** The next issue, as far as it is to be known before it goes out. */
export type ComingIssue = Pick<NextIssue, 'at' | 'timeZone' | 'mode' | 'waiting' | 'recipients'> & {
	articles: number;
	hasWords: boolean;
	/** True where it has nothing at all and will not go out. */
	isEmpty: boolean;
};

/** The first screen of the desk. Times are ISO. */
export type Home = {
	/** When all this was read. */
	at: string;
	/** Things that wait for the owner: the oldest of each kind, and how many there are. */
	waits: {
		issue: ComingIssue | null;
		/** Letters that are not on their way yet, and those that are paused. */
		letters: { id: string; subject: string; at: string | null; isPaused: boolean }[];
		/** The newest build, unless it is live: why it was asked for, what it does, and why it failed. */
		build: {
			state: 'queued' | 'building' | 'failed';
			cause: string;
			doing: string | null;
			reason: string | null;
		} | null;
		comments: Some<{ id: string; author: string; excerpt: string; title: string; at: string }>;
		messages: Some<{ id: string; name: string; topic: string; excerpt: string; at: string }>;
		reviews: Some<{ id: string; title: string; staleAfter: string | null }>;
		mail: Some<{ id: string; kind: string; recipient: string | null; reason: string; at: string }>;
		scheduled: Some<DatedPost>;
	};
	/** Posts that were written in last. */
	writing: EditedPost[];
	/** Start of the news: the visit before, or a week ago where none is known. */
	since: { at: string; isVisit: boolean };
	happened: {
		published: Some<DatedPost>;
		letters: { id: string; subject: string; recipients: number; at: string }[];
		readers: { joined: number; left: number };
		comments: number;
		/** Most read articles of these days, by their paths. */
		read: { key: string; label: string; views: number }[];
		drafts: Some<DatedPost & { program: string }>;
	};
	/** First steps that are not done; none where the site is under way, or they are no longer wanted. */
	steps: Step[];
};

/** When the home was seen last, and when it was in the visit before. */
export const visits = z.object({ last: z.iso.datetime(), before: z.nullable(z.iso.datetime()) });
export type Visits = z.infer<typeof visits>;

/** After so long without the home being seen, another visit begins. */
const PAUSE_MS = HOUR;
/** How far back is looked where no visit is known, and at most where the last one was long ago. */
const UNKNOWN_MS = 7 * DAY;
const LONGEST_MS = 366 * DAY;

const isOver = ({ last }: Visits, now: Date) => +now - Date.parse(last) > PAUSE_MS;

/** Returns the visits once the home is seen. */
export const visitsAfter = (before: Visits | null, now: Date): Visits => ({
	last: now.toISOString(),
	before: before && (isOver(before, now) ? before.last : before.before),
});

/** Returns since when things are news: since the visit before this one, whether this one was noted yet or not. */
export function newsSince(known: Visits | null, now: Date): { at: string; isVisit: boolean } {
	const since = known && (isOver(known, now) ? known.last : known.before);
	// A clock that was put back must not hide everything.
	if (since === null || Date.parse(since) > +now)
		return { at: new Date(+now - UNKNOWN_MS).toISOString(), isVisit: false };
	const earliest = new Date(+now - LONGEST_MS).toISOString();
	return { at: since < earliest ? earliest : since, isVisit: true };
}
