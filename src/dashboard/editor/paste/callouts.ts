import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { calloutKind } from '#src/core/articles/callouts.ts';
import { classesOf } from './style.ts';

const SIGNS: Record<string, string> = {
	'💡': 'tip',
	'⚠': 'warning',
	'❗': 'warning',
	'🚨': 'warning',
};

/** Boxes of other programs as callouts. */
export function convertBoxes(tree: Root): void {
	visit(tree, 'element', (node) => {
		const classes = classesOf(node);
		const alert = classes.map((name) => /^markdown-alert-(\w+)$/.exec(name)?.[1]);
		const kind = alert.find((name) => name && name !== 'title');
		const isBox = classes.includes('callout') || node.tagName === 'aside';
		if (classes.includes('markdown-alert') && kind) {
			node.children = node.children.filter(
				(child) => child.type !== 'element' || !classesOf(child).includes('markdown-alert-title'),
			);
			node.properties = { dataCallout: calloutKind(kind) };
		} else if (isBox && !node.properties['dataCallout']) {
			const sign = removeSign(node);
			node.properties = { dataCallout: SIGNS[sign] ?? 'note' };
		} else return;
		node.tagName = 'aside';
	});
}

/** Takes the sign off that a box begins with, and answers it. */
function removeSign(box: Element): string {
	let sign = '';
	visit(box, 'text', (node) => {
		if (node.value.trim() === '') return undefined;
		const found = /^\s*(\p{Extended_Pictographic})[\ufe0f\s]*/u.exec(node.value);
		sign = found?.[1] ?? '';
		node.value = node.value.slice(found?.[0].length ?? 0);
		return false;
	});
	return sign;
}
