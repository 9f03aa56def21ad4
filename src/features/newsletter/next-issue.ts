import * as z from 'zod/mini';
import type { Cadence } from './subscriber.ts';

/** How the next issue goes out: by itself, once the owner approves it, or not at all. */
export const LETTER_MODES = ['auto', 'ask', 'skip'] as const;
export type LetterMode = (typeof LETTER_MODES)[number];

const line = (name: string, most: number) =>
	z.string().check(z.trim(), z.maxLength(most, `Use ${most} characters or fewer for the ${name}`));
export const subjectField = line('subject', 150);
export const previewField = line('preview line', 200);
export const wordsField = z
	.string()
	.check(z.maxLength(50_000, 'Use 50,000 characters or fewer for your words'));

/** A link to something else than an article of this site, with a sentence about it. */
export const issueLink = z.object({
	title: line('title of a link', 150).check(z.minLength(1, 'Give each link a title')),
	href: z
		.url({ protocol: /^https?$/, error: 'Give each link an address that begins with https://' })
		.check(z.maxLength(2000, 'Use 2,000 characters or fewer for an address')),
	text: z._default(line('words about a link', 300), ''),
});
export type IssueLink = z.infer<typeof issueLink>;
const MAX_LINKS = 20;

/** Returns the links of an issue as they are stored, without those that cannot be read. */
export function readLinks(stored: unknown): IssueLink[] {
	if (!Array.isArray(stored)) return [];
	return stored.flatMap((link) => issueLink.safeParse(link).data ?? []);
}

export const nextIssueForm = z.object({
	mode: z.enum(LETTER_MODES, { error: 'Choose one of the three' }),
	/** Empty for what follows from the articles, as the preview line. */
	subject: subjectField,
	preview: previewField,
	/** The editor's words before the articles, as HTML. */
	note: wordsField,
	/** Ids of its articles, in their order. */
	posts: z
		.array(z.string().check(z.maxLength(64)))
		.check(z.maxLength(50, 'Put 50 articles or fewer into an issue')),
	/** Other links, after the articles. */
	links: z
		.array(issueLink)
		.check(z.maxLength(MAX_LINKS, `Put ${MAX_LINKS} links or fewer into an issue`)),
});
export type NextIssueForm = z.infer<typeof nextIssueForm>;

export const MISSED = ['nothing', 'skipped'] as const;
type MissedIssue = (typeof MISSED)[number];

/** Claim of an issue's first article, and its plot: `src` is a path of the site. */
export type Lead = {
	claim: string;
	picture: { src: string; alt: string; width: number; height: number };
};

/** An issue as its page shows it. `words` is HTML. */
export type IssuePage = {
	date: string;
	words: string;
	posts: {
		slug: string | null;
		title: string;
		excerpt: string | null;
		category: string;
		minutes: number;
		lead?: Lead;
	}[];
	links: IssueLink[];
	corrections: { slug: string; title: string; note: string }[];
};

export type IssueArticle = { id: string; slug: string; title: string };

/** The next issue as the owner edits it. */
export type NextIssue = NextIssueForm & {
	version: number;
	/** When it is due. */
	at: string;
	/** The time zone of the schedule. */
	timeZone: string;
	/** Its articles in their order, and new ones that are left out. */
	articles: IssueArticle[];
	leftOut: IssueArticle[];
	/** Subject and preview line where none is given. */
	usual: { subject: string; preview: string };
	/** The date of the issue that waits for approval, and since when. */
	waiting: { date: string; since: string } | null;
	/** The issue that did not go out last, unless one did since: it had nothing new, or was skipped. */
	missed: { date: string; why: MissedIssue } | null;
	/** Number of subscribers that would get it. */
	recipients: number;
	/** Numbers of all who get letters now, by how often. */
	readers: Record<Cadence, number>;
};
