import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/transfer/transfer.api.ts';
import { getImport, undoImport } from '#src/features/transfer/undo.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { afterChange, by } from './lib/writing.ts';

export default serveAdmin(
	on(api.getImport, ({ id }) => getImport(getDb(), id)),
	on(api.undoImport, async ({ id }, request, context) => {
		const undone = await undoImport(getDb(), id, by(request));
		context.waitUntil(Promise.all([purge('categories'), purge('subscribers')]));
		return afterChange(undone, context);
	}),
);

export const config: Config = { path: '/api/admin/imports/:id' };
