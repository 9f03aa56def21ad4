import { useId, useRef, type KeyboardEvent } from 'react';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { shortDate } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { useSearch } from './useSearch.ts';

type Props = { query: string; onQuery: (query: string) => void; onChoose?: () => void };

/** A search field and its results: the same in the dialog and on the search page. */
export function SearchBox({ query, onQuery, onChoose }: Props) {
	const id = useId();
	const list = useRef<HTMLUListElement>(null);
	const state = useSearch(query);

	/** Arrow keys move between the field and the results; Enter in the field opens the first. */
	function move(event: KeyboardEvent) {
		const links = [...(list.current?.querySelectorAll('a') ?? [])];
		const here = links.indexOf(document.activeElement as HTMLAnchorElement);
		if (event.key === 'Enter' && here === -1 && links[0]) links[0].click();
		else if (event.key === 'ArrowDown') links[Math.min(here + 1, links.length - 1)]?.focus();
		else if (event.key === 'ArrowUp' && here > 0) links[here - 1]?.focus();
		else if (event.key === 'ArrowUp' && here === 0) document.getElementById(id)?.focus();
		else return;
		event.preventDefault();
	}

	return (
		<div onKeyDown={move}>
			<Field
				id={id}
				label="Search articles"
				hideLabel
				inputMode="search"
				enterKeyHint="search"
				name="q"
				autoComplete="off"
				maxLength={200}
				placeholder="Type 3 characters or more"
				value={query}
				onChange={(event) => onQuery(event.target.value)}
			/>
			<div className="mt-4 min-h-24" aria-live="polite">
				{state.status === 'prompt' && (
					<p className="text-muted">Type at least 3 characters to search.</p>
				)}
				{state.status === 'loading' && <Skeleton label="Searching" rows={3} />}
				{state.status === 'failed' && <p className="field-error">{state.message}</p>}
				{state.status === 'found' && state.results.length === 0 && (
					<p>
						No articles found for <strong>“{state.query}”</strong>
					</p>
				)}
				{state.status === 'found' && state.results.length > 0 && (
					<ul ref={list} className="grid gap-1">
						{state.results.map((post) => (
							<li key={post.id}>
								<a
									href={paths.post(post.slug)}
									onClick={onChoose}
									className="frame frame-hover block p-3 hover:bg-sunken"
								>
									<span className="font-semibold">{post.title}</span>
									<span className="label mt-1 block">
										{post.category.name}
										{post.publishedAt && ` · ${shortDate(post.publishedAt)}`} · {post.readTime} min
										read
									</span>
								</a>
							</li>
						))}
					</ul>
				)}
			</div>
		</div>
	);
}
