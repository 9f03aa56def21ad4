import { atom } from 'nanostores';

export type Query = Readonly<Record<string, string>>;

/** Which screen of the desk is open (none before the address was read), and what each screen last had in the address. */
export const $address = atom<{ screen: string; queries: Readonly<Record<string, Query>> }>({
	screen: '',
	queries: {},
});

/**
 * Takes the screen and its query from the page's address: at the start, and when back or forward was pressed.
 * One that is none of `screens` leads to the one that it `moved` to, or to the first.
 */
export function readAddress(
	search: string,
	screens: readonly string[],
	moved: Readonly<Record<string, string>> = {},
): void {
	const { tab = '', ...query } = Object.fromEntries(new URLSearchParams(search));
	const given = moved[tab] ?? tab;
	const screen = screens.includes(given) ? given : (screens[0] ?? '');
	$address.set({ screen, queries: { ...$address.get().queries, [screen]: query } });
}

/** Returns whether a press of a link asks for another tab or window, which is the browser's to open. */
export const wantsAnother = (event: { metaKey: boolean; ctrlKey: boolean; shiftKey: boolean }) =>
	event.metaKey || event.ctrlKey || event.shiftKey;

/** Opens a screen where it was left, or with another query, and shows its top. */
export function openScreen(screen: string, query = $address.get().queries[screen] ?? {}): void {
	show(screen, query, 'push');
	const dashboard = document.querySelector('.desk');
	// At once: what is shown changes meanwhile, which would end a smooth scroll on its way.
	if (dashboard && dashboard.getBoundingClientRect().top < 0)
		dashboard.scrollIntoView({ behavior: 'instant' });
}

/** Where each screen was scrolled to, and what had the focus, when another one was opened. */
const left = new Map<string, { top: number; focus: Element | null }>();
let returning = '';

/** Opens a screen at the place where it was left. */
export function returnToScreen(screen: string): void {
	returning = screen;
	openScreen(screen);
}

/** Goes to the place where the screen that is shown now was left, if it is one that somebody returns to. */
export function settlePlace(screen: string): void {
	const place = returning === screen ? left.get(screen) : undefined;
	returning = '';
	if (!place) return;
	scrollTo({ top: place.top, behavior: 'instant' });
	if (place.focus instanceof HTMLElement) place.focus.focus({ preventScroll: true });
}

/** Changes a screen's query; an empty value takes a name away. Typing replaces the address, choosing adds to the history. */
export function setQuery(
	screen: string,
	changes: Record<string, string>,
	how: 'push' | 'replace' = 'push',
): void {
	const merged = { ...$address.get().queries[screen], ...changes };
	const query = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
	if (screen === $address.get().screen) show(screen, query, how);
	else remember(screen, query);
}

/** Returns the address of a screen of the dashboard with a query, for links. */
export function screenAddress(screen: string, query: Query = {}): string {
	return `?${new URLSearchParams({ tab: screen, ...query })}`;
}

function show(screen: string, query: Query, how: 'push' | 'replace'): void {
	const next = screenAddress(screen, query);
	const open = $address.get().screen;
	if (screen !== open) left.set(open, { top: scrollY, focus: document.activeElement });
	if (next !== location.search) history[`${how}State`](null, '', next);
	$address.set({ screen, queries: { ...$address.get().queries, [screen]: query } });
}

function remember(screen: string, query: Query): void {
	const { screen: open, queries } = $address.get();
	$address.set({ screen: open, queries: { ...queries, [screen]: query } });
}
