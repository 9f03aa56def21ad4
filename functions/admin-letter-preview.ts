import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { draftLetter } from '#src/features/newsletter/next-issue.server.ts';
import { prepareWords } from '#src/features/newsletter/words.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { letterPage } from './lib/letter-page.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.previewLetter,
		async ({ subject, preview, content, view }, request) => {
			const draft = { subject, preview, ...(await prepareWords(getDb(), content)) };
			return letterPage(draftLetter(draft, adminEmailOf(request), new Date()), view);
		},
		// A frame shows what a form posts to it.
		{ forms: true, maxBody: ADMIN_BODY_BYTES, status: 200 },
	),
);

export const config: Config = { path: '/api/admin/letters/preview' };
