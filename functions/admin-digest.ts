import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { getDigest, nextIssueLetter } from '#src/features/newsletter/next-issue.server.ts';
import { on } from './lib/http.ts';
import { letterPage } from './lib/letter-page.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getDigest, async ({ view = 'light' }, request) => {
		const now = new Date();
		if (!(request.headers.get('Accept') ?? '').includes('text/html')) {
			return getDigest(getDb(), now);
		}
		const letter = await nextIssueLetter(getDb(), adminEmailOf(request), now);
		return letterPage(letter, view);
	}),
);

export const config: Config = { path: '/api/admin/digest' };
