import { expect, test } from 'vitest';
import { nextOverlay, OVERLAY, wantsExit, wantsModal, type Queue } from './overlays.ts';

const empty: Queue = { isSeen: false, waiting: [] };

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
	expect(nextOverlay({ ...empty, waiting: ['modal', 'exit'] }, false)).toBe('exit');
	expect(nextOverlay({ ...empty, waiting: ['modal'] }, false)).toBe('modal');
	expect(nextOverlay(empty, false)).toBe(null);
});

test('nothing opens after another was seen, nor while somebody is busy', () => {
	expect(nextOverlay({ isSeen: true, waiting: ['exit'] }, false)).toBe(null);
	expect(nextOverlay({ ...empty, waiting: ['modal'] }, true)).toBe(null);
});

test('the widget comes after three seconds; the modal is debounced by 100 and delayed by 500 ms', () => {
	expect(OVERLAY.widgetMs).toBe(3000);
	expect(OVERLAY.modal.debounceMs).toBe(100);
	expect(OVERLAY.modal.delayMs).toBe(500);
});
