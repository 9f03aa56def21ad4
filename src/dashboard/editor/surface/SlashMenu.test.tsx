// @vitest-environment jsdom
import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Command } from './commands.ts';
import { SlashMenu } from './SlashMenu.tsx';
import '#tests/support/dialogs.ts';

let editor: Editor;
afterEach(() => {
	cleanup();
	// It looks at its text a moment after each change, and then there may be no document any more.
	editor.destroy();
});

function open() {
	editor = new Editor({ element: document.createElement('div'), extensions: [StarterKit] });
	const here = { left: 0, right: 0, top: 0, bottom: 0 };
	vi.spyOn(editor.view, 'coordsAtPos').mockReturnValue(here);
	const run = vi.fn();
	const commands = ['Code', 'Callout'].map((label): Command => ({
		...{ id: label, label, icon: { text: label.slice(0, 2) }, slash: true },
		run: () => run(label),
	}));
	const keys = { current: (_event: KeyboardEvent) => false };
	render(<SlashMenu editor={editor} commands={commands} keys={keys} />);
	const press = (key: string) => keys.current(new KeyboardEvent('keydown', { key }));
	return { editor, run, press };
}

test('a key that comes before the menu is shown chooses from it', () => {
	const { editor, run, press } = open();
	act(() => {
		editor.commands.insertContent('/c');
		expect(screen.queryByRole('listbox')).toBeNull();
		expect(press('ArrowDown')).toBe(true);
		expect(press('Enter')).toBe(true);
	});
	expect(run.mock.calls).toEqual([['Callout']]);
	expect(editor.getText()).toBe('');
	expect(screen.queryByRole('listbox')).toBeNull();
	expect(press('Enter')).toBe(false);
});

test('closed by Escape it stays closed until another one is begun', () => {
	const { editor, press } = open();
	act(() => {
		editor.commands.insertContent('/c');
	});
	expect(screen.getByRole('listbox')).toBeTruthy();
	act(() => {
		expect(press('Escape')).toBe(true);
		expect(press('Enter')).toBe(false);
	});
	act(() => {
		editor.commands.insertContent('o');
	});
	expect(screen.queryByRole('listbox')).toBeNull();
	act(() => {
		editor.commands.insertContent(' /c');
	});
	expect(screen.getByRole('listbox')).toBeTruthy();
});
