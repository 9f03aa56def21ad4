import { expect, test } from 'vitest';
import { renderArticle } from './render.ts';

const wordsIn = async (latex: string) =>
	(await renderArticle(`<p><span data-type="inline-math" data-latex="${latex}"></span></p>`)).text;

test.each([
	['\\sqrt{d}', '√d'],
	['\\sqrt{p(1-p)}', '√(p(1 − p))'],
	['k_1 = 1.2', 'k₁ = 1.2'],
	['10^{-9}', '10⁻⁹'],
	['x_i^2', 'xᵢ²'],
	['e^{x/T}', 'e^(x/T)'],
	['\\frac{a + 1}{b}', '(a + 1)/b'],
	['\\mathrm{softmax}\\!\\left(\\frac{QK^{\\top}}{\\sqrt{d}} + M\\right)V', 'softmax(QKᵀ/√d + M)V'],
	['\\sum_{i=1}^{d} \\mathrm{Var}(q_i k_i) = d', '∑_(i = 1)^d Var(qᵢkᵢ) = d'],
	['\\log n', 'log n'],
	['2 - 2\\cos(a, b)', '2 − 2 cos(a, b)'],
	['-b/t', '−b/t'],
	['\\overline{x} \\le \\mathbf{y}', 'x ≤ y'],
	['t \\ge c_{\\text{FP}}', 't ≥ c_FP'],
	['\\begin{aligned} a &= 1 \\\\ b &= 2 \\end{aligned}', 'a = 1; b = 2'],
	['12{,}000', '12,000'],
])('%s is read as %s', async (latex, words) => {
	expect(await wordsIn(latex)).toBe(words);
});

test('the words of an article have its formulas where they stand, and addresses of headings do not', async () => {
	const formula = '<span data-type="inline-math" data-latex="\\sqrt{d}"></span>';
	const { text, headings } = await renderArticle(
		`<h2>Why ${formula}</h2><p>The scores are divided by ${formula}, because sums grow.</p>`,
	);
	expect(text).toBe('Why √d\nThe scores are divided by √d, because sums grow.');
	expect(headings).toEqual([{ depth: 2, slug: 'why', text: 'Why √d' }]);
});
