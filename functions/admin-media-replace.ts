import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import * as api from '#src/features/media/media.api.ts';
import { replaceMedia } from '#src/features/media/upload.server.ts';
import { callBuilds } from './lib/builds.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.replaceMedia,
		async ({ id, ...file }, request, context) => {
			const replaced = await replaceMedia(getDb(), id, file, actorOf(request));
			context.waitUntil(Promise.all([purge(`media-${id}`), callBuilds()]));
			return replaced;
		},
		{ status: 200, maxBody: MEDIA_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/media/:id/replace' };
