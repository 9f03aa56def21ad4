import { escapeHtml } from '#src/lib/text.ts';
import { plainText } from './foreign-html.ts';

const inline = (latex: string) =>
	`<span data-type="inline-math" data-latex="${escapeHtml(latex)}"></span>`;
const block = (latex: string) =>
	`<div data-type="block-math" data-latex="${escapeHtml(latex)}"></div>`;

/** Options of a formula of WordPress, such as "&bg=ffffff&s=2". */
const OPTIONS = /(?:&(?:amp;|#0?38;)?(?:bg|fg|s)=[\w-]+)+\s*$/;

/** Returns a text of WordPress with the formulas of its plugins as our articles hold them. */
export function withFormulas(
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
