import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { listStoredAuthors } from '#src/features/taxonomy/stored-terms.server.ts';
import { createAuthor } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.listStoredAuthors, () => listStoredAuthors(getDb())),
	on(api.createAuthor, async (form, request, context) =>
		publishTerms(await createAuthor(getDb(), form, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/authors' };
