import type { Config } from '@netlify/functions';
import type { Db } from '#db/client.ts';
import { dataPerReader, consumeAttempt } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/newsletter/preferences.api.ts';
import { choosePreference, getPreferences } from '#src/features/newsletter/newsletter.server.ts';
import { preferencesScreen, type PreferenceChoice } from '#src/features/newsletter/preferences.ts';
import { collectData, eraseData, requestData } from '#src/features/privacy/privacy.server.ts';
import {
	DATA_LINK_REQUIRED,
	DATA_SENT,
	ERASE_PROMPT,
	ERASED,
	isDataChoice,
} from '#src/features/privacy/privacy.ts';
import { isoDay } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { screenPage } from './lib/screen.ts';

export default serve(
	screenPage(api.preferences, async (db, reader, { choice }, now, context) => {
		const { email, seesData } = reader;
		if (choice === 'data-link') {
			await requestData(db, email, now);
			context.waitUntil(deliverNow());
			return DATA_SENT;
		}
		if (isDataChoice(choice)) {
			if (!seesData) return DATA_LINK_REQUIRED;
			if (choice === 'data-erase') return ERASE_PROMPT;
			await consumeAttempt(db, dataPerReader, getSecret(), email, now);
			if (choice === 'data-download') return dataFileResponse(db, email, now);
			const { postIds } = await eraseData(db, email, now);
			const tags = postIds.map((id) => `comments-${id}`);
			context.waitUntil(Promise.all([purge('subscribers', ...tags), deliverNow()]));
			return ERASED;
		}
		if (choice) {
			await choosePreference(db, email, choice as PreferenceChoice, now);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
		}
		return preferencesScreen(await getPreferences(db, email, now), seesData);
	}),
);

async function dataFileResponse(db: Db, email: string, now: Date): Promise<Response> {
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
