import type { Element, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { isCode, languageOf } from '#src/core/figures/blocks.ts';

/** Languages in which readers can run blocks of code. */
export type RunLanguage = 'js' | 'python';
const LANGUAGES: Record<string, RunLanguage> = {
	js: 'js',
	javascript: 'js',
	python: 'python',
	py: 'python',
};
/** Language of a block of code that holds what the one before it prints. */
export const OUTPUT = 'output';

/** A block that readers can run, and what the article says that it prints. */
export type Block = { source: string; printed: string };
/** The blocks of a language are one program, run in order. */
export type Programs = Map<RunLanguage, Block[]>;

/** Returns the language in which a block's code runs, if it is marked so. */
export function runLanguageOf(code: Element | undefined): RunLanguage | undefined {
	return code?.properties.dataRun === undefined ? undefined : LANGUAGES[languageOf(code)];
}

/** Returns an article's programs. */
export function programsOf(tree: Root): Programs {
	const programs: Programs = new Map();
	const read = ({ children }: Root | Element) => {
		const elements = (children as RootContent[]).filter((node) => node.type === 'element');
		elements.forEach((node, index) => {
			const code = node.tagName === 'pre' ? node.children.find(isCode) : undefined;
			const language = runLanguageOf(code);
			if (!code) return read(node);
			if (!language) return;
			const next = elements[index + 1]?.children.find((child) => child.type === 'element');
			const isPrinted = next && isCode(next) && languageOf(next) === OUTPUT;
			const block = { source: textOf(code), printed: isPrinted ? textOf(next) : '' };
			programs.set(language, [...(programs.get(language) ?? []), block]);
		});
	};
	read(tree);
	return programs;
}

const textOf = (code: Element) => toString(code).replace(/\n$/, '');
