import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import {
	approveIssue,
	getNextIssue,
	updateNextIssue,
} from '#src/features/newsletter/next-issue.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getNextIssue, () => getNextIssue(getDb(), new Date())),
	on(api.updateNextIssue, (form, request) =>
		updateNextIssue(getDb(), form, adminEmailOf(request), new Date()),
	),
	on(api.approveIssue, async (_input, request, context) => {
		const approved = await approveIssue(getDb(), undefined, adminEmailOf(request), new Date());
		context.waitUntil(deliverNow());
		return approved;
	}),
);

export const config: Config = { path: '/api/admin/letters/next' };
