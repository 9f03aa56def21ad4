import * as z from 'zod/mini';

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
});
export type NextIssueForm = z.infer<typeof nextIssueForm>;

export type IssueArticle = { id: string; slug: string; title: string };

/** The next issue as the owner edits it. */
export type NextIssue = NextIssueForm & {
	version: number;
	/** When it is due. */
	at: string;
	/** Its articles in their order, and new ones that are left out. */
	articles: IssueArticle[];
	leftOut: IssueArticle[];
	/** Subject and preview line where none is given. */
	usual: { subject: string; preview: string };
	/** The date of the issue that waits for approval, and since when. */
	waiting: { date: string; since: string } | null;
	/** Number of subscribers that would get it. */
	recipients: number;
};
