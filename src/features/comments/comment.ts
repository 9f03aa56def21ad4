import * as z from 'zod/mini';
import { email, robotFields } from '#src/lib/email.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { emailField, nameField, type FormSpec } from '#src/lib/form.ts';
import { singleLine, unixLines } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

export const SPAM = 'Comment content is not appropriate or appears to be spam';
export const MISSING = 'Please fill in all fields';

/** What a visitor sends to comment on a post (specification section 5). Content rules come later: see `isSpam`. */
export const commentInput = z.object({
	postId: z.string({ error: MISSING }).check(z.minLength(1, MISSING), z.maxLength(100)),
	author: z
		.string({ error: MISSING })
		.check(
			z.overwrite(singleLine),
			z.minLength(1, MISSING),
			z.maxLength(100, 'Use 100 characters or fewer for your name'),
		),
	email: email(MISSING),
	content: z
		.string({ error: MISSING })
		.check(
			z.overwrite(unixLines),
			z.trim(),
			z.minLength(1, MISSING),
			z.minLength(3, 'Write 3 characters or more'),
			z.maxLength(2000, 'Write 2000 characters or fewer'),
		),
	...robotFields,
});
export type CommentInput = z.infer<typeof commentInput>;

/** A comment as the public sees it. */
export type CommentView = { id: string; author: string; content: string; createdAt: string };
/** A comment that was just posted; one that `waits` is shown once the admin has read it. */
export type PostedComment = CommentView & { waits?: true };
/** What its author is told, and what where it waits. */
export const POSTED = { title: 'Comment posted!' };
export const WAITS = {
	title: 'Thank you. We read it first.',
	description: 'Your comment appears here once we have approved it.',
};

/** The public list with what its reader has just posted, which an answer from before does not hold: newest first. */
export function withOwn(listed: CommentView[], own: CommentView[]): CommentView[] {
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

/** The toast of a refused comment (specification section 8). */
export function commentFailure(error: unknown) {
	if (error instanceof AppError) {
		const description = messageOf(error);
		const messages = Object.values(error.fields ?? {});
		if (messages.includes(MISSING)) return { title: 'Missing information', description: MISSING };
		if (error.fields?.['email']) return { title: 'Invalid email', description };
		if (error.fields?.['content']) return { title: 'Comment blocked', description };
		if (error.code === 'rate_limited') return { title: 'Too many comments', description };
	}
	return { title: 'Error', description: 'Failed to post comment. Please try again.' };
}

/** Whether a comment has a link, a run of more than 10 identical characters, or a sales word as a whole word. */
export function isSpam(text: string): boolean {
	const seen = text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');
	if (/([^])\1{10}/u.test(seen)) return true;
	return [text, seen].map(normalized).some((one) => {
		const word =
			/(?<![\p{L}\p{N}_])(buy|sell|cheap|free|discount|viagra|casino)(?![\p{L}\p{N}_])/iu;
		return /https?:\/\//i.test(one) || word.test(one);
	});
}

/** A text in usual letters, whichever width and style they were typed in. */
function normalized(text: string): string {
	return text.normalize('NFKC');
}
