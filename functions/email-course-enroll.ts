import type { Config } from '@netlify/functions';
import * as api from '#src/features/course/course.api.ts';
import { enroll } from '#src/features/course/course.server.ts';
import { ENROLLED, enrollForm } from '#src/features/course/course.ts';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import { answerAsked } from './lib/ask-first.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

export default serve(
	publicForm(
		api.enroll,
		{
			form: enrollForm,
			limit: formsPerAddress,
			pretend: () => ({ success: true, message: ENROLLED }),
		},
		async (db, input, now, context, request) => {
			const asked = await answerAsked(request, context, 'course', { email: input.email }, now);
			if (asked) return asked;
			const answer = await enroll(db, input, now);
			context.waitUntil(deliverNow());
			return answer;
		},
	),
);

export const config: Config = {
	path: '/api/email-course/enroll',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
