import { getDb, type Db } from '#db/client.ts';
import {
	clicksPerAddress,
	clicksPerReader,
	consumeAttempt,
} from '#src/core/limits/limits.server.ts';
import { readerOfToken, type Reader } from '#src/core/outbox/mail.server.ts';
import { OPEN_FROM_EMAIL, NEW_LINK, type Screen } from '#src/core/screen.ts';
import { requestData } from '#src/features/privacy/privacy.api.ts';
import { dataForm } from '#src/features/privacy/privacy.ts';
import { codeParts, type TextPart } from '#src/lib/code-parts.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { escapeHtml } from '#src/lib/text.ts';
import type { Context } from '@netlify/functions';
import { renderForm, htmlPage, refusalPage } from './form-page.ts';
import { on } from './http.ts';
import { consumePerAddress } from './public-form.ts';

/**
 * Binds the page behind a link in an email. The holder of the link may do what it shows, from any origin, up to
 * the limits. The island gets the screen as JSON, a plain form post gets it as a page, and both get a file,
 * which is a `Response`. Only a POST changes anything, so that a scanner that follows the link does nothing.
 */
export function screenPage<In extends { token: string; choice?: string | undefined }>(
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
				const now = new Date();
				const reader = readerOfToken(getSecret(), input.token, now);
				await consumeClick(reader, input.choice, context, now);
				const screen = await work(getDb(), reader, input, now, context);
				if (screen instanceof Response) return screen;
				return wantsPage ? renderScreen(screen, endpoint.path, input.token) : screen;
			} catch (error) {
				if (!wantsPage || !(error instanceof AppError)) throw error;
				return linkRefusalPage(error, input.token);
			}
		},
		{ anyOrigin: true, status: 200 },
	);
}

/**
 * Counts a click. A mail provider clicks "unsubscribe" for all of its readers from a few addresses, so a click
 * without a choice counts for its reader only.
 */
async function consumeClick(
	{ email }: Reader,
	choice: string | undefined,
	context: Context,
	now: Date,
): Promise<void> {
	await consumeAttempt(getDb(), clicksPerReader, getSecret(), email, now);
	if (choice) await consumePerAddress(getDb(), clicksPerAddress, context, now);
}

/** Returns the page of a refusal; if the link itself is at fault, with a way to get a new one. */
function linkRefusalPage(error: AppError, token: string): Response {
	const text = `<p role="alert">${escapeHtml(messageOf(error))}</p>`;
	if (!error.fields?.['token']) return refusalPage('That did not work', text, error);
	const { title, text: offer } = NEW_LINK;
	const form = renderForm(dataForm, requestData.path);
	return token
		? htmlPage(
				'This link does not work',
				`${text}\n<h2>${title}</h2>\n<p>${offer}</p>\n${form}`,
				400,
			)
		: htmlPage(title, `<p>${OPEN_FROM_EMAIL}</p>\n<p>${offer}</p>\n${form}`, 400);
}

/** Returns a screen as a page whose buttons post to `path` with this token. */
export function renderScreen({ title, sections }: Screen, path: string, token: string): Response {
	const action = escapeHtml(`${path}?token=${token}`);
	const html = sections.map(({ title: heading, quote = '', text, steps = [], choices }) =>
		[
			heading && `<h2>${escapeHtml(heading)}</h2>`,
			quote && `<blockquote>${codeParts(quote).map(writtenHtml).join('')}</blockquote>`,
			text && `<p>${escapeHtml(text)}</p>`,
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

function writtenHtml({ isCode, text }: TextPart): string {
	const escaped = escapeHtml(text);
	return isCode
		? `<pre tabindex="0"><code>${escaped}</code></pre>`
		: `<p dir="auto">${escaped.replaceAll('\n', '<br>')}</p>`;
}
