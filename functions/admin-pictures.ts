import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { picturesPerProgram } from '#src/core/limits/limits.server.ts';
import * as imports from '#src/features/import-export/import-export.api.ts';
import { importPart } from '#src/features/import-export/import.server.ts';
import * as api from '#src/features/media/media.api.ts';
import { listMedia } from '#src/features/media/media.server.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import { replaceMedia, storeMedia } from '#src/features/media/upload.server.ts';
import { callBuilds } from './lib/builds.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { forPrograms, sensitive, serveAdmin } from './lib/session.ts';
import { actorOf, afterChange } from './lib/writing.ts';

// What decodes pictures, apart from the rest of the admin area: a native package is in its zip.
export default serveAdmin([
	on(api.listMedia, (query) => listMedia(getDb(), query)),
	forPrograms(
		on(api.uploadMedia, (image, request) => storeMedia(getDb(), image, actorOf(request)), {
			maxBody: MEDIA_BODY_BYTES,
		}),
		picturesPerProgram,
	),
	on(
		api.replaceMedia,
		async ({ id, ...file }, request, context) => {
			const replaced = await replaceMedia(getDb(), id, file, actorOf(request));
			context.waitUntil(Promise.all([purge(`media-${id}`), callBuilds()]));
			return replaced;
		},
		{ status: 200, maxBody: MEDIA_BODY_BYTES },
	),
	sensitive(
		on(
			imports.importPart,
			async (input, request, context) => {
				try {
					return await importPart(getDb(), input, actorOf(request));
				} finally {
					// Rows imported before a failure stay.
					afterChange(['posts', 'categories'], context, undefined);
				}
			},
			{ status: 200, maxBody: MEDIA_BODY_BYTES },
		),
		{ hasPreviews: true },
	),
]);

export const config: Config = {
	path: ['/api/admin/media', '/api/admin/media/:id/replace', '/api/admin/import'],
};
