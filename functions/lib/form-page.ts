import { hash } from 'node:crypto';
import { messageOf, STATUS, type AppError } from '#src/lib/errors.ts';
import type { Field, FormSpec } from '#src/lib/form.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** Returns the page for a refused plain form post: the form again, with the message and what was typed. */
export function formPage(
	form: FormSpec,
	action: string,
	input: Record<string, unknown>,
	error: AppError,
): Response {
	const message = `<p role="alert" id="message">${escapeHtml(messageOf(error))}</p>`;
	const again = renderForm(form, action, input, error.fields);
	return refusalPage(form.title, `${message}\n${again}`, error);
}

/** Returns a form as HTML, with what was typed and the refused fields marked. */
export function renderForm(
	form: FormSpec,
	action: string,
	input: Record<string, unknown> = {},
	refused: Record<string, string> = {},
): string {
	const typed = (name: string) => (typeof input[name] === 'string' ? input[name] : '');
	const control = (field: Field) => {
		const values = input[field.name];
		const isList = field.type === 'hidden' && Array.isArray(values);
		return (isList ? values.map(String) : [typed(field.name)])
			.map((value) => renderControl(field, value, field.name in refused))
			.join('\n');
	};
	return `<form method="post" action="${escapeHtml(action)}">
${form.fields.map(control).join('\n')}
<button>${escapeHtml(form.submit)}</button>
</form>`;
}

/** Returns the page of an expected failure, with its status and `Retry-After`. `content` is HTML. */
export function refusalPage(title: string, content: string, error: AppError): Response {
	const page = htmlPage(title, content, STATUS[error.code as keyof typeof STATUS]);
	if (error.retryAfter !== undefined) page.headers.set('Retry-After', String(error.retryAfter));
	return page;
}

/** Returns a small page for what no build can know in advance. `content` is HTML. */
export function htmlPage(title: string, content: string, status = 200): Response {
	const headers = { ...SECURITY_HEADERS, ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
	return new Response(renderPage(title, content), { status, headers });
}

/** Lets a page fade in. In a file, Chromium may read it after it has looked, and say that there was an error. */
const FADES = '@view-transition{navigation:auto}';

/** Headers of a small page, on which no script runs. */
export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `default-src 'none'; style-src 'self' 'sha256-${hash('sha256', FADES, 'base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
};

/** Returns the HTML of a small page. `content` is HTML. */
export function renderPage(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="description" content="${escapeHtml(`${title}: ${site.tagline}`)}">
<title>${escapeHtml(`${title} | ${site.name}`)}</title>
<style>${FADES}</style>
<link rel="stylesheet" href="/form.css">
</head>
<body>
<main>
<p><a href="/">${escapeHtml(site.name)}</a></p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>`;
}

/** Returns an email as a page, with its own styles; nothing in it can run or connect. */
export function mailPage(html: string): Response {
	const headers = {
		...SECURITY_HEADERS,
		'Content-Type': 'text/html; charset=utf-8',
		'Cache-Control': 'no-store',
		'Content-Security-Policy':
			"default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-popups",
	};
	return new Response(html, { headers });
}

export function renderControl(field: Field, value: string, invalid: boolean): string {
	if (field.type === 'hidden')
		return `<input type="hidden" name="${field.name}" value="${escapeHtml(value)}">`;
	const hint = field.hint ? `<small id="${field.name}-hint">${escapeHtml(field.hint)}</small>` : '';
	const described = [hint && `${field.name}-hint`, invalid && 'message'].filter(Boolean);
	const attributes = [
		`name="${field.name}"`,
		field.required && 'required',
		field.maxLength && `maxlength="${field.maxLength}"`,
		field.autoComplete && `autocomplete="${field.autoComplete}"`,
		invalid && 'aria-invalid="true"',
		described.length > 0 && `aria-describedby="${described.join(' ')}"`,
	]
		.filter(Boolean)
		.join(' ');
	const label = escapeHtml(field.label);
	if (field.type === 'textarea') {
		return `<label>${label} <textarea ${attributes} rows="8">\n${escapeHtml(value)}</textarea></label>${hint}`;
	}
	if (field.type === 'select') {
		const options = (field.options ?? []).map((option) => {
			const choice = typeof option === 'string' ? { value: option, label: option } : option;
			const selected = choice.value === value ? ' selected' : '';
			return `<option value="${escapeHtml(choice.value)}"${selected}>${escapeHtml(choice.label)}</option>`;
		});
		return `<label>${label} <select ${attributes}>${options.join('')}</select></label>${hint}`;
	}
	return `<label>${label} <input type="${field.type}" ${attributes} value="${escapeHtml(value)}"></label>${hint}`;
}
