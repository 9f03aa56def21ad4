import { escapeHtml } from '#src/lib/text.ts';
import { withCode } from './wordpress-code.ts';
import { withFootnotes } from './wordpress-notes.ts';
import { withParagraphs } from './wordpress-paragraphs.ts';
import { plainText } from './foreign-html.ts';

/** A file that a post of WordPress may show by its number. */
export type Attachment = { url: string; alt: string; caption: string };
type Report = (kind: string, what: string, detail?: string) => void;

/** Elements that are shown as they stand, and no paragraph is made of. */
const WHOLE =
	/<(script|style|svg|object|video|audio|iframe|select|math|noscript|template|textarea)\b[^]*?<\/\1>/gi;

/** The HTML that WordPress makes of what it stores; `footnotes` is the field of the post that has their words. */
export function contentOf(
	stored: string,
	attachments: Map<string, Attachment>,
	footnotes: string,
	report: Report,
): string {
	const kept: string[] = [];
	// A block is told by another sign than what stands within a line.
	const keep = (html: string, isInline = false) => {
		const sign = isInline ? '\u0002' : '\u0001';
		return `${sign}${kept.push(html) - 1}${sign}`;
	};
	const source = stored.replace(/\r\n?/g, '\n').replace(/[\u0001\u0002]/g, '');
	const hasBlocks = /<!--\s*wp:/.test(source);
	const code = withCode(source, keep, report);
	const text = withFormulas(withFootnotes(code, footnotes, report), report)
		.replace(/<!--\s*(more|nextpage)\b[^]*?-->/g, (_, name: string) => {
			if (name === 'more') report('more tag', 'Left out: lists show the excerpt');
			else report('page break', 'Left out: a post is one page');
			return '';
		})
		.replace(/<!--\s*wp:([\w/-]+)\b(?:(?!-->)[^])*\/-->/g, (_, name: string) => {
			report(
				'block',
				'Left out: WordPress draws it itself, and the file holds nothing of it',
				name,
			);
			return '';
		})
		.replace(/<!--[^]*?-->/g, '')
		.replace(WHOLE, (html) => keep(html));
	const html = withParagraphs(withShortcodes(text, attachments, report), hasBlocks);
	return html.replace(
		/[\u0001\u0002](\d+)[\u0001\u0002]/g,
		(_, index: string) => kept[Number(index)] ?? '',
	);
}

/** Shortcodes of WordPress itself as HTML; those of plugins stay as they are written. */
function withShortcodes(
	source: string,
	attachments: Map<string, Attachment>,
	report: Report,
): string {
	const block = (html: string) => `\n\n${html}\n\n`;
	const attribute = (given: string, ...names: string[]) => {
		for (const name of names) {
			const [, quoted, bare] =
				new RegExp(`\\b${name}=(?:["']([^"']*)["']|([^\\s"'\\]]+))`).exec(given) ?? [];
			if (quoted ?? bare) return quoted ?? bare!;
		}
		return '';
	};
	const html = source
		.replace(
			/\[caption\b([^\]]*)\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*?)\[\/caption\]/g,
			(_, given: string, image: string, caption: string) =>
				block(
					`<figure>${image}<figcaption>${caption.trim() || attribute(given, 'caption')}</figcaption></figure>`,
				),
		)
		.replace(/\[gallery\b([^\]]*)\]/g, (tag, given: string) => {
			const found = attribute(given, 'ids', 'include')
				.split(',')
				.map((id) => attachments.get(id.trim()))
				.filter((one) => one !== undefined);
			if (found.length === 0) return tag;
			report('gallery', 'Its images stand one below the other');
			return block(
				found
					.map(
						({ url, alt, caption }) =>
							`<figure><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"><figcaption>${escapeHtml(caption)}</figcaption></figure>`,
					)
					.join('\n'),
			);
		})
		.replace(
			/\[(video|audio)\b([^\]]*)\](?:([^[]*)\[\/\1\])?/g,
			(tag, name: string, given: string, inside: string | undefined) => {
				const address =
					attribute(given, 'src', 'mp4', 'm4v', 'webm', 'ogv', 'mp3', 'm4a', 'ogg', 'wav') ||
					/https?:\/\/[^\s"'\]]+/.exec(`${given} ${inside ?? ''}`)?.[0];
				return address ? block(`<${name} src="${escapeHtml(address)}"></${name}>`) : tag;
			},
		)
		.replace(/\[embed\b[^\]]*\]\s*(https?:[^\s[]+)\s*\[\/embed\]/g, (_, address: string) =>
			block(address),
		)
		.replace(/\[playlist\b([^\]]*)\]/g, (tag, given: string) => {
			const found = attribute(given, 'ids')
				.split(',')
				.map((id) => attachments.get(id.trim()))
				.filter((one) => one !== undefined);
			return found.length > 0
				? block(found.map(({ url }) => `<audio src="${escapeHtml(url)}"></audio>`).join('\n\n'))
				: tag;
		})
		.replace(
			/\[(?:youtube|vimeo|dailymotion|soundcloud|tweet|instagram)\b[^\]]*?(https?:[^\s"'\]]+)[^\]]*\]/g,
			(_, address: string) => block(address),
		);
	for (const [tag] of html.matchAll(/\[[a-z][\w-]*(?:\s[^\]\n]*)?\](?!\()/gi)) {
		report('shortcode', 'Stays as it is written', tag.slice(0, 100));
	}
	return html;
}

const inline = (latex: string) =>
	`<span data-type="inline-math" data-latex="${escapeHtml(latex)}"></span>`;
const block = (latex: string) =>
	`<div data-type="block-math" data-latex="${escapeHtml(latex)}"></div>`;

/** Options of a formula of WordPress, such as "&bg=ffffff&s=2". */
const OPTIONS = /(?:&(?:amp;|#0?38;)?(?:bg|fg|s)=[\w-]+)+\s*$/;

/** Returns a text of WordPress with the formulas of its plugins as our articles hold them. */
function withFormulas(
	source: string,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	const formula = (latex: string, isBlock: boolean) => {
		const text = plainText(latex.replace(OPTIONS, '')).trim();
		if (text === '') return '';
		report('formula', '');
		return isBlock ? `\n\n${block(text)}\n\n` : inline(text);
	};
	return source
		.replace(/\[latexpage\]/gi, () => {
			report('shortcode', 'Left out: formulas are shown without it', '[latexpage]');
			return '';
		})
		.replace(/\$latex\s+((?:\\\$|[^$])*?)\s*\$/g, (_, latex: string) => formula(latex, false))
		.replace(
			/\[(latex|tex|katex|math)((?:\s[^\]]*)?)\]([^]*?)\[\/\1\]/gi,
			(_, __, given: string, latex: string) =>
				formula(latex, /display\s*=\s*["']?(?:true|1|block)/i.test(given)),
		)
		.replace(/\$\$((?:(?!\$\$|\n\s*\n)[^])+?)\$\$/g, (all, latex: string) =>
			// Of money, for example, two signs are no formula.
			/[\\^_={}+]/.test(latex) ? formula(latex, true) : all,
		)
		.replace(/\\\[((?:(?!\\\]|\n\s*\n)[^])+?)\\\]/g, (_, latex: string) => formula(latex, true))
		.replace(/\\\(((?:(?!\\\)|\n\s*\n)[^])+?)\\\)/g, (_, latex: string) => formula(latex, false))
		.replace(/\\begin\{(equation|align|gather|multline)(\*?)\}[^]*?\\end\{\1\2\}/g, (latex) =>
			formula(latex, true),
		);
}
