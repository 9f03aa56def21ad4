import type { Config } from '@netlify/functions';
import * as api from '#src/features/newsletter/preferences.api.ts';
import {
	getPreferences,
	unsubscribe,
	undoUnsubscribe,
} from '#src/features/newsletter/newsletter.server.ts';
import {
	undoneScreen,
	parseUndo,
	unsubscribedScreen,
} from '#src/features/newsletter/preferences.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { screenPage } from './lib/screen.ts';

export default serve(
	screenPage(api.unsubscribe, async (db, reader, { choice }, now, context) => {
		const ended = choice ? null : await unsubscribe(db, reader, now);
		if (choice) await undoUnsubscribe(db, reader, parseUndo(choice), now);
		context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
		const preferences = await getPreferences(db, reader.email, now);
		return choice ? undoneScreen(preferences) : unsubscribedScreen(preferences, reader.list, ended);
	}),
);

// A GET is the prebuilt page.
export const config: Config = {
	path: '/unsubscribe',
	method: 'POST',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
