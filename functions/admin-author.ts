import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { deleteAuthor } from '#src/features/taxonomy/removal.server.ts';
import { getAuthor } from '#src/features/taxonomy/stored-terms.server.ts';
import { updateAuthor } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getAuthor, ({ id }) => getAuthor(getDb(), id)),
	on(api.updateAuthor, async ({ id, ...changes }, request, context) =>
		publishTerms(await updateAuthor(getDb(), id, changes, actorOf(request)), context),
	),
	on(api.deleteAuthor, async ({ id }, request, context) =>
		publishTerms(await deleteAuthor(getDb(), id, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/authors/:id' };
