import type { Config } from '@netlify/functions';
import * as api from '#src/features/newsletter/preferences.api.ts';
import { choosePreference, getPreferences } from '#src/features/newsletter/newsletter.server.ts';
import { preferencesScreen } from '#src/features/newsletter/preferences.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { screenPage } from './lib/screen.ts';

export default serve(
	screenPage(api.preferences, async (db, { email }, { choice }, now, context) => {
		if (choice) {
			await choosePreference(db, email, choice, now);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
		}
		return preferencesScreen(await getPreferences(db, email, now));
	}),
);

// A GET is the prebuilt page.
export const config: Config = {
	path: '/preferences',
	method: 'POST',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
