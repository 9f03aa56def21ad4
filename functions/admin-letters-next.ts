import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import {
	approveIssue,
	getNextIssue,
	nextIssuePage,
	updateNextIssue,
} from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getNextIssue, async ({ page }) => {
		const [db, now] = [getDb(), new Date()];
		const next = await getNextIssue(db, now);
		return page ? { ...next, page: await nextIssuePage(db, now) } : next;
	}),
	on(api.updateNextIssue, async ({ note, ...form }, request) => {
		const words = note === undefined ? undefined : await prepareWords(getDb(), note);
		return updateNextIssue(getDb(), form, words, adminEmailOf(request), new Date());
	}),
	on(api.approveIssue, (_input, request) =>
		approveIssue(getDb(), undefined, adminEmailOf(request), new Date()),
	),
);

export const config: Config = { path: '/api/admin/letters/next' };
