import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { listBuilds, startBuild } from '#src/core/builds/builds.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.listBuilds, () => listBuilds(getDb())),
	on(api.startBuild, async (_input, request, context) =>
		publishChange(await startBuild(getDb(), actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/builds' };
