import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { getPostMarkdown } from '#src/features/posts/markdown.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { paths } from '#src/site.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.getPostMarkdown,
		async ({ slug }) => {
			const { SITE_URL } = getEnv();
			const text = await getPostMarkdown(getReadDb(), { slug, siteUrl: SITE_URL, now: new Date() });
			return (
				text &&
				new ResponseWith(text, {
					'Content-Type': 'text/markdown; charset=utf-8',
					Vary: 'Accept',
					Link: `<${SITE_URL}${encodeURI(paths.post(slug))}>; rel="canonical"`,
				})
			);
		},
		{ cache: ['posts'] },
	),
);

export const config: Config = { path: '/blog/:slug.md' };
