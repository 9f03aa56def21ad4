import type { Element, ElementContent } from 'hast';

export function element(tagName: string, children: ElementContent[]): Element {
	return { type: 'element', tagName, properties: {}, children };
}

export function text(value: string): ElementContent {
	return { type: 'text', value };
}

export function isBlank(child: ElementContent): boolean {
	return child.type === 'text' && child.value.trim() === '';
}

export function linkOf(node: ElementContent | undefined): string {
	return node?.type === 'element' && node.tagName === 'a' ? String(node.properties.href ?? '') : '';
}

/** Returns content without breaks and white space at its ends. */
export function trimmed(children: ElementContent[]): ElementContent[] {
	const isEdge = (child: ElementContent | undefined) =>
		child !== undefined && ((child.type === 'element' && child.tagName === 'br') || isBlank(child));
	let from = 0;
	let to = children.length;
	while (from < to && isEdge(children[from])) from++;
	while (to > from && isEdge(children[to - 1])) to--;
	return children.slice(from, to).map((child, index, all) => {
		if (child.type !== 'text') return child;
		let { value } = child;
		if (index === 0) value = value.trimStart();
		if (index === all.length - 1) value = value.trimEnd();
		return { type: 'text', value };
	});
}
