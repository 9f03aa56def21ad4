import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import {
	decideComments,
	listAllComments,
	replyAsOwner,
} from '#src/features/comments/moderation.server.ts';
import { publishModeration } from './lib/moderation.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.listAllComments, (query) => listAllComments(getDb(), query)),
	on(api.replyAsOwner, async (input, request, context) => {
		const { comment, postIds } = await replyAsOwner(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		publishModeration(postIds, context);
		return comment;
	}),
	on(api.decideComments, async (input, request, context) => {
		const { before, postIds } = await decideComments(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		publishModeration(postIds, context);
		return { before };
	}),
);

export const config: Config = { path: '/api/admin/comments' };
