import type { Element, ElementContent } from 'hast';
import { element, isBlank, trimmed } from './tree.ts';

/** Word's items of lists: paragraphs that say so in their style. */
export const listItems = new WeakMap<Element, { name: string; level: number; ordered: boolean }>();

const BLOCK = /^(p|h[1-6]|ul|ol|li|table|blockquote|pre|hr|figure|aside|section|div|dl|details)$/;

/** Blocks only: a `div` is what is in it, lines of text between blocks are paragraphs, two breaks begin a new one. */
export function paragraphsOf(children: ElementContent[]): Element[] {
	const blocks: Element[] = [];
	let line: ElementContent[] = [];
	const flush = () => {
		const content = trimmed(line);
		if (content.length > 0) blocks.push(element('p', content));
		line = [];
	};
	children.forEach((child, index) => {
		if (child.type !== 'element' || !BLOCK.test(child.tagName)) {
			const next = children[index + 1];
			const isBreak = (one: ElementContent | undefined) =>
				one?.type === 'element' && one.tagName === 'br';
			if (isBreak(child) && (isBreak(next) || line.length === 0)) flush();
			else line.push(child);
			return;
		}
		flush();
		if (child.tagName === 'div' && child.properties['dataLatex'] === undefined)
			blocks.push(...paragraphsOf(child.children));
		else if (child.tagName !== 'p' || child.children.length > 0) blocks.push(child);
	});
	flush();
	return blocks;
}

/**
 * Returns blocks with Word's paragraphs that have a bullet or a number as lists, by their level, and the lists of Google Docs
 * inside their items.
 */
export function listsOf(blocks: Element[]): Element[] {
	const result: Element[] = [];
	const open: { list: Element; level: number; name: string }[] = [];
	for (const block of blocks) {
		const item = listItems.get(block);
		if (!item) {
			open.length = 0;
			result.push(nested(block));
			continue;
		}
		const tagName = item.ordered ? 'ol' : 'ul';
		const isOther = ({ list, level, name }: (typeof open)[number]) =>
			level > item.level ||
			(level === item.level && (name !== item.name || list.tagName !== tagName));
		while (open.length > 0 && isOther(open.at(-1)!)) open.pop();
		if (open.length === 0 || open.at(-1)!.level < item.level) {
			const list = element(tagName, []);
			const parent = open.at(-1)?.list.children.at(-1);
			if (parent?.type === 'element') parent.children.push(list);
			else result.push(list);
			open.push({ list, level: item.level, name: item.name });
		}
		open.at(-1)!.list.children.push(element('li', block.children));
	}
	return result;
}

/**
 * Returns a list whose inner lists are in their items: Google Docs puts them beside. A paragraph that is all an item has becomes its
 * text; what is no list stays as it is.
 */
function nested(block: Element): Element {
	const isList = (node: ElementContent): node is Element =>
		node.type === 'element' && (node.tagName === 'ul' || node.tagName === 'ol');
	if (!isList(block)) return block;
	const items: ElementContent[] = [];
	for (const child of block.children) {
		const last = items.at(-1);
		if (isList(child) && last?.type === 'element') last.children.push(nested(child));
		else if (child.type === 'element') {
			const [first, ...rest] = child.children.filter((one) => !isBlank(one));
			const text = first?.type === 'element' && first.tagName === 'p' && rest.every(isList);
			const content = text ? [...first.children, ...rest] : child.children;
			items.push({ ...child, children: content.map((one) => (isList(one) ? nested(one) : one)) });
		}
	}
	return { ...block, children: items };
}
