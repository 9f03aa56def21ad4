import type { Entry, Letter } from '#src/core/outbox/letter.ts';
import { DAY, HOUR, longDate } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';

/** A post as listed in an issue. */
export type IssuePost = {
	id: string;
	slug: string;
	title: string;
	excerpt: string | null;
	category: string;
	/** Minutes to read. */
	minutes: number;
};

/** One issue of the weekly letter. `date` is its address. */
export type Issue = {
	date: string;
	subject: string;
	posts: IssuePost[];
	/** Corrections since the issue before it. */
	corrections?: IssueCorrection[];
};

export type IssueCorrection = { slug: string; title: string; note: string };

/** Further posts are covered by a link. */
export const MAX_POSTS = 12;

/** How long emails wait for the issue's page before they are sent without a link to it. */
export const PAGE_TIMEOUT_MS = HOUR;

const THURSDAY = 4;

/** Returns date and time of the latest Thursday at `hour` o'clock in a time zone that is not after `now`. */
export function lastSlot(now: Date, hour: number, timeZone: string): { date: string; at: Date } {
	for (let days = 0; ; days++) {
		const date = localDate(new Date(now.getTime() - days * DAY), timeZone);
		const at = timeInZone(date, hour, timeZone);
		if (new Date(date).getUTCDay() === THURSDAY && at <= now) return { date, at };
	}
}

/** Returns the first Thursday at `hour` o'clock after `now`. */
export function nextSlot(now: Date, hour: number, timeZone: string): Date {
	const { date } = lastSlot(now, hour, timeZone);
	const inAWeek = new Date(new Date(date).getTime() + 7 * DAY).toISOString().slice(0, 10);
	return timeInZone(inAWeek, hour, timeZone);
}

/** Returns "2026-03-05", by the calendar of the time zone. */
function localDate(time: Date, timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);
}

/** Returns the time of an hour on a day in a time zone. If clocks skip the hour, returns the next one. */
function timeInZone(date: string, hour: number, timeZone: string): Date {
	const wall = new Date(date).getTime() + hour * HOUR;
	// The zone's offset depends on the result, so the second guess is right.
	const guess = wall - zoneOffset(new Date(wall), timeZone);
	return new Date(wall - zoneOffset(new Date(guess), timeZone));
}

/** Returns how far a zone's clocks are ahead of UTC at a time, in milliseconds. */
function zoneOffset(time: Date, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(time);
	const partOf = (type: string) => Number(parts.find((part) => part.type === type)!.value);
	const wall = Date.UTC(
		partOf('year'),
		partOf('month') - 1,
		partOf('day'),
		partOf('hour'),
		partOf('minute'),
		partOf('second'),
	);
	return wall - Math.floor(time.getTime() / 1000) * 1000;
}

/** Returns the subject of an issue with these posts. */
export function issueSubject(posts: { title: string }[]): string {
	const [first, ...others] = posts;
	const more = others.length > 0 ? ` and ${plural(others.length, 'more article')}` : '';
	return `${site.newsletter}: ${first?.title ?? ''}${more}`;
}

/** Returns an issue as a letter. `online`: its page is available. */
export function issueLetter(
	{ date, subject, posts, corrections = [] }: Issue,
	siteUrl: string,
	links: NonNullable<Letter['links']>,
	online: boolean,
): Letter {
	const shown = posts.slice(0, MAX_POSTS);
	const rest = posts.length - shown.length;
	return {
		subject,
		preview: shown.map(({ title }) => title).join(' · '),
		label: `${site.newsletter} · ${longDate(date)}`,
		title:
			posts.length === 1 ? 'New this week' : `${plural(posts.length, 'new article')} this week`,
		blocks: [
			{
				kind: 'entries',
				items: shown.map((post) => toEntry(post, siteUrl)),
			},
			...(rest > 0
				? [{ kind: 'text' as const, text: `And ${plural(rest, 'more article')} on the blog.` }]
				: []),
			...(corrections.length > 0
				? [
						{ kind: 'text' as const, text: 'Corrected since the last issue:' },
						{
							kind: 'entries' as const,
							items: corrections.map(({ slug, title, note }) => ({
								title,
								href: siteUrl + paths.changes(slug),
								label: 'Correction',
								...(note && { text: note }),
							})),
						},
					]
				: []),
			online
				? { kind: 'button', label: 'Read this issue online', href: siteUrl + paths.issue(date) }
				: { kind: 'button', label: 'All articles', href: siteUrl + paths.blog() },
		],
		why: `You get this because you subscribed to ${site.newsletter}.`,
		links,
	};
}

function toEntry({ slug, title, excerpt, category, minutes }: IssuePost, siteUrl: string): Entry {
	return {
		title,
		href: siteUrl + paths.post(slug),
		label: `${category} · ${minutes} min`,
		...(excerpt && { text: excerpt }),
	};
}

/** Returns the welcome email of a new subscriber. */
export function welcomeLetter(
	posts: IssuePost[],
	siteUrl: string,
	links: NonNullable<Letter['links']>,
): Letter {
	return {
		subject: `Welcome to ${site.newsletter}`,
		preview: 'One checked letter about artificial intelligence a week.',
		label: 'Welcome',
		title: `Welcome to ${site.newsletter}`,
		blocks: [
			{
				kind: 'text',
				text: 'From now on you get one letter a week, usually on Thursdays: the new articles, what each one shows, and why it matters. A week without a new article has no letter.',
			},
			...(posts.length > 0
				? [
						{ kind: 'text' as const, text: 'To begin with, the latest articles:' },
						{
							kind: 'entries' as const,
							items: posts.map((post) => toEntry(post, siteUrl)),
						},
					]
				: []),
			{ kind: 'button', label: 'Read the blog', href: siteUrl + paths.blog() },
		],
		why: `You get this because this address was subscribed to ${site.newsletter}. If that was not you, unsubscribe and nothing more comes.`,
		links,
	};
}
