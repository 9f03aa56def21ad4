import { getDb } from '#db/client.ts';
import { purge } from '#functions/lib/cache.ts';
import { streamFile } from '#functions/lib/download.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { on, ADMIN_BODY_BYTES } from '#functions/lib/http.ts';
import { adminEmailOf, sensitive } from '#functions/lib/session.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { countUnconfirmed } from '#src/features/confirmation/confirmation.server.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import {
	addSubscriber,
	labelSubscribers,
	listSubscribers,
	setActive,
	countAll,
	exportSubscribers,
	importSubscribers,
} from '#src/features/newsletter/subscribers.server.ts';
import { erasePerson, getPerson } from '#src/features/people/person.api.ts';
import { readPerson } from '#src/features/people/person.server.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import { isoDay } from '#src/lib/dates.ts';

export const subscribersRoutes = [
	on(api.listSubscribers, (query) => listSubscribers(getDb(), query, new Date())),
	on(api.addSubscriber, async (input, request, context) => {
		const done = await addSubscriber(getDb(), input, adminEmailOf(request), new Date());
		context.waitUntil(purge('subscribers'));
		return done;
	}),
	on(api.labelSubscribers, (input, request) =>
		labelSubscribers(getDb(), input, adminEmailOf(request), new Date()),
	),
	on(api.activateSubscribers, async (input, request, context) => {
		const done = await setActive(getDb(), input, adminEmailOf(request), new Date());
		context.waitUntil(purge('subscribers'));
		return done;
	}),
	on(api.countAllSubscribers, async () => ({
		...(await countAll(getDb(), new Date())),
		unconfirmed: await countUnconfirmed(getDb(), new Date()),
	})),
	on(getPerson, ({ email }) => readPerson(getDb(), email, new Date())),
	on(
		erasePerson,
		async ({ email }, request, context) => {
			const now = new Date();
			const { postIds, erased } = await eraseData(getDb(), email, now, adminEmailOf(request));
			const tags = postIds.map((id) => `comments-${id}`);
			context.waitUntil(Promise.all([purge('subscribers', ...tags), deliverNow()]));
			return { erased };
		},
		{ status: 200 },
	),
	sensitive(
		on(api.exportSubscribers, async (filter, request) => {
			const now = new Date();
			const event = {
				actor: adminEmailOf(request),
				action: 'exported subscribers',
				subject: 'subscribers',
			};
			await recordAudit(getDb(), event, now);
			const rows = exportSubscribers(getDb(), filter, now);
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
