import { readdir, readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { LESSONS, type Lesson } from './course.ts';

const FOLDER = new URL('../../../content/lessons/', import.meta.url);

/** Reads content/lessons, rendered for email, in the order of days. */
export async function readLessons(): Promise<Lesson[]> {
	const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));
	const found = await Promise.all(
		names.map(async (name) => readLesson(name, await readFile(new URL(name, FOLDER), 'utf8'))),
	);
	return LESSONS.map((title, index) => {
		const lesson = found.find(({ day }) => day === index + 1);
		if (lesson?.title !== title) {
			throw new Error(`content/lessons has no lesson "${title}" for day ${index + 1}.`);
		}
		const { day: _day, ...rest } = lesson;
		return rest;
	});
}

async function readLesson(name: string, file: string): Promise<Lesson & { day: number }> {
	const [, head, text] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	if (head === undefined || text === undefined) throw new Error(`${name} has no front matter.`);
	const { title, day, summary } = parseYaml(head) as Omit<Lesson, 'html' | 'text'> & {
		day: number;
	};
	const html = await emailHtml(await markdownToHtml(text));
	return { title, day, summary, html, text: text.trim() };
}
