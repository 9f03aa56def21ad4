import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import { afterModeration } from '#functions/lib/moderation.ts';
import { adminEmailOf } from '#functions/lib/session.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import {
	decideComments,
	listAllComments,
	replyAsOwner,
	deleteComments,
	pinComment,
} from '#src/features/comments/moderation.server.ts';

export const commentsRoutes = [
	on(api.listAllComments, (query) => listAllComments(getDb(), query)),
	on(api.replyAsOwner, async (input, request, context) => {
		const { comment, postIds } = await replyAsOwner(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		afterModeration(postIds, context);
		return comment;
	}),
	on(api.decideComments, async (input, request, context) => {
		const { before, postIds } = await decideComments(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		afterModeration(postIds, context);
		return { before };
	}),
	on(
		api.deleteComments,
		async ({ ids }, request, context) => {
			const { postIds, ...deleted } = await deleteComments(
				getDb(),
				ids,
				adminEmailOf(request),
				new Date(),
			);
			afterModeration(postIds, context);
			return deleted;
		},
		{ status: 200 },
	),
	on(api.pinComment, async (input, request, context) => {
		const { postIds, ...pins } = await pinComment(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		afterModeration(postIds, context);
		return pins;
	}),
];
