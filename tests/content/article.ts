import { glob, readdir, readFile } from 'node:fs/promises';
import { questionsIn } from '#src/features/posts/asked.ts';
import { format } from 'node:util';
import type { Code, Heading, Root, RootContent } from 'mdast';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';
import { partsOf } from '#src/core/articles/data-lines.ts';
import { moduleOf } from '#src/features/runs/javascript.ts';

export type Article = {
	slug: string;
	title: string;
	excerpt: string;
	metaDescription: string;
	/** Phrases that readers may type instead, separated by commas. */
	searchedAs?: string;
	/** Slugs of articles that come first among the related ones. */
	related?: string;
	/** Questions of readers with their answers, one a line. */
	questions?: string;
	/** When something in it may no longer be true, and what that is. */
	staleAfter?: string;
	category: string;
	tags: string[];
	tree: Root;
	/** Text that is read: words, tables and code in the line, without code blocks and formulas. */
	words: string[];
	codeBlocks: Code[];
	/** Plots, diagrams, pictures and figures to touch. */
	figures: number;
	tables: number;
	markdown: string;
};

const content = new URL('../../content/', import.meta.url);
/** Languages of code blocks that are drawn. */
const DRAWN = ['vega-lite', 'mermaid'];
/** Languages of code blocks that readers can run. */
const RUNS = ['js', 'javascript', 'py', 'python'];
const parser = unified().use(remarkParse).use(remarkGfm).use(remarkMath);

export async function readArticles(folder: 'posts/' | 'lessons/' = 'posts/'): Promise<Article[]> {
	const names = (await readdir(new URL(folder, content))).filter((name) => name.endsWith('.md'));
	return Promise.all(
		names
			.sort()
			.map(async (name) =>
				parseArticle(
					name.slice(0, -'.md'.length),
					await readFile(new URL(`${folder}${name}`, content), 'utf8'),
				),
			),
	);
}

/** Slugs of the categories and of the states, as links name them. */
export async function readSlugs(): Promise<{ categories: string[]; states: string[] }> {
	const categories = parseYaml(await readFile(new URL('categories.yaml', content), 'utf8')) as {
		slug: string;
	}[];
	const states = await readdir(new URL('states/', content));
	return {
		categories: categories.map(({ slug }) => slug),
		states: states.map((name) => name.replace('.yaml', '')),
	};
}

export function parseArticle(slug: string, file: string): Article {
	const [, frontMatter = '', markdown = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	const meta = parseYaml(frontMatter) as Pick<
		Article,
		'title' | 'excerpt' | 'metaDescription' | 'category' | 'tags' | 'searchedAs' | 'related' | 'questions' | 'staleAfter'
	>;
	const tree = parser.parse(markdown);
	const text: string[] = [];
	const codeBlocks: Code[] = [];
	let figures = 0;
	let tables = 0;
	visit(tree, (node, _, parent) => {
		if (node.type === 'text' || node.type === 'inlineCode') text.push(node.value);
		if (node.type === 'code') codeBlocks.push(node);
		if (node.type === 'code' && DRAWN.includes(node.lang ?? '')) figures++;
		if (node.type === 'table' && parent?.type === 'root') tables++;
		if (node.type === 'image') figures++;
		if (node.type === 'blockquote' && plain(node).startsWith('[!FIGURE')) figures++;
	});
	const words = text.join(' ').match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu) ?? [];
	return { ...meta, slug, tree, words, codeBlocks, figures, tables, markdown };
}

/** Returns what an article lacks of the house style (docs/style.md), one sentence each. */
export function problemsOf(article: Article): string[] {
	const found: string[] = [];
	const within = (what: string, value: number, least: number, most: number) => {
		if (value < least || value > most)
			found.push(`${what} is ${value}, should be ${least} to ${most}`);
	};
	within('title length', article.title.length, 10, 70);
	within('excerpt length', article.excerpt.length, 80, 220);
	within('meta description length', article.metaDescription.length, 90, 160);
	within('number of words', article.words.length, 600, 4000);
	within('number of tags', article.tags.length, 4, 6);
	within('number of questions', questionsIn(article.questions ?? '').length, 3, 3);
	const dated = /\bas of (?:\w+ )?\d{4}/i.exec(article.markdown);
	if (dated && !article.staleAfter) found.push(`no staleAfter, though it says “${dated[0]}”`);
	if (article.codeBlocks.length === 0) found.push('no code');
	if (article.figures === 0) found.push('no figure');
	const headings: Heading[] = [];
	visit(article.tree, (node) => {
		if (node.type === 'heading') headings.push(node);
		if (node.type === 'image' && !node.alt?.trim()) found.push(`no alternative text: ${node.url}`);
		if (node.type === 'html') found.push(`HTML, which is dropped: ${node.value}`);
		if (node.type === 'code' && !node.lang) found.push(`code without a language: ${node.value}`);
	});
	headings.forEach((heading, index) => {
		const above = headings[index - 1]?.depth ?? 1;
		if (heading.depth === 1) found.push(`a first-level heading: ${plain(heading)}`);
		if (heading.depth > above + 1) found.push(`a heading skips a level: ${plain(heading)}`);
		if (plain(heading).length > 70) found.push(`a heading over 70 characters: ${plain(heading)}`);
	});
	return found;
}

/** Letters of a line of text, and pixels of a line and of the room above a block, of the page at 1,440 pixels. */
const PAGE = { letters: 71, line: 32.4, above: 23, codeLine: 21.83, tableLine: 21.3, heading: 36 };

/**
 * Estimates, in pixels of the page at 1,440, how far an article goes before each of its figures and after the last.
 * A browser measured the same, to 1% in the mean and 7% at most, in the 330 stretches of 2026-11-29.
 */
export function stretchesOf({ tree }: Pick<Article, 'tree'>): number[] {
	const stretches = [0];
	let before: RootContent | undefined;
	for (const node of tree.children) {
		if (node.type === 'footnoteDefinition') continue;
		const wasDrawn = before !== undefined && isFigure(before);
		const above = !before ? 0 : roomAbove(node, before, wasDrawn);
		before = node;
		stretches[stretches.length - 1]! += above;
		if (isFigure(node)) stretches.push(0);
		else stretches[stretches.length - 1]! += heightOf(node);
	}
	return stretches.map(Math.round);
}

/** Plots, diagrams, pictures and explainers: what breaks a stretch of text. A plain table or code does not. */
function isFigure(node: RootContent): boolean {
	if (node.type === 'code') return DRAWN.includes(node.lang ?? '');
	if (node.type === 'paragraph') return node.children.some(({ type }) => type === 'image');
	return node.type === 'blockquote' && /^\[!(?:FIGURE [a-z]|GALLERY)/.test(plain(node));
}

function roomAbove(node: RootContent, before: RootContent, wasDrawn: boolean): number {
	if (node.type === 'heading') return 70;
	if (before.type === 'heading') return 14;
	if (wasDrawn || isFigure(node)) return 36;
	return node.type === 'table' ? 17 : PAGE.above;
}

const linesOf = (letters: number, width = PAGE.letters) => Math.max(1, Math.ceil(letters / width));

/** Letters as they are seen: a command of a formula is one, its braces are none. */
function lettersOf(node: { type: string; value?: string; children?: unknown[] }): number {
	if (node.type === 'inlineMath')
		return (node.value ?? '').replace(/\\[a-z]+|\\./gi, 'x').replace(/[{}^_\s]/g, '').length;
	if (typeof node.value === 'string') return node.value.length;
	return ((node.children ?? []) as (typeof node)[]).reduce((sum, child) => sum + lettersOf(child), 0);
}

function heightOf(node: RootContent): number {
	switch (node.type) {
		case 'heading':
			return PAGE.heading * linesOf(lettersOf(node), 48);
		case 'code': {
			const isRun = RUNS.includes(node.lang ?? '') && node.meta === 'run';
			const parts = partsOf(node.value.split('\n'), node.lang ?? '');
			return parts.reduce(
				(sum, { from, to, isFolded }) => sum + (isFolded ? 34 : PAGE.codeLine * (to - from)),
				isRun ? 82 : 62,
			);
		}
		case 'table':
			return node.children.reduce((sum, row) => {
				const letters = row.children.map((cell) => lettersOf(cell));
				const all = letters.reduce((a, b) => a + b, 0);
				return sum + 17 + PAGE.tableLine * linesOf(all, 84);
			}, 0);
		case 'list':
			return node.children.reduce(
				(sum, item, index) =>
					sum + (index > 0 ? 8 : 0) + PAGE.line * linesOf(lettersOf(item), PAGE.letters - 3),
				0,
			);
		case 'blockquote':
			return 40 + 26 + 30.5 * linesOf(lettersOf(node), 70);
		case 'math':
			return 52;
		default:
			return PAGE.line * linesOf(lettersOf(node));
	}
}

/** Numbers of an article's plots that are in no other part of it: in no output, table or sentence. */
export function strayNumbers({ markdown, codeBlocks }: Article): string[] {
	const rest = markdown.replace(/^```(?:vega-lite|mermaid)\n[^]*?\n```$/gm, '');
	const known = new Set(
		[...rest.matchAll(/\d[\d,]*(?:\.\d+)?(?:e-?\d+)?/g)].map(([text]) =>
			Number(text.replaceAll(',', '')),
		),
	);
	const isKnown = (value: number) =>
		// A share may be told in percent.
		[1, 100, 0.01].some((factor) => known.has(Number((Math.abs(value) * factor).toPrecision(12))));
	return codeBlocks
		.filter(({ lang }) => lang === 'vega-lite')
		.flatMap(({ value }) => numbersIn((JSON.parse(value) as { data?: unknown }).data))
		.filter((value) => !isKnown(value))
		.map(String);
}

function numbersIn(value: unknown): number[] {
	if (typeof value === 'number') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** Documents that are kept up to date, whose year would be the reader's. */
const LIVING = /Unicode (?:Standard Annex|Technical Standard)|reference: /;
/** Sources of which no public copy is known. */
const WITHOUT_ADDRESS = ['Analysis of Image Forming Systems'];

/** Footnotes without a year or an address, and an article that links to fewer than three. */
export function sourceFaults({ markdown, tree }: Article): string[] {
	const notes = [...markdown.matchAll(/^\[\^\d+\]: (.*)$/gm)].map(([, note = '']) => note);
	const weak = notes.filter(
		(note) =>
			(!/\b(?:1[89]|20)\d\d\b/.test(note.replace(/\(https?:[^)]*\)/g, '')) && !LIVING.test(note)) ||
			(!/https?:\/\//.test(note) && !WITHOUT_ADDRESS.some((title) => note.includes(title))),
	);
	const links = webLinks({ tree }).size;
	return links < 3 ? [...weak, `only ${links} sources`] : weak;
}

/** Addresses of the web that an article links to. */
export function webLinks({ tree }: Pick<Article, 'tree'>): Set<string> {
	const found = new Set<string>();
	visit(tree, 'link', ({ url }) => {
		if (/^https?:/.test(url)) found.add(url);
	});
	return found;
}

/** Addresses of the site itself that an article links to. */
export function internalLinks(article: Article): string[] {
	const found: string[] = [];
	visit(article.tree, 'link', ({ url }) => {
		if (url.startsWith('/')) found.push(url);
	});
	return found;
}

/** How alike two articles are: the share of the shorter one's five-word runs that the other has too. */
export function likeness(a: Set<string>, b: Set<string>): number {
	const [few, many] = a.size < b.size ? [a, b] : [b, a];
	return [...few].filter((run) => many.has(run)).length / few.size;
}

export function fiveWordRuns({ words }: Pick<Article, 'words'>): Set<string> {
	const lower = words.map((word) => word.toLowerCase().replace(/[.,]+$/, ''));
	return new Set(lower.slice(4).map((_, index) => lower.slice(index, index + 5).join(' ')));
}

/** A code block marked `run`, and what the article says that it prints. */
type Snippet = { source: string; stated: string };

/** The code blocks marked `run` of one language, in order: together they are one program. */
export function runnable({ tree }: Article, languages: string[]): Snippet[] {
	const found: Snippet[] = [];
	visit(tree, 'code', (node, index, parent) => {
		if (!languages.includes(node.lang ?? '') || node.meta !== 'run') return;
		const next = parent?.children[(index ?? 0) + 1];
		const stated = next?.type === 'code' && next.lang === 'output' ? next.value : '';
		found.push({ source: node.value, stated });
	});
	return found;
}

/** The programs of a lesson, which nobody runs where it is read: each block alone, with the text that follows as its output. */
export function lessonSnippets({ codeBlocks }: Article): Snippet[] {
	return codeBlocks.flatMap(({ lang, meta, value }, index) => {
		if (!RUNS.includes(lang ?? '') || meta?.startsWith('norun: ')) return [];
		const next = codeBlocks[index + 1];
		return [{ source: value, stated: next?.lang === 'text' ? next.value : '' }];
	});
}

/** Blocks of code that could be run in texts that no test runs: pages, guides and whatever else is there. */
export async function unrunElsewhere(): Promise<string[]> {
	const tested = /^(posts|lessons)\//;
	const names = await Array.fromAsync(glob('**/*.{md,yaml}', { cwd: content }));
	const found = names
		.filter((name) => !tested.test(name))
		.map(async (name) => {
			const text = await readFile(new URL(name, content), 'utf8');
			const fences = text.match(/^[ \t]*```\w+.*$/gm) ?? [];
			return fences
				.filter((fence) => new RegExp(`\`(?:${RUNS.join('|')})\\b(?! norun: )`).test(fence))
				.map((fence) => `${name}: ${fence.trim()}`);
		});
	return (await Promise.all(found)).flat();
}

const AsyncFunction = (async () => {}).constructor as new (
	...args: string[]
) => (...args: unknown[]) => Promise<void>;

/** Returns what each snippet of a JavaScript program prints, as Node's console formats it. */
export async function runJavaScript(snippets: Snippet[]): Promise<string[]> {
	const printed = snippets.map(() => [] as string[]);
	let at = 0;
	const log = (...values: unknown[]) => void printed[at]!.push(format(...values));
	const { source } = moduleOf(snippets.map((snippet) => snippet.source));
	const load = (name: string) => import(name);
	await new AsyncFunction('$at', 'console', '$module', source)(
		(index: number) => (at = index),
		{ log },
		load,
	);
	return printed.map((lines) => lines.join('\n'));
}

let python: Promise<PyodideAPI> | undefined;

/** Returns what each snippet of a Python program prints, in the Python that readers have. */
export async function runPython(snippets: Snippet[]): Promise<string[]> {
	const machine = await (python ??= loadPyodide());
	let printed = '';
	const decoder = new TextDecoder();
	machine.setStdout({
		write(bytes) {
			printed += decoder.decode(bytes, { stream: true });
			return bytes.length;
		},
	});
	const globals = machine.toPy({ __name__: '__main__' }) as PyProxy;
	return snippets.map(({ source }) => {
		printed = '';
		machine.runPython(source, { globals });
		machine.runPython('import sys; sys.stdout.flush()');
		return printed.replace(/\n$/, '');
	});
}

/** Blocks of code that could be run and say neither that they are nor why not. */
export function unmarked({ codeBlocks }: Article): string[] {
	return codeBlocks
		.filter(({ lang }) => RUNS.includes(lang ?? ''))
		.filter(({ meta }) => meta !== 'run' && !/^norun: \w.{5,}/.test(meta ?? ''))
		.map(({ value }) => value.split('\n', 1)[0]!);
}

function plain(node: { type: string; value?: string; children?: unknown[] }): string {
	if (typeof node.value === 'string') return node.value;
	return ((node.children ?? []) as (typeof node)[]).map(plain).join('');
}
