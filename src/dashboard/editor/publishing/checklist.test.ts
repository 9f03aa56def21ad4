import { expect, test } from 'vitest';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import {
	advise,
	DESCRIPTION,
	formulasOf,
	gradeOf,
	internalLinks,
	MAX_GRADE,
	syllablesOf,
	TITLE,
} from './checklist.ts';
import { problemOf } from '#src/dashboard/editor/article/formula.ts';

const of = (
	id: string,
	form: Partial<PostForm>,
	dead?: Set<string>,
	broken = new Map<string, string>(),
) => advise({ ...emptyForm, ...form }, dead && { dead, broken }).find((point) => point.id === id);

test.each([
	[TITLE.min - 1, false],
	[TITLE.min, true],
	[TITLE.max, true],
	[TITLE.max + 1, false],
])('a title of %i characters is good: %s', (length, good) => {
	expect(of('title', { title: 'x'.repeat(length) })?.good).toBe(good);
	expect(of('title', { title: 'short', metaTitle: 'x'.repeat(length) })?.good).toBe(good);
});

test.each([
	[DESCRIPTION.min - 1, false],
	[DESCRIPTION.min, true],
	[DESCRIPTION.max, true],
	[DESCRIPTION.max + 1, false],
])('a description of %i characters is good: %s', (length, good) => {
	expect(of('description', { excerpt: 'x'.repeat(length) })?.good).toBe(good);
});

test('images without a description, and those of other sites, are told', () => {
	expect(of('images', { content: '<p>None</p>' })).toBeUndefined();
	expect(of('images', { content: '<img src="/a.png" alt="A chart">' })?.good).toBe(true);
	expect(
		of('images', { content: '<img src="/a.png" alt=" "><img src="/b.png" alt="B">' })?.text,
	).toBe('1 image without a description (alt text).');
	expect(of('images', { content: '<img src="https://example.com/a.png" alt="A">' })?.good).toBe(
		false,
	);
});

test('a heading that leaves a level out, or is empty, is told', () => {
	expect(of('headings', { content: '<h2>A</h2><h3>B</h3><h2>C</h2>' })?.good).toBe(true);
	expect(of('headings', { content: '<h3>First</h3>' })?.text).toContain(
		'“First” is a heading of level 3 after one of level 1',
	);
	expect(of('headings', { content: '<h2>A</h2><h4>B</h4>' })?.good).toBe(false);
	expect(of('headings', { content: '<h2> </h2>' })?.text).toBe('A heading is empty.');
	expect(
		of('headings', { content: '<h2 id="footnote-label" class="sr-only">Footnotes</h2>' }),
	).toBeUndefined();
});

test('formulas that cannot be drawn are named with the reason', async () => {
	const formula = (latex: string) => `<span data-type="inline-math" data-latex="${latex}"></span>`;
	const content = `<p>${formula('x^2')}${formula('\\foo')}${formula('\\frac{a}{')}</p>`;
	const broken = new Map<string, string>();
	for (const latex of formulasOf(content)) {
		const problem = await problemOf(latex);
		if (problem) broken.set(latex, problem);
	}
	expect([...broken.keys()]).toEqual(['\\foo', '\\frac{a}{']);
	expect(of('formulas', { content })).toBeUndefined();
	expect(of('formulas', { content }, new Set(), broken)).toEqual({
		id: 'formulas',
		good: false,
		text: 'The formula “\\foo” has a mistake: Unsupported function name: \\foo. 1 other too.',
	});
	expect(of('formulas', { content }, new Set())?.good).toBe(true);
	expect(await problemOf('x^')).toBe('It is not complete');
});

test('links into the site that lead nowhere are told, once it is known', () => {
	const content =
		'<a href="/blog/a#x">a</a> <a href="/blog/b">b</a> <a href="https://example.com">c</a>';
	expect(internalLinks(content)).toEqual(['/blog/a', '/blog/b']);
	expect(of('links', { content })).toBeUndefined();
	expect(of('links', { content }, new Set())?.good).toBe(true);
	expect(of('links', { content }, new Set(['/blog/b']))?.text).toBe(
		'A link leads nowhere: /blog/b',
	);
});

test('footnotes without text or without a mark are told', () => {
	const mark = '<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="">1</a></sup>';
	const notes = (text: string) =>
		`<section data-footnotes=""><ol><li id="fn-1"><p>${text} <a>↩</a></p></li></ol></section>`;
	expect(of('footnotes', { content: mark + notes('A book.') })?.good).toBe(true);
	expect(of('footnotes', { content: mark + notes('') })?.text).toBe('1 footnote without text.');
	expect(of('footnotes', { content: notes('A book.') })?.text).toBe(
		'1 footnote without a mark in the text.',
	);
});

test('the reading level is the Flesch-Kincaid grade', () => {
	const simple = 'The cat sat on the mat. '.repeat(20);
	// 6 words in a sentence, each of one syllable.
	expect(gradeOf(simple)).toBe(Math.round((0.39 * 6 + 11.8 - 15.59) * 10) / 10);
	expect(gradeOf('The cat sat. '.repeat(33))).toBeNull();
	expect(gradeOf('The cat sat on. '.repeat(25))).not.toBeNull();
	const hard = `${'considerable mathematical sophistication '.repeat(12)}. `.repeat(3);
	expect(gradeOf(hard)).toBeGreaterThan(MAX_GRADE);
	expect(of('reading', { content: `<p>${hard}</p>` })?.good).toBe(false);
	expect(of('reading', { content: `<p>${simple}</p><pre><code>${hard}</code></pre>` })?.good).toBe(
		true,
	);
});

test.each([
	['cat', 1],
	['table', 2],
	['made', 1],
	['walked', 1],
	['wanted', 2],
	['mathematical', 5],
	['the', 1],
])('%s has %i syllables', (word, count) => expect(syllablesOf(word)).toBe(count));

test('a figure that cannot be drawn and a link to none are told', () => {
	const block = (language: string, source: string) =>
		`<pre><code class="language-${language}">${source}</code></pre>`;
	const flow = block('mermaid', '%% title: An answer\nflowchart LR\n  A --> B');
	const textOf = (content: string) => of('figures', { content })?.text;
	expect(textOf('<p>No figure</p>')).toBeUndefined();
	expect(textOf(flow)).toBe('1 figure: each can be drawn.');
	expect(textOf(`${flow}<p><a href="#fig-an-answer">see</a></p>`)).toBe(
		'1 figure: each can be drawn.',
	);
	expect(textOf(`${flow}<p><a href="#fig-none">see</a></p>`)).toBe(
		'A link leads to no figure: #fig-none',
	);
	const remote = '{"title": "A", "data": {"url": "/x"}, "mark": "bar"}';
	expect(textOf(flow + block('vega-lite', remote))).toMatch(
		/^A figure cannot be drawn: its data is not inline/,
	);
});

test('blocks that print something else than the text says are told', () => {
	const told = (runs?: { all: number; differing: number }) =>
		advise(emptyForm, { dead: new Set(), broken: new Map(), runs }).find(({ id }) => id === 'runs');
	expect(told()).toBeUndefined();
	expect(told({ all: 0, differing: 0 })).toBeUndefined();
	expect(told({ all: 3, differing: 2 })).toEqual({
		id: 'runs',
		good: false,
		text: '2 blocks print something else than the text says.',
	});
	expect(told({ all: 1, differing: 1 })?.text).toBe(
		'1 block prints something else than the text says.',
	);
	expect(told({ all: 3, differing: 0 })).toMatchObject({
		good: true,
		text: '3 blocks print what the text says.',
	});
});

test('what says nearly the same is named with its address, and does not block', () => {
	const known = { dead: new Set<string>(), broken: new Map<string, string>() };
	const alike = { title: 'Kalman filters', slug: 'kalman-filters' };
	const pointOf = (more: object) =>
		advise(emptyForm, { ...known, ...more }).find(({ id }) => id === 'alike');
	expect(pointOf({ alike })).toEqual({
		id: 'alike',
		good: false,
		text: 'Much like: ',
		link: { text: 'Kalman filters', href: '/blog/kalman-filters' },
	});
	expect(pointOf({ alike: null })).toBeUndefined();
	expect(pointOf({})).toBeUndefined();
});
