/** Words of an article, apart from rendering, whose libraries are too large for a function that compares words. */
import type { Element, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { isClassed } from '#src/lib/hast.ts';
import { formulaWords } from './formula-words.ts';

/**
 * Returns the article's words in reading order, with line breaks between blocks and rendered formulas on one line, without
 * markup, and the numbers and arrows by which notes are linked.
 */
export function plainTextOf(tree: Root, writeFormula = formulaWords): string {
	const parts: string[] = [];
	visit(tree, (node) => {
		if (node.type === 'element' && !isWords(node)) return SKIP;
		if (node.type === 'element' && node.tagName === 'math') {
			parts.push(writeFormula(node));
			return SKIP;
		}
		if (node.type === 'text') parts.push(node.value);
		else if (node.type === 'element' && !INLINE.has(node.tagName)) parts.push('\n');
	});
	return parts
		.join('')
		.replace(/[^\S\n]+/g, ' ')
		.replace(/\s*\n\s*/g, '\n')
		.trim();
}
const isWords = (node: Element) =>
	node.tagName !== 'svg' &&
	!isClassed(node, 'drawn-data') &&
	node.properties.dataFootnoteRef === undefined &&
	node.properties.dataFootnoteBackref === undefined;
const INLINE = new Set([
	'a',
	'abbr',
	'b',
	'cite',
	'code',
	'del',
	'em',
	'i',
	'kbd',
	'mark',
	's',
	'span',
	'strong',
	'sub',
	'sup',
]);
