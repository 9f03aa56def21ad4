import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import { listChanges } from '#src/features/posts/changes.server.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.listChanges, ({ slug }) => listChanges(getReadDb(), slug, new Date()), {
		cache: ['posts'],
	}),
);

export const config: Config = { path: '/api/posts/:slug/changes' };
