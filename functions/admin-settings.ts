import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/settings/settings.api.ts';
import { changeSettings, getSettings } from '#src/core/settings/settings.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getSettings, () => getSettings(getDb())),
	on(api.changeSettings, async (input, request, context) => {
		const settings = await changeSettings(getDb(), input, adminEmailOf(request), new Date());
		// Cached search results depend on them.
		if (input.abbreviations !== undefined) context.waitUntil(purge('posts'));
		if (input.openFigures !== undefined) context.waitUntil(purge('open'));
		return settings;
	}),
);

export const config: Config = { path: '/api/admin/settings' };
