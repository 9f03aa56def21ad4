import { campaignLink } from '#src/core/outbox/campaign.ts';
import type { ArticleBlock, Entry, EmailContent } from '#src/core/outbox/email-content.ts';
import { previewOf } from '#src/core/outbox/plain-text.ts';
import { LETTER_DAYS, type LETTER_CADENCES } from '#src/core/settings/setting.ts';
import { DAY, HOUR, longDate } from '#src/lib/dates.ts';
import { dayIn, timeInZone } from '#src/lib/time-zones.ts';
import { plural } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';
import type { IssueLink, Lead } from './next-issue.ts';

/** A post as listed in an issue. */
export type IssuePost = {
	id: string;
	slug: string;
	title: string;
	excerpt: string | null;
	category: string;
	/** Minutes to read. */
	minutes: number;
	/** The article itself, for a reader who wants it in the letter. */
	whole?: Words;
	/** Claim and picture of the first plot of an issue's first article. */
	lead?: Lead;
};

/** One issue of the weekly letter. `date` is its address. */
export type Issue = {
	date: string;
	/** The day that the letter names, where `date` is the id of a letter that has no page. */
	day?: string;
	/** How many of its articles are listed. */
	most?: number;
	/** Its headline; without it, how many articles it has. */
	title?: string;
	subject: string;
	posts: IssuePost[];
	/** Shown after the subject in an inbox. Without it, the titles. */
	preview?: string;
	/** The editor's words, before the articles. */
	note?: Words;
	/** Other links, after the articles. */
	links?: IssueLink[];
	/** Corrections since the issue before it. */
	corrections?: IssueCorrection[];
};

/** Text that is ready for email: as HTML, and as plain text. */
export type Words = { html: string; text: string };

/** Placeholder in words for the name of the letter that they are sent with. */
export const CAMPAIGN = 'this-letter';

/** Returns words as a block of the letter of this name; none where there are no words. */
export function wordsBlock({ html, text }: Words, campaign: string): ArticleBlock[] {
	if (html === '') return [];
	const named = (words: string) =>
		words.replaceAll(`utm_campaign=${CAMPAIGN}`, `utm_campaign=${campaign}`);
	return [{ kind: 'article', html: named(html), text: named(text) }];
}

export type IssueCorrection = { slug: string; title: string; note: string };

/** Further posts are covered by a link, also in a letter of a month, which has three times as many. */
export const MAX_POSTS = 12;

/** How long emails wait for the issue's page before they are sent without a link to it. */
export const PAGE_TIMEOUT_MS = HOUR;

/** When the letter is due: an hour of a weekday in a time zone, each week, every other one, or the first of a month. */
export type Schedule = {
	cadence: (typeof LETTER_CADENCES)[number];
	day: (typeof LETTER_DAYS)[number];
	hour: number;
	timeZone: string;
};

/** Returns date and time of the latest slot of a schedule that is not after `now`. */
export function lastSlot(now: Date, schedule: Schedule): { date: string; at: Date } {
	for (let days = 0; ; days++) {
		const date = dayIn(now, schedule.timeZone, -days);
		const at = timeInZone(date, schedule.hour, schedule.timeZone);
		if (isSlot(date, schedule) && at <= now) return { date, at };
	}
}

/** Returns date and time of the first slot of a schedule after `now`. */
export function nextSlot(now: Date, schedule: Schedule): { date: string; at: Date } {
	for (let days = 0; ; days++) {
		const date = dayIn(now, schedule.timeZone, days);
		const at = timeInZone(date, schedule.hour, schedule.timeZone);
		if (isSlot(date, schedule) && at > now) return { date, at };
	}
}

function isSlot(date: string, { cadence, day }: Schedule): boolean {
	const time = new Date(date);
	if (LETTER_DAYS[time.getUTCDay()] !== day) return false;
	if (cadence === 'monthly') return time.getUTCDate() <= 7;
	return cadence === 'weekly' || Math.floor(time.getTime() / (7 * DAY)) % 2 === 0;
}

/** Returns the subject of an issue with these posts. */
export function issueSubject(posts: { title: string }[]): string {
	const [first, ...others] = posts;
	const more = others.length > 0 ? ` and ${plural(others.length, 'more article')}` : '';
	return first ? `${site.newsletter}: ${first.title}${more}` : site.newsletter;
}

/** Returns the headline of an issue: what its first article claims, or how many there are. */
export const headlineOf = (posts: readonly Pick<IssuePost, 'lead'>[]): string =>
	posts[0]?.lead?.claim ?? issueTitle(posts.length);

/** Returns the headline of an issue with this many articles. */
export function issueTitle(count: number): string {
	if (count === 0) return 'A word from us';
	return count === 1 ? 'A new article' : plural(count, 'new article');
}

/** Heading of the links that are no articles. */
export const OTHER_LINKS = 'Also worth your time';

/** Returns an issue as a letter. `online`: its page is available. */
export function issueEmail(
	{
		date,
		day,
		title,
		most = MAX_POSTS,
		subject,
		posts,
		preview,
		note,
		links: others = [],
		corrections = [],
	}: Issue,
	siteUrl: string,
	links: NonNullable<EmailContent['links']>,
	online: boolean,
): EmailContent {
	const shown = posts.slice(0, most);
	const rest = posts.length - shown.length;
	return {
		subject,
		preview:
			preview ||
			shown.map(({ title }) => title).join(' · ') ||
			previewOf(note?.text ?? others.map(({ title }) => title).join(' · ')),
		label: `${site.newsletter} · ${longDate(day ?? date)}`,
		...(online && { online: campaignLink(siteUrl + paths.issue(date), date) }),
		title: title ?? headlineOf(posts),
		blocks: [
			...(note ? wordsBlock(note, date) : []),
			{
				kind: 'entries',
				items: shown.map((post) => toEntry(post, siteUrl, date)),
			},
			...(rest > 0
				? [{ kind: 'text' as const, text: `And ${plural(rest, 'more article')} on the blog.` }]
				: []),
			...(others.length > 0
				? [
						{ kind: 'heading' as const, text: OTHER_LINKS },
						{
							kind: 'entries' as const,
							items: others.map(({ title, href, text }) => ({
								title,
								href: href.startsWith(`${siteUrl}/`) ? campaignLink(href, date) : href,
								...(text && { text }),
							})),
						},
					]
				: []),
			...(corrections.length > 0
				? [
						{ kind: 'heading' as const, text: 'Corrected since the last issue' },
						{
							kind: 'entries' as const,
							items: corrections.map(({ slug, title, note }) => ({
								title,
								href: campaignLink(siteUrl + paths.changes(slug), date),
								label: 'Correction',
								...(note && { text: note }),
							})),
						},
					]
				: []),
			{
				kind: 'button',
				label: 'All articles',
				href: campaignLink(siteUrl + paths.blog(), date),
			},
		],
		why: `You get this because you subscribed to ${site.newsletter}.`,
		links,
	};
}

function toEntry(
	{ slug, title, excerpt, category, minutes, whole, lead }: IssuePost,
	siteUrl: string,
	campaign: string,
): Entry {
	const [article] = whole ? wordsBlock(whole, campaign) : [];
	return {
		title,
		href: campaignLink(siteUrl + paths.post(slug), campaign),
		label: `${category} · ${minutes} min`,
		...(article
			? {
					article,
					links: [
						{
							label: 'Comment on it',
							href: campaignLink(`${siteUrl}${paths.post(slug)}#comments`, campaign),
						},
					],
				}
			: {
					...(excerpt && { text: excerpt }),
					...(lead && { picture: { ...lead.picture, src: siteUrl + lead.picture.src } }),
				}),
	};
}

/** Returns the welcome email of a new subscriber. */
export function welcomeEmail(
	posts: IssuePost[],
	siteUrl: string,
	links: NonNullable<EmailContent['links']>,
	/** When the letter comes, in words. */
	schedule: string,
): EmailContent {
	return {
		subject: `Welcome to ${site.newsletter}`,
		preview: site.words.mailWelcomePreview,
		label: 'Welcome',
		title: `Welcome to ${site.newsletter}`,
		blocks: [
			{
				kind: 'text',
				text: site.words.mailWelcome.replaceAll('%WHEN%', schedule),
			},
			...(posts.length > 0
				? [
						{ kind: 'text' as const, text: 'To begin with, the latest articles:' },
						{
							kind: 'entries' as const,
							items: posts.map((post) => toEntry(post, siteUrl, 'welcome')),
						},
					]
				: []),
			{ kind: 'button', label: 'Read the blog', href: siteUrl + paths.blog() },
		],
		why: `You get this because this address was subscribed to ${site.newsletter}. If that was not you, unsubscribe and nothing more comes.`,
		links,
	};
}
