import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { searchPosts, type SearchResult } from './search.api.ts';
import { SEARCH_MINIMUM } from './search.ts';

const DEBOUNCE_MS = 150;
/** How long, and how many responses are cached. */
const CACHE_MS = 5 * MINUTE;
const CACHE_SIZE = 50;

export type SearchState =
	| { status: 'prompt' | 'loading' }
	| { status: 'found'; results: SearchResult[] }
	| { status: 'failed'; message: string };

const cache = new Map<string, { at: number; results: SearchResult[] }>();

/** Returns what to show for a query, and a function to retry. A late response never overwrites a newer one. */
export function useSearch(q: string, category: string): [SearchState, retry: () => void] {
	const key = `${category}:${q}`;
	const tooShort = q.length < SEARCH_MINIMUM;
	const fresh = cachedResults(key);

	async function load() {
		const results = await call(searchPosts, { q, category: category || undefined });
		cacheResults(key, results);
		return { key, results };
	}
	const isAsked = !tooShort && !fresh;
	const { data, error, loading, reload } = useAsync(isAsked ? key : null, load, DEBOUNCE_MS);
	const results = fresh ?? (data?.key === key ? data.results : undefined);

	if (tooShort) return [{ status: 'prompt' }, reload];
	if (results) return [{ status: 'found', results }, reload];
	if (loading || error === undefined) return [{ status: 'loading' }, reload];
	return [{ status: 'failed', message: messageOf(error) }, reload];
}

function cachedResults(key: string): SearchResult[] | undefined {
	const answer = cache.get(key);
	return answer && Date.now() - answer.at < CACHE_MS ? answer.results : undefined;
}

function cacheResults(key: string, results: SearchResult[]): void {
	cache.delete(key);
	cache.set(key, { at: Date.now(), results });
	if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
}
