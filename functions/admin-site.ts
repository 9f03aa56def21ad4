import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/settings/site.api.ts';
import { getSite, updateSite } from '#src/core/settings/site.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getSite, () => getSite(getDb())),
	on(api.updateSite, async (form, request, context) =>
		publishTerms(await updateSite(getDb(), form, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/site' };
