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

test('ids to which no link of the article leads are told of, and what is made flat', () => {
	expect(
		findDropped(
			'<p id="lost">a</p>\n<h2 id="kept">b</h2>\n<p><a href="#kept">c</a></p>\n<ul>\n<li id="also-lost">d</li></ul>\n<p><span id="inside">e</span></p>',
		),
	).toEqual([
		{ line: 1, what: 'id of <p>' },
		{ line: 5, what: 'id of <li>' },
		{ line: 6, what: 'id of <span>' },
	]);
});
