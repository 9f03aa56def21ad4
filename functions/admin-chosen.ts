import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { describeChosen } from '#src/features/posts/chosen.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.listChosen, ({ slugs }) => describeChosen(getDb(), slugs, new Date())),
);

export const config: Config = { path: '/api/admin/chosen' };
