import { getDb } from '#db/client.ts';
import { ADMIN_BODY_BYTES, on } from '#functions/lib/http.ts';
import { forPrograms, programOf, sensitive } from '#functions/lib/session.ts';
import { actorOf } from '#functions/lib/writing.ts';
import {
	createDraft,
	getDraft,
	updateDraft,
	type Call,
} from '#src/features/programs/drafts.server.ts';
import * as api from '#src/features/programs/tokens.api.ts';
import { addProgram, listPrograms, revokeProgram } from '#src/features/programs/tokens.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';

/** Returns the program that calls. The admin has the editor. */
function callOf(request: Request): Call {
	const program = programOf(request);
	if (!program) throw new AppError('forbidden', 'These calls are for programs with a token.');
	return { program, siteUrl: getEnv().SITE_URL, now: new Date() };
}

export const programsRoutes = [
	on(api.listPrograms, () => listPrograms(getDb())),
	sensitive(on(api.addProgram, (input, request) => addProgram(getDb(), input, actorOf(request)))),
	on(api.revokeProgram, ({ id }, request) => revokeProgram(getDb(), id, actorOf(request))),
	forPrograms(
		on(api.createDraft, (fields, request) => createDraft(getDb(), fields, callOf(request)), {
			maxBody: ADMIN_BODY_BYTES,
		}),
	),
	forPrograms(on(api.getDraft, ({ id }, request) => getDraft(getDb(), id, callOf(request)))),
	forPrograms(
		on(api.updateDraft, (fields, request) => updateDraft(getDb(), fields, callOf(request)), {
			maxBody: ADMIN_BODY_BYTES,
		}),
	),
];
