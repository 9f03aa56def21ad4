import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { EXIT, SKIP, visit } from 'unist-util-visit';
import { parseHtml, sanitizeTree, writeArticle } from '#src/core/articles/sanitize.ts';
import { listsOf, paragraphsOf } from './blocks.ts';
import { cleanNode } from './clean-node.ts';
import { convertFootnotes } from './footnotes.ts';
import { type Pictures, replacePictures } from './local-pictures.ts';
import { calloutKind } from '#src/core/articles/callouts.ts';
import { classesOf } from './style.ts';
import { embedFigure, embedOf } from '#src/core/articles/embeds.ts';
import { element, isBlank, linkOf, text } from './tree.ts';

const DROPPED_TAGS = new Set([
	'style',
	'script',
	'meta',
	'link',
	'title',
	'head',
	'o:p',
	'xml',
	'template',
	'button',
	'svg',
]);

/** An article's HTML, and the title that it began with where one was taken. */
type Pasted = { html: string; title: string };

/**
 * Converts content pasted from Word, Google Docs or another page to an article's HTML: the structure without the
 * styles, and the title that it begins with where `takesTitle`. Embedded pictures get their address in `pictures`;
 * remote ones become links.
 */
export function cleanPaste(
	html: string,
	takesTitle = false,
	pictures: Pictures = new Map(),
): Pasted {
	const tree = parseHtml(bodyOf(html));
	convertPlayers(tree);
	convertBoxes(tree);
	convertTasks(tree);
	visit(tree, 'element', (node, index, parent) => {
		if (parent && index !== undefined && DROPPED_TAGS.has(node.tagName)) {
			parent.children.splice(index, 1);
			return index;
		}
		return undefined;
	});
	convertFootnotes(tree);
	// Beside each heading of GitHub stands a link that was a picture.
	visit(tree, 'element', (node, index, parent) => {
		const isEmpty = node.tagName === 'a' && node.children.length === 0;
		if (!isEmpty || !parent || index === undefined) return undefined;
		parent.children.splice(index, 1);
		return index;
	});
	tree.children = tree.children.flatMap((child) =>
		child.type === 'element' ? cleanNode(child) : child.type === 'text' ? [child] : [],
	);
	tree.children = listsOf(paragraphsOf(tree.children as ElementContent[]));
	return finishPaste(tree, takesTitle, pictures);
}

/** Markdown's HTML as an article's, and the title that it begins with where `takesTitle`. */
export function cleanMarkdown(
	html: string,
	takesTitle: boolean,
	pictures: Pictures = new Map(),
): Pasted {
	return finishPaste(parseHtml(html), takesTitle, pictures);
}

function finishPaste(tree: Root, takesTitle: boolean, pictures: Pictures): Pasted {
	const at = tree.children.findIndex((child) => child.type === 'element');
	const first = tree.children[at];
	const isTitle = takesTitle && first?.type === 'element' && first.tagName === 'h1';
	if (isTitle) tree.children.splice(at, 1);
	convertHeadings(tree);
	convertAddresses(tree);
	replacePictures(tree, pictures);
	return {
		html: writeArticle(sanitizeTree(tree)).trim(),
		title: isTitle ? toString(first).replace(/\s+/g, ' ').trim() : '',
	};
}

/** Returns the selected part of the clipboard's document. */
function bodyOf(html: string): string {
	const fragment = /<!--StartFragment-->([^]*?)<!--EndFragment-->/.exec(html)?.[1];
	const notes = /<div[^>]*mso-element:\s*footnote-list[^]*$/.exec(html)?.[0] ?? '';
	const chosen =
		fragment === undefined ? html : fragment.includes(notes) ? fragment : fragment + notes;
	return chosen.replace(/<!\[if !supportLists\]>|<!\[endif\]>/g, '').replace(/\r\n?/g, '\n');
}

/** An article's title is no part of it: its own headings begin at the second level, and end at the fourth. */
function convertHeadings(tree: Root): void {
	const levels: number[] = [];
	visit(tree, 'element', ({ tagName }) => {
		if (/^h[1-6]$/.test(tagName)) levels.push(Number(tagName[1]));
	});
	const shift = levels.includes(1) ? 1 : 0;
	visit(tree, 'element', (node) => {
		if (/^h[1-6]$/.test(node.tagName) && node.properties['id'] !== 'footnote-label')
			node.tagName = `h${Math.min(4, Math.max(2, Number(node.tagName[1]) + shift))}`;
	});
}

/** Whether a plain text is written in Markdown: it has a heading, a list, a fence, a table, a link or the like. */
export function looksLikeMarkdown(text: string): boolean {
	return [
		/^#{1,6} \S/m,
		/^(```|~~~)/m,
		/^ {0,3}[-*+] \S.*\n+ {0,3}[-*+] \S/m,
		/^ {0,3}1[.)] \S.*\n+ {0,3}2[.)] \S/m,
		/^> \S/m,
		/\[[^\]\n]+\]\((https?:\/\/|\/|#|mailto:)[^)\s]*\)/,
		/(^|\s)\*\*\S[^*\n]*\*\*/,
		/^\|.+\|\n\|[ :|-]+\|$/m,
		/^\$\$\n/m,
	].some((sign) => sign.test(text));
}

const SIGNS: Record<string, string> = {
	'💡': 'tip',
	'⚠': 'warning',
	'❗': 'warning',
	'🚨': 'warning',
};

/** Boxes of other programs as callouts. */
function convertBoxes(tree: Root): void {
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

/** Players of known sites as an article has them, others as links. */
function convertPlayers(tree: Root): void {
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
function convertAddresses(tree: Root): void {
	tree.children = tree.children.map((child) => {
		if (child.type !== 'element' || child.tagName !== 'p') return child;
		const [only, more] = child.children.filter((one) => !isBlank(one));
		const address = only?.type === 'element' ? linkOf(only) : toString(child).trim();
		const embed = !more && toString(child).trim() === address ? embedOf(address) : null;
		return embed ? embedFigure(embed) : child;
	});
}

/** Items with a box to tick as an article has them: in lists of their own, however a program writes them. */
function convertTasks(tree: Root): void {
	visit(tree, 'element', (list, index, parent) => {
		if (list.tagName !== 'ul' || !parent || index === undefined) return undefined;
		const items = list.children.filter((child) => child.type === 'element');
		if (!items.some((item) => item.tagName === 'li')) return undefined;
		for (const { children } of items) convertTasks({ type: 'root', children });
		const checks = new Map(items.map((item) => [item, removeCheckbox(item)]));
		for (const [item, checked] of checks) {
			if (checked === null) continue;
			const properties = { type: 'checkbox', checked };
			item.properties = { className: ['task-list-item'] };
			item.children.unshift({ ...element('input', []), properties });
		}
		const groups: Element[] = [];
		for (const item of items) {
			const isTask = checks.get(item) !== null;
			const last = groups.at(-1);
			if (last && (last.properties.className !== undefined) === isTask) last.children.push(item);
			else
				groups.push({
					...element('ul', [item]),
					properties: isTask ? { className: ['contains-task-list'] } : {},
				});
		}
		parent.children.splice(index, 1, ...groups);
		return [SKIP, index + groups.length];
	});
}

/** Takes the box to tick off an item: whether it is ticked, or null where there is none. */
function removeCheckbox(item: Element): boolean | null {
	let checked: boolean | null = null;
	visit(item, (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		if (node.type === 'text') {
			if (node.value.trim() === '') return undefined;
			const written = /^\s*\[([ xX])\]\s+/.exec(node.value);
			if (written) {
				checked = written[1] !== ' ';
				node.value = node.value.slice(written[0].length);
			}
			return EXIT;
		}
		if (node.type !== 'element') return undefined;
		if (/^[uo]l$/.test(node.tagName)) return EXIT;
		const isInput = node.tagName === 'input' && node.properties.type === 'checkbox';
		const isSign = classesOf(node).includes('checkbox');
		if (!isInput && !isSign) return undefined;
		checked = isInput ? node.properties.checked === true : classesOf(node).includes('checkbox-on');
		parent.children.splice(index, 1);
		return EXIT;
	});
	return checked;
}
