import { MINUTE, SECOND } from '#src/lib/dates.ts';

/** Overlays that open by themselves, in order of priority. */
const OVERLAYS = ['exit', 'modal'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Values of product.md sections 4 and 9; the pause after a dismissal is ours. */
export const OVERLAY = {
	widgetMs: 3 * SECOND,
	exitArmedMs: 10 * SECOND,
	modal: { progress: 0.5, movedPx: 200, debounceMs: 100, delayMs: 500 },
	pauseMs: 2 * MINUTE,
} as const;

/** Returns whether the page is scrolled to its middle or beyond. */
export function isPastHalf(scrollY: number, scrollable: number): boolean {
	return scrollable > 0 && scrollY / scrollable >= OVERLAY.modal.progress;
}

/** Returns whether the article's modal is due: half of the page is read, by scrolling more than 200 pixels. */
export function wantsModal(start: number, scrollY: number, scrollable: number): boolean {
	return isPastHalf(scrollY, scrollable) && Math.abs(scrollY - start) > OVERLAY.modal.movedPx;
}

/** Returns whether the exit popup is due: it is armed, and the pointer left at the top. */
export function wantsExit(loadedAt: number, now: number, pointerY: number): boolean {
	return now - loadedAt >= OVERLAY.exitArmedMs && pointerY <= 0;
}

export type Queue = {
	open: Overlay | null;
	waiting: readonly Overlay[];
	/** Nothing opens before this time, in milliseconds. */
	quietUntil: number;
};

/**
 * Returns the overlay to open now: the most important one waiting, unless one is open, a pause lasts or the
 * reader is busy.
 */
export function nextOverlay(
	{ open, waiting, quietUntil }: Queue,
	now: number,
	busy: boolean,
): Overlay | null {
	if (open || busy || now < quietUntil) return null;
	return OVERLAYS.find((name) => waiting.includes(name)) ?? null;
}

/** Returns the queue after its overlay was closed; others that waited have missed their moment. */
export function queueAfterClose(now: number): Queue {
	return { open: null, waiting: [], quietUntil: now + OVERLAY.pauseMs };
}
