import { readdir, readFile } from 'node:fs/promises';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';
import type { Root } from 'hast';
import { ARTICLE_STYLES } from '#src/core/outbox/letter.server.ts';
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
	const html = String(await emailProcessor.process(await markdownToHtml(text)));
	return { title, day, summary, html, text: text.trim() };
}

const emailProcessor = unified()
	.use(rehypeParse, { fragment: true })
	.use(() => (tree: Root) => {
		visit(tree, 'element', (node, _index, parent) => {
			const isBlock = parent?.type === 'element' && parent.tagName === 'pre';
			// Code inside of a block inherits the block's style.
			const style = isBlock ? 'font-family:inherit' : ARTICLE_STYLES[node.tagName];
			node.properties = { ...keepAddresses(node.properties), ...(style && { style }) };
		});
	})
	.use(rehypeStringify);

/** Keeps only addresses and alternative text, because email knows neither our classes nor scripts. */
function keepAddresses({ href, src, alt }: Record<string, unknown>) {
	return Object.fromEntries(
		Object.entries({ href, src, alt }).filter((entry): entry is [string, string] =>
			Boolean(entry[1]),
		),
	);
}
