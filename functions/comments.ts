import type { Config } from '@netlify/functions';
import { commentForm, toCommentView } from '#src/features/comments/comment.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { createComment } from '#src/features/comments/comments.server.ts';
import { commentsPerAddress } from '#src/core/limits/limits.server.ts';
import { paths } from '#src/site.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { knownComments, rememberComment } from './lib/known-comments.ts';
import { ResponseWith } from './lib/response.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

export default serve(
	publicForm(
		api.createComment,
		{
			form: commentForm,
			limit: commentsPerAddress,
			pretend: ({ author, content, parentId }, now) =>
				toCommentView({
					id: crypto.randomUUID(),
					author,
					content,
					createdAt: now,
					parentId: parentId || null,
					byOwner: false,
					pinnedAt: null,
					editedAt: null,
				}),
		},
		async (db, input, now, context, request) => {
			const known = knownComments(request);
			const comment = await createComment(db, input, known, now);
			context.waitUntil(Promise.all([purge(`comments-${input.postId}`), deliverNow()]));
			return new ResponseWith(
				comment,
				{},
				[rememberComment(comment.id, known)],
				comment.waits ? paths.thanks('comment-waits') : undefined,
			);
		},
	),
);

export const config: Config = {
	path: '/api/comments',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
