import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { renderEmail } from '#src/core/outbox/mail.server.ts';
import type { EmailView } from '#src/features/mail/deliveries.ts';
import { disableLinks } from '#src/features/mail/deliveries.server.ts';
import { sizeWarning } from '#src/features/newsletter/letters.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { mailPage } from './form-page.ts';

/** Returns a letter as it would be read, in one theme or as text, with links that do nothing. */
export async function letterPage(letter: EmailContent, view: EmailView): Promise<Response> {
	const { html, text } = await renderEmail(letter);
	const warning = sizeWarning(Buffer.byteLength(html));
	const note = warning && `<p role="alert" style="padding:1em"><strong>${warning}</strong></p>`;
	return view === 'text'
		? mailPage(`${note}<pre style="white-space:pre-wrap">${escapeHtml(disableLinks(text))}</pre>`)
		: mailPage(inTheme(disableLinks(html), view).replace(/<body[^>]*>/, `$&${note}`));
}

/** Returns an email in one theme, whichever the browser prefers. */
function inTheme(html: string, theme: 'light' | 'dark'): string {
	const query = theme === 'dark' ? 'all' : 'not all';
	return html.replace('@media (prefers-color-scheme:dark)', `@media ${query}`);
}
