import { asciiSlug } from '#src/lib/slug.ts';

/** Names of boxes of other programs, and what they are here. */
const BOXES: Record<string, string> = {
	info: 'NOTE',
	note: 'NOTE',
	abstract: 'NOTE',
	details: 'NOTE',
	message: 'NOTE',
	primary: 'NOTE',
	default: 'NOTE',
	quote: 'NOTE',
	example: 'NOTE',
	tip: 'TIP',
	hint: 'TIP',
	success: 'TIP',
	important: 'IMPORTANT',
	warning: 'WARNING',
	caution: 'WARNING',
	attention: 'WARNING',
	danger: 'CAUTION',
	error: 'CAUTION',
	failure: 'CAUTION',
	bug: 'CAUTION',
	seealso: 'NOTE',
	admonition: 'NOTE',
};
const boxOf = (name: string) => BOXES[name.toLowerCase()] ?? 'NOTE';
type Report = (kind: string, what: string, detail?: string) => void;

/** A block of code, or code within a line. */
const CODE =
	/^( {0,3}(`{3,}|~{3,}))[^]*?(?:^ {0,3}\2[`~]*[ \t]*$|(?![^]))|(`+)(?!`)[^]*?[^`]\3(?!`)/gm;

/** Returns code in a fence of its own lines, wherever the tag stood that begins at this place. */
export function fenced(
	language: string,
	code: string,
	{ source, at, tag }: { source: string; at: number; tag: string },
): string {
	const isFirst = at === 0 || source[at - 1] === '\n';
	const isLast = /^(?:\n|$)/.test(source.slice(at + tag.length, at + tag.length + 1));
	return `${isFirst ? '' : '\n\n'}~~~~~ ${language}\n${code}\n~~~~~${isLast ? '' : '\n\n'}`;
}

/**
 * Returns Markdown without what only Hugo, Docusaurus, Obsidian, MkDocs, Hexo, kramdown, Pandoc, MyST, Quarto, GitBook,
 * HackMD, Hashnode and Notion understand. Code stays as
 * it is.
 */
export function withoutDialects(source: string, report: Report): string {
	const kept: string[] = [];
	const keep = (code: string): string => {
		// A box of MyST is in the signs of code.
		const [, kind = '', title = '', inside = ''] =
			/^ {0,3}[`~]{3,}\{([a-z]+)\}[ \t]*([^\n]*)\n(?:[ \t]*:[\w-]+:[^\n]*\n)*([^]*?)\n?[ \t]*[`~]+[ \t]*$/.exec(
				code,
			) ?? [];
		if (!(kind in BOXES)) return `\u0003${kept.push(code) - 1}\u0003`;
		return `\n::::: ${kind} ${title}\n${inside.replace(CODE, keep)}\n:::::\n`;
	};
	const text = source
		.replace(
			/\{\{[<%]\s*highlight\s+"?([\w+#-]+)"?[^]*?[%>]\}\}\n?([^]*?)\n?[ \t]*\{\{[<%]\s*\/\s*highlight\s*[%>]\}\}/g,
			(tag: string, language: string, code: string, at: number) => {
				report('template tag', 'Is a code block', `highlight ${language}`);
				return fenced(language, code, { source, at, tag });
			},
		)
		.replace(CODE, keep)
		// Boxes of MyST in colons, and drawings of Azure DevOps.
		.replace(/^(:{3,})[ \t]*\{([a-z]+)\}[ \t]*([^\n]*)$/gm, (all, signs: string, kind, title) =>
			(kind as string) in BOXES ? `${signs} ${kind as string} ${title as string}` : all,
		)
		.replace(/^:{3,}[ \t]*mermaid[ \t]*\n([^]*?)^:{3,}[ \t]*$/gm, (_, drawing: string) =>
			keep(`~~~ mermaid\n${drawing}~~~`),
		);
	const ids = new Map<string, string>();
	const headed = text.replace(
		/^( {0,3}#{1,6}[ \t].*?)[ \t]*\{:?[ \t]*#([\w:.-]+)[ \t]*\}[ \t]*$/gm,
		(_, heading: string, id: string) => {
			report('heading', 'Its id is made of its words, and links lead there', `#${id}`);
			const words = heading.replace(
				/\u0003(\d+)\u0003/g,
				(__, at: string) => kept[Number(at)] ?? '',
			);
			ids.set(id, asciiSlug(words) || 'section');
			return heading;
		},
	);
	const linked = headed.replace(
		/(\]\(<?|\bhref=")#([\w:.-]+)/g,
		(all, before: string, id: string) => (ids.has(id) ? `${before}#${ids.get(id)!}` : all),
	);
	// In a box each line of a block has the box's own sign before it.
	return inWords(withBoxes(linked, report), report).replace(
		/^((?:> ?)*)(.*?)\u0003(\d+)\u0003|\u0003(\d+)\u0003/gm,
		(_, sign = '', words = '', first?: string, other?: string) => {
			const code = kept[Number(first ?? other)] ?? '';
			return (sign as string) + (words as string) + code.replaceAll('\n', `\n${sign as string}`);
		},
	);
}

function inWords(text: string, report: Report): string {
	const left =
		(kind: string, what: string, made: (...parts: string[]) => string) =>
		(all: string, ...parts: unknown[]) => {
			report(kind, what, all.slice(0, 100));
			return made(...parts.map((part) => (typeof part === 'string' ? part : '')));
		};
	return (
		text
			// Hugo
			.replace(
				/\{\{<\s*figure\s+((?:(?!>\}\})[^])*)>\}\}/g,
				left('template tag', 'Is a picture', (given) => {
					const [src, alt, caption] = ['src', 'alt', 'caption|title'].map(
						(name) => new RegExp(`\\b(?:${name})\\s*=\\s*"([^"]*)"`).exec(given)?.[1] ?? '',
					);
					return `\n\n<figure><img src="${src}" alt="${alt}"><figcaption>${caption}</figcaption></figure>\n\n`;
				}),
			)
			.replace(
				/\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s%>]+)"?\s*[%>]\}\}/g,
				left('template tag', 'Is written out', (name) =>
					/^[./#]/.test(name) || /\.mdx?/.test(name) ? name : `${name}.md`,
				),
			)
			.replace(
				/\{\{<\s*youtube\s+(?:id=)?"?([\w-]+)"?[^>]*>\}\}/g,
				left(
					'template tag',
					'Kept as a link',
					(id) => `\n\nhttps://www.youtube.com/watch?v=${id}\n\n`,
				),
			)
			.replace(
				/\{\{<\s*vimeo\s+(?:id=)?"?(\d+)"?[^>]*>\}\}/g,
				left('template tag', 'Kept as a link', (id) => `\n\nhttps://vimeo.com/${id}\n\n`),
			)
			.replace(
				/\{\{<\s*gist\s+"?([\w-]+)"?\s+"?(\w+)"?[^>]*>\}\}/g,
				left(
					'template tag',
					'Kept as a link',
					(who, id) => `\n\nhttps://gist.github.com/${who}/${id}\n\n`,
				),
			)
			// A list of contents, which each article has by itself.
			.replace(
				/^[ \t]*(?:[*-][^\n]*\n\{:toc\}|\[TOC\]|\[\[_?toc_?\]\]|\$\{toc\}|\{\{[<%]?\s*toc\s*[%>]?\}\})[ \t]*$/gim,
				left('list of contents', 'Left out: an article has one of its own', () => ''),
			)
			// Obsidian
			.replace(
				/!\[\[([^\]|#\n]+\.(?:png|jpe?g|gif|webp|avif|svg))(?:\|([^\]\n]*))?\]\]/gi,
				(_, name: string, said = '') => {
					const alt = /^\d+(x\d+)?$/.test(said as string) ? '' : (said as string);
					report('wiki link', 'Is a picture', name);
					return `![${alt}](<${name.trim()}>)`;
				},
			)
			.replace(
				/!?\[\[(?=[^\s\]])([^\]|#\n]*)(#[^\]|\n]*)?(?:\|([^\]\n]*))?\]\]/g,
				left(
					'wiki link',
					'Is a link',
					(name, _, said) => `[${(said || name).trim()}](<${name.trim()}.md>)`,
				),
			)
			.replace(
				/(?<![=\w])==(?=\S)([^=\n]+?)(?<=\S)==(?![=\w])/g,
				left('mark', '', (words) => `<mark>${words}</mark>`),
			)
			.replace(
				/%%[^]*?%%|\{\/\*[^]*?\*\/\}/g,
				left('comment in the text', 'Left out: nobody was to read it', () => ''),
			)
			// Hashnode
			.replace(
				/^%\[(https?:[^\]\s]+)\]/gm,
				left('embed', 'Kept as a link', (address) => address),
			)
			// Hashnode and HackMD: the place or size of a picture, in its address.
			.replace(
				/(\]\([^\s()<>]+)[ \t]+(?:align="\w*"|=\d*x\d*)(?=\s|\))/g,
				left('attribute', 'Left out: the look of a part', (before) => before),
			)
			// A link that nobody can see.
			.replace(/(?<!!)\[\]\((https?:[^\s()]+)\)/g, '<$1>')
			// Pandoc and markdown-it: H~2~O, x^2^.
			.replace(
				/(?<=[\p{L})])(?:~(\p{N}{1,4}|\p{L}{1,4}(?=~(?![\p{L}\p{N}])))~(?!~)|\^([+-]?[\p{L}\p{N}]{1,6}[+-]?)\^(?![\p{L}\p{N}^]))/gu,
				left('letters below or above the line', '', (below, above) =>
					below ? `<sub>${below}</sub>` : `<sup>${above}</sup>`,
				),
			)
			// Pandoc: words with a look.
			.replace(
				/(?<![\]!\\])\[([^[\]\n]+)\]\{\.[^}\n]*\}/g,
				left('attribute', 'Left out: the look of a part', (words) => words),
			)
			// kramdown and Pandoc: the look of a picture or of words. Ids of headings are the site's own matter.
			.replace(
				/(?<=[)\]*`])\{:?\s*(?=[.\w#])(?:[.#][\w:-]+|[\w-]+=(?:"[^"\n]*"|[\w%.-]+)|\s)+\}/g,
				left('attribute', 'Left out: the look of a part', () => ''),
			)
	);
}

/** Boxes of Obsidian (> [!note]- Title), Docusaurus and VuePress (:::), MkDocs (!!!), Hexo, Hugo's themes and Notion as our callouts. */
function withBoxes(source: string, report: Report): string {
	const box = (kind: string, given: string, inside: string, sign: string) => {
		report('box', 'Is a callout', sign);
		// Quarto has the title as a heading in the box.
		const [heading = '', first = ''] = given.trim()
			? []
			: (/^\s*#{1,6}[ \t]+([^\n]+?)[ \t#]*(?:\n|$)/.exec(inside) ?? []);
		const title = given.trim() || first;
		const body = inside.slice(heading.length);
		const head = title ? `**${title}**\n\n` : '';
		const lines = `${head}${body.replace(/^\n+|\s+$/g, '')}`.split('\n');
		return `\n> [!${boxOf(kind)}]\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
	};
	// In capitals it is our own, in which words follow at once.
	let text = source.replace(
		/^((?:> ?)+)\[!(?:([a-z]+)\]|([A-Z]+)\](?=[+-]))[+-]?[ \t]*([^\n]*)$/gm,
		(_, sign: string, small = '', large = '', title: string) => {
			const kind = (small || large) as string;
			report('box', 'Is a callout', `[!${kind}]`);
			const head = title.trim() ? `\n${sign}**${title.trim()}**\n${sign.trimEnd()}` : '';
			return `${sign}[!${boxOf(kind)}]${head}`;
		},
	);
	text = text.replace(
		/^(:{3,})[ \t]*\{[^}\n]*\.callout-([a-z]+)(?:[^}\n]*\btitle="([^"\n]*)")?[^}\n]*\}[ \t]*$/gm,
		(_, signs: string, kind: string, title = '') => `${signs} ${kind} ${title as string}`,
	);
	// The innermost first.
	for (let round = 0; round < 5; round++) {
		const before = text;
		text = text.replace(
			/^(:{3,})[ \t]*([a-z]+)(?:\[([^\]\n]*)\]|[ \t]+([^\n{]*))?(?:\{[^}\n]*\})?[ \t]*\n((?:(?!^:{3,})[^])*?)^\1[ \t]*$/gim,
			(_, __, kind: string, one = '', two = '', body: string) =>
				box(kind, (one as string) || (two as string), body, `:::${kind}`),
		);
		if (text === before) break;
	}
	return text
		.replace(
			/^(?:!!!|\?\?\?\+?)[ \t]+([a-z]+)(?:[ \t]+"([^"\n]*)")?[^\n]*\n((?:(?: {4}|\t)[^\n]*\n?|[ \t]*\n(?= {4}|\t))+)/gim,
			(_, kind: string, title = '', body: string) =>
				box(kind, title as string, body.replace(/^(?: {4}|\t)/gm, ''), `!!! ${kind}`),
		)
		.replace(
			/\{%-?\s*(note|hint|alert|callout|admonition)\s*(?:(?:style|type)\s*=\s*)?"?([a-z]*)[^%]*%\}\n?([^]*?)\{%-?\s*end\1\s*-?%\}/g,
			(_, name: string, kind: string, body: string) => box(kind, '', body, `{% ${name} %}`),
		)
		.replace(
			/\{\{[<%]\s*(notice|admonition|alert|callout|hint|note|warning|tip)\s*(?:(?:type\s*=\s*)?"?([a-z]*)"?)?[^>%]*[>%]\}\}\n?([^]*?)\{\{[<%]\s*\/\s*\1\s*[>%]\}\}/g,
			(_, name: string, kind: string, body: string) =>
				box(kind || name, '', body, `{{< ${name} >}}`),
		)
		.replace(/^<aside>\s*\n([^]*?)\n\s*<\/aside>[ \t]*$/gm, (_, body: string) =>
			box('note', '', body, '<aside>'),
		);
}
