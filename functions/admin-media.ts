import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import * as api from '#src/features/media/media.api.ts';
import { listMedia } from '#src/features/media/media.server.ts';
import { storeMedia } from '#src/features/media/upload.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.listMedia, (query) => listMedia(getDb(), query)),
	on(api.uploadMedia, (image, request) => storeMedia(getDb(), image, actorOf(request)), {
		maxBody: MEDIA_BODY_BYTES,
	}),
);

export const config: Config = { path: '/api/admin/media' };
