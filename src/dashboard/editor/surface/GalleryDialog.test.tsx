// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import '#tests/support/dialogs.ts';
import { renderSurface } from '#tests/support/surface.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const picture = (name: string) =>
	`<figure>\n<img src="/api/media/${name}" alt="Picture ${name}">\n<figcaption>Caption <em>${name}</em></figcaption>\n</figure>`;
const CONTENT = `<p>First</p>\n<figure data-gallery="">\n${picture('one')}\n${picture('two')}\n</figure>\n<p>Last</p>`;

test('a double click opens the pictures of a gallery; captions stay, and one undo takes the change back', () => {
	const { surface, stored } = renderSurface(CONTENT);
	const gallery = surface.querySelector('.gallery-node')!;
	const dialog = () => within(screen.getByRole('dialog', { name: 'Gallery' }));
	const description = (of: number) =>
		dialog().getByLabelText<HTMLInputElement>(`Description of picture ${of}`);

	// In a caption it selects a word.
	fireEvent.doubleClick(gallery.querySelector('figcaption em')!);
	expect(screen.queryByRole('dialog', { name: 'Gallery' })).toBeNull();

	fireEvent.doubleClick(gallery.querySelector('img')!);
	expect([description(1).value, description(2).value]).toEqual(['Picture one', 'Picture two']);
	fireEvent.change(description(1), { target: { value: 'Changed' } });
	fireEvent.click(dialog().getByRole('button', { name: 'Close' }));
	expect(stored()).toBe(CONTENT);

	fireEvent.click(within(gallery as HTMLElement).getByRole('button', { name: 'Edit' }));
	expect(description(1).value).toBe('Picture one');
	fireEvent.change(description(1), { target: { value: 'The first one' } });
	fireEvent.click(dialog().getByRole('button', { name: 'Move picture 2 forward' }));
	expect(description(2).value).toBe('The first one');
	fireEvent.click(dialog().getByRole('button', { name: 'Change gallery' }));
	expect(stored()).toMatch(
		/alt="Picture two">\s*<figcaption>Caption <em>two<[\s\S]*alt="The first one">\s*<figcaption>Caption <em>one</,
	);
	act(() => void surface.editor.commands.undo());
	expect(stored()).toBe(CONTENT);

	// Enter opens it where it is selected. A gallery without a picture is none, and is not made here.
	act(() => void surface.editor.commands.setNodeSelection(7));
	fireEvent.keyDown(surface, { key: 'Enter' });
	fireEvent.click(dialog().getByRole('button', { name: 'Remove picture 1' }));
	fireEvent.click(dialog().getByRole('button', { name: 'Remove picture 1' }));
	expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Change gallery' }).disabled).toBe(
		true,
	);
});
