import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/states/editing.api.ts';
import { getEditedState, updateState } from '#src/features/states/editing.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishStates } from './lib/writing.ts';

export default serveAdmin(
	on(api.getEditedState, ({ slug }) => getEditedState(getDb(), slug)),
	on(
		api.updateState,
		async ({ slug, ...changes }, request, context) =>
			publishStates(await updateState(getDb(), slug, changes, actorOf(request)), context),
		{ maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/states/:slug' };
