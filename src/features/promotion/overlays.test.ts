import { expect, test } from 'vitest';
import {
	nextOverlay,
	queueAfterClose,
	OVERLAY,
	wantsExit,
	wantsModal,
	type Queue,
} from './overlays.ts';

const empty: Queue = { open: null, waiting: [], quietUntil: 0 };

test('the modal wants to open at half of the page, not before', () => {
	expect(wantsModal(0, 500, 1000)).toBe(true);
	expect(wantsModal(0, 499, 1000)).toBe(false);
});

test('the modal waits until the reader has moved more than 200 pixels, either way', () => {
	expect(wantsModal(600, 800, 1000)).toBe(false);
	expect(wantsModal(600, 801, 1000)).toBe(true);
	expect(wantsModal(900, 700, 1000)).toBe(false);
	expect(wantsModal(900, 699, 1000)).toBe(true);
});

test('a page that cannot be scrolled has no modal', () => {
	expect(wantsModal(0, 0, 0)).toBe(false);
});

test('the exit popup is armed at ten seconds', () => {
	expect(wantsExit(0, 9_999, -1)).toBe(false);
	expect(wantsExit(0, 10_000, -1)).toBe(true);
});

test('only a pointer that leaves by the top is leaving', () => {
	expect(wantsExit(0, 20_000, 0)).toBe(true);
	expect(wantsExit(0, 20_000, 1)).toBe(false);
});

test('of two that wait the more important opens', () => {
	expect(nextOverlay({ ...empty, waiting: ['modal', 'exit'] }, 0, false)).toBe('exit');
	expect(nextOverlay({ ...empty, waiting: ['modal'] }, 0, false)).toBe('modal');
	expect(nextOverlay(empty, 0, false)).toBe(null);
});

test('nothing opens over another, nor while somebody is busy', () => {
	expect(nextOverlay({ open: 'modal', waiting: ['exit'], quietUntil: 0 }, 0, false)).toBe(null);
	expect(nextOverlay({ ...empty, waiting: ['modal'] }, 0, true)).toBe(null);
});

test('after a dismissal it is quiet for two minutes, and what waited is gone', () => {
	const after = queueAfterClose(1000);
	expect(after).toEqual({ open: null, waiting: [], quietUntil: 1000 + OVERLAY.pauseMs });
	const asked: Queue = { ...after, waiting: ['exit'] };
	expect(nextOverlay(asked, after.quietUntil - 1, false)).toBe(null);
	expect(nextOverlay(asked, after.quietUntil, false)).toBe('exit');
	expect(OVERLAY.pauseMs).toBe(120_000);
});

test('the widget comes after three seconds; the modal is debounced by 100 and delayed by 500 ms', () => {
	expect(OVERLAY.widgetMs).toBe(3000);
	expect(OVERLAY.modal.debounceMs).toBe(100);
	expect(OVERLAY.modal.delayMs).toBe(500);
});
