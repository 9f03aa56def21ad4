import type { ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseHtml, sanitizeTree, writeArticle } from '#src/core/articles/sanitize.ts';
import { listsOf, paragraphsOf } from './blocks.ts';
import { convertBoxes } from './callouts.ts';
import { cleanNode } from './clean-node.ts';
import { convertFootnotes } from './footnotes.ts';
import { replacePictures, type Pictures } from './local-pictures.ts';
import { convertAddresses, convertPlayers } from './players.ts';
import { convertTasks } from './tasks.ts';

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
