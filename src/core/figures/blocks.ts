import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { SKIP, visit } from 'unist-util-visit';
import { asciiSlug, uniqueSlug } from '#src/lib/slug.ts';
import { drawingId } from './drawings/library.ts';
import { FigureError } from './figure-error.ts';
import { LANGUAGES, readFigure, type FigureLanguage } from './figure.ts';
import { tablesOf } from './plots/table.ts';

type Block = {
	/** Puts an element in its place. */
	replace: (by: Element) => void;
} & ({ language: FigureLanguage; source: string } | { drawing: PlacedDrawing });

/** The files of drawings of the library, by their ids. */
export type Drawings = ReadonlyMap<string, string>;

/** A drawing of the library where it stands in an article. */
export type PlacedDrawing = {
	id: string;
	/** Alternative text. */
	alt: string;
	caption: ElementContent[];
	/** Start of its id, which is unique in its article only with a number. */
	slug: string;
};

/** Returns the blocks of code that are figures, and the drawings that stand on their own, in order. */
export function figureBlocks(tree: Root): Block[] {
	const blocks: Block[] = [];
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		const replace = (by: Element) => void (parent.children[index] = by);
		if ('dataGallery' in node.properties || 'dataEmbed' in node.properties) return SKIP;
		const drawing = drawingIn(node);
		if (drawing) {
			blocks.push({ drawing, replace });
			return SKIP;
		}
		if (node.tagName !== 'pre') return undefined;
		const code = node.children.find(isCode);
		const language = LANGUAGES.find((name) => name === languageOf(code));
		if (language) blocks.push({ language, source: toString(code ?? node), replace });
		return undefined;
	});
	return blocks;
}

/** Returns the drawing that a figure or a paragraph holds alone. */
function drawingIn(node: Element): PlacedDrawing | undefined {
	if (!/^(figure|p)$/.test(node.tagName)) return undefined;
	const [image, caption, more] = node.children.filter(
		(child) => child.type !== 'text' || child.value.trim() !== '',
	);
	const isOne = (child: ElementContent | undefined, name: string): child is Element =>
		child?.type === 'element' && child.tagName === name;
	if (!isOne(image, 'img') || more || (caption && !isOne(caption, 'figcaption'))) return undefined;
	const id = drawingId(String(image.properties.src ?? ''));
	if (!id) return undefined;
	const alt = String(image.properties.alt ?? '').trim();
	const [first = ''] = ((caption && toString(caption).trim()) || alt).split(/(?<=[.?!])\s/, 1);
	return { id, alt, caption: caption?.children ?? [], slug: asciiSlug(first) || 'figure' };
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
	for (const block of figureBlocks(tree)) {
		try {
			const { slug } =
				'drawing' in block ? block.drawing : readFigure(block.language, block.source, tables);
			uniqueSlug(`fig-${slug}`, ids);
		} catch (error) {
			if (!(error instanceof FigureError)) throw error;
			reasons.push(error.message);
		}
	}
	return { ids, reasons };
}
