import { getDb, type Db } from '#db/client.ts';
import { readerOf, type Reader } from '#src/features/mail/mail.server.ts';
import type { Screen } from '#src/features/mail/screen.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { escapeHtml } from '#src/lib/text.ts';
import type { Context } from '@netlify/functions';
import { htmlPage } from './form-page.ts';
import { on } from './http.ts';

/**
 * Binds the page behind a mail's link: who holds the link may do what it shows, from wherever it is sent.
 * Answers the screen to the island, and as a page to a plain form post; a file, which is a `Response`, to both. Only a POST does anything, so that nothing
 * happens where a scanner merely follows the link.
 */
export function screenPage<In extends { token: string }>(
	endpoint: Endpoint<In, Screen>,
	work: (
		db: Db,
		reader: Reader,
		input: In,
		now: Date,
		context: Context,
	) => Promise<Screen | Response>,
) {
	return on(
		endpoint,
		async (input, request, context) => {
			const wantsPage = (request.headers.get('Accept') ?? '').includes('text/html');
			try {
				const reader = readerOf(getSecret(), input.token);
				const screen = await work(getDb(), reader, input, new Date(), context);
				if (screen instanceof Response) return screen;
				return wantsPage ? pageOf(screen, endpoint.path, input.token) : screen;
			} catch (error) {
				if (!wantsPage || !(error instanceof AppError)) throw error;
				const content = `<p role="alert">${escapeHtml(messageOf(error))}</p>`;
				return htmlPage('This link does not work', content, 400);
			}
		},
		{ anyOrigin: true, status: 200 },
	);
}

function pageOf({ title, sections }: Screen, path: string, token: string): Response {
	const action = escapeHtml(`${path}?token=${token}`);
	const html = sections.map(({ title: heading, text, steps = [], choices }) =>
		[
			heading && `<h2>${escapeHtml(heading)}</h2>`,
			`<p>${escapeHtml(text)}</p>`,
			steps.length > 0 &&
				`<ol>${steps.map(({ label, note }) => `<li>${escapeHtml(note ? `${label} (${note})` : label)}</li>`).join('')}</ol>`,
			...choices.map(
				({ value, label, quiet }) =>
					`<form method="post" action="${action}"><button name="choice" value="${escapeHtml(value)}"${quiet ? ' class="quiet"' : ''}>${escapeHtml(label)}</button></form>`,
			),
		]
			.filter(Boolean)
			.join('\n'),
	);
	return htmlPage(title, html.join('\n'));
}
