/** Writes every email to a file: run `npm run mail:preview`, then open mail-preview/index.html. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contactLetter } from '#src/features/contact/contact.server.ts';
import { lessonLetter, LESSONS } from '#src/features/course/course.ts';
import { readLessons } from '#src/features/course/lessons.server.ts';
import { DOWNLOADS, downloadLetter, UPGRADES } from '#src/features/downloads/download.ts';
import type { Letter } from '#src/core/outbox/letter.ts';
import { renderLetter } from '#src/core/outbox/mail.server.ts';
import {
	issueLetter,
	issueSubject,
	welcomeLetter,
	type IssuePost,
} from '#src/features/newsletter/issue.ts';
import { signInLetter } from '#src/core/session/sign-in-letter.ts';
import { dataLetter } from '#src/features/privacy/privacy.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { ROOT } from '#src/build/builds.ts';

const SITE = 'http://127.0.0.1:8888';
const links = {
	leave: `${SITE}/unsubscribe?token=preview`,
	preferences: `${SITE}/preferences?token=preview`,
	course: `${SITE}/course?token=preview`,
};
const posts = [
	[
		'Data leakage in five disguises',
		'Five ways a test score lies, each with the ten lines that show it.',
		'Machine Learning',
		9,
	],
	[
		'Attention in plain arithmetic',
		'One attention head, three words, and every multiplication written out.',
		'Large Language Models',
		11,
	],
	[
		'What a confidence interval promises',
		'And what it does not, by simulation.',
		'Data Science',
		7,
	],
].map(
	([title, excerpt, category, minutes], index) =>
		({ id: String(index), slug: `post-${index}`, title, excerpt, category, minutes }) as IssuePost,
);

async function previewLetters(): Promise<Record<string, Letter>> {
	const lessons = await readLessons();
	const issue = { date: '2026-03-05', subject: issueSubject(posts), posts };
	const lesson = lessons.map((lesson, index) => [
		`lesson-${index + 1}`,
		lessonLetter(index + 1, lesson, SITE, links),
	]);
	const downloads = UPGRADES.map((kind) => [
		`download-${kind}`,
		downloadLetter(kind, `${SITE}/api/downloads/preview`, links),
	]);
	return {
		welcome: welcomeLetter(posts, SITE, links, { cadence: 'weekly', day: 'Thursday' }),
		digest: issueLetter(issue, SITE, links, true),
		...(Object.fromEntries([...lesson, ...downloads]) as Record<string, Letter>),
		'sign-in': signInLetter({ browser: 'Firefox on Linux', at: '2026-03-05T08:30:00Z' }, SITE),
		data: dataLetter(links.preferences, links),
		contact: contactLetter({
			name: 'Ada King',
			email: 'ada@example.com',
			topic: 'Request your state',
			message: 'Guam is missing.\n\nIt has a university with a robotics laboratory.',
		}),
	};
}

const folder = join(ROOT, 'mail-preview');
await mkdir(folder, { recursive: true });
const rows: string[] = [];
for (const [name, letter] of Object.entries(await previewLetters())) {
	const { subject, html, text } = await renderLetter(letter);
	await writeFile(join(folder, `${name}.html`), html);
	await writeFile(join(folder, `${name}.txt`), text);
	const size = `${(Buffer.byteLength(html) / 1024).toFixed(1)} KB`;
	rows.push(
		`<li><a href="${name}.html">${escapeHtml(subject)}</a> (${size}, <a href="${name}.txt">plain text</a>)</li>`,
	);
}
const count = LESSONS.length + Object.keys(DOWNLOADS).length + 5;
await writeFile(
	join(folder, 'index.html'),
	`<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><h1>${count} emails</h1><ul>${rows.join('\n')}</ul>`,
);
console.log(`The emails are in ${folder}: open index.html.`);
