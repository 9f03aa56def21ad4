// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Surface, type SurfaceHandle } from './Surface.tsx';
import '#tests/support/dialogs.ts';

afterEach(cleanup);

const PICTURE =
	'<figure>\n<img src="/api/media/one" alt="One">\n<figcaption>Its <em>caption</em></figcaption>\n</figure>';
const CONTENT = `<p>First</p>\n${PICTURE}\n<p>Last</p>`;

test('a picture that is clicked is deleted by a key, and one undo brings it back with its caption', () => {
	const ref = createRef<SurfaceHandle>();
	let html = CONTENT;
	const nothing = () => {};
	render(
		<Surface
			ref={ref}
			content={CONTENT}
			onChange={(next) => (html = next)}
			takesTitle={() => false}
			onTitle={nothing}
			onSource={nothing}
			onHelp={nothing}
		/>,
	);
	const surface = document.querySelector<HTMLElement & { editor: Editor }>('.article-surface')!;
	// Nothing is laid out here.
	surface.editor.view.setProps({ handleScrollToSelection: () => true });
	const stored = () => {
		act(() => ref.current!.sync());
		return html;
	};
	act(() => void fireEvent.click(surface.querySelector('img')!));
	expect(surface.querySelector('figure')!.hasAttribute('data-selected')).toBe(true);
	act(() => void fireEvent.keyDown(surface, { key: 'Backspace' }));
	expect(stored()).toBe('<p>First</p>\n<p>Last</p>');
	act(() => void surface.editor.commands.undo());
	expect(stored()).toBe(CONTENT);
});
