import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { discardDraft, saveDraft } from '#src/features/posts/revisions.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.saveDraft, ({ id, ...draft }) => saveDraft(getDb(), id, draft, new Date()), {
		maxBody: ADMIN_BODY_BYTES,
	}),
	on(api.discardDraft, ({ id }) => discardDraft(getDb(), id, new Date())),
);

export const config: Config = { path: '/api/admin/posts/:id/draft' };
