import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	commentsQuery,
	decisionInput,
	idList,
	restoreInput,
	type CommentState,
	type ModeratedComment,
	type StoredComment,
} from './moderation.ts';

export const listAllComments = endpoint<
	Paged<ModeratedComment> & {
		/** Numbers of all comments, regardless of the filter. */
		counts: Record<CommentState, number>;
	}
>()({ method: 'GET', path: '/api/admin/comments', input: commentsQuery });

/** Changes the state of comments. Returns the previous state of each, for undo. */
export const decideComments = endpoint<{ before: Record<string, CommentState> }>()({
	method: 'PUT',
	path: '/api/admin/comments',
	input: decisionInput,
});

/** Deletes comments. Returns them, so that they can be restored. */
export const deleteComments = endpoint<{ deleted: StoredComment[] }>()({
	method: 'POST',
	path: '/api/admin/comments/delete',
	input: z.object({ ids: idList }),
});

export const restoreComments = endpoint<{ restored: number }>()({
	method: 'POST',
	path: '/api/admin/comments/restore',
	input: restoreInput,
});
