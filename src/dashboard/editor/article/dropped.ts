import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { parseHtml, sanitizeTree } from '#src/core/articles/sanitize.ts';

/** Something that saving takes out of an article's HTML, in the line where it stands. */
export type DroppedPart = { line: number; what: string };

/** Returns the parts of this HTML that the sanitizer will drop, in reading order. */
export function findDropped(html: string): DroppedPart[] {
	const raw = parseHtml(html);
	const kept = byPlace(sanitizeTree(structuredClone(raw)));
	const dropped: DroppedPart[] = [];
	visit(raw, (node) => {
		const line = node.position?.start.line ?? 1;
		if (node.type === 'comment') dropped.push({ line, what: 'A comment' });
		if (node.type !== 'element') return;
		const still = kept.get(placeOf(node));
		if (!still) dropped.push({ line, what: `<${node.tagName}>` });
		else
			for (const name of Object.keys(node.properties))
				if (!same(still.properties[name], node.properties[name]))
					dropped.push({ line, what: `${attribute(name)} of <${node.tagName}>` });
	});
	return dropped;
}

const placeOf = (node: Element) => `${node.tagName} ${node.position?.start.offset}`;

function byPlace(tree: Root): Map<string, Element> {
	const found = new Map<string, Element>();
	visit(tree, 'element', (node) => void found.set(placeOf(node), node));
	return found;
}

function same(kept: unknown, raw: unknown): boolean {
	return JSON.stringify(kept) === JSON.stringify(raw);
}

/** `data-callout` of `dataCallout`, `class` of `className`. */
function attribute(property: string): string {
	if (property === 'className') return 'class';
	return property
		.replace(/^(data|aria)([A-Z])/, '$1-$2')
		.replace(/(?<=^data-.*)[A-Z]/g, (letter) => `-${letter}`)
		.replace('--', '-')
		.toLowerCase();
}
