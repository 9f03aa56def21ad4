import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { retryDelivery, renderDelivery } from '#src/features/mail/deliveries.server.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { deliverNow } from './lib/deliver.ts';
import { htmlPage, mailPage } from './lib/form-page.ts';
import { on } from './lib/http.ts';
import { writersOf } from './lib/letters.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.showEmail, async ({ id }) => {
		const db = getDb();
		const html = await renderDelivery(db, id, writersOf(db), new Date());
		if (html === null) {
			const text = '<p>Its reader left, or what it was about is gone: nothing would be sent.</p>';
			return htmlPage('There is no such email', text, 404);
		}
		return mailPage(html);
	}),
	on(
		api.retryDelivery,
		async ({ id }, _request, context) => {
			const answer = await retryDelivery(getDb(), id, new Date());
			context.waitUntil(deliverNow());
			return answer;
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/mail/:id' };
