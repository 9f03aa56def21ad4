import { getDb } from '#db/client.ts';
import { streamFile } from '#functions/lib/download.ts';
import { on } from '#functions/lib/http.ts';
import { sensitive } from '#functions/lib/session.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import * as archive from '#src/features/archive/archive.api.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { exportAll } from '#src/features/import-export/export.server.ts';
import * as api from '#src/features/import-export/import-export.api.ts';
import { getImport, undoImport } from '#src/features/import-export/undo.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { asciiSlug } from '#src/lib/slug.ts';
import { site } from '#src/site.ts';

export const importExportRoutes = [
	sensitive(
		on(archive.makeArchive, async ({ passphrase }, request) => {
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
	sensitive(
		on(api.exportAll, async (_input, request) => {
			const { actor, now } = actorOf(request);
			await recordAudit(getDb(), { actor, action: 'exported everything', subject: 'site' }, now);
			const name = `${asciiSlug(site.name) || 'site'}-${isoDay(now)}.zip`;
			return streamFile(exportAll(getDb(), now), name, 'application/zip');
		}),
	),
	on(api.getImport, ({ id }) => getImport(getDb(), id)),
	sensitive(
		on(api.undoImport, async ({ id }, request, context) => {
			const undone = await undoImport(getDb(), id, actorOf(request));
			return afterChange(['posts', 'categories', 'subscribers'], context, undone);
		}),
	),
];
