import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { disableLinks } from '#src/features/mail/deliveries.server.ts';
import { renderLetter } from '#src/core/outbox/mail.server.ts';
import { getDigest, nextIssueLetter } from '#src/features/newsletter/next-issue.server.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { mailPage } from './lib/form-page.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getDigest, async ({ view = 'light' }, request) => {
		const now = new Date();
		if (!(request.headers.get('Accept') ?? '').includes('text/html')) {
			return getDigest(getDb(), now);
		}
		const letter = await nextIssueLetter(getDb(), adminEmailOf(request), now);
		const { html, text } = await renderLetter(letter);
		if (view === 'text')
			return mailPage(`<pre style="white-space:pre-wrap">${escapeHtml(disableLinks(text))}</pre>`);
		return mailPage(inTheme(disableLinks(html), view));
	}),
);

/** Returns an email in one theme, whichever the browser prefers. */
function inTheme(html: string, theme: 'light' | 'dark'): string {
	const query = theme === 'dark' ? 'all' : 'not all';
	return html.replace('@media (prefers-color-scheme:dark)', `@media ${query}`);
}

export const config: Config = { path: '/api/admin/digest' };
