import type { Element, Text } from 'hast';

/** Returns an element of a tree of HTML. */
export function element(
	tagName: string,
	properties: Element['properties'],
	children: Element['children'],
): Element {
	return { type: 'element', tagName, properties, children };
}

/** Returns whether an element has this class. */
export const isClassed = ({ properties }: Element, name: string) =>
	[properties.className].flat().includes(name);

/** Returns a text of a tree of HTML. */
export const text = (value: string): Text => ({ type: 'text', value });
