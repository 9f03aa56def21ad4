import * as z from 'zod/mini';
import { storedList } from '#src/lib/stored.ts';

/** Maximum number of remembered searches, on this device only. */
const RECENT_MAX = 6;

/** Searches that led to an article, latest first. */
export const $recentSearches = storedList('recentSearches', z.string());

export function rememberSearch(query: string): void {
	const others = $recentSearches.get().filter((search) => search !== query);
	$recentSearches.set([query, ...others].slice(0, RECENT_MAX));
}

export function forgetSearches(): void {
	$recentSearches.set([]);
}
