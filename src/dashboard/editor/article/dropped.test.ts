import { expect, test } from 'vitest';
import { findDropped } from './dropped.ts';

test('nothing is dropped of what an article may hold', () => {
	expect(
		findDropped(
			'<h2>A</h2>\n<p>b <strong>c</strong> <a href="/x">d</a></p>\n<aside data-callout="tip"><p>e</p></aside>\n' +
				'<figure data-explainer="dice"><figcaption>f</figcaption></figure>',
		),
	).toEqual([]);
});

test('what is dropped is told with its line', () => {
	expect(
		findDropped(
			'<p>a</p>\n<script>alert(1)</script>\n<p style="color:red" onclick="x()">b</p>\n<!-- c -->\n<aside data-callout="odd">d</aside>\n<a href="javascript:x">e</a>',
		),
	).toEqual([
		{ line: 2, what: '<script>' },
		{ line: 3, what: 'style of <p>' },
		{ line: 3, what: 'onclick of <p>' },
		{ line: 4, what: 'A comment' },
		{ line: 5, what: 'data-callout of <aside>' },
		{ line: 6, what: 'href of <a>' },
	]);
});
