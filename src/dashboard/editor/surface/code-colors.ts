import type { Editor } from '@tiptap/core';
import { createLowlight } from 'lowlight';

/** Colors code. It knows no language before `colorCode` has brought them. */
export const lowlight = createLowlight();

/** Colors the code of an article as soon as the languages are there, and what is written later. Without them it stays plain. */
export async function colorCode(editor: Editor): Promise<void> {
	const grammars = await import('./grammars.ts').catch(() => null);
	if (!grammars || editor.isDestroyed) return;
	lowlight.register(grammars.common);
	const { view } = editor;
	// A word that an input method is writing is left alone.
	if (view.composing)
		view.dom.addEventListener('compositionend', () => again(editor), { once: true });
	else again(editor);
}

/** Lets the plugin that colors begin anew: it would not before the code is changed. */
function again(editor: Editor): void {
	if (editor.isDestroyed) return;
	const isIt = (plugin: object) => 'key' in plugin && String(plugin.key).startsWith('lowlight$');
	const plugin = editor.state.plugins.find(isIt);
	if (!plugin) return;
	editor.unregisterPlugin('lowlight');
	editor.registerPlugin(plugin);
}
