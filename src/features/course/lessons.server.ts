import { readdir, readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { parseHtml, writeArticle } from '#src/core/articles/sanitize.ts';
import { LESSONS, type Lesson } from './course.ts';

const FOLDER = new URL('../../../content/lessons/', import.meta.url);

/** Reads content/lessons, rendered for email, in the order of days. */
export async function readLessons(): Promise<Lesson[]> {
	return Promise.all(
		(await readFiles()).map(async ({ title, summary, text }) => ({
			title,
			summary,
			html: await emailHtml(await lessonHtml(text)),
			text: text.trim(),
		})),
	);
}

async function lessonHtml(markdown: string): Promise<string> {
	const tree = parseHtml(await markdownToHtml(markdown));
	curlQuotesIn(tree);
	return writeArticle(tree);
}

/** Returns what lessons are called and about, in the order of days. Renders nothing: every build asks. */
export async function readLessonSummaries(): Promise<Pick<Lesson, 'title' | 'summary'>[]> {
	return (await readFiles()).map(({ title, summary }) => ({ title, summary }));
}

/** Reads content/lessons in the order of days. Throws unless there is one for each title of the course. */
async function readFiles(): Promise<LessonFile[]> {
	const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));
	const found = await Promise.all(
		names.map(async (name) => parseFile(name, await readFile(new URL(name, FOLDER), 'utf8'))),
	);
	return LESSONS.map((title, index) => {
		const lesson = found.find(({ day }) => day === index + 1);
		if (lesson?.title !== title) {
			throw new Error(`content/lessons has no lesson "${title}" for day ${index + 1}.`);
		}
		return lesson;
	});
}

type LessonFile = { day: number; title: string; summary: string; text: string };

function parseFile(name: string, file: string): LessonFile {
	const [, head, text] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	if (head === undefined || text === undefined) throw new Error(`${name} has no front matter.`);
	return { ...(parseYaml(head) as Omit<LessonFile, 'text'>), text };
}
