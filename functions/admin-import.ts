import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import { importPart } from '#src/features/import-export/import.server.ts';
import * as api from '#src/features/import-export/import-export.api.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	sensitive(
		on(
			api.importPart,
			async (input, request, context) => {
				try {
					return await importPart(getDb(), input, actorOf(request));
				} finally {
					// Rows imported before a failure stay.
					publishChange(undefined, context);
					context.waitUntil(purge('categories'));
				}
			},
			{ status: 200, maxBody: MEDIA_BODY_BYTES },
		),
		{ hasPreviews: true },
	),
);

export const config: Config = { path: '/api/admin/import' };
