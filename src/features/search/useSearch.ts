import { useEffect, useState } from 'react';
import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
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
	const [answer, setAnswer] = useState<{ key: string; state: SearchState }>();
	const [attempt, setAttempt] = useState(0);
	const key = `${category}:${q}`;
	const tooShort = q.length < SEARCH_MINIMUM;

	useEffect(() => {
		if (tooShort || cachedResults(key)) return;
		let stale = false;
		const show = (state: SearchState) => {
			if (!stale) setAnswer({ key, state });
		};
		const timer = setTimeout(() => {
			call(searchPosts, { q, category: category || undefined }).then(
				(results) => {
					cacheResults(key, results);
					show({ status: 'found', results });
				},
				(error: unknown) => show({ status: 'failed', message: messageOf(error) }),
			);
		}, DEBOUNCE_MS);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [q, category, key, tooShort, attempt]);

	function retry() {
		setAnswer(undefined);
		setAttempt(attempt + 1);
	}

	if (tooShort) return [{ status: 'prompt' }, retry];
	const results = cachedResults(key);
	if (results) return [{ status: 'found', results }, retry];
	return [answer?.key === key ? answer.state : { status: 'loading' }, retry];
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
