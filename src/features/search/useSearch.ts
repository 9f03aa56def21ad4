import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { searchEverything, type Findings } from './search.api.ts';
import { isTooShort, type Kind } from './search.ts';

const DEBOUNCE_MS = 150;
/** How long, and how many responses are cached. */
const CACHE_MS = 5 * MINUTE;
const CACHE_SIZE = 50;

/** The search: words, and the slug of a category and a kind, or ''. */
export type Search = { query: string; category: string; kind: Kind | '' };

export type SearchState =
	| { status: 'prompt' | 'loading' }
	| { status: 'found'; found: Findings }
	| { status: 'failed'; message: string };

const cache = new Map<string, { at: number; found: Findings }>();

/** Returns what to show for a query, and a function to retry. A late response never overwrites a newer one. */
export function useSearch({ query: q, category, kind }: Search): [SearchState, retry: () => void] {
	const key = `${kind}:${category}:${q}`;
	const tooShort = isTooShort(q);
	const fresh = findKept(key);

	async function load() {
		const narrowed = { category: category || undefined, kind: kind || undefined };
		const found = await call(searchEverything, { q, ...narrowed });
		keep(key, found);
		return { key, found };
	}
	const isAsked = !tooShort && !fresh;
	const { data, error, loading, reload } = useAsync(isAsked ? key : null, load, DEBOUNCE_MS);
	const found = fresh ?? (data?.key === key ? data.found : undefined);

	if (tooShort) return [{ status: 'prompt' }, reload];
	if (found) return [{ status: 'found', found }, reload];
	if (loading || error === undefined) return [{ status: 'loading' }, reload];
	return [{ status: 'failed', message: messageOf(error) }, reload];
}

function findKept(key: string): Findings | undefined {
	const answer = cache.get(key);
	return answer && Date.now() - answer.at < CACHE_MS ? answer.found : undefined;
}

function keep(key: string, found: Findings): void {
	cache.delete(key);
	cache.set(key, { at: Date.now(), found });
	if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
}
