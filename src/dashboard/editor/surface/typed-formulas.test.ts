// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { afterEach, expect, test } from 'vitest';
import { closeArticle } from '#src/dashboard/editor/article/article.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { openSurface } from '#tests/support/surface.ts';

let editor: Editor;
function open(html: string) {
	editor = openSurface(html);
	editor.commands.setTextSelection(editor.state.doc.firstChild!.nodeSize - 1);
}
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
const written = () =>
	closeArticle(editor.state.doc)
		.replaceAll('\n', '')
		.replace(/<p><\/p>$/, '');
const formula = (latex: string) => `<span data-type="inline-math" data-latex="${latex}"></span>`;

test.each([
	['so $a_1$ is', `so ${formula('a_1')} is`],
	['$E=mc^2$ at $50, the $n$th', `${formula('E=mc^2')} at $50, the ${formula('n')}th`],
	['It costs $5 where $x$ is 2', `It costs $5 where ${formula('x')} is 2`],
	['so $$x$$ here', `so ${formula('x')} here`],
	['so \\(x+1\\) here', `so ${formula('x+1')} here`],
	['$5 and $10', '$5 and $10'],
	['US$5-US$10, C$7–C$9', 'US$5-US$10, C$7–C$9'],
	['5$ or 6$, $ and $', '5$ or 6$, $ and $'],
	['~$5/($6+$7)', '~$5/($6+$7)'],
	['a $ b $ c', 'a $ b $ c'],
	['a \\$5$ b', 'a \\$5$ b'],
])('“%s” is what it is when it is pasted', async (text, expected) => {
	open('<p></p>');
	type(text);
	expect(written()).toBe(`<p>${expected}</p>`);
	// An escape is a sign of Markdown, which typed text keeps.
	if (!text.startsWith('a \\$')) expect(written()).toBe(await markdownToHtml(text));
});

test('undo and Backspace give back what was typed, and only that', () => {
	open('<p></p>');
	type('so $x$');
	expect(written()).toBe(`<p>so ${formula('x')}</p>`);
	editor.commands.undo();
	expect(written()).toBe('<p>so $x$</p>');
	type(' is typed');
	expect(written()).toBe('<p>so $x$ is typed</p>');
	type(' and $y$');
	editor.commands.keyboardShortcut('Backspace');
	expect(written()).toBe('<p>so $x$ is typed and $y$</p>');
	type(', $z$, then');
	editor.commands.undo();
	expect(written()).toBe(`<p>so $x$ is typed and $y$, ${formula('z')}</p>`);
	editor.commands.undo();
	expect(written()).toBe('<p>so $x$ is typed and $y$, $z$</p>');
});

test('two dollar signs on a line of their own are a formula of its own, elsewhere they are not', () => {
	open('<p></p>');
	type('$$');
	expect(editor.state.doc.firstChild!.type.name).toBe('blockMath');
	editor.commands.undo();
	expect(written()).toBe('<p>$$</p>');
	open('<p>a</p>');
	type(' $$');
	expect(written()).toBe('<p>a $$</p>');
	open('<pre><code>a</code></pre>');
	type('$x$');
	expect(written()).toContain('a$x$');
});
