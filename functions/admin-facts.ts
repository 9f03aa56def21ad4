import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { describeCopies } from '#src/core/copies/copies.ts';
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
		if (!env.DATABASE_URL.startsWith('file:')) return facts;
		const copies =
			env.BACKUP_HOUR === 'off'
				? { value: 'BACKUP_HOUR is off: none is made', isSet: false }
				: describeCopies(await getCopyReport(getDb()), new Date());
		return [...facts, { name: 'Nightly copies', ...copies }];
	}),
);

export const config: Config = { path: '/api/admin/facts' };
