import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { checkLetter } from '#src/features/newsletter/letters.server.ts';
import { upcomingIssue } from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.checkLetter,
		async (form) => {
			const [db, now] = [getDb(), new Date()];
			const words = await prepareWords(db, form.content);
			const issue = await upcomingIssue(db, form.sendAt ? new Date(form.sendAt) : now, now);
			return checkLetter(db, form, words, issue, now);
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/letters/check' };
