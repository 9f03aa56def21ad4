import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { editComment, withdrawComment } from '#src/features/comments/comments.server.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { knownComments } from './lib/known-comments.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.editComment, async (input, request, context) => {
		const known = knownComments(request);
		const { comment, postId } = await editComment(getDb(), input, known, new Date());
		context.waitUntil(Promise.all([purge(`comments-${postId}`), deliverNow()]));
		return comment;
	}),
	on(api.withdrawComment, async ({ id }, request, context) => {
		const { postId } = await withdrawComment(getDb(), id, knownComments(request), new Date());
		context.waitUntil(purge(`comments-${postId}`));
		return { success: true as const };
	}),
);

export const config: Config = {
	path: '/api/comments/:id',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
