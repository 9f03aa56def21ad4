// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReaderCount } from './ReaderCount.tsx';

let count = 0;
let calls = 0;
let hidden = false;

beforeEach(() => {
	[count, calls, hidden] = [0, 0, false];
	vi.useFakeTimers();
	vi.stubGlobal('fetch', async () => {
		calls++;
		return Response.json({ count });
	});
	vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
	cleanup();
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('the count is asked for at once and every 30 seconds', async () => {
	count = 1;
	const { container } = render(<ReaderCount />);
	await pass(0);
	expect(container.textContent).toBe('Join 1 reader');
	count = 1234;
	await pass(29_999);
	expect(calls).toBe(1);
	await pass(1);
	expect(container.textContent).toBe('Join 1,234 readers');
});

test('a page that nobody sees asks nothing', async () => {
	hidden = true;
	render(<ReaderCount />);
	await pass(90_000);
	expect(calls).toBe(0);
});

test('without readers nothing is said', async () => {
	const { container } = render(<ReaderCount />);
	await pass(0);
	expect(container.textContent).toBe('');
});

test('a claim stands until the real figure is higher', async () => {
	count = 10_000;
	const { container } = render(<ReaderCount claim={{ count: 10_000, text: '10,000+ readers' }} />);
	expect(container.textContent).toBe('Join 10,000+ readers');
	await pass(0);
	expect(container.textContent).toBe('Join 10,000+ readers');
	count = 10_001;
	await pass(30_000);
	expect(container.textContent).toBe('Join 10,001 readers');
});

test('a call that fails leaves what is shown', async () => {
	count = 7;
	const { container } = render(<ReaderCount />);
	await pass(0);
	vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
	await pass(30_000);
	expect(container.textContent).toBe('Join 7 readers');
});
