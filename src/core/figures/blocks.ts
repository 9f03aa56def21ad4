import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { uniqueSlug } from '#src/lib/slug.ts';
import { FigureError } from './figure-error.ts';
import { readFigure } from './figure.ts';
import { tablesOf } from './table.ts';

/** Languages of code blocks that are drawn as a figure. */
const LANGUAGES = ['vega-lite', 'mermaid'] as const;
export type FigureLanguage = (typeof LANGUAGES)[number];

type Block = {
	language: FigureLanguage;
	source: string;
	/** Puts an element in its place. */
	replace: (by: Element) => void;
};

/** Returns the blocks of code that are figures, in order. */
export function figureBlocks(tree: Root): Block[] {
	const blocks: Block[] = [];
	visit(tree, 'element', (node, index, parent) => {
		if (node.tagName !== 'pre' || !parent || index === undefined) return;
		const code = node.children.find(isCode);
		const language = LANGUAGES.find((name) => name === languageOf(code));
		if (!language) return;
		const replace = (by: Element) => void (parent.children[index] = by);
		blocks.push({ language, source: toString(code ?? node), replace });
	});
	return blocks;
}

export const isCode = (node: ElementContent): node is Element =>
	node.type === 'element' && node.tagName === 'code';

/** Returns the language of a block's code, or an empty text. */
export function languageOf(code: Element | undefined): string {
	const classes = code?.properties.className;
	const found =
		Array.isArray(classes) && classes.find((name) => String(name).startsWith('language-'));
	return found ? String(found).slice('language-'.length) : '';
}

/** Returns the ids of an article's figures, and why blocks are none, without drawing them. */
export function checkFigures(tree: Root): { ids: Set<string>; reasons: string[] } {
	const ids = new Set<string>();
	const reasons: string[] = [];
	const tables = () => tablesOf(tree);
	for (const { language, source } of figureBlocks(tree)) {
		try {
			uniqueSlug(`fig-${readFigure(language, source, tables).slug}`, ids);
		} catch (error) {
			if (!(error instanceof FigureError)) throw error;
			reasons.push(error.message);
		}
	}
	return { ids, reasons };
}
