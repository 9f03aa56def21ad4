import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { searchPosts, type SearchResult } from './search.api.ts';
import { SEARCH_MINIMUM } from './search.ts';

const DEBOUNCE_MS = 150;
/** Answers are kept for so long, and so many of them. */
const FRESH_MS = 5 * MINUTE;
const KEPT = 50;

export type SearchState =
	| { status: 'prompt' | 'loading' }
	| { status: 'found'; results: SearchResult[] }
	| { status: 'failed'; message: string };

const answers = new Map<string, { at: number; results: SearchResult[] }>();

/** What to show for a query, and how to ask again. A late answer never overwrites a newer one. */
export function useSearch(q: string, category: string): [SearchState, retry: () => void] {
	const key = `${category}:${q}`;
	const tooShort = q.length < SEARCH_MINIMUM;
	const fresh = kept(key);

	async function load() {
		const results = await call(searchPosts, { q, category: category || undefined });
		keep(key, results);
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

function kept(key: string): SearchResult[] | undefined {
	const answer = answers.get(key);
	return answer && Date.now() - answer.at < FRESH_MS ? answer.results : undefined;
}

function keep(key: string, results: SearchResult[]): void {
	answers.delete(key);
	answers.set(key, { at: Date.now(), results });
	if (answers.size > KEPT) answers.delete(answers.keys().next().value!);
}
