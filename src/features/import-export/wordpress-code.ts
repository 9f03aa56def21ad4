import { escapeHtml } from '#src/lib/text.ts';
import { plainText } from './foreign-html.ts';

/** Names of languages that are shortcodes or classes of their own, and what they are called here. */
const SHORT: Record<string, string> = {
	js: 'javascript',
	jscript: 'javascript',
	py: 'python',
	rb: 'ruby',
	ps: 'powershell',
	'c#': 'csharp',
	'c++': 'cpp',
	cplusplus: 'cpp',
	golang: 'go',
	shell: 'bash',
	sh: 'bash',
	html: 'html',
	xhtml: 'html',
	yml: 'yaml',
	plain: '',
	plaintext: '',
	text: '',
	txt: '',
	none: '',
	default: '',
};
/** Shortcodes that are named after the language of their code. */
const LANGUAGES =
	'actionscript3|bash|clojure|cpp|csharp|css|delphi|diff|erlang|fsharp|go|groovy|html|java|javascript|js|json|julia|kotlin|matlab|objc|perl|php|plain|powershell|python|py|r|ruby|rust|scala|shell|sql|swift|typescript|vb|xml|yaml';
const CODE_IN_HTML = new RegExp(
	[
		/<!--\s*wp:(?<block>[\w/-]+)\s+(?<json>\{(?:(?!-->)[^])*?\})\s*-->\s*(?=(?:<(?:div|figure)\b[^>]*>\s*)*<pre\b)/
			.source,
		/<pre\b(?<attributes>[^>]*)>(?<inner>[^]*?)<\/pre>/.source,
		/<code\b(?<codeAttributes>[^>]*)>(?<code>[^]*?)<\/code>/.source,
		`(?<!\\[)\\[(?<name>code|sourcecode|source|cc|ccn|cce|ccb|crayon|pastacode|highlight|(?:cc|ccn|cce)_\\w+|${LANGUAGES})(?<given>(?:[ =][^\\]]*)?)\\](?<source>[^]*?)\\[\\/\\k<name>\\]`,
		'(?<!\\[)\\[(?<short>cci|ccie)(?<shortGiven>(?: [^\\]]*)?)\\](?<shortSource>[^]*?)\\[\\/\\k<short>\\]',
	].join('|'),
	'gi',
);

/**
 * Returns a text of WordPress with its code as our articles hold it: whatever plugin showed it, it keeps its language, its lines
 * and its indentation. `keep` puts aside what no other rule may look into.
 */
export function withCode(
	source: string,
	keep: (html: string, isInline?: boolean) => string,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	/** Language of the next element, as the block around it has it. */
	let named = '';
	return source.replace(CODE_IN_HTML, (all: string, ...rest: unknown[]) => {
		const groups = rest.at(-1) as Record<string, string | undefined>;
		if (groups['json'] !== undefined) {
			named = languageIn(groups['json']);
			return '';
		}
		if (groups['inner'] !== undefined) {
			const language = named || ofElement(groups['attributes'] ?? '', groups['inner']);
			named = '';
			return keep(
				blockOf(groups['inner'], language, isRaw(groups['attributes'] ?? '', groups['inner'])),
			);
		}
		const shortcode = groups['name'] ?? groups['short'];
		if (shortcode === undefined) {
			const code = groups['code'] ?? '';
			if (!code.trim().includes('\n')) return keep(all, true);
			return keep(blockOf(code, ofElement(groups['codeAttributes'] ?? '', ''), false));
		}
		const text = groups['source'] ?? groups['shortSource'] ?? '';
		const isInline = groups['short'] !== undefined;
		// A word in brackets is no shortcode where what is around it is the same line of words.
		if (shortcode.toLowerCase() === 'highlight' && !text.includes('\n')) return all;
		report('shortcode', isInline ? 'Is code' : 'Is a code block', `[${shortcode}]`);
		const language =
			ofGiven(groups['given'] ?? groups['shortGiven'] ?? '') || ofShortcode(shortcode);
		const code = text.replace(/<\/?p>|<br\s*\/?>\n?/gi, (tag) => (/^<br/i.test(tag) ? '\n' : ''));
		if (isInline) return keep(`<code>${literal(code)}</code>`, true);
		const inside = /^\s*<pre\b[^>]*>([^]*)<\/pre>\s*$/i.exec(code)?.[1] ?? code;
		return `\n\n${keep(preOf(literal(trimLines(inside)), language))}\n\n`;
	});
}

function languageIn(json: string): string {
	try {
		const { language, lang, codeLanguage } = JSON.parse(json) as Record<string, unknown>;
		return nameOf([language, lang, codeLanguage].find((one) => typeof one === 'string') as string);
	} catch {
		return '';
	}
}

/** The language that an element's attributes or those of the code in it name. */
function ofElement(attributes: string, inner: string): string {
	const [, inside = ''] = /^\s*<code\b([^>]*)>/i.exec(inner) ?? [];
	for (const given of [attributes, inside]) {
		const value = (name: string) =>
			new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(given)?.slice(1).find(Boolean) ??
			'';
		const classes = value('class');
		const named =
			value('data-enlighter-language') ||
			value('data-language') ||
			value('data-lang') ||
			value('lang') ||
			/\bbrush:\s*([\w+#-]+)/i.exec(classes)?.[1] ||
			/(?:^|\s)lang(?:uage)?[-:]([\w+#-]+)/i.exec(classes)?.[1] ||
			/(?:^|\s)hljs\s+([\w+#-]+)/i.exec(classes)?.[1] ||
			new RegExp(`(?:^|\\s)(${LANGUAGES})(?:\\s|$)`, 'i').exec(classes)?.[1];
		if (named) return nameOf(named);
	}
	return '';
}

const ofGiven = (given: string) =>
	nameOf(
		/\b(?:lang(?:uage)?|type)\s*=\s*["'“”]?([\w+#-]+)|^=\s*["']?([\w+#-]+)/i
			.exec(given)
			?.slice(1)
			.find(Boolean),
	);

function ofShortcode(name: string): string {
	const language = /^cc[ne]?_(\w+)$/i.exec(name)?.[1] ?? name;
	return /^(code|sourcecode|source|cc|ccn|cce|ccb|crayon|pastacode|highlight)$/i.test(language)
		? ''
		: nameOf(language);
}

function nameOf(language = ''): string {
	const name = language.toLowerCase();
	return SHORT[name] ?? name;
}

/** Whether a block's text is code as it is typed, and no HTML: so does GeSHi read what is not marked as escaped. */
function isRaw(attributes: string, inner: string): boolean {
	return (
		/\blang=/i.test(attributes) &&
		!/\bescaped=/i.test(attributes) &&
		!/&(lt|gt|amp);/.test(inner) &&
		!/^\s*<code\b/i.test(inner)
	);
}

function blockOf(inner: string, language: string, raw: boolean): string {
	if (raw) return preOf(escapeHtml(trimLines(inner)), language);
	// Elements in it are those of a highlighter; the words are the code.
	const text = plainLines(inner);
	return preOf(escapeHtml(text), language);
}

const preOf = (code: string, language: string) =>
	`<pre><code${language && ` class="language-${escapeHtml(language)}"`}>${code}</code></pre>`;

/** Code as it was typed, which a form may have escaped once. */
function literal(code: string): string {
	return escapeHtml(/&(lt|gt|amp|quot|#\d+);/.test(code) ? decoded(code) : code);
}

const decoded = (code: string) =>
	plainText(code.replaceAll('<', '&lt;').replace(/^/, 'x')).slice(1);

const plainLines = (inner: string) => trimLines(plainText(`x${inner}`).slice(1));

/** Text without empty lines at its ends; the indentation of its first line stays. */
const trimLines = (text: string) => text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
