import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { disableLinks } from '#src/features/mail/deliveries.server.ts';
import { renderLetter } from '#src/core/outbox/mail.server.ts';
import { getDigest, nextIssueLetter } from '#src/features/newsletter/next-issue.server.ts';
import { mailPage } from './lib/form-page.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getDigest, async (_input, request) => {
		const now = new Date();
		if (!(request.headers.get('Accept') ?? '').includes('text/html')) {
			return getDigest(getDb(), now);
		}
		const { html } = await renderLetter(await nextIssueLetter(getDb(), adminEmailOf(request), now));
		return mailPage(disableLinks(html));
	}),
);

export const config: Config = { path: '/api/admin/digest' };
