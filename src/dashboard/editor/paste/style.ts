import type { Element } from 'hast';

/** An element's own style, by property, in lower case. */
export type Style = Record<string, string>;

export function styleOf({ properties }: Element): Style {
	const style: Style = {};
	for (const rule of String(properties['style'] ?? '').split(';')) {
		const colon = rule.indexOf(':');
		if (colon > 0)
			style[rule.slice(0, colon).trim().toLowerCase()] = rule
				.slice(colon + 1)
				.trim()
				.toLowerCase();
	}
	return style;
}

export function classesOf({ properties }: Element): string[] {
	return Array.isArray(properties.className) ? properties.className.map(String) : [];
}
