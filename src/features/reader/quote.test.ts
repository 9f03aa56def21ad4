// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { paint } from './highlights.store.ts';
import { contextOf, findQuote, PageText } from './quote.ts';

/** An article of this HTML. */
function article(html: string) {
	document.body.innerHTML = `<article>${html}</article>`;
	const root = document.querySelector('article')!;
	return { root, text: new PageText(root) };
}
const rangeText = (text: PageText, quote: Parameters<typeof findQuote>[1]) => {
	const span = findQuote(text.letters, quote);
	return span && text.range(span).toString();
};

test('a quote is found across inline elements, and exactly it', () => {
	const { text } = article('<p>The <em>soft<b>max</b></em> of <code>QK</code> is a weight.</p>');
	expect(rangeText(text, { text: 'softmax of QK is' })).toBe('softmax of QK is');
});

test('a quote is found whether its quotation marks are straight or curly', () => {
	const { text } = article("<p>It’s “fine”: <code>'a'</code> is said twice. It’s “fine”.</p>");
	for (const quote of [`It's "fine": 'a'`, 'It’s “fine”: ‘a’'])
		expect(rangeText(text, { text: quote })).toBe("It’s “fine”: 'a'");
	const second = { text: 'fine', prefix: `twice.It's"`, suffix: '".' };
	expect(findQuote(text.letters, second)?.start).toBe(text.letters.lastIndexOf('fine'));
});

test('a quote is found across paragraphs, however the browser breaks its lines', () => {
	const { text } = article('<p>The first ends.</p>\n\t<p>The second begins.</p>');
	for (const quote of ['ends.\n\nThe second', 'ends. The second', 'ends.The  second'])
		expect(rangeText(text, { text: quote })?.replace(/\s/g, '')).toBe('ends.Thesecond');
});

test('of a repeated text the one in the same place is found, also where the article grew', () => {
	const { text } = article('<p>One: we add the bias.</p><p>Two: we add the bias, twice.</p>');
	const places = [...text.letters.matchAll(/weaddthebias/g)].map(({ index }) => ({
		start: index,
		end: index + 12,
	}));
	for (const place of places) {
		const quote = { text: 'we add the bias', ...contextOf(text.letters, place) };
		expect(findQuote(text.letters, quote)).toEqual(place);
		const grown = article('<p>New. One: we add the bias.</p><p>Two: we add the bias, twice.</p>');
		expect(findQuote(grown.text.letters, quote)?.start).toBe(place.start + 4);
	}
	expect(findQuote(text.letters, { text: 'we add the bias' })).toEqual(places[0]);
});

test('a text that the article no longer has is not found', () => {
	const { text } = article('<p>The scores are divided.</p>');
	expect(findQuote(text.letters, { text: 'The scores are added.' })).toBeUndefined();
	expect(findQuote(text.letters, { text: ' \n' })).toBeUndefined();
});

test('buttons inside an article are no part of its text', () => {
	const { text } = article('<pre>x = 1<button>Copy</button></pre><p>and then</p>');
	expect(text.letters).toBe('x=1andthen');
	expect(rangeText(text, { text: 'x = 1 and then' })).toBeDefined();
});

test("a selection's letters are those between its ends", () => {
	const { root, text } = article('<p>ab cd <i>ef</i> gh</p>');
	const range = document.createRange();
	range.setStart(root.querySelector('p')!.firstChild!, 2);
	range.setEnd(root.querySelector('i')!.firstChild!, 1);
	expect(text.span(range)).toEqual({ start: 2, end: 5 });
	range.setStart(root.querySelector('p')!.firstChild!, 5);
	range.setEnd(root.querySelector('p')!.firstChild!, 6);
	expect(text.span(range)).toBeUndefined();
});

test('without highlights of its own the browser gets marks, and the text is as before when they go', () => {
	const html = '<p>The <em>softmax</em> of a row sums to one.</p>';
	const { root, text } = article(html);
	const spans = ['softmax of a', 'to one'].map((quote) =>
		findQuote(text.letters, { text: quote })!,
	);
	paint(root, spans);
	const marks = () => [...root.querySelectorAll('mark')].map(({ textContent }) => textContent);
	expect(marks()).toEqual(['softmax', ' of a', 'to one']);
	paint(root, [spans[1]!]);
	expect(marks()).toEqual(['to one']);
	paint(root, []);
	expect(root.innerHTML).toBe(html);
	expect(root.querySelector('p')!.childNodes).toHaveLength(3);
});
