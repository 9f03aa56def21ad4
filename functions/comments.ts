import type { Config } from '@netlify/functions';
import { commentForm } from '#src/features/comments/comment.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { createComment } from '#src/features/comments/comments.server.ts';
import { commentsPerAddress } from '#src/features/limits/limits.server.ts';
import { purge } from './lib/cache.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

export default serve(
	publicForm(
		api.createComment,
		{
			form: commentForm,
			limit: commentsPerAddress,
			pretend: ({ author, content }, now) => ({
				id: crypto.randomUUID(),
				author,
				content,
				createdAt: now.toISOString(),
			}),
		},
		async (db, input, now, context) => {
			const comment = await createComment(db, input, now);
			context.waitUntil(purge(`comments-${input.postId}`));
			return comment;
		},
	),
);

export const config: Config = {
	path: '/api/comments',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
