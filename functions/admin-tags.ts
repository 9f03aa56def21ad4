import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { completeTags as listTags } from '#src/features/posts/editing.api.ts';
import { completeTags } from '#src/features/posts/tags.server.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { createTag } from '#src/features/taxonomy/terms.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(listTags, ({ q }) => completeTags(getDb(), q)),
	on(api.createTag, (form, request) => createTag(getDb(), form, actorOf(request))),
);

export const config: Config = { path: '/api/admin/tags' };
