import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { exportAll } from '#src/features/import-export/export.server.ts';
import * as api from '#src/features/import-export/import-export.api.ts';
import { isoDay } from '#src/lib/dates.ts';
import { asciiSlug } from '#src/lib/slug.ts';
import { site } from '#src/site.ts';
import { streamFile } from './lib/download.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	sensitive(
		on(api.exportAll, async (_input, request) => {
			const { actor, now } = actorOf(request);
			await recordAudit(getDb(), { actor, action: 'exported everything', subject: 'site' }, now);
			const name = `${asciiSlug(site.name) || 'site'}-${isoDay(now)}.zip`;
			return streamFile(exportAll(getDb(), now), name, 'application/zip');
		}),
	),
);

export const config: Config = { path: '/api/admin/export' };
