import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { steerLetter } from '#src/features/newsletter/letters.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.steerLetter, async ({ id, action }, request, context) => {
		const letter = await steerLetter(getDb(), id, action, adminEmailOf(request), new Date());
		if (action === 'resume') context.waitUntil(deliverNow());
		return letter;
	}),
);

export const config: Config = { path: '/api/admin/letters/:id/:action' };
