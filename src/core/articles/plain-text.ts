/** Words of an article, apart from rendering, whose libraries are too large for a function that compares words. */
import type { Element, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';

/** Returns whether an element has a class. */
export const isClassed = ({ properties }: Element, name: string) =>
	[properties.className].flat().includes(name);

/** Returns the article's words in reading order, with line breaks between blocks, without markup or math. */
export function plainTextOf(tree: Root): string {
	const parts: string[] = [];
	visit(tree, (node) => {
		if (node.type === 'element' && (node.tagName === 'svg' || isClassed(node, 'drawn-data')))
			return SKIP;
		if (node.type === 'text') parts.push(node.value);
		else if (node.type === 'element' && !INLINE.has(node.tagName)) parts.push('\n');
	});
	return parts
		.join('')
		.replace(/[^\S\n]+/g, ' ')
		.replace(/\s*\n\s*/g, '\n')
		.trim();
}
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
