import { useEffect, useRef, useState } from 'react';
import { isShortcut } from '#src/lib/client-intent.ts';
import { SearchBox } from './SearchBox.tsx';

/** The search dialog. It is hydrated at the first wish to search, so it opens at once; later wishes open it again. */
export function SearchDialog() {
	const dialog = useRef<HTMLDialogElement>(null);
	const [query, setQuery] = useState('');
	const [open, setOpen] = useState(false);

	useEffect(() => {
		function show(event: Event) {
			const target = event.target instanceof Element ? event.target : null;
			const wished =
				event instanceof KeyboardEvent
					? isShortcut(event)
					: target?.closest('[data-intent="search"]');
			if (!wished || dialog.current?.open) return;
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

	useEffect(() => {
		if (!open || dialog.current?.open) return;
		dialog.current?.showModal();
		dialog.current?.querySelector('input')?.focus();
	}, [open]);

	function close() {
		dialog.current?.close();
		setOpen(false);
	}

	return (
		<dialog
			ref={dialog}
			aria-labelledby="search-title"
			onClose={() => setOpen(false)}
			onClick={(event) => {
				if (event.target === event.currentTarget) close();
			}}
		>
			{open && (
				<div className="p-5">
					<div className="mb-4 flex items-center justify-between">
						<h2 id="search-title" className="text-xl!">
							Search Articles
						</h2>
						<button
							type="button"
							className="inline-flex size-11 items-center justify-center text-xl"
							onClick={close}
							aria-label="Close search"
						>
							×
						</button>
					</div>
					<SearchBox
						query={query}
						onQuery={setQuery}
						onChoose={() => {
							close();
							setQuery('');
						}}
					/>
				</div>
			)}
		</dialog>
	);
}
