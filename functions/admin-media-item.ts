import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/media/media.api.ts';
import { deleteMedia, describeMedia, showMedia } from '#src/features/media/media.server.ts';
import { callBuilds } from './lib/builds.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.showMedia, ({ id }) => showMedia(getDb(), id)),
	on(api.describeMedia, async ({ id, ...given }, _request, context) => {
		const image = await describeMedia(getDb(), id, given, new Date());
		context.waitUntil(callBuilds());
		return image;
	}),
	on(api.deleteMedia, async ({ id }, request, context) => {
		const deleted = await deleteMedia(getDb(), id, actorOf(request));
		context.waitUntil(purge(`media-${id}`));
		return deleted;
	}),
);

export const config: Config = { path: '/api/admin/media/:id' };
