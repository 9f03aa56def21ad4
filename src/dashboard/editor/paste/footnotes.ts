import type { ElementContent, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { paragraphsOf } from './blocks.ts';
import { element, isBlank, linkOf } from './tree.ts';

/** Footnotes of Word (`_ftn1`) and Google Docs (`ftnt1`) as an article has them. */
export function convertFootnotes(tree: Root): void {
	const items = new Map<string, ElementContent[]>();
	visit(tree, 'element', (node, index, parent) => {
		const id = /^_?ftnt?(\d+)$/.exec(String(node.properties['id'] ?? ''))?.[1];
		if (id && node.tagName === 'div' && parent && index !== undefined) {
			items.set(id, node.children);
			parent.children.splice(index, 1);
			return index;
		}
		const back = node.children.find(
			(child) => child.type === 'element' && /^#_?ftntref/.test(linkOf(child)),
		);
		const number = back && /(\d+)$/.exec(linkOf(back))?.[1];
		if (number && node.tagName === 'p' && parent && index !== undefined) {
			items.set(number, [node]);
			parent.children.splice(index, 1);
			return index;
		}
		return undefined;
	});
	if (items.size === 0) return;
	visit(tree, 'element', (node, index, parent) => {
		const number = /^#_?ftnt?(\d+)$/.exec(linkOf(node))?.[1];
		if (!number || !items.has(number) || !parent || index === undefined) return undefined;
		const mark = element('sup', [{ type: 'text', value: number }]);
		mark.children = [
			{
				...element('a', [{ type: 'text', value: number }]),
				properties: { href: `#fn-${number}`, id: `fnref-${number}`, dataFootnoteRef: '' },
			},
		];
		if (parent.type === 'element' && parent.tagName === 'sup') {
			parent.children = mark.children;
			return undefined;
		}
		parent.children[index] = mark;
		return index + 1;
	});
	const list = [...items].map(([number, children]) => {
		const paragraphs = paragraphsOf(children.filter((child) => !isBlank(child)));
		for (const paragraph of paragraphs) {
			paragraph.children = paragraph.children.filter(
				(child) =>
					!/^#_?ftn(t)?ref/.test(
						child.type === 'element' ? linkOf(child) || linkOf(child.children[0]) : '',
					),
			);
		}
		const [first] = paragraphs[0]?.children ?? [];
		if (first?.type === 'text') first.value = first.value.replace(/^[\u00a0\s]+/, '');
		return { ...element('li', paragraphs), properties: { id: `fn-${number}` } };
	});
	tree.children.push({
		...element('section', [element('ol', list)]),
		properties: { dataFootnotes: '', className: ['footnotes'] },
	});
}
