/** Writes every email to a file: run `npm run mail:preview`, then open mail-preview/index.html. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '#src/build/builds.ts';
import { renderEmail } from '#src/core/outbox/mail.server.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { everyEmail } from './mail-examples.ts';

const folder = join(ROOT, 'mail-preview');
await mkdir(folder, { recursive: true });
const rows: string[] = [];
for (const [name, letter] of Object.entries(await everyEmail())) {
	const { subject, html, text } = 'html' in letter ? letter : await renderEmail(letter);
	await writeFile(join(folder, `${name}.html`), html);
	await writeFile(join(folder, `${name}.txt`), text);
	const size = `${(Buffer.byteLength(html) / 1024).toFixed(1)} KB`;
	rows.push(
		`<li><a href="${name}.html">${escapeHtml(subject)}</a> (${size}, <a href="${name}.txt">plain text</a>)</li>`,
	);
}
const count = rows.length;
await writeFile(
	join(folder, 'index.html'),
	`<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><h1>${count} emails</h1><ul>${rows.join('\n')}</ul>`,
);
console.log(`The emails are in ${folder}: open index.html.`);
