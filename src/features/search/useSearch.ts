import { useEffect, useState } from 'react';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { searchPosts, type SearchResult } from './search.api.ts';
import { SEARCH_MINIMUM } from './search.ts';

const DEBOUNCE_MS = 150;

export type SearchState =
	| { status: 'prompt' | 'loading' }
	| { status: 'found'; query: string; results: SearchResult[] }
	| { status: 'failed'; message: string };

/** What to show for a query. A late answer never overwrites a newer one. */
export function useSearch(query: string): SearchState {
	const [answer, setAnswer] = useState<{ query: string; state: SearchState }>();
	const trimmed = query.trim();

	useEffect(() => {
		if (trimmed.length < SEARCH_MINIMUM) return;
		let stale = false;
		const show = (state: SearchState) => {
			if (!stale) setAnswer({ query: trimmed, state });
		};
		const timer = setTimeout(() => {
			call(searchPosts, { q: trimmed }).then(
				(results) => show({ status: 'found', query: trimmed, results }),
				(error: unknown) => show({ status: 'failed', message: messageOf(error) }),
			);
		}, DEBOUNCE_MS);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [trimmed]);

	if (trimmed.length < SEARCH_MINIMUM) return { status: 'prompt' };
	return answer?.query === trimmed ? answer.state : { status: 'loading' };
}
