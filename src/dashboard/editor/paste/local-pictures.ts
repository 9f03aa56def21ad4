import type { Element, ElementContent, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { element, isBlank, text } from './tree.ts';

/** Pictures that came with the text itself: where each stands in the article, by the address that holds its place. */
export type Pictures = Map<string, string>;

/**
 * Pages show only pictures of this site. Those that came as data wait under an address of their own; for one of another
 * site stands a link that says so, until it is fetched.
 */
export function replacePictures(tree: Root, pictures: Pictures): void {
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		const [image] = node.children.filter((child) => !isBlank(child));
		if (node.tagName === 'figure' && image?.type === 'element' && isElsewhere(image)) {
			const caption = node.children.filter((child) => child !== image);
			parent.children.splice(
				index,
				1,
				element('p', [...linkTo(image)]),
				...caption.flatMap((child) =>
					child.type === 'element' ? [{ ...child, tagName: 'p' }] : [],
				),
			);
			return index;
		}
		if (node.tagName !== 'img') return undefined;
		const src = String(node.properties.src ?? '');
		if (src.startsWith('data:image/')) {
			const place = `/pasted/${pictures.size + 1}`;
			pictures.set(place, src);
			node.properties.src = place;
			return undefined;
		}
		if (!isElsewhere(node)) return undefined;
		const isLink = parent.type === 'element' && parent.tagName === 'a';
		const instead = isLink ? [text(nameOf(node))] : linkTo(node);
		parent.children.splice(index, 1, ...instead);
		return index + instead.length;
	});
}

function isElsewhere({ tagName, properties }: Element): boolean {
	return tagName === 'img' && !/^(\/(?!\/)|data:image\/)/.test(String(properties.src ?? ''));
}

/** A link to a picture that is not here, and what to do about it. */
function linkTo(image: Element): ElementContent[] {
	const src = String(image.properties.src ?? '');
	const host = /^https?:\/\/([^/]+)/.exec(src)?.[1];
	if (!host) return [text(`[${nameOf(image)}: the picture was not copied. Upload it to show it.]`)];
	return [
		{ ...element('a', [text(nameOf(image))]), properties: { href: src } },
		text(elsewhereNote(host)),
	];
}

/** The words of a link to a picture without a description. */
export const UNNAMED = 'Picture';

/** Returns what follows a link that stands for a picture of another site. */
export const elsewhereNote = (host: string) =>
	` [The picture stays at ${host}: upload it to show it.]`;

function nameOf({ properties }: Element): string {
	return String(properties.alt ?? '').trim() || UNNAMED;
}
