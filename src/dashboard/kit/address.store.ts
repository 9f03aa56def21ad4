import { atom } from 'nanostores';

export type Query = Readonly<Record<string, string>>;

/** Which tab of the desk is open (none before the address was read), and what each tab last had in the address. */
export const $address = atom<{ tab: string; queries: Readonly<Record<string, Query>> }>({
	tab: '',
	queries: {},
});

/**
 * Takes the tab and its query from the page's address: at the start, and when back or forward was pressed.
 * One that is none of `tabs` leads to the first.
 */
export function readAddress(search: string, tabs: readonly string[]): void {
	const { tab: given = '', ...query } = Object.fromEntries(new URLSearchParams(search));
	const tab = tabs.includes(given) ? given : (tabs[0] ?? '');
	$address.set({ tab, queries: { ...$address.get().queries, [tab]: query } });
}

/** Opens a tab where it was left, or with another query, and shows its top. */
export function openTab(tab: string, query = $address.get().queries[tab] ?? {}): void {
	show(tab, query, 'push');
	const dashboard = document.querySelector('.desk');
	// At once: what is shown changes meanwhile, which would end a smooth scroll on its way.
	if (dashboard && dashboard.getBoundingClientRect().top < 0)
		dashboard.scrollIntoView({ behavior: 'instant' });
}

/** Changes a tab's query; an empty value takes a name away. Typing replaces the address, choosing adds to the history. */
export function setQuery(
	tab: string,
	changes: Record<string, string>,
	how: 'push' | 'replace' = 'push',
): void {
	const merged = { ...$address.get().queries[tab], ...changes };
	const query = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
	if (tab === $address.get().tab) show(tab, query, how);
	else remember(tab, query);
}

/** The address of a tab, for links. */
export function tabAddress(tab: string, query: Query = {}): string {
	return `?${new URLSearchParams({ tab, ...query })}`;
}

function show(tab: string, query: Query, how: 'push' | 'replace'): void {
	const next = tabAddress(tab, query);
	if (next !== location.search) history[`${how}State`](null, '', next);
	$address.set({ tab, queries: { ...$address.get().queries, [tab]: query } });
}

function remember(tab: string, query: Query): void {
	const { tab: open, queries } = $address.get();
	$address.set({ tab: open, queries: { ...queries, [tab]: query } });
}
