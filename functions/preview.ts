import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { getPreview } from '#src/features/posts/preview.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.getPreview,
		async ({ token }) =>
			new ResponseWith(await getPreview(getDb(), token, getSecret(), new Date()), {
				'X-Robots-Tag': 'noindex, nofollow',
			}),
	),
);

export const config: Config = { path: '/api/preview/:token' };
