import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { createPreviewLink } from '#src/features/posts/preview-links.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.createPreview, ({ id }) =>
		createPreviewLink(getDb(), id, {
			secret: getSecret(),
			site: getEnv().SITE_URL,
			now: new Date(),
		}),
	),
);

export const config: Config = { path: '/api/admin/posts/:id/preview' };
