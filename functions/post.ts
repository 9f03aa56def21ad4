import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { getPost } from '#src/features/posts/posts.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.getPost, ({ slug }) => getPost(getReadDb(), slug, new Date()), { cache: ['posts'] }),
);

export const config: Config = { path: '/api/posts/:slug' };
