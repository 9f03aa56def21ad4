import { getDb } from '#db/client.ts';
import { on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import * as audit from '#src/core/audit/audit.api.ts';
import { listAudit } from '#src/core/audit/audit.server.ts';
import * as undo from '#src/core/undo/undo.api.ts';
import { undoAction } from '#src/core/undo/undo.server.ts';

export const auditRoutes = [
	on(audit.listAudit, (query) => listAudit(getDb(), query)),
	on(
		undo.undoAction,
		async ({ token }, request, context) => {
			const undone = await undoAction(getDb(), token, actorOf(request));
			return afterChange(['posts', 'categories', 'states', 'media'], context, undone);
		},
		{ status: 200 },
	),
];
