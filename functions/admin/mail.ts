import { getDb } from '#db/client.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { htmlPage, mailPage } from '#functions/lib/form-page.ts';
import { on } from '#functions/lib/http.ts';
import { letterPage } from '#functions/lib/letter-page.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import { adminEmailOf } from '#functions/lib/session.ts';
import { transportKind } from '#src/core/outbox/transport.server.ts';
import { listEnrollments } from '#src/features/course/course.server.ts';
import {
	listOutbox,
	queueTestEmail,
	retryDelivery,
	renderDelivery,
} from '#src/features/mail/deliveries.server.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { checkMailRecords } from '#src/features/mail/records.server.ts';
import { getDigest, nextIssueEmail } from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { getEnv } from '#src/lib/env.ts';

export const mailRoutes = [
	on(api.listOutbox, (query) => {
		const db = getDb();
		return listOutbox(db, query, getEnv(), Object.keys(writersOf(db)));
	}),
	on(api.sendTest, async ({ what, subject, preview, content }, request, context) => {
		const letter = what === 'letter' && {
			...{ subject, preview },
			...(await prepareWords(getDb(), content ?? '')),
		};
		const [owner, now] = [adminEmailOf(request), new Date()];
		const answer = await queueTestEmail(getDb(), what, owner, now, letter || {});
		context.waitUntil(deliverNow());
		return answer;
	}),
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
	on(api.checkRecords, () => checkMailRecords(getDb(), getEnv())),
	on(api.getTransport, async () => ({ transport: transportKind(getEnv()) })),
	on(api.getDigest, async ({ view = 'light' }, request) => {
		const now = new Date();
		if (!(request.headers.get('Accept') ?? '').includes('text/html')) {
			return getDigest(getDb(), now);
		}
		const letter = await nextIssueEmail(getDb(), adminEmailOf(request), now);
		return letterPage(letter, view);
	}),
	on(api.listEnrollments, () => listEnrollments(getDb(), new Date())),
];
