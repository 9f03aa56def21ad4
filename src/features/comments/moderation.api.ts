import * as z from 'zod/mini';
import { linkToken, type Screen } from '#src/core/screen.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import type { CommentView } from './comment.ts';
import {
	commentsQuery,
	decisionInput,
	idList,
	pinInput,
	replyInput,
	type CommentState,
	type ModeratedComment,
} from './moderation.ts';

export const listAllComments = endpoint<
	Paged<ModeratedComment> & {
		/** Numbers of all comments, regardless of the filter. */
		counts: Record<CommentState, number>;
	}
>()('GET /api/admin/comments', commentsQuery);

/** Changes the state of comments. Returns the previous state of each, for undo. */
export const decideComments = endpoint<{ before: Record<string, CommentState> }>()(
	'PUT /api/admin/comments',
	decisionInput,
);

/** Publishes the owner's reply to a comment. One that waits is approved with it. */
export const replyAsOwner = endpoint<CommentView>()('POST /api/admin/comments', replyInput);

/** Puts a comment before all others of its post, instead of the one that was, or back among them. */
export const pinComment = endpoint<{ pinned: string | null; before: string | null }>()(
	'PUT /api/admin/comments/pin',
	pinInput,
);

/** Shows what a link in an email to the owner would do. */
export const showDecision = endpoint<Screen>()('GET /moderate', z.object({ token: linkToken }));
/** Does it. */
export const decideByLink = endpoint<Screen>()('POST /moderate', z.object({ token: linkToken }));

/** Shows what a commenter is emailed about a thread. */
export const showConversation = endpoint<Screen>()(
	'GET /conversation',
	z.object({ token: linkToken }),
);
/** Ends these emails, with one click of a mail client as well. */
export const leaveConversation = endpoint<Screen>()(
	'POST /conversation',
	z.object({ token: linkToken }),
);

/** Deletes comments. `undo` restores them, for 30 days. */
export const deleteComments = endpoint<{ deleted: number; undo: string | null }>()(
	'POST /api/admin/comments/delete',
	z.object({ ids: idList }),
);
