import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { noteDeed } from '#src/core/audit/audit.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { exportSubscribers } from '#src/features/newsletter/subscribers.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { download } from './lib/download.ts';
import { on } from './lib/http.ts';
import { actorOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.exportSubscribers, async (filter, request) => {
		const now = new Date();
		const deed = {
			actor: actorOf(request),
			action: 'exported subscribers',
			subject: 'subscribers',
		};
		await noteDeed(getDb(), deed, now);
		const rows = exportSubscribers(getDb(), filter);
		return download(rows, `subscribers-${isoDay(now)}.csv`, 'text/csv; charset=utf-8');
	}),
);

export const config: Config = { path: '/api/admin/subscribers/export' };
