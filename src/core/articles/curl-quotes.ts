import type { Element, Root, RootContent, Text } from 'hast';
import { curlQuotes, OBJECT } from '#src/lib/quotes.ts';

/** Elements whose text is read by itself. */
const BLOCK =
	/^(?:aside|blockquote|caption|d[dlt]|details|div|fig.+|h[1-6r]|li|[ou]l|p|pre|section|summary|t(?:able|body|d|foot|h|head|r))$/;
/** Elements that are no prose. */
const OBJECTS = /^(?:code|img|input|kbd|math|picture|pre|samp|svg|tt|var)$/;

/**
 * Makes the quotation marks and apostrophes of an article's prose curly, block by block, across the elements in it. Code,
 * formulas, pictures and attributes stay as they are.
 */
export function curlQuotesIn(tree: Root): void {
	let prose = '';
	let texts: { node: Text; at: number }[] = [];
	const finish = () => {
		const curly = curlQuotes(prose);
		for (const { node, at } of texts) node.value = curly.slice(at, at + node.value.length);
		prose = '';
		texts = [];
	};
	const read = (node: RootContent): void => {
		if (node.type === 'text') {
			texts.push({ node, at: prose.length });
			prose += node.value;
		}
		if (node.type !== 'element') return;
		const isBlock = BLOCK.test(node.tagName);
		if (isBlock) finish();
		if (node.tagName === 'br') prose += '\n';
		else if (isObject(node)) prose += OBJECT;
		// The number of a note stands between a word and what follows it.
		else if (node.properties.dataFootnoteRef === undefined) node.children.forEach(read);
		if (isBlock) finish();
	};
	tree.children.forEach(read);
	finish();
}

function isObject(node: Element): boolean {
	return OBJECTS.test(node.tagName) || node.properties.dataLatex !== undefined;
}
