import { atom } from 'nanostores';
import { onScroll, startOfPage } from '#src/lib/scroll.ts';
import { track } from '#src/features/analytics/track.ts';
import { $subscribed } from '#src/features/newsletter/subscribed.store.ts';
import {
	isPastHalf,
	nextOverlay,
	OVERLAY,
	wantsExit,
	wantsModal,
	type Overlay,
} from './overlays.ts';

/** The overlay that is open. */
export const $overlay = atom<Overlay | null>(null);

/** The floating widget: hidden before its time, after a signup, and for the session once dismissed. */
export const $widget = atom<'hidden' | 'minimized' | 'expanded'>('hidden');

/** Keys in session storage. */
const SESSION = {
	exit: 'exit_popup_shown',
	modal: 'newsletter_modal_shown',
	widget: 'floating_newsletter_dismissed',
} as const;

let waiting: readonly Overlay[] = [];

/** Returns whether an overlay was seen or closed in this session: then none opens by itself any more. */
const isSeen = () => Object.values(SESSION).some((key) => readSession(key) !== null);

export function closeOverlay(): void {
	$overlay.set(null);
}

export function dismissWidget(): void {
	writeSession(SESSION.widget, 'true');
	$widget.set('hidden');
}

/** Shows and hides the floating widget, if the page has it, and watches the page's reader. */
export function startOverlays(): void {
	const widget = document.querySelector<HTMLElement>('#floating-newsletter');
	if (!widget) return;
	const tab = widget.querySelector<HTMLElement>('.floating-tab')!;
	$widget.subscribe((state) => {
		widget.hidden = state === 'hidden';
		tab.hidden = state === 'expanded';
	});
	// On a phone it moves out of the way while scrolling down, and returns when the reader turns back.
	let deepest = startOfPage();
	onScroll(() => {
		const isTurned = deepest - scrollY > innerHeight / 4;
		// The browser itself scrolls back a little if text above turns out shorter than estimated.
		if (scrollY <= deepest && !isTurned) return;
		widget.toggleAttribute('data-aside', !isTurned);
		deepest = scrollY;
	});
	widget.querySelector('[data-dismiss]')!.addEventListener('click', dismissWidget);
	watchReader({ isArticle: 'article' in widget.dataset });
}

/** Watches the reader of a page and requests overlays. Called once per page. */
export function watchReader({ isArticle }: { isArticle: boolean }): void {
	// Another page of this session may have dismissed it while this one was in the background.
	addEventListener('pageshow', () => {
		if (readSession(SESSION.widget)) $widget.set('hidden');
	});
	$subscribed.subscribe((subscribed) => {
		if (!subscribed) return;
		$widget.set('hidden');
		closeOverlay();
	});
	setTimeout(() => {
		if (!$subscribed.get() && !readSession(SESSION.widget)) $widget.set('minimized');
	}, OVERLAY.widgetMs);
	watchPointer();
	if (isArticle) watchScroll();
	// Open a waiting overlay once the reader is not busy.
	for (const event of ['focusout', 'close', 'afterprint', 'visibilitychange']) {
		addEventListener(event, () => setTimeout(openNext), true);
	}
}

/** Requests the exit popup when the pointer leaves the top of the window, once per session. Not on touch screens. */
function watchPointer(): void {
	if (isSeen() || !matchMedia('(hover: hover) and (pointer: fine)').matches) return;
	const loadedAt = Date.now();
	document.documentElement.addEventListener('mouseleave', ({ clientY }) => {
		if (!wantsExit(loadedAt, Date.now(), clientY)) return;
		requestOverlay('exit');
		// Now or never: it does not wait in the queue.
		waiting = waiting.filter((name) => name !== 'exit');
	});
}

/** Requests the article's modal, once per page view, and not in a session that has seen it. */
function watchScroll(): void {
	if (isSeen()) return;
	let start = startOfPage();
	/** A jump led past the middle: the modal waits until the reader has scrolled back before it. */
	let isSkipped = false;
	let timer: ReturnType<typeof setTimeout>;
	const stop = new AbortController();
	onScroll((isJump) => {
		clearTimeout(timer);
		const isBeyond = isPastHalf(scrollY, scrollable());
		isSkipped = isBeyond && (isJump || isSkipped);
		if (isJump) start = scrollY;
		if (isSkipped) return;
		timer = setTimeout(() => {
			if (!wantsModal(start, scrollY, scrollable())) return;
			stop.abort();
			setTimeout(() => requestOverlay('modal'), OVERLAY.modal.delayMs);
		}, OVERLAY.modal.debounceMs);
	}, stop.signal);
}

const scrollable = () => document.documentElement.scrollHeight - innerHeight;

function requestOverlay(name: Overlay): void {
	waiting = [...waiting, name];
	openNext();
}

function openNext(): void {
	const name = nextOverlay({ isSeen: isSeen(), waiting }, isBusy());
	if (!name || $subscribed.get()) return;
	writeSession(SESSION[name], 'true');
	$overlay.set(name);
	if (name === 'exit') track('exit_intent_shown');
	// Hydrates the island that shows it.
	dispatchEvent(new Event(`intent:${name}`));
}

let isPrinting = false;
if (typeof window !== 'undefined') {
	addEventListener('beforeprint', () => (isPrinting = true));
	addEventListener('afterprint', () => (isPrinting = false));
}

/** Returns whether the reader types, has come to a form, prints, uses a dialog, selects text, or is away. */
function isBusy(): boolean {
	const { activeElement, hidden } = document;
	return (
		isPrinting ||
		hidden ||
		document.querySelector('dialog[open]') !== null ||
		getSelection()?.isCollapsed === false ||
		Boolean(activeElement?.closest('form, input, textarea, select, [contenteditable="true"]')) ||
		[
			...document.querySelectorAll(
				'main :is(form, fieldset):has(:is(input, textarea):not([type=hidden]))',
			),
		].some(isInSight)
	);
}

function isInSight(element: Element): boolean {
	const { top, bottom, height } = element.getBoundingClientRect();
	return height > 0 && bottom > 0 && top < innerHeight;
}

// Storage may be missing or full; then the session is the page.
const fallback = new Map<string, string>();

function readSession(name: string): string | null {
	try {
		return sessionStorage.getItem(name) ?? fallback.get(name) ?? null;
	} catch {
		return fallback.get(name) ?? null;
	}
}

function writeSession(name: string, value: string): void {
	fallback.set(name, value);
	try {
		sessionStorage.setItem(name, value);
	} catch {
		return;
	}
}
