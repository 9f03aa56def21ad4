import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { endSessions } from '#src/core/session/session.server.ts';
import { on } from './lib/http.ts';
import { signedInAdmin, serveAdmin, readSessionId } from './lib/session.ts';

export default serveAdmin(
	on(api.endSession, ({ id }, request) => {
		const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)!, id };
		return endSessions(getDb(), who, new Date());
	}),
);

export const config: Config = { path: '/api/admin/sessions/:id' };
