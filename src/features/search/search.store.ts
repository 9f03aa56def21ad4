import { persistentAtom } from '@nanostores/persistent';
import * as z from 'zod/mini';

/** So many searches are remembered, on this device only. */
const RECENT_MAX = 6;

const list = z.catch(z.array(z.string()), []);

/** What was searched for and led to an article, the latest first. */
export const recentSearches = persistentAtom<readonly string[]>('recentSearches', [], {
	encode: JSON.stringify,
	decode: (text) => list.parse(parseJson(text)),
});

export function rememberSearch(query: string): void {
	const others = recentSearches.get().filter((one) => one !== query);
	keep([query, ...others].slice(0, RECENT_MAX));
}

export function forgetSearches(): void {
	keep([]);
}

function keep(queries: readonly string[]): void {
	try {
		recentSearches.set(queries);
	} catch {
		// Storage may be missing or full: nothing is remembered.
		return;
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return [];
	}
}
