import type { Config } from '@netlify/functions';
import { commentForm } from '#src/features/comments/comment.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { createComment } from '#src/features/comments/comments.server.ts';
import { commentsPerAddress } from '#src/core/limits/limits.server.ts';
import { paths } from '#src/site.ts';
import { purge } from './lib/cache.ts';
import { setCookie, sign, readSignedCookie } from './lib/cookie.ts';
import { ResponseWith } from './lib/response.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

/** Holds the ids of the latest comments from this browser. It grants nothing and reveals nothing that is not public. */
const COOKIE = 'groundtruth_comments';
const COOKIE_DAYS = 365;
const REMEMBERED = 10;

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
		async (db, input, now, context, request) => {
			const known = readSignedCookie(request, COOKIE, COOKIE)?.split('_') ?? [];
			const comment = await createComment(db, input, known, now);
			context.waitUntil(purge(`comments-${input.postId}`));
			const newest = [comment.id, ...known].slice(0, REMEMBERED).join('_');
			const own = setCookie(COOKIE, sign(newest, COOKIE), api.createComment.path, COOKIE_DAYS);
			return new ResponseWith(
				comment,
				{},
				[own],
				comment.waits ? paths.thanks('comment-waits') : undefined,
			);
		},
	),
);

export const config: Config = {
	path: '/api/comments',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
