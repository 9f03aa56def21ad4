import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import * as api from '#src/features/archive/archive.api.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { asciiSlug } from '#src/lib/slug.ts';
import { site } from '#src/site.ts';
import { streamFile } from './lib/download.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	sensitive(
		on(api.makeArchive, async ({ passphrase }, request) => {
			const { actor, now } = actorOf(request);
			const detail = passphrase && 'with the secret of the site';
			await recordAudit(
				getDb(),
				{ actor, action: 'archived everything', subject: 'site', detail },
				now,
			);
			const secret = passphrase ? { value: getSecret(), passphrase } : undefined;
			const name = `${asciiSlug(site.name) || 'site'}-archive-${isoDay(now)}.zip`;
			return streamFile(writeArchive(getDb(), { now, secret }), name, 'application/zip');
		}),
	),
);

export const config: Config = { path: '/api/admin/archive' };
