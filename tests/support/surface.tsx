import type { Editor } from '@tiptap/core';
import { act, render } from '@testing-library/react';
import { createRef } from 'react';
import { Surface, type SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';

/** Shows an article in the editor. Returns its element, and what reads the article as it would be stored. */
export function renderSurface(content: string) {
	const ref = createRef<SurfaceHandle>();
	let html = content;
	const nothing = () => {};
	render(
		<Surface
			ref={ref}
			content={content}
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
	return { surface, stored };
}
