import { useEffect, useState } from 'react';
import { SearchBox } from './SearchBox.tsx';

/** The search page: its address always says what was searched, so that it can be shared and reloaded. */
export function SearchPage() {
	const [query, setQuery] = useState(() => new URLSearchParams(location.search).get('q') ?? '');
	useEffect(() => {
		const address = query.trim() ? `?q=${encodeURIComponent(query.trim())}` : location.pathname;
		history.replaceState(history.state, '', address);
	}, [query]);
	return <SearchBox query={query} onQuery={setQuery} />;
}
