// @vitest-environment jsdom
import { act, cleanup, fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '#tests/support/dialogs.ts';
import { renderSurface } from '#tests/support/surface.tsx';

afterEach(cleanup);

const PICTURE =
	'<figure>\n<img src="/api/media/one" alt="One">\n<figcaption>Its <em>caption</em></figcaption>\n</figure>';
const CONTENT = `<p>First</p>\n${PICTURE}\n<p>Last</p>`;

test('a picture that is clicked is deleted by a key, and one undo brings it back with its caption', () => {
	const { surface, stored } = renderSurface(CONTENT);
	act(() => void fireEvent.click(surface.querySelector('img')!));
	expect(surface.querySelector('figure')!.hasAttribute('data-selected')).toBe(true);
	act(() => void fireEvent.keyDown(surface, { key: 'Backspace' }));
	expect(stored()).toBe('<p>First</p>\n<p>Last</p>');
	act(() => void surface.editor.commands.undo());
	expect(stored()).toBe(CONTENT);
});

test('code is colored when the languages have come, and nothing else changes', async () => {
	const code = '<pre><code class="language-python">def one():\n    return 1</code></pre>';
	const { surface, stored } = renderSurface(`<p>First</p>\n${code}`);
	const { editor } = surface;
	act(() => void editor.commands.insertContentAt(1, 'Very '));
	act(() => void editor.commands.setTextSelection(3));
	await expect.poll(() => surface.querySelector('.hljs-keyword')?.textContent).toBe('def');
	expect(editor.state.selection.from).toBe(3);
	expect(stored()).toBe(`<p>Very First</p>\n${code}`);
	act(() => void editor.commands.undo());
	expect(stored()).toBe(`<p>First</p>\n${code}`);
	expect(editor.can().undo()).toBe(false);
});
