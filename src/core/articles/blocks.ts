import { toString } from 'hast-util-to-string';
import { mergeLists, type Merged } from '#src/lib/merge.ts';
import { parseHtml, writeArticle } from './sanitize.ts';

/** Returns the top-level blocks of an article, each as HTML. */
export function blocksOf(html: string): string[] {
	return parseHtml(html)
		.children.map((child) => writeArticle({ type: 'root', children: [child] }).trim())
		.filter((block) => block !== '');
}

/** Returns the words of HTML, blocks in lines of their own. */
export function textOf(html: string): string {
	return parseHtml(html)
		.children.map((child) =>
			child.type === 'element' ? toString(child) : 'value' in child ? child.value : '',
		)
		.map((text) => text.replace(/\s*\n\s*/g, '\n').trim())
		.filter(Boolean)
		.join('\n\n');
}

/** Merges what two sides made of an article, block by block. */
export function mergeArticles(base: string, mine: string, theirs: string): Merged<string> {
	if (base === theirs) return { value: mine, isDisputed: false };
	if (base === mine) return { value: theirs, isDisputed: false };
	const { value, isDisputed } = mergeLists(blocksOf(base), blocksOf(mine), blocksOf(theirs));
	return { value: value.join('\n'), isDisputed };
}
