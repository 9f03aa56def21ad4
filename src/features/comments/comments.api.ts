import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { commentInput, type CommentView, type PostedComment } from './comment.ts';

export const createComment = endpoint<PostedComment>()({
	method: 'POST',
	path: '/api/comments',
	input: commentInput,
});

export const listComments = endpoint<CommentView[]>()({
	method: 'GET',
	path: '/api/posts/:id/comments',
	input: z.object({ id: z.string() }),
});
