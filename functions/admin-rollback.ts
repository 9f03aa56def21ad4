import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { startBuild } from '#src/core/builds/builds.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishChange } from './lib/writing.ts';

const ELSEWHERE = { builds: [], isHeld: false, isElsewhere: true };

export default serveAdmin(
	on(api.listKeptBuilds, async () => getBuilder()?.kept?.list() ?? ELSEWHERE),
	on(
		api.rollBack,
		async ({ id }, request) => {
			const kept = ownBuilds();
			if (!(await kept.rollBack(id))) {
				throw new AppError('not_found', 'This build is no longer kept.');
			}
			const { actor, now } = actorOf(request);
			const event = { actor, action: 'put the site back', subject: `build ${id}` };
			await recordAudit(getDb(), event, now);
			return kept.list();
		},
		{ status: 200 },
	),
	on(api.release, async (_input, request, context) => {
		const kept = ownBuilds();
		await kept.release();
		await startBuild(getDb(), actorOf(request));
		return publishChange(await kept.list(), context);
	}),
);

function ownBuilds() {
	const kept = getBuilder()?.kept;
	if (!kept) throw new AppError('not_found', 'Another host builds this site and keeps its builds.');
	return kept;
}

export const config: Config = { path: '/api/admin/rollback' };
