// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { afterEach, expect, test } from 'vitest';
import { closeArticle } from '#src/dashboard/editor/article/article.ts';
import { openSurface } from '#tests/support/surface.ts';
import { find, findingOf, selectMatch, replaceAll, replaceOne, closeFind } from './find.ts';

let editor: Editor;
function open(html: string) {
	editor = openSurface(html);
	return {
		seek: (query: string, matchCase = false) => find(editor, { query, matchCase }),
		found: () => {
			const { matches, current } = findingOf(editor.state);
			return [
				current + 1,
				...matches.map(({ from, to }) => editor.state.doc.textBetween(from, to)),
			];
		},
		html: () => closeArticle(editor.state.doc).replaceAll('\n', ''),
	};
}
afterEach(() => editor.destroy());

const ARTICLE =
	'<h2>A model</h2><p>The <strong>Mod</strong>el is a MODEL<sup>2</sup>.</p><pre><code>model = 1\n</code></pre><table><tbody><tr><td>model</td></tr></tbody></table>';

test('words are found in all kinds of blocks, through marks, with or without their case', () => {
	const { seek, found } = open(ARTICLE);
	seek('model');
	expect(found()).toEqual([1, 'model', 'Model', 'MODEL', 'model', 'model']);
	seek('model', true);
	expect(found()).toEqual([1, 'model', 'model', 'model']);
	seek('a.b(');
	expect(found()).toEqual([1]);
	seek('');
	expect(found()).toEqual([1]);
});

test('one goes on from place to place, around the ends, and ends on what was found', () => {
	const { seek, found } = open(ARTICLE);
	seek('model');
	selectMatch(editor, -1);
	expect(found()[0]).toBe(5);
	selectMatch(editor, 1);
	selectMatch(editor, 1);
	expect(found()[0]).toBe(2);
	closeFind(editor);
	const { from, to } = editor.state.selection;
	expect(editor.state.doc.textBetween(from, to)).toBe('Model');
	expect(found()).toEqual([1]);
});

test('what is replaced keeps its marks, and what replaces it is not found again', () => {
	const { seek, found, html } = open('<p>a <strong>cat</strong> and a cat</p>');
	seek('cat');
	replaceOne(editor, 'cat-like cat');
	expect(found()).toEqual([3, 'cat', 'cat', 'cat']);
	replaceOne(editor, 'dog');
	expect(html()).toBe('<p>a <strong>cat-like cat</strong> and a dog</p>');
});

test('everything is replaced at once and taken back in one step', () => {
	const { seek, html } = open(ARTICLE);
	const before = html();
	editor.commands.insertContentAt(1, 'x');
	seek('model');
	expect(replaceAll(editor, 'sample')).toBe(5);
	expect(html()).not.toMatch(/model/i);
	expect(html()).toContain('sample = 1');
	editor.commands.undo();
	expect(html()).toBe(before.replace('A model', 'xA model'));
	seek('model');
	replaceAll(editor, '');
	expect(html()).toContain('<p>The  is a ');
});
