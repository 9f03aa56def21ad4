import { getDb } from '#db/client.ts';
import { on, ADMIN_BODY_BYTES } from '#functions/lib/http.ts';
import { recordRoutes } from '#functions/lib/record-routes.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import * as api from '#src/features/states/editing.api.ts';
import * as editing from '#src/features/states/editing.server.ts';
import * as shipped from '#src/features/states/shipped.server.ts';

export const statesRoutes = [
	...recordRoutes('slug', api, editing.stateStore, ['states']),
	on(api.listShipped, () => shipped.listShipped(getDb())),
	on(
		api.addStates,
		async (given, request, context) =>
			afterChange(['states'], context, await shipped.addStates(getDb(), given, actorOf(request))),
		{ status: 200 },
	),
	on(api.deleteState, async ({ slug }, request, context) =>
		afterChange(['states'], context, await editing.deleteState(getDb(), slug, actorOf(request))),
	),
	on(
		api.importFigures,
		async (table, request, context) => {
			const report = await editing.importFigures(getDb(), table, actorOf(request));
			return report.undo === null ? report : afterChange(['states'], context, report);
		},
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
];
