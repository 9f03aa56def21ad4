import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { listBuilds, startBuild } from '#src/core/builds/builds.server.ts';
import { AppError } from '#src/lib/errors.ts';

export const buildsRoutes = [
	on(api.listBuilds, () => listBuilds(getDb())),
	on(api.startBuild, async (_input, request, context) =>
		afterChange(['posts'], context, await startBuild(getDb(), actorOf(request))),
	),
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
		return afterChange(['posts'], context, await kept.list());
	}),
];

const ELSEWHERE = { builds: [], isHeld: false, isElsewhere: true };

function ownBuilds() {
	const kept = getBuilder()?.kept;
	if (!kept) throw new AppError('not_found', 'Another host builds this site and keeps its builds.');
	return kept;
}
