import { getDb } from '#db/client.ts';
import { purge } from '#functions/lib/cache.ts';
import { streamFile } from '#functions/lib/download.ts';
import { on, ADMIN_BODY_BYTES } from '#functions/lib/http.ts';
import { adminEmailOf, sensitive } from '#functions/lib/session.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { countUnconfirmed } from '#src/features/confirmation/confirmation.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import {
	listSubscribers,
	setActive,
	countAll,
	exportSubscribers,
	importSubscribers,
} from '#src/features/newsletter/subscribers.server.ts';
import { isoDay } from '#src/lib/dates.ts';

export const subscribersRoutes = [
	on(api.listSubscribers, (query) => listSubscribers(getDb(), query)),
	on(api.activateSubscribers, async (input, request, context) => {
		const done = await setActive(getDb(), input, adminEmailOf(request), new Date());
		context.waitUntil(purge('subscribers'));
		return done;
	}),
	on(api.countAllSubscribers, async () => ({
		...(await countAll(getDb())),
		unconfirmed: await countUnconfirmed(getDb(), new Date()),
	})),
	sensitive(
		on(api.exportSubscribers, async (filter, request) => {
			const now = new Date();
			const event = {
				actor: adminEmailOf(request),
				action: 'exported subscribers',
				subject: 'subscribers',
			};
			await recordAudit(getDb(), event, now);
			const rows = exportSubscribers(getDb(), filter);
			return streamFile(rows, `subscribers-${isoDay(now)}.csv`, 'text/csv; charset=utf-8');
		}),
	),
	sensitive(
		on(
			api.importSubscribers,
			async (input, request, context) => {
				const done = await importSubscribers(getDb(), input, adminEmailOf(request), new Date());
				context.waitUntil(purge('subscribers'));
				return done;
			},
			{ status: 200, maxBody: ADMIN_BODY_BYTES },
		),
		{ hasPreviews: true },
	),
];
