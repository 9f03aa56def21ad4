import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { renderPreview } from '#src/core/articles/rendering.server.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.renderContent,
		async ({ content }) => {
			const { html, headings, problem } = await renderPreview(
				content,
				await readDrawings(getDb(), [content]),
			);
			return { html, headings, problem: problem ?? null };
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/rendering' };
