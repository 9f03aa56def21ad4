import type { Config } from '@netlify/functions';
import type { Db } from '#db/client.ts';
import * as api from '#src/features/newsletter/preferences.api.ts';
import { choosePreference, getPreferences } from '#src/features/newsletter/newsletter.server.ts';
import { preferencesScreen } from '#src/features/newsletter/preferences.ts';
import { collectData, eraseData } from '#src/features/privacy/privacy.server.ts';
import { ERASE, ERASED } from '#src/features/privacy/privacy.ts';
import { isoDay } from '#src/lib/dates.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { showComments } from './lib/moderation.ts';
import { screenPage } from './lib/screen.ts';

export default serve(
	screenPage(api.preferences, async (db, { email }, { choice }, now, context) => {
		if (choice === 'data-download') return dataFile(db, email, now);
		if (choice === 'data-erase') return ERASE;
		if (choice === 'data-erase-now') {
			const { postIds } = await eraseData(db, email, now);
			showComments(postIds, context);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
			return ERASED;
		}
		if (choice) {
			await choosePreference(db, email, choice, now);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
		}
		return preferencesScreen(await getPreferences(db, email, now));
	}),
);

async function dataFile(db: Db, email: string, now: Date): Promise<Response> {
	return new Response(JSON.stringify(await collectData(db, email, now), null, '\t'), {
		headers: {
			'Content-Type': 'application/json',
			'Content-Disposition': `attachment; filename="personal-data-${isoDay(now)}.json"`,
		},
	});
}

// A GET is the prebuilt page.
export const config: Config = {
	path: '/preferences',
	method: 'POST',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
