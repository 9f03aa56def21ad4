import { diffArrays } from 'diff';
import type { ElementContent, RootContent } from 'hast';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import type { ChangedPassage } from './changes.ts';

/** Elements that are a passage each, unless they hold others. */
const PASSAGES = new Set([
	'p',
	'h2',
	'h3',
	'h4',
	'h5',
	'h6',
	'li',
	'tr',
	'pre',
	'figcaption',
	'dt',
	'dd',
]);

/**
 * Returns the texts of an article's paragraphs, headings, list items, table rows and blocks of code, in order, with the
 * quotation marks that readers see.
 */
export function passagesOf(html: string): string[] {
	const tree = parseHtml(html);
	curlQuotesIn(tree);
	return passagesIn(tree.children);
}

function passagesIn(nodes: (RootContent | ElementContent)[]): string[] {
	return nodes.flatMap((node) => {
		if (node.type === 'element' && holdsPassages(node)) return passagesIn(node.children);
		const text = wordsOf(node).trim();
		return text === '' ? [] : [text];
	});
}

function holdsPassages(node: RootContent | ElementContent): boolean {
	if (node.type !== 'element') return false;
	return node.children.some(
		(child) => child.type === 'element' && (PASSAGES.has(child.tagName) || holdsPassages(child)),
	);
}

/** Returns the words of a node, with the source of its formulas and what its images show. */
function wordsOf(node: RootContent | ElementContent): string {
	if (node.type === 'text') return node.value;
	if (node.type !== 'element') return '';
	const { dataLatex, alt } = node.properties;
	if (typeof dataLatex === 'string') return dataLatex;
	if (node.tagName === 'img') return String(alt ?? '');
	if (node.tagName === 'br') return '\n';
	if (node.tagName !== 'tr') return node.children.map(wordsOf).join('');
	const cells = node.children.filter((cell) => cell.type === 'element');
	return cells.map((cell) => wordsOf(cell).trim()).join(' · ');
}

/** Returns what differs between two lists of passages, in order. What only moved does not. */
export function passagesBetween(before: string[], after: string[]): ChangedPassage[] {
	const parts = diffArrays(before, after);
	const gone = parts.filter(({ removed }) => removed).flatMap(({ value }) => value);
	const come = parts.filter(({ added }) => added).flatMap(({ value }) => value);
	const isGone = notIn(come);
	const isCome = notIn(gone);
	const found: ChangedPassage[] = [];
	let old: string[] = [];
	const pair = (now: string[]) => {
		for (let index = 0; index < Math.max(old.length, now.length); index++)
			found.push({ old: old[index] ?? null, new: now[index] ?? null });
		old = [];
	};
	for (const { value, added, removed } of parts) {
		if (added) pair(value.filter(isCome));
		else pair([]);
		if (removed) old = value.filter(isGone);
	}
	pair([]);
	return found;
}

/** Returns a filter of what a list does not hold, each time that it is asked. */
function notIn(list: string[]): (one: string) => boolean {
	const left = Map.groupBy(list, (one) => one);
	return (one) => left.get(one)?.pop() === undefined;
}
