// @vitest-environment jsdom
import { Editor } from '@tiptap/core';
import { expect, test, vi } from 'vitest';
import { pasteInto } from './clipboard.store.ts';
import { surfaceExtensions } from './extensions.ts';

vi.mock('#src/core/articles/markdown.ts', () => {
	throw new Error('offline');
});

test('Markdown whose reader cannot be loaded is pasted as it is', async () => {
	// None of these is in jsdom.
	vi.stubGlobal('ClipboardEvent', Event);
	Element.prototype.scrollIntoView = () => undefined;
	const editor = new Editor({
		element: document.body,
		extensions: surfaceExtensions(() => Promise.resolve('')),
		injectCSS: false,
	});
	const getData = (type: string) => (type === 'text/plain' ? '## Two\n\n- one\n- two' : '');
	pasteInto(editor, { files: [], getData } as unknown as DataTransfer, {
		isPlain: false,
		takesTitle: () => false,
		onTitle: () => undefined,
	});
	await vi.waitFor(() => expect(editor.getText()).toContain('## Two'));
	expect(editor.getText()).toContain('- two');
	editor.destroy();
});
