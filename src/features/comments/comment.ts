import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { AppError } from '#src/lib/errors.ts';
import { emailField, missingText, missingToast, nameField, type FormSpec } from '#src/lib/form.ts';
import { singleLine, normalizeLineBreaks } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

export const SPAM_MESSAGE = 'Comment content is not appropriate or appears to be spam';

/** A visitor's comment on a post (product.md section 5). Content rules are checked later, by `findSpam`. */
export const commentInput = z.object({
	postId: z
		.string({ error: missingText('all fields') })
		.check(z.minLength(1, missingText('all fields')), z.maxLength(100)),
	author: z
		.string({ error: missingText('your name') })
		.check(
			z.overwrite(singleLine),
			z.minLength(1, missingText('your name')),
			z.maxLength(100, 'Use 100 characters or fewer for your name'),
		),
	email: email(missingText('your email address')),
	content: z
		.string({ error: missingText('your comment') })
		.check(
			z.overwrite(normalizeLineBreaks),
			z.trim(),
			z.minLength(1, missingText('your comment')),
			z.minLength(3, 'Write 3 characters or more'),
			z.maxLength(2000, 'Write 2000 characters or fewer'),
		),
	...antiBotFields,
});
export type CommentInput = z.infer<typeof commentInput>;

/** A comment as the public sees it. */
export type CommentView = { id: string; author: string; content: string; createdAt: string };
/** A comment that was just posted. One that `waits` is shown once the admin has approved it. */
export type PostedComment = CommentView & { waits?: true };
/** Toasts for a published comment and for one that is held. */
export const POSTED_TOAST = { title: 'Comment posted!' };
export const WAITING_TOAST = {
	title: 'Thanks! Your comment is awaiting review.',
	description: 'It appears here once we have approved it.',
};

/** Merges the public list with the reader's own new comments, which a cached response may lack. Newest first. */
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
		{ ...nameField, name: 'author' },
		emailField,
		{ name: 'content', label: 'Comment', type: 'textarea', maxLength: 2000, required: true },
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
	if (variants.some((variant) => /https?:\/\//i.test(variant))) return REFUSED_LINK_MESSAGE;
	if (/([^])\1{10}/u.test(seen)) return REFUSED_RUN_MESSAGE;
	if (words.length === 0) return undefined;
	const listed = words.map((word) => RegExp.escape(word)).join('|');
	const word = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${listed})(?![\\p{L}\\p{N}_])`, 'iu');
	const found = variants.map((variant) => word.exec(variant)?.[0]).find(Boolean);
	return (
		found && `${SPAM_MESSAGE}. “${found}” is on the list of words that are not published here.`
	);
}

/** Normalizes letters of unusual width and style. */
function normalized(text: string): string {
	return text.normalize('NFKC');
}
