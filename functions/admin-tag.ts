import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { deleteTag } from '#src/features/taxonomy/removal.server.ts';
import { getTag } from '#src/features/taxonomy/stored-terms.server.ts';
import { updateTag } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishTerms } from './lib/writing.ts';

export default serveAdmin(
	on(api.getTag, ({ id }) => getTag(getDb(), id)),
	on(api.updateTag, async ({ id, ...changes }, request, context) =>
		publishTerms(await updateTag(getDb(), id, changes, actorOf(request)), context),
	),
	on(api.deleteTag, async ({ id }, request, context) =>
		publishTerms(await deleteTag(getDb(), id, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/tags/:id' };
