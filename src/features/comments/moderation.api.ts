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
		/** Of all comments, whatever the filter. */
		counts: Record<CommentState, number>;
	}
>()({ method: 'GET', path: '/api/admin/comments', input: commentsQuery });

/** Returns the state that each changed comment had before, which is what undoing needs. */
export const decideComments = endpoint<{ before: Record<string, CommentState> }>()({
	method: 'PUT',
	path: '/api/admin/comments',
	input: decisionInput,
});

/** Returns what was deleted, so that it can be restored. */
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
