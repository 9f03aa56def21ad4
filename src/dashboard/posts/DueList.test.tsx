// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DueList } from './DueList.tsx';

vi.mock('#src/dashboard/editor/publishing/programs.ts', () => {
	throw new Error('offline');
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('code that cannot be loaded is told of, and can be run again', async () => {
	const due = {
		sources: [],
		figures: [],
		programs: [{ id: 'p1', title: 'Quorums' }],
		feedback: [],
		asksReaders: false,
	};
	vi.stubGlobal('fetch', async () => Response.json(due));
	render(<DueList />);
	fireEvent.click(await screen.findByRole('button', { name: 'Run the code of 1 article' }));
	expect(await screen.findByText('Its code could not be run.')).toBeDefined();
	expect(screen.getByText('Done.')).toBeDefined();
});
