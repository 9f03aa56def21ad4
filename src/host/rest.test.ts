import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE } from '#src/lib/dates.ts';
import { collectAtRest } from './rest.ts';

const MB = 2 ** 20;
let size: number;

beforeEach(() => {
	vi.useFakeTimers();
	size = 100 * MB;
	// Half of what there is can go.
	vi.stubGlobal(
		'gc',
		vi.fn(() => void (size /= 2)),
	);
	onTestFinished(() => {
		vi.useRealTimers();
		vi.unstubAllGlobals();
	});
});

test('a process at rest gives back what it needs no more, and not again until there is more', () => {
	collectAtRest(() => size);
	expect(globalThis.gc).not.toHaveBeenCalled();
	vi.advanceTimersByTime(MINUTE);
	expect(globalThis.gc).toHaveBeenCalledTimes(1);
	size += 15 * MB;
	vi.advanceTimersByTime(10 * MINUTE);
	expect(globalThis.gc).toHaveBeenCalledTimes(1);
	size += 5 * MB;
	vi.advanceTimersByTime(MINUTE);
	expect(globalThis.gc).toHaveBeenCalledTimes(2);
});

test('a process at work does not stop for it, and one that is only watched does', () => {
	const onRequest = collectAtRest(() => size);
	for (let second = 0; second < 5 * 60; second++) {
		onRequest();
		onRequest();
		vi.advanceTimersByTime(1000);
	}
	expect(globalThis.gc).not.toHaveBeenCalled();
	for (let second = 0; second < 2 * 60; second++) {
		if (second % 5 === 0) onRequest();
		vi.advanceTimersByTime(1000);
	}
	expect(globalThis.gc).toHaveBeenCalledTimes(1);
});
