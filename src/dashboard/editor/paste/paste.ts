import type { ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseHtml, sanitizeTree, writeArticle } from '#src/core/articles/sanitize.ts';
import { listsOf, paragraphsOf } from './blocks.ts';
import { boxesToCallouts } from './callouts.ts';
import { cleanElement } from './clean-element.ts';
import { collectFootnotes } from './footnotes.ts';
import { replacePictures, type Pictures } from './local-pictures.ts';
import { separateTasks } from './tasks.ts';

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

/**
 * What is pasted from Word, Google Docs or another page, as an article's HTML: its structure, none of its looks.
 * Pictures that came as data have an address of `pictures`; those that stay elsewhere are links.
 */
export function cleanPaste(html: string, pictures: Pictures = new Map()): string {
	const tree = parseHtml(bodyOf(html));
	boxesToCallouts(tree);
	separateTasks(tree);
	visit(tree, 'element', (node, index, parent) => {
		if (parent && index !== undefined && DROPPED_TAGS.has(node.tagName)) {
			parent.children.splice(index, 1);
			return index;
		}
		return undefined;
	});
	collectFootnotes(tree);
	tree.children = tree.children.flatMap((child) =>
		child.type === 'element' ? cleanElement(child) : child.type === 'text' ? [child] : [],
	);
	tree.children = listsOf(paragraphsOf(tree.children as ElementContent[]));
	shiftHeadings(tree);
	return articleOf(tree, pictures);
}

/** Markdown's HTML as an article's, and the title that it begins with where `takesTitle`. */
export function cleanMarkdown(
	html: string,
	takesTitle: boolean,
	pictures: Pictures = new Map(),
): { html: string; title: string } {
	const tree = parseHtml(html);
	const at = tree.children.findIndex((child) => child.type === 'element');
	const first = tree.children[at];
	const isTitle = takesTitle && first?.type === 'element' && first.tagName === 'h1';
	if (isTitle) tree.children.splice(at, 1);
	shiftHeadings(tree);
	return { html: articleOf(tree, pictures), title: isTitle ? toString(first).trim() : '' };
}

function articleOf(tree: Root, pictures: Pictures): string {
	replacePictures(tree, pictures);
	return writeArticle(sanitizeTree(tree)).trim();
}

/** What of the clipboard's document was chosen. */
function bodyOf(html: string): string {
	const fragment = /<!--StartFragment-->([^]*?)<!--EndFragment-->/.exec(html)?.[1];
	const notes = /<div[^>]*mso-element:\s*footnote-list[^]*$/.exec(html)?.[0] ?? '';
	const chosen =
		fragment === undefined ? html : fragment.includes(notes) ? fragment : fragment + notes;
	return chosen.replace(/<!\[if !supportLists\]>|<!\[endif\]>/g, '').replace(/\r\n?/g, '\n');
}

/** An article's title is no part of it: its own headings begin at the second level, and end at the fourth. */
function shiftHeadings(tree: Root): void {
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
