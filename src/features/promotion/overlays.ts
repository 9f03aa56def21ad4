import { SECOND } from '#src/lib/dates.ts';

/** Overlays that open by themselves, in order of priority. */
const OVERLAYS = ['exit', 'modal'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Values of product.md sections 4 and 9. */
export const OVERLAY = {
	widgetMs: 3 * SECOND,
	exitArmedMs: 10 * SECOND,
	modal: { progress: 0.5, movedPx: 200, debounceMs: 100, delayMs: 500 },
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
	/** Whether one is open or was, on this page or another of the session: no second one opens by itself. */
	isSeen: boolean;
	waiting: readonly Overlay[];
};

/** Returns the overlay to open now: the most important one waiting, unless one was seen or the reader is busy. */
export function nextOverlay({ isSeen, waiting }: Queue, busy: boolean): Overlay | null {
	if (isSeen || busy) return null;
	return OVERLAYS.find((name) => waiting.includes(name)) ?? null;
}
