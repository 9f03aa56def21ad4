import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { isKind } from './search.ts';
import { SearchBox } from './SearchBox.tsx';
import type { Search } from './useSearch.ts';

/** The search page. Its address always contains the search, so that it can be shared and reloaded. */
export const SearchPage = island(Page, 'page');

/** `examples` are questions to begin with. */
function Page({ examples }: { examples?: readonly string[] }) {
	const [search, setSearch] = useState(read);
	useEffect(() => {
		const given = new URLSearchParams();
		if (search.query.trim()) given.set('q', search.query.trim());
		if (search.category) given.set('category', search.category);
		if (search.kind) given.set('kind', search.kind);
		const address = given.size > 0 ? `?${given}` : location.pathname;
		// After a pause in typing, because Safari refuses more than 100 changes in half a minute.
		const timer = setTimeout(() => history.replaceState(history.state, '', address), 300);
		return () => clearTimeout(timer);
	}, [search]);
	return <SearchBox heading="h2" search={search} onSearch={setSearch} examples={examples} />;
}

function read(): Search {
	const given = new URLSearchParams(location.search);
	const kind = given.get('kind') ?? '';
	return {
		query: given.get('q') ?? '',
		category: given.get('category') ?? '',
		kind: isKind(kind) ? kind : '',
	};
}
