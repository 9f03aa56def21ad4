import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { listOutbox, queueTestEmail } from '#src/features/mail/deliveries.server.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { writersOf } from './lib/letters.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
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
);

export const config: Config = { path: '/api/admin/mail' };
