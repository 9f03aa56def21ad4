// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Timeline } from './Timeline.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('a page that was live is not called gone before somebody has looked', async () => {
	vi.stubGlobal('fetch', async (url: string) =>
		url === '/blog/quorums' ? new Response('<p data-digest="abc">') : Response.json([]),
	);
	const path = '/blog/quorums';
	const { container, rerender } = render(
		<Timeline publication={{ savedAt: 1, path, digest: 'abc' }} />,
	);
	await screen.findByRole('link', { name: path });

	const shown: string[] = [];
	const record = (changes: MutationRecord[]) => {
		for (const { oldValue, addedNodes } of changes) {
			shown.push(oldValue ?? '', ...[...addedNodes].map((node) => node.textContent ?? ''));
		}
	};
	const observer = new MutationObserver(record);
	observer.observe(container, {
		subtree: true,
		childList: true,
		characterData: true,
		characterDataOldValue: true,
	});
	rerender(<Timeline publication={{ savedAt: 2, path, digest: null }} />);
	record(observer.takeRecords());
	expect(shown.join(' ')).toContain('Waiting for the build to begin');
	expect(shown.join(' ')).not.toContain('is gone');
});
