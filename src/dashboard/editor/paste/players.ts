import type { Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { embedFigure, embedOf } from '#src/core/articles/embeds.ts';
import { element, isBlank, linkOf, text } from './tree.ts';

/** Players of known sites as an article has them, others as links. */
export function convertPlayers(tree: Root): void {
	visit(tree, 'element', (node, index, parent) => {
		if (node.tagName !== 'iframe' || !parent || index === undefined) return;
		const { src, dataSrc, title } = node.properties;
		const address = String(src ?? dataSrc ?? '');
		const embed = embedOf(address);
		const name = String(title ?? '');
		parent.children[index] = embed
			? embedFigure(embed, name)
			: { ...element('a', [text(name || address)]), properties: { href: address } };
	});
}

/** An address of a known site that stands in a paragraph of its own becomes its video or recording. */
export function convertAddresses(tree: Root): void {
	tree.children = tree.children.map((child) => {
		if (child.type !== 'element' || child.tagName !== 'p') return child;
		const [only, more] = child.children.filter((one) => !isBlank(one));
		const address = only?.type === 'element' ? linkOf(only) : toString(child).trim();
		const embed = !more && toString(child).trim() === address ? embedOf(address) : null;
		return embed ? embedFigure(embed) : child;
	});
}
