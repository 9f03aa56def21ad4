import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/states/editing.api.ts';
import { importFigures } from '#src/features/states/editing.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishStates } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.importFigures,
		async (table, request, context) => {
			const report = await importFigures(getDb(), table, actorOf(request));
			return report.undo === null ? report : publishStates(report, context);
		},
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/states/import' };
