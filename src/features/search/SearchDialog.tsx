import { useEffect, useState } from 'react';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { ErrorBoundary, island } from '#src/components/ui/ErrorBoundary.tsx';
import { isShortcut } from '#src/lib/client-intent.ts';
import { EXAMPLES } from './examples.ts';
import { SearchBox } from './SearchBox.tsx';
import type { Search } from './useSearch.ts';

/** The search dialog. Hydrated by the first intent to search, so it opens at once; later ones reopen it. */
export const SearchDialog = island(SearchOverlay);

const NOTHING: Search = { query: '', category: '', kind: '' };

/** `isOwn` where the articles are not those that the examples are about. */
function SearchOverlay({ isOwn }: { isOwn?: true }) {
	const [search, setSearch] = useState(NOTHING);
	const [open, setOpen] = useState(false);

	useEffect(() => {
		function show(event: Event) {
			const target = event.target instanceof Element ? event.target : null;
			const wished =
				event instanceof KeyboardEvent
					? isShortcut(event)
					: target?.closest('[data-intent="search"]');
			if (!wished || document.querySelector('dialog[open]')) return;
			event.preventDefault();
			setOpen(true);
		}
		setOpen(true);
		addEventListener('click', show);
		addEventListener('keydown', show);
		return () => {
			removeEventListener('click', show);
			removeEventListener('keydown', show);
		};
	}, []);

	return (
		<Dialog
			open={open}
			onClose={() => setOpen(false)}
			title="Search Articles"
			closeLabel="Close search"
			firstFocus="input"
		>
			<ErrorBoundary>
				<SearchBox
					search={search}
					examples={isOwn ? [] : EXAMPLES}
					onSearch={setSearch}
					onChoose={() => {
						setOpen(false);
						setSearch(NOTHING);
					}}
				/>
			</ErrorBoundary>
		</Dialog>
	);
}
