import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/import-export/import-export.api.ts';
import { getImport, undoImport } from '#src/features/import-export/undo.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.getImport, ({ id }) => getImport(getDb(), id)),
	sensitive(
		on(api.undoImport, async ({ id }, request, context) => {
			const undone = await undoImport(getDb(), id, actorOf(request));
			context.waitUntil(Promise.all([purge('categories'), purge('subscribers')]));
			return publishChange(undone, context);
		}),
	),
);

export const config: Config = { path: '/api/admin/imports/:id' };
