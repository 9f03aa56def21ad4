import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { commentInput, editInput, type CommentView, type PostedComment } from './comment.ts';

const LIMIT = 'limit must be a whole number from 1 to 200';
const limit = z.coerce
	.number({ error: LIMIT })
	.check(z.int({ error: LIMIT }), z.gte(1, LIMIT), z.lte(200, LIMIT));
/** The place of a comment: when it was written, and its id. */
const before = z
	.string()
	.check(
		z.regex(
			/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z\/[\w-]{1,100}$/,
			'before must be “createdAt/id” of a comment',
		),
	);

export const createComment = endpoint<PostedComment>()('POST /api/comments', commentInput);

/** Changes a comment that this browser has just written. */
export const editComment = endpoint<PostedComment>()('PUT /api/comments/:id', editInput);

/** Takes back a comment that this browser has just written. */
export const withdrawComment = endpoint<{ success: true }>()(
	'DELETE /api/comments/:id',
	z.object({ id: z.string() }),
);

export const listComments = endpoint<CommentView[]>()(
	'GET /api/posts/:id/comments',
	z.object({ id: z.string(), limit: z.optional(limit), before: z.optional(before) }),
);

/** Comments of an article that are older than those in its page, for browsers without JavaScript. */
export const listOlderComments = endpoint<string>()(
	'GET /blog/:id/comments',
	z.object({ id: z.string(), before: z.optional(before) }),
);
