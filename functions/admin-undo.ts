import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/undo/undo.api.ts';
import { undoAction } from '#src/core/undo/undo.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.undoAction,
		async ({ token }, request, context) => {
			const undone = await undoAction(getDb(), token, actorOf(request));
			context.waitUntil(purge('states', 'media'));
			return publishTerms(undone, context);
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/undo' };
