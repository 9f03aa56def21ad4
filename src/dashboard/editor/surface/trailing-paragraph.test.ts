// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import type { Editor } from '@tiptap/core';
import { closeArticle } from '#src/dashboard/editor/article/article.ts';
import { openSurface } from '#tests/support/surface.ts';
import { insertFigure, replaceFigure } from './commands.ts';

let editor: Editor;
afterEach(() => editor.destroy());

/** Types as a browser does, which asks the plugins first. */
function type(text: string) {
	for (const sign of text) {
		const { view } = editor;
		const { from, to } = view.state.selection;
		const insert = () => view.state.tr.insertText(sign, from, to);
		const isTaken = view.someProp('handleTextInput', (take) => take(view, from, to, sign, insert));
		if (!isTaken) view.dispatch(insert());
	}
}
const written = () => closeArticle(editor.state.doc).replaceAll('\n', '');

test('what is typed after a figure was inserted or changed stands below it', () => {
	editor = openSurface('<p>Before</p><p>After</p>');
	editor.commands.setTextSelection(7);
	editor.commands.splitBlock();
	insertFigure(editor, 'mermaid', 'graph LR');
	type('Next');
	const figure = '<pre><code class="language-mermaid">graph LR</code></pre>';
	expect(written()).toBe(`<p>Before</p>${figure}<p>Next</p><p>After</p>`);

	let at = -1;
	editor.state.doc.descendants((node, pos) => {
		if (node.type.name === 'codeBlock') at = pos;
	});
	replaceFigure(editor, at, 'graph TB');
	type('Then');
	expect(written()).toBe(
		`<p>Before</p>${figure.replace('LR', 'TB')}<p>Then</p><p>Next</p><p>After</p>`,
	);
});

test.each(['paste', 'compositionstart'])('%s leaves a selected block as it is', (event) => {
	editor = openSurface('<p>Before</p><hr><p></p>');
	editor.commands.setNodeSelection(8);
	editor.view.dom.dispatchEvent(new Event(event, { bubbles: true, cancelable: true }));
	expect(editor.state.selection.$from.parent.type.name).toBe('paragraph');
	editor.commands.insertContent('Pasted');
	expect(written()).toBe('<p>Before</p><hr><p>Pasted</p>');
});
