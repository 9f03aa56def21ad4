import { atom } from 'nanostores';

/**
 * Limits of product.md section 9: number of toasts, milliseconds, pixels, and the key that moves the focus
 * there.
 */
export const TOAST = {
	limit: 1,
	displayMs: 5000,
	forgetMs: 1_000_000,
	swipePx: 50,
	hotkey: 'F8',
} as const;

export type Notice = {
	title: string;
	description?: string | undefined;
	/** A place that it names. */
	link?: { label: string; href: string } | undefined;
	/** A follow-up action, usually undo. */
	action?: { label: string; run: () => void } | undefined;
};
export type Toast = Notice & { id: number; destructive: boolean; open: boolean };

/** Newest first. A dismissed toast is kept for a while, closed. */
export const $toasts = atom<readonly Toast[]>([]);

let lastId = 0;
/** Timer of the newest toast; undefined while something holds it. */
let timer: ReturnType<typeof setTimeout> | undefined;
let startedAt = 0;
let remainingMs = 0;
/** Reasons why the timer is stopped. At first, the island that shows toasts is not hydrated. */
const holdReasons = new Set(['asleep']);

/** Shows a notice in place of any other until its time is over or it is dismissed. Returns its id. */
export function toast(notice: Notice & { destructive?: boolean }): number {
	const id = ++lastId;
	const newest = { destructive: false, ...notice, id, open: true };
	pause();
	remainingMs = TOAST.displayMs;
	$toasts.set([newest, ...$toasts.get()].slice(0, TOAST.limit));
	resume();
	// Hydrates the island that shows it.
	if (typeof window !== 'undefined') dispatchEvent(new Event('intent:toast'));
	return id;
}

export function dismissToast(id: number): void {
	const dismissed = $toasts.get().find((entry) => entry.id === id && entry.open);
	if (!dismissed) return;
	pause();
	$toasts.set(
		$toasts.get().map((entry) => (entry === dismissed ? { ...entry, open: false } : entry)),
	);
	setTimeout(() => $toasts.set($toasts.get().filter((entry) => entry.id !== id)), TOAST.forgetMs);
}

/** Stops the timer for a reason (pointer, focus, hidden tab), or releases it. */
export function holdToast(reason: string, held: boolean): void {
	if (held) {
		pause();
		holdReasons.add(reason);
	} else if (holdReasons.delete(reason)) resume();
}

/** Returns whether a movement dismisses the toast: to the right, by the threshold or more. */
export function isSwipe(dx: number, dy: number): boolean {
	return dx >= TOAST.swipePx && dx > Math.abs(dy);
}

function pause(): void {
	if (timer === undefined) return;
	clearTimeout(timer);
	timer = undefined;
	remainingMs -= Date.now() - startedAt;
}

function resume(): void {
	const newest = $toasts.get().find(({ open }) => open);
	if (!newest || holdReasons.size > 0) return;
	startedAt = Date.now();
	timer = setTimeout(() => dismissToast(newest.id), remainingMs);
}
