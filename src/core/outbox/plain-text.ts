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
	return markdown
		.replace(/^((?:> ?)+)\[!(?:FIGURE|GALLERY|EMBED)[^\]]*\](?:\n(?:> ?)+| )?/gm, '$1')
		.replace(/^((?:> ?)+)\[!(\w)(\w*)\]/gm, (_, quote: string, first: string, rest: string) => {
			return `${quote}${first}${rest.toLowerCase()}:`;
		})
		.replace(/\]\((\/(?!\/)|#)([^)\s]*)/g, (link, start: string, rest: string) => {
			const path = start === '#' ? page && `${page}#${rest}` : `/${rest}`;
			return path ? `](${campaignLink(siteUrl + path, campaign)}` : link;
		})
		.replace(ESCAPES, (all, _tick, _dollar, sign?: string) => sign ?? all);
}

/** Returns title and description of a figure that is a block of code, or null. */
function figureWords(language: string, source: string): string | null {
	const words =
		language === 'vega-lite'
			? [...source.matchAll(/^\s*"(title|description)":\s*("(?:[^"\\]|\\.)*")/gm)]
			: language === 'mermaid'
				? [...source.matchAll(/^\s*%%\s*(title|description):\s*(.+)$/gm)]
				: [];
	const wordOf = (name: string) => {
		const word = words.find(([, found]) => found === name)?.[2]?.trim() ?? '';
		return word.startsWith('"') ? String(JSON.parse(word)) : word;
	};
	const told = [wordOf('title') && `Figure: ${wordOf('title')}`, wordOf('description')];
	return told.filter(Boolean).join('\n') || null;
}

/** Returns the beginning of a text of an email for an inbox: in one line, without addresses and marks. */
export function previewOf(text: string): string {
	const line = text
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^(#{1,6}|[>*-]|\d+\.) +/gm, '')
		.replace(/\*+|`+/g, '')
		.replace(/\s+/g, ' ')
		.trim();
	return shorten(line, 120);
}
