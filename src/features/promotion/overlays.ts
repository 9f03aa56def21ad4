import { MINUTE, SECOND } from '#src/lib/dates.ts';

/** Overlays that open by themselves, the more important first. */
const OVERLAYS = ['exit', 'modal'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Specification sections 4 and 9; the pause after a dismissal is ours. */
export const OVERLAY = {
	widgetMs: 3 * SECOND,
	exitArmedMs: 10 * SECOND,
	modal: { progress: 0.5, movedPx: 200, debounceMs: 100, delayMs: 500 },
	pauseMs: 2 * MINUTE,
} as const;

/** Whether half of the page lies above. */
export function isPastHalf(scrollY: number, scrollable: number): boolean {
	return scrollable > 0 && scrollY / scrollable >= OVERLAY.modal.progress;
}

/** Whether the article's modal wants to open: half of the page is read, by scrolling more than 200 pixels. */
export function wantsModal(start: number, scrollY: number, scrollable: number): boolean {
	return isPastHalf(scrollY, scrollable) && Math.abs(scrollY - start) > OVERLAY.modal.movedPx;
}

/** Whether the exit popup wants to open: it is armed, and the pointer has left by the top. */
export function wantsExit(loadedAt: number, now: number, pointerY: number): boolean {
	return now - loadedAt >= OVERLAY.exitArmedMs && pointerY <= 0;
}

export type Queue = {
	open: Overlay | null;
	waiting: readonly Overlay[];
	/** Nothing opens before this time, in milliseconds. */
	quietUntil: number;
};

/** What the queue opens now: the most important of what waits, unless one is open, a pause lasts or somebody is busy. */
export function nextOverlay(
	{ open, waiting, quietUntil }: Queue,
	now: number,
	busy: boolean,
): Overlay | null {
	if (open || busy || now < quietUntil) return null;
	return OVERLAYS.find((name) => waiting.includes(name)) ?? null;
}

/** The queue once its overlay is closed: what else waited has lost its moment. */
export function queueAfterClose(now: number): Queue {
	return { open: null, waiting: [], quietUntil: now + OVERLAY.pauseMs };
}
