// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $isHeld } from '#src/core/builds/held.store.ts';
import { EarlierBuildNote } from './Dashboard.tsx';

let isHeld: boolean;
beforeEach(() => {
	vi.stubGlobal('fetch', async () => Response.json({ builds: [], isHeld, isElsewhere: false }));
});
afterEach(cleanup);

test('while readers see an earlier build, every screen says so', async () => {
	isHeld = true;
	render(<EarlierBuildNote />);
	expect(await screen.findByText(/Readers see an earlier build/)).toBeTruthy();
	const link = screen.getByRole('link', { name: 'Go back to the newest content' });
	expect(link.getAttribute('href')).toBe('?tab=settings&part=Earlier+builds');
});

test('as soon as they see the newest again, nothing is said', async () => {
	isHeld = false;
	$isHeld.set(true);
	render(<EarlierBuildNote />);
	expect(screen.getByRole('link')).toBeTruthy();
	await vi.waitFor(() => expect(screen.queryByRole('link')).toBeNull());
});
