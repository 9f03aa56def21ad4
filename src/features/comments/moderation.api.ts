import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	commentsQuery,
	decisionInput,
	idList,
	type CommentState,
	type ModeratedComment,
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

/** Deletes comments. `undo` restores them, for 30 days. */
export const deleteComments = endpoint<{ deleted: number; undo: string | null }>()({
	method: 'POST',
	path: '/api/admin/comments/delete',
	input: z.object({ ids: idList }),
});
