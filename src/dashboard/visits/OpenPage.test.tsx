// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { OPEN_FIGURES } from '#src/core/settings/setting.ts';
import { DESCRIBED } from '#src/features/visits/visits.ts';
import { OpenPage } from './OpenPage.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('a second choice goes on from the first, whether that is stored yet or not', async () => {
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
		if (init?.method === 'GET') return Response.json({ openFigures: [], version: 1 });
		sent.push((JSON.parse(init?.body as string) as { openFigures: string[] }).openFigures);
		return Response.json({ openFigures: sent.at(-1), version: 1 + sent.length });
	});
	render(<OpenPage />);
	const [first, second] = OPEN_FIGURES;
	fireEvent.click(await screen.findByLabelText(DESCRIBED[first].title));
	fireEvent.click(screen.getByLabelText(DESCRIBED[second].title));
	await vi.waitFor(() => expect(sent).toEqual([[first], [first, second]]));
});
