import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { noteDeed } from '#src/core/audit/audit.server.ts';
import { exportAll } from '#src/features/transfer/export.server.ts';
import * as api from '#src/features/transfer/transfer.api.ts';
import { isoDay } from '#src/lib/dates.ts';
import { download } from './lib/download.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { by } from './lib/writing.ts';

export default serveAdmin(
	on(api.exportAll, async (_input, request) => {
		const { actor, now } = by(request);
		await noteDeed(getDb(), { actor, action: 'exported everything', subject: 'site' }, now);
		const name = `groundtruth-${isoDay(now)}.zip`;
		return download(exportAll(getDb(), now), name, 'application/zip');
	}),
);

export const config: Config = { path: '/api/admin/export' };
