import { expect, test } from 'vitest';
import { passagesBetween, passagesOf } from './passages.ts';

test('the passages of an article are its paragraphs, items, rows and blocks of code', () => {
	const html = `<h2>Title</h2><p>A <em>paragraph</em> with <span data-type="inline-math" data-latex="x^2"></span>.</p>
		<ul><li>One<ul><li>Inner</li></ul></li><li><p>Two</p></li></ul>
		<table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>
		<pre><code>one\ntwo</code></pre><blockquote><p>Said</p></blockquote><div data-type="block-math" data-latex="y"></div>
		<figure><img src="/a.png" alt="A dog"><figcaption>Its dog</figcaption></figure>`;
	expect(passagesOf(html)).toEqual([
		...['Title', 'A paragraph with x^2.', 'One', 'Inner', 'Two', 'a · b', '1 · 2', 'one\ntwo'],
		...['Said', 'y', 'A dog', 'Its dog'],
	]);
});

test('a passage has the quotation marks that readers see, so that other ones are no change', () => {
	const straight = `<p>It's "<em>so</em>".</p><pre><code>it's</code></pre>`;
	const curly = `<p>It’s “<em>so</em>”.</p><pre><code>it's</code></pre>`;
	expect(passagesOf(straight)).toEqual(['It’s “so”.', "it's"]);
	expect(passagesBetween(passagesOf(straight), passagesOf(curly))).toEqual([]);
});

test.each([
	['nothing', 'a b c', 'a b c', []],
	['an edit', 'a b c', 'a x c', [['b', 'x']]],
	[
		'what came and what went',
		'a b',
		'x a',
		[
			[null, 'x'],
			['b', null],
		],
	],
	['a move', 'a b c', 'c a b', []],
	['a move and an edit', 'a b c d', 'd a x c', [['b', 'x']]],
	['one of two equal ones', 'a b a', 'b a', [['a', null]]],
])('between two texts it finds %s', (_what, before, after, expected) => {
	const found = passagesBetween(before.split(' '), after.split(' '));
	expect(found.map((passage) => [passage.old, passage.new])).toEqual(expected);
});
