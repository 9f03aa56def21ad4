import { getDb } from '#db/client.ts';
import { on, ADMIN_BODY_BYTES } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import * as api from '#src/features/states/editing.api.ts';
import {
	listEditedStates,
	getEditedState,
	updateState,
	importFigures,
	getStateRevision,
	listStateRevisions,
} from '#src/features/states/editing.server.ts';

export const statesRoutes = [
	on(api.listEditedStates, () => listEditedStates(getDb())),
	on(api.getEditedState, ({ slug }) => getEditedState(getDb(), slug)),
	on(
		api.updateState,
		async ({ slug, ...changes }, request, context) =>
			afterChange(['states'], context, await updateState(getDb(), slug, changes, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(
		api.importFigures,
		async (table, request, context) => {
			const report = await importFigures(getDb(), table, actorOf(request));
			return report.undo === null ? report : afterChange(['states'], context, report);
		},
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
	on(api.getStateRevision, ({ slug, version }) => getStateRevision(getDb(), slug, version)),
	on(api.listStateRevisions, ({ slug }) => listStateRevisions(getDb(), slug)),
];
