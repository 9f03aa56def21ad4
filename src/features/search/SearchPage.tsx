import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { SearchBox } from './SearchBox.tsx';

/** The search page: its address always says what was searched, so that it can be shared and reloaded. */
export const SearchPage = island(Search, 'page');

function Search() {
	const [query, setQuery] = useState(() => new URLSearchParams(location.search).get('q') ?? '');
	useEffect(() => {
		const address = query.trim() ? `?q=${encodeURIComponent(query.trim())}` : location.pathname;
		history.replaceState(history.state, '', address);
	}, [query]);
	return <SearchBox query={query} onQuery={setQuery} />;
}
