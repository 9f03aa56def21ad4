import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { commentInput, editInput, type CommentView, type PostedComment } from './comment.ts';

export const createComment = endpoint<PostedComment>()({
	method: 'POST',
	path: '/api/comments',
	input: commentInput,
});

/** Changes a comment that this browser has just written. */
export const editComment = endpoint<PostedComment>()({
	method: 'PUT',
	path: '/api/comments/:id',
	input: editInput,
});

/** Takes back a comment that this browser has just written. */
export const withdrawComment = endpoint<{ success: true }>()({
	method: 'DELETE',
	path: '/api/comments/:id',
	input: z.object({ id: z.string() }),
});

export const listComments = endpoint<CommentView[]>()({
	method: 'GET',
	path: '/api/posts/:id/comments',
	input: z.object({ id: z.string() }),
});
