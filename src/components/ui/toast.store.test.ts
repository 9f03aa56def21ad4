import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissToast, holdToast, isSwipe, toast, $toasts } from './toast.store.ts';

const open = () => $toasts.get().filter((one) => one.open);

beforeEach(() => {
	vi.useFakeTimers();
	holdToast('asleep', false);
});
afterEach(() => {
	for (const { id } of open()) dismissToast(id);
	vi.runAllTimers();
	$toasts.set([]);
});

test('its time begins once the island that shows it is awake', () => {
	holdToast('asleep', true);
	toast({ title: 'One' });
	vi.advanceTimersByTime(60_000);
	expect(open()).toHaveLength(1);
	holdToast('asleep', false);
	vi.advanceTimersByTime(5000);
	expect(open()).toHaveLength(0);
});

test('a toast is displayed for 5000 ms', () => {
	toast({ title: 'One' });
	vi.advanceTimersByTime(4999);
	expect(open()).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(open()).toHaveLength(0);
});

test('there is one at a time: a newer one replaces the older, with a time of its own', () => {
	toast({ title: 'One' });
	vi.advanceTimersByTime(3000);
	toast({ title: 'Two', destructive: true });
	expect($toasts.get().map(({ title, destructive }) => [title, destructive])).toEqual([
		['Two', true],
	]);
	vi.advanceTimersByTime(4999);
	expect(open()).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(open()).toHaveLength(0);
});

test('a dismissed one is forgotten 1,000,000 ms later', () => {
	const id = toast({ title: 'One' });
	dismissToast(id);
	expect(open()).toHaveLength(0);
	vi.advanceTimersByTime(999_999);
	expect($toasts.get().map((one) => one.id)).toEqual([id]);
	vi.advanceTimersByTime(1);
	expect($toasts.get()).toEqual([]);
});

test('dismissing again does not start the wait again', () => {
	const id = toast({ title: 'One' });
	dismissToast(id);
	vi.advanceTimersByTime(900_000);
	dismissToast(id);
	vi.advanceTimersByTime(100_000);
	expect($toasts.get()).toEqual([]);
});

test('while it is held its time stands still, until no reason is left', () => {
	toast({ title: 'One' });
	vi.advanceTimersByTime(4000);
	holdToast('pointer', true);
	holdToast('focus', true);
	vi.advanceTimersByTime(60_000);
	holdToast('pointer', false);
	vi.advanceTimersByTime(60_000);
	expect(open()).toHaveLength(1);
	holdToast('focus', false);
	vi.advanceTimersByTime(999);
	expect(open()).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(open()).toHaveLength(0);
});

test('one that comes while the tab is hidden waits for its reader', () => {
	holdToast('hidden tab', true);
	toast({ title: 'One' });
	vi.advanceTimersByTime(60_000);
	expect(open()).toHaveLength(1);
	holdToast('hidden tab', false);
	vi.advanceTimersByTime(4999);
	expect(open()).toHaveLength(1);
	vi.advanceTimersByTime(1);
	expect(open()).toHaveLength(0);
});

test.each([
	[49, 0, false],
	[50, 0, true],
	[-50, 0, false],
	[60, 59, true],
	[60, -60, false],
])('a movement of %i to the right and %i down dismisses: %s', (dx, dy, dismisses) => {
	expect(isSwipe(dx, dy)).toBe(dismisses);
});
