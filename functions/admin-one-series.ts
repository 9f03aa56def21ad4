import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { deleteSeries } from '#src/features/taxonomy/removal.server.ts';
import { getSeries } from '#src/features/taxonomy/stored-terms.server.ts';
import { updateSeries } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getSeries, ({ id }) => getSeries(getDb(), id)),
	on(api.updateSeries, async ({ id, ...changes }, request, context) =>
		publishTerms(await updateSeries(getDb(), id, changes, actorOf(request)), context),
	),
	on(api.deleteSeries, async ({ id }, request, context) =>
		publishTerms(await deleteSeries(getDb(), id, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/series/:id' };
