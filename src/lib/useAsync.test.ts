// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useAsync } from './useAsync.ts';

afterEach(() => {
	cleanup();
	vi.useRealTimers();
});

/** A hook whose loads end when the test says so. */
function setup(first: string | null, delay?: number) {
	const loads: PromiseWithResolvers<string>[] = [];
	const load = () => {
		const next = Promise.withResolvers<string>();
		loads.push(next);
		return next.promise;
	};
	const { result, rerender, unmount } = renderHook(({ key }) => useAsync(key, load, delay), {
		initialProps: { key: first },
	});
	return {
		loads,
		result,
		unmount,
		show: (key: string | null) => rerender({ key }),
		answer: (index: number, text: string) => act(async () => loads[index]!.resolve(text)),
		fail: (index: number, reason: string) => act(async () => loads[index]!.reject(reason)),
		reload: () => act(() => result.current.reload()),
	};
}

test('it loads at once, and says when it has', async () => {
	const { loads, result, answer } = setup('a');
	expect(loads).toHaveLength(1);
	expect(result.current).toMatchObject({ data: undefined, loading: true });
	await answer(0, 'A');
	expect(result.current).toMatchObject({ data: 'A', error: undefined, loading: false });
});

test('the last data stays while another key is loaded', async () => {
	const { result, show, answer } = setup('a');
	await answer(0, 'A');
	show('b');
	expect(result.current).toMatchObject({ data: 'A', loading: true });
	await answer(1, 'B');
	expect(result.current).toMatchObject({ data: 'B', loading: false });
});

test('a late result never replaces a newer one', async () => {
	const { result, show, answer, fail } = setup('a');
	show('b');
	show('c');
	await answer(2, 'C');
	await answer(0, 'A');
	await fail(1, 'B');
	expect(result.current).toMatchObject({ data: 'C', error: undefined, loading: false });
});

test('a reload while a load runs asks again, and only its answer counts', async () => {
	const { loads, result, answer, reload } = setup('a');
	reload();
	expect(loads).toHaveLength(2);
	await answer(0, 'before');
	expect(result.current).toMatchObject({ data: undefined, loading: true });
	await answer(1, 'after');
	expect(result.current).toMatchObject({ data: 'after', loading: false });
});

test('a failure leaves the last data, and goes with the next success', async () => {
	const { result, answer, fail, reload } = setup('a');
	await answer(0, 'A');
	reload();
	await fail(1, 'No.');
	expect(result.current).toMatchObject({ data: 'A', error: 'No.', loading: false });
	reload();
	expect(result.current).toMatchObject({ data: 'A', error: 'No.', loading: true });
	await answer(2, 'A again');
	expect(result.current).toMatchObject({ data: 'A again', error: undefined, loading: false });
});

test('without a key nothing is loaded', () => {
	const { loads, result, show } = setup(null);
	expect(result.current.loading).toBe(false);
	show('a');
	expect(result.current.loading).toBe(true);
	show(null);
	expect(result.current.loading).toBe(false);
	expect(loads).toHaveLength(1);
});

test('with a delay only the last of several keys is loaded', async () => {
	vi.useFakeTimers();
	const { loads, result, show, answer, unmount } = setup('a', 150);
	show('ab');
	await vi.advanceTimersByTimeAsync(100);
	show('abc');
	await vi.advanceTimersByTimeAsync(149);
	expect(loads).toHaveLength(0);
	expect(result.current.loading).toBe(true);
	await vi.advanceTimersByTimeAsync(1);
	expect(loads).toHaveLength(1);
	await answer(0, 'ABC');
	expect(result.current).toMatchObject({ data: 'ABC', loading: false });
	show('abcd');
	unmount();
	await vi.advanceTimersByTimeAsync(1000);
	expect(loads).toHaveLength(1);
});
