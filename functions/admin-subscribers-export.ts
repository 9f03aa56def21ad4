import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { exportSubscribers } from '#src/features/newsletter/subscribers.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { streamFile } from './lib/download.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, sensitive, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(
		on(api.exportSubscribers, async (filter, request) => {
			const now = new Date();
			const event = {
				actor: adminEmailOf(request),
				action: 'exported subscribers',
				subject: 'subscribers',
			};
			await recordAudit(getDb(), event, now);
			const rows = exportSubscribers(getDb(), filter);
			return streamFile(rows, `subscribers-${isoDay(now)}.csv`, 'text/csv; charset=utf-8');
		}),
	),
);

export const config: Config = { path: '/api/admin/subscribers/export' };
