import type { Config } from '@netlify/functions';
import * as api from '#src/features/contact/contact.api.ts';
import { storeMessage } from '#src/features/contact/contact.server.ts';
import { contactForm, topicsOf } from '#src/features/contact/contact.ts';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import { deliverNow } from './lib/deliver.ts';
import type { FormSpec } from '#src/lib/form.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

/** A refused plain form is shown with the topics of the moment. */
const form: FormSpec = {
	...contactForm([]),
	get fields() {
		return contactForm(topicsOf()).fields;
	},
};

export default serve(
	publicForm(
		api.sendMessage,
		{ form, limit: formsPerAddress, pretend: () => ({ success: true }) },
		async (db, input, now, context) => {
			const answer = await storeMessage(db, input, now);
			context.waitUntil(deliverNow());
			return answer;
		},
	),
);

export const config: Config = {
	path: '/api/contact',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
