import { readNotes } from '#src/core/figures/notes.ts';
import { shorten } from '#src/lib/text.ts';
import { campaignLink, type Sender } from './campaign.ts';

/** Code in a block, on its own lines. */
const FENCES = /^( *(?:> ?)*)(`{3,}|~{3,})([\w-]*)[^\n]*\n([\s\S]*?)^\1\2`*$/gm;
/** An escaped sign, or what has no escapes: code and formulas. */
const ESCAPES = /(`+)[\s\S]*?\1|(\${1,2})[^$]*\2|\\([!-/:-@[-`{-~])/g;

/**
 * Returns an article's Markdown as the text of an email: paths become addresses of the sender's site, figures their title
 * and their description, and nothing is escaped.
 */
export function plainText(markdown: string, sender: Sender): string {
	let text = '';
	let from = 0;
	for (const fence of markdown.matchAll(FENCES)) {
		const [block, , , language = '', source = ''] = fence;
		text += wordsOf(markdown.slice(from, fence.index), sender);
		text += figureWords(language, source) ?? block;
		from = fence.index + block.length;
	}
	return (text + wordsOf(markdown.slice(from), sender)).trim();
}

function wordsOf(markdown: string, { siteUrl, campaign, page }: Sender): string {
	return (
		markdown
			// A picture without words, as a card has one.
			.replace(/!\[\]\([^)]*\) ?/g, '')
			.replace(/^((?:> ?)+)\[!(?:FIGURE|GALLERY|EMBED)[^\]]*\](?:\n(?:> ?)+| )?/gm, '$1')
			.replace(/^((?:> ?)+)\[!(\w)(\w*)\]/gm, (_, quote: string, first: string, rest: string) => {
				return `${quote}${first}${rest.toLowerCase()}:`;
			})
			.replace(/\]\((\/(?!\/)|#)([^)\s]*)/g, (link, start: string, rest: string) => {
				const path = start === '#' ? page && `${page}#${rest}` : `/${rest}`;
				return path ? `](${campaignLink(siteUrl + path, campaign)}` : link;
			})
			.replace(ESCAPES, (all, _tick, _dollar, sign?: string) => sign ?? all)
	);
}

/** Returns title and description of a figure that is a block of code, or null. */
function figureWords(language: string, source: string): string | null {
	if (language !== 'vega-lite' && language !== 'mermaid') return null;
	const { title, description } = language === 'mermaid' ? readNotes(source) : plotWords(source);
	const told = [title && `Figure: ${title}`, description];
	return told.filter(Boolean).join('\n') || null;
}

/** Returns title and description of a plot that stand on lines of their own, whether or not the rest can be read. */
function plotWords(source: string): Partial<Record<string, string>> {
	const lines = source.matchAll(
		/^[^\S\n]*"(title|description)":[^\S\n]*("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")/gimu,
	);
	const words = Array.from(lines, ([, name, text]): [string, string] => [
		name!,
		String(JSON.parse(text!)),
	]);
	return Object.fromEntries(words.toReversed());
}

/** Returns the beginning of a text of an email for an inbox: in one line, without addresses and marks. */
export function previewOf(text: string): string {
	const line = text
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^((#{1,6}|[>*-]|\d+\.)( +|$))+/gm, '')
		.replace(/\*+|`+/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	return shorten(line, 120);
}
