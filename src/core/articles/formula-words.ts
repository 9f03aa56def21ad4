import type { Element, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';

/** Signs that stand between spaces: relations, and operations between two things. */
const SPACED = /^[=≠<>≤≥≈≡∼∝∈∉→←⇒⟹⟸⇔±+−×÷⋅·∣≪≫]$/u;
const SUPERSCRIPTS = new Map(
	Object.entries({ '−': '⁻', '+': '⁺', '⊤': 'ᵀ', '′': '′', '⋆': '*', n: 'ⁿ', i: 'ⁱ' }),
);
const SUBSCRIPTS = new Map(Object.entries({ '+': '₊', '−': '₋' }));
for (const [digit, sign] of [...'⁰¹²³⁴⁵⁶⁷⁸⁹'].entries()) SUPERSCRIPTS.set(String(digit), sign);
for (const [digit, sign] of [...'₀₁₂₃₄₅₆₇₈₉'].entries()) SUBSCRIPTS.set(String(digit), sign);
for (const [at, letter] of [...'aehijklmnoprstuvx'].entries())
	SUBSCRIPTS.set(letter, [...'ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ'][at]!);

/** Returns a formula in MathML on one line, as people type it: "√d", "k₁ = 1.2", "(a + 1)/b". */
export function formulaWords(math: Element): string {
	return wordsOf(math)
		.replace(/\s+/g, ' ')
		.replace(/ (?=[,.;)])/g, '')
		.trim();
}

function wordsOf(node: ElementContent): string {
	if (node.type !== 'element') return '';
	const parts = node.children.filter((child) => child.type === 'element');
	const [first, second, third] = parts.map(wordsOf);
	switch (node.tagName) {
		case 'mo': {
			const sign = plain(node);
			if (sign === ',') return ', ';
			// Between no two things it belongs to what comes next.
			return SPACED.test(sign) && node.properties.form !== 'prefix' ? ` ${sign} ` : sign;
		}
		case 'mi':
		case 'mn':
			return plain(node);
		case 'mtext':
			return toString(node).replace(/\u00a0/g, ' ');
		case 'mspace':
			return ' ';
		case 'mfrac':
			return node.properties.linethickness === undefined
				? `${grouped(first)}/${grouped(second)}`
				: `${first} over ${second}`;
		case 'msqrt':
			return `√${grouped(parts.map(wordsOf).join(''))}`;
		case 'mroot':
			return `${raised(second)}√${grouped(first)}`;
		case 'msup':
			return `${first}${raised(second)}`;
		case 'msub':
		case 'munder':
			return `${first}${lowered(second)}`;
		case 'msubsup':
		case 'munderover':
			return `${first}${lowered(second)}${raised(third)}`;
		case 'mover':
			// An accent.
			return first ?? '';
		case 'mtr':
			return parts.map(wordsOf).join(' ');
		case 'mtable':
			return parts.map(wordsOf).join('; ');
		default:
			return joined(parts);
	}
}

/** Names and numbers that stand side by side are apart: "QK", but "log n" and "2 cos x". */
function joined(parts: Element[]): string {
	let text = '';
	for (const part of parts) {
		const next = wordsOf(part);
		const isName = /[\p{L}\d)]$/u.test(text) && /^(?:\p{Lu}|\p{Ll}){2}/u.test(next);
		const isAfterName = /(?:\p{Lu}|\p{Ll}){2}$/u.test(text) && /^[\p{L}\d√]/u.test(next);
		text += isName || isAfterName ? ` ${next}` : next;
	}
	return text;
}

/** Letters of mathematics as plain ones, without signs that are not seen. */
const plain = (node: Element) =>
	toString(node)
		.normalize('NFKC')
		.replace(/[\u2061-\u2064]/g, '');

/** In parentheses where it is more than one thing. */
function grouped(words = ''): string {
	const text = words.trim();
	return /^√?[\p{L}\p{No}\d.,]+$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

const raised = (words = '') => scripted(words, SUPERSCRIPTS, '^');
const lowered = (words = '') => scripted(words, SUBSCRIPTS, '_');

function scripted(words: string, signs: ReadonlyMap<string, string>, mark: string): string {
	const text = words.trim();
	const found = [...text].map((sign) => signs.get(sign));
	if (found.every((sign) => sign !== undefined)) return found.join('');
	return `${mark}${grouped(text)}`;
}
