import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { mergeCategory } from '#src/features/taxonomy/removal.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.mergeCategory,
		async ({ id, into }, request, context) =>
			publishTerms(await mergeCategory(getDb(), id, into, actorOf(request)), context),
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/categories/:id/merge' };
