// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { FigureForm } from './FigureForm.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const form = (source: string | null, onInsert: (source: string) => void = () => {}) => (
	<FigureForm language="mermaid" source={source} missing="" button="Insert" onInsert={onInsert}>
		<input aria-label="Source" />
	</FigureForm>
);
const insert = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Insert' });

test('a figure that the server does not draw can be tried again, and be put in undrawn', async () => {
	let answer: () => Promise<Response> = () => Promise.reject(new TypeError('No line'));
	vi.stubGlobal('fetch', () => answer());
	const onInsert = vi.fn<(source: string) => void>();
	const { rerender } = render(form('graph TD', onInsert));
	expect(insert().disabled).toBe(true);
	const again = await screen.findByRole('button', { name: 'Try again' });
	expect(insert().disabled).toBe(false);
	await userEvent.click(insert());
	expect(onInsert).toHaveBeenCalledExactlyOnceWith('graph TD');
	answer = async () => Response.json({ html: '<figure class="drawn">A drawing</figure>' });
	await userEvent.click(again);
	await screen.findByText('A drawing');
	expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
	rerender(form(null));
	await waitFor(() => expect(insert().disabled).toBe(true));
});

test('one that is refused for what it says cannot be put in', async () => {
	vi.stubGlobal('fetch', async () =>
		Response.json({ html: '<figure>Line 1 is no graph</figure>' }),
	);
	render(form('nonsense'));
	await screen.findByText('Line 1 is no graph');
	expect(insert().disabled).toBe(true);
});
