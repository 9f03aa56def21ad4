import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { describeCopies, describeUploads, isCopiedNightly } from '#src/core/copies/copies.ts';
import { getCopyReport } from '#src/core/copies/copies.server.ts';
import * as api from '#src/core/settings/settings.api.ts';
import { siteFacts } from '#src/core/settings/facts.ts';
import { getEnv } from '#src/lib/env.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getFacts, async () => {
		const env = getEnv();
		const facts = siteFacts(env);
		if (env.BACKUP_HOUR === 'off') {
			const value = 'BACKUP_HOUR is off: none is made';
			return [...facts, { name: 'Nightly copies', value, isSet: false }];
		}
		// Elsewhere it is not known whether a server of one machine runs, until it made one.
		const [report, now] = [await getCopyReport(getDb()), new Date()];
		const isKnown = isCopiedNightly(env) || report.last || report.failure;
		if (isKnown) facts.push({ name: 'Nightly copies', ...describeCopies(report, now) });
		if (env.BACKUP_S3_URL || report.uploaded) {
			facts.push({ name: 'Copies elsewhere', ...describeUploads(report, now) });
		}
		return facts;
	}),
);

export const config: Config = { path: '/api/admin/facts' };
