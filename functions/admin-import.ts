import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { MEDIA_BODY_BYTES } from '#src/features/media/media.ts';
import { importPart } from '#src/features/transfer/import.server.ts';
import * as api from '#src/features/transfer/transfer.api.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { afterChange, by } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.importPart,
		async (input, request, context) => {
			try {
				return await importPart(getDb(), input, by(request));
			} finally {
				// What came in before a failure is there.
				afterChange(undefined, context);
				context.waitUntil(purge('categories'));
			}
		},
		{ status: 200, maxBody: MEDIA_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/import' };
