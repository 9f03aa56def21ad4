// @vitest-environment jsdom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { useMemo } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { emptyForm } from '#src/features/posts/editing.ts';
import { Checklist, useAdvice } from './Checklist.tsx';

afterEach(() => {
	cleanup();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

function List({ title }: { title: string }) {
	const form = useMemo(
		() => ({ ...emptyForm, title, featuredImage: '/api/media/bridge-1' }),
		[title],
	);
	return <Checklist advice={useAdvice(form, 'p1', false)} />;
}

test('what the server had to say stays while it is asked again', async () => {
	vi.useFakeTimers();
	let alt = '';
	let release = () => {};
	let held = Promise.resolve();
	vi.stubGlobal('fetch', async () => {
		await held;
		return Response.json({ alt });
	});
	const pause = () => act(() => vi.advanceTimersByTimeAsync(1000));
	const words = 'The featured image has no description (alt text).';

	const { rerender } = render(<List title="One" />);
	await pause();
	expect(screen.getByText(words)).toBeTruthy();
	held = new Promise((resolve) => (release = resolve));
	alt = 'A bridge';
	rerender(<List title="Another" />);
	await pause();
	expect(screen.getByText(words)).toBeTruthy();
	release();
	await pause();
	expect(screen.queryByText(words)).toBeNull();
});

test('a link is no longer called dead once its page is there', async () => {
	let status = 404;
	vi.stubGlobal('fetch', async () => new Response(null, { status }));
	const form = { ...emptyForm, content: '<p><a href="/blog/soon">Soon</a></p>' };
	const { result, rerender } = renderHook(({ given }) => useAdvice(given, undefined, false), {
		initialProps: { given: form },
	});
	const isDead = () =>
		result.current.some(({ good, text }) => !good && text.includes('/blog/soon'));
	await vi.waitFor(() => expect(isDead()).toBe(true), { timeout: 5000 });
	status = 200;
	rerender({ given: { ...form, title: 'Another' } });
	await vi.waitFor(() => expect(isDead()).toBe(false), { timeout: 5000 });
});
