import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { listStoredSeries } from '#src/features/taxonomy/stored-terms.server.ts';
import { createSeries } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.listStoredSeries, () => listStoredSeries(getDb())),
	on(api.createSeries, async (form, request, context) =>
		publishTerms(await createSeries(getDb(), form, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/series' };
