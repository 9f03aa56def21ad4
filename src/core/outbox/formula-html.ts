import type { Element, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { element, text } from '#src/lib/hast.ts';

/** Marks over a letter, as the combining characters that put them there. */
const ACCENTS: Record<string, string> = {
	'^': '\u0302',
	ˆ: '\u0302',
	'¯': '\u0304',
	'‾': '\u0304',
	'~': '\u0303',
	'˜': '\u0303',
	'˙': '\u0307',
	'→': '\u20d7',
	'⃗': '\u20d7',
};
/** Operators that stand between spaces. */
const SPACED = /^(?:[=<>≤≥≪≫≈≃≡≠∼∝∈∉⊂⊆→←↦⇒⇔+−±×·⋅÷∪∩∧∨∣]|:=)$/;

/**
 * Returns a formula as HTML for email, which knows no MathML: italics, subscripts and superscripts, fractions and roots on
 * one line. Takes a `math` element.
 */
export function formulaHtml(math: Element): Element {
	return element('span', {}, inLine(math));
}

function inLine(node: ElementContent, index = 0): ElementContent[] {
	if (node.type !== 'element') return node.type === 'text' ? [node] : [];
	const parts = node.children.filter((child): child is Element => child.type === 'element');
	const [first, second, third] = parts;
	const part = (child: Element | undefined) => (child ? inLine(child) : []);
	const script = (tag: 'sub' | 'sup', child: Element | undefined) => element(tag, {}, part(child));
	switch (node.tagName) {
		case 'mi': {
			const name = toString(node);
			const isItalic = /^\p{L}$/u.test(name) && node.properties.mathvariant !== 'normal';
			return [isItalic ? element('i', {}, [text(name)]) : text(name)];
		}
		case 'mo': {
			const sign = toString(node);
			return [text(index > 0 && SPACED.test(sign) ? ` ${sign} ` : sign)];
		}
		case 'mspace':
			return [text(' ')];
		case 'annotation':
			return [];
		case 'msub':
		case 'munder':
			return [...part(first), script('sub', second)];
		case 'msup':
			return [...part(first), script('sup', second)];
		case 'mover': {
			const accent = second && ACCENTS[toString(second).trim()];
			return accent ? [...part(first), text(accent)] : [...part(first), script('sup', second)];
		}
		case 'msubsup':
		case 'munderover':
			return [...part(first), script('sub', second), script('sup', third)];
		case 'mfrac':
			return [...grouped(first), text('/'), ...grouped(second)];
		case 'msqrt':
			return [text('√('), ...parts.flatMap(inLine), text(')')];
		case 'mroot':
			return [script('sup', second), text('√('), ...part(first), text(')')];
		case 'mtr':
			return parts.flatMap((cell, at) => [...(at > 0 ? [text(' ')] : []), ...inLine(cell)]);
		case 'mtable':
			return parts.flatMap((row, at) => [...(at > 0 ? [text('; ')] : []), ...inLine(row)]);
		default:
			return node.children.length > parts.length
				? [text(toString(node))]
				: parts.flatMap((child, at) => inLine(child, at));
	}
}

/** Returns a part of a fraction, in brackets where it has more than one sign. */
function grouped(node: Element | undefined): ElementContent[] {
	if (!node) return [];
	const isWhole = /^[\p{L}\p{N}.,\p{M}]+$/u.test(toString(node).trim());
	return isWhole ? inLine(node) : [text('('), ...inLine(node), text(')')];
}
