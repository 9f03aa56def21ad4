import type { Config } from '@netlify/functions';
import * as api from '#src/features/course/course.api.ts';
import { chooseCourse, getProgress } from '#src/features/course/course.server.ts';
import { courseScreen, NOT_ENROLLED } from '#src/features/course/course.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { screenPage } from './lib/screen.ts';

export default serve(
	screenPage(api.courseProgress, async (db, { email }, { choice }, now, context) => {
		if (choice) {
			await chooseCourse(db, email, choice, now);
			context.waitUntil(deliverNow());
		}
		const progress = await getProgress(db, email, now);
		return progress ? courseScreen(progress) : NOT_ENROLLED;
	}),
);

// A GET is the prebuilt page.
export const config: Config = {
	path: '/course',
	method: 'POST',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 240 },
};
