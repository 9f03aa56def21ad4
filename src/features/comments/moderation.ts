import * as z from 'zod/mini';
import { pagedInput, searchField } from '#src/lib/paging.ts';
import { severalLines } from '#src/lib/text.ts';

/** A comment is `waiting` until the admin decides; `hidden` means rejected. */
const COMMENT_STATES = ['waiting', 'visible', 'hidden'] as const;
export type CommentState = (typeof COMMENT_STATES)[number];

/** A comment as the admin sees it. */
export type ModeratedComment = {
	id: string;
	author: string;
	email: string;
	content: string;
	state: CommentState;
	createdAt: string;
	/** Whose comment it answers, if any. */
	answers: string | null;
	isReply: boolean;
	byOwner: boolean;
	pinned: boolean;
	editedAt: string | null;
	/** Texts before its author edited it, oldest first. */
	earlier: string[];
	post: { id: string; title: string; slug: string };
};

export const commentsQuery = z.object({
	...pagedInput(['created', 'author'], '-created'),
	q: searchField,
	state: z.optional(z.enum(COMMENT_STATES)),
	/** A comment's id: it alone, to be answered. */
	answer: z.optional(z.string().check(z.maxLength(100))),
	/** A post's id. */
	post: z.optional(z.string().check(z.maxLength(100))),
});
export type CommentsQuery = z.infer<typeof commentsQuery>;

/** Maximum number of items in one action. */
const MAX_IDS = 200;
export const idList = z
	.array(z.string().check(z.minLength(1), z.maxLength(100)))
	.check(z.minLength(1, 'Choose one or more'), z.maxLength(MAX_IDS, `Choose ${MAX_IDS} or fewer`));

/** A reply of the owner. */
export const replyInput = z.object({
	parentId: z.string().check(z.minLength(1), z.maxLength(100)),
	content: z
		.string()
		.check(
			z.overwrite(severalLines),
			z.trim(),
			z.minLength(1, 'Write a reply'),
			z.maxLength(10_000, 'Write 10,000 characters or fewer'),
		),
});

export const pinInput = z.object({ id: z.string().check(z.maxLength(100)), pinned: z.boolean() });

export const decisionInput = z.object({ ids: idList, state: z.enum(COMMENT_STATES) });
