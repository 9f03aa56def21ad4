import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { deleteCategory } from '#src/features/taxonomy/removal.server.ts';
import { getCategory } from '#src/features/taxonomy/stored-terms.server.ts';
import { updateCategory } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getCategory, ({ id }) => getCategory(getDb(), id)),
	on(api.updateCategory, async ({ id, ...changes }, request, context) =>
		publishTerms(await updateCategory(getDb(), id, changes, actorOf(request)), context),
	),
	on(api.deleteCategory, async ({ id, into }, request, context) =>
		publishTerms(await deleteCategory(getDb(), id, into, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/categories/:id' };
