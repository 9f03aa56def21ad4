import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { listStoredCategories } from '#src/features/taxonomy/stored-terms.server.ts';
import { createCategory } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.listStoredCategories, () => listStoredCategories(getDb())),
	on(api.createCategory, async (form, request, context) =>
		publishTerms(await createCategory(getDb(), form, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/categories' };
