import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/visits/visits.api.ts';
import { getFigures } from '#src/features/visits/figures.server.ts';
import { figuresCsv } from '#src/features/visits/visits.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getFigures, async (query) => {
		const figures = await getFigures(getDb(), query, new Date());
		if (query.format === 'json') return figures;
		const name = `${figures.by}-${figures.from}-${figures.to}.csv`;
		return new Response(figuresCsv(figures), {
			headers: {
				'Content-Type': 'text/csv; charset=utf-8',
				'Content-Disposition': `attachment; filename="${name}"`,
				'Cache-Control': 'no-store',
			},
		});
	}),
);

export const config: Config = { path: '/api/admin/visits' };
