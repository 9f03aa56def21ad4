import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { inert } from '#src/features/mail/desk.server.ts';
import { render } from '#src/core/outbox/mail.server.ts';
import { getDigest, nextLetter } from '#src/features/newsletter/issues.server.ts';
import { mailPage } from './lib/form-page.ts';
import { on } from './lib/http.ts';
import { actorOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getDigest, async (_input, request) => {
		const now = new Date();
		if (!(request.headers.get('Accept') ?? '').includes('text/html')) {
			return getDigest(getDb(), now);
		}
		const { html } = await render(await nextLetter(getDb(), actorOf(request), now));
		return mailPage(inert(html));
	}),
);

export const config: Config = { path: '/api/admin/digest' };
