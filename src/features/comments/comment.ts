import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { emailField, missingText, missingToast, nameField, type FormSpec } from '#src/lib/form.ts';
import { singleLine, severalLines } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

export const SPAM_MESSAGE = 'Comment content is not appropriate or appears to be spam';

/** A visitor's comment on a post (product.md section 5). Content rules are checked later, by `findSpam`. */
const content = z
	.string({ error: missingText('your comment') })
	.check(
		z.overwrite(severalLines),
		z.maxLength(2000, 'Write 2000 characters or fewer'),
		z.trim(),
		z.minLength(1, missingText('your comment')),
		z.minLength(3, 'Write 3 characters or more'),
	);

export const commentInput = z.object({
	postId: z
		.string({ error: missingText('all fields') })
		.check(z.minLength(1, missingText('all fields')), z.maxLength(100)),
	/** The comment that it answers. A plain form sends an empty one where it answers none. */
	parentId: z.optional(z.string().check(z.maxLength(100))),
	/** Asks for an email when it is approved or answered. A plain form sends `true` as text. */
	notify: z.optional(
		z.pipe(
			z.transform((given) => given === true || given === 'true'),
			z.boolean(),
		),
	),
	/** Name of the letter whose link led its author to the article. */
	letter: z.optional(z.string().check(z.maxLength(64))),
	author: z
		.string({ error: missingText('your name') })
		.check(
			z.maxLength(100, 'Use 100 characters or fewer for your name'),
			z.overwrite(singleLine),
			z.minLength(1, missingText('your name')),
		),
	email: email(missingText('your email address')),
	content,
	...antiBotFields,
});
export type CommentInput = z.infer<typeof commentInput>;

/** A comment's new text, by its author. */
export const editInput = z.object({ id: z.string(), content });

/** How long a comment can be changed in the browser that wrote it. */
export const EDIT_MS = 15 * MINUTE;

/** A comment as the public sees it. */
export type CommentView = {
	id: string;
	author: string;
	content: string;
	createdAt: string;
	/** The comment that it answers, which answers none itself. */
	parentId: string | null;
	/** Whether the site's owner wrote it. */
	byOwner: boolean;
	/** Whether it comes before all others. */
	pinned: boolean;
	/** When its author last changed it. */
	editedAt: string | null;
};
/** Comments that a page shows at once. The others are asked for, as many at a time. */
export const COMMENTS_PAGE = 100;

/** Returns the place of the last of these comments, after which older ones follow. */
export function placeAfter(comments: readonly CommentView[]): string | undefined {
	const last = comments.findLast(({ pinned }) => !pinned);
	return last && `${last.createdAt}/${last.id}`;
}

/** A comment that was just posted. One that `waits` is shown once the admin has approved it. */
export type PostedComment = CommentView & { waits?: true };
/** Toasts for a published comment and for one that is held. */
export const POSTED_TOAST = { title: 'Comment posted!' };
export const WAITING_TOAST = {
	title: 'Thanks! Your comment is awaiting review.',
	description: 'It appears here once we have approved it.',
};

type CommentRow = Omit<CommentView, 'createdAt' | 'pinned' | 'editedAt'> & {
	createdAt: Date;
	pinnedAt: Date | null;
	editedAt: Date | null;
};

/** Returns what the public may see of a comment, which never includes the email address. */
export function toCommentView({
	id,
	author,
	content,
	createdAt,
	parentId,
	byOwner,
	pinnedAt,
	editedAt,
}: CommentRow): CommentView {
	return {
		id,
		author,
		content,
		createdAt: createdAt.toISOString(),
		parentId,
		byOwner,
		pinned: pinnedAt !== null,
		editedAt: editedAt?.toISOString() ?? null,
	};
}

/** A comment with its answers, oldest first. */
export type Thread = { comment: CommentView; replies: CommentView[] };

/** Orders comments, newest first, as threads: the pinned one first, then the newest. An answer whose comment is not there stands alone. */
export function threadsOf(comments: readonly CommentView[]): Thread[] {
	const ids = new Set(comments.map(({ id }) => id));
	const isReply = ({ parentId }: CommentView) => parentId !== null && ids.has(parentId);
	const repliesOf = Map.groupBy(comments.filter(isReply), ({ parentId }) => parentId);
	const threads = comments
		.filter((comment) => !isReply(comment))
		.map((comment) => ({ comment, replies: (repliesOf.get(comment.id) ?? []).toReversed() }));
	return threads.sort((a, b) => Number(b.comment.pinned) - Number(a.comment.pinned));
}

/** Puts the reader's own new comments, which a cached response may lack, before the public list. */
export function mergeOwn(listed: CommentView[], own: CommentView[]): CommentView[] {
	const known = new Set(listed.map(({ id }) => id));
	return [...own.filter(({ id }) => !known.has(id)), ...listed];
}

export const commentForm: FormSpec = {
	title: 'Leave a comment',
	submit: 'Post comment',
	thanks: paths.thanks('comment'),
	fields: [
		{ name: 'postId', label: '', type: 'hidden' },
		{ name: 'parentId', label: '', type: 'hidden' },
		{ name: 'notify', label: '', type: 'hidden' },
		{ name: 'letter', label: '', type: 'hidden' },
		{ ...nameField, name: 'author' },
		{ ...emailField, hint: 'It is never shown.' },
		{
			name: 'content',
			label: 'Comment',
			hint: 'Code goes between lines of three backticks.',
			type: 'textarea',
			maxLength: 2000,
			required: true,
		},
	],
};

/** Returns the toast of a refused comment (product.md section 8). A reason that the form shows is not repeated. */
export function commentFailure(error: unknown) {
	if (error instanceof AppError) {
		const empty = missingToast(error);
		if (empty) return empty;
		if (error.fields?.['email']) return { title: 'Invalid email' };
		if (error.fields?.['content']) return { title: 'Comment blocked' };
		if (error.code === 'rate_limited') return { title: 'Too many comments' };
	}
	return { title: 'Error', description: 'Failed to post comment. Please try again.' };
}

const REFUSED_LINK_MESSAGE = `${SPAM_MESSAGE}. Links are not published here.`;
const REFUSED_RUN_MESSAGE = `${SPAM_MESSAGE}. It repeats one character more than 10 times.`;

/**
 * Returns why a comment is refused, or undefined: it has a link, a run of more than 10 identical characters, or
 * one of these words as a whole word.
 */
export function findSpam(text: string, words: readonly string[]): string | undefined {
	const seen = text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
	const variants = [text, seen].map(normalized);
	if (variants.some(holdsLink)) return REFUSED_LINK_MESSAGE;
	if (/([^])\1{10}/u.test(seen)) return REFUSED_RUN_MESSAGE;
	if (words.length === 0) return undefined;
	const word = new RegExp(words.map(asWord).join('|'), 'iu');
	const found = variants.map((variant) => word.exec(variant)?.[0]).find(Boolean);
	return (
		found && `${SPAM_MESSAGE}. “${found}” is on the list of words that are not published here.`
	);
}

const holdsLink = (text: string) => /https?:\/\//i.test(text);

/** Returns why a name is refused, or undefined: it has a link. */
export const refusalOfName = (name: string): string | undefined =>
	holdsLink(normalized(name)) ? REFUSED_LINK_MESSAGE : undefined;

const LETTER = '[\\p{L}\\p{N}_]';
const startsWord = new RegExp(`^${LETTER}`, 'u');
const endsWord = new RegExp(`${LETTER}$`, 'u');

/** Returns the pattern of a word that is not part of another one. What ends with a sign, such as "www.", is its beginning. */
function asWord(word: string): string {
	const before = startsWord.test(word) ? `(?<!${LETTER})` : '';
	const after = endsWord.test(word) ? `(?!${LETTER})` : '';
	return before + RegExp.escape(word) + after;
}

/** Normalizes letters of unusual width and style. */
function normalized(text: string): string {
	return text.normalize('NFKC');
}
