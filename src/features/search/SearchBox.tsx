import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { listCategories } from '#src/features/categories/categories.api.ts';
import type { Category } from '#src/features/categories/category.ts';
import { call } from '#src/lib/endpoint.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import type { Found } from './search.api.ts';
import { forgetSearches, $recentSearches, rememberSearch } from './search.store.ts';
import {
	foundText,
	groupFound,
	KINDS,
	noteOf,
	splitMarks,
	QUERY_MAX,
	type Kind,
} from './search.ts';
import { useSearch, type Search } from './useSearch.ts';
import type { Searched } from '#src/features/visits/visits.ts';

type Props = {
	search: Search;
	onSearch: (search: Search) => void;
	/** Called when a result is chosen. */
	onChoose?: () => void;
	/** Questions to begin with. */
	examples?: readonly string[] | undefined;
	/** Level of the headings in it: one below the heading that it stands under. */
	heading?: 'h2' | 'h3';
};

/** How long a reader looks at what was found before it counts as a search. */
const SETTLED_MS = 2000;

/** The search field and its results, used in the dialog and on the search page. */
export function SearchBox({
	search,
	onSearch,
	onChoose,
	examples = [],
	heading: Heading = 'h3',
}: Props) {
	const id = useId();
	const list = useRef<HTMLDivElement>(null);
	const [categories, categoriesProblem] = useCategories();
	const query = search.query.trim();
	const [state, retry] = useSearch({ ...search, query });
	const recent = useStore($recentSearches);
	const category = categories.find(({ slug }) => slug === search.category)?.name;
	const found = state.status === 'found' ? state.found : undefined;
	const { corrected, partial, results = [], kinds = [] } = found ?? {};
	const groups = groupFound(results);

	const isWhole = found !== undefined && !search.category && !search.kind;
	function count() {
		if (!isWhole) return;
		const detail: Searched = { query, found: results.length };
		dispatchEvent(new CustomEvent('searched', { detail }));
	}
	useEffect(() => {
		// Words on the way to others are no search.
		const timer = setTimeout(count, SETTLED_MS);
		return () => clearTimeout(timer);
	}, [query, isWhole]);

	const field = () => document.getElementById(id);
	function choose(next: Partial<Search>) {
		onSearch({ ...search, ...next });
		field()?.focus();
	}

	/**
	 * Arrow keys move between field and results, Enter in the field opens the first result, and letters go to
	 * the field.
	 */
	function move(event: KeyboardEvent) {
		// Keys of an input method choose nothing.
		if (event.nativeEvent.isComposing) return;
		const links = [...(list.current?.querySelectorAll('a') ?? [])];
		const here = links.indexOf(document.activeElement as HTMLAnchorElement);
		const inField = document.activeElement === field();
		if (here === -1 && !inField) return;
		if (event.key === 'Enter' && inField) links[0]?.click();
		else if (event.key === 'ArrowDown') links[Math.min(here + 1, links.length - 1)]?.focus();
		else if (event.key === 'ArrowUp' && here > 0) links[here - 1]?.focus();
		else if (event.key === 'ArrowUp' && here === 0) field()?.focus();
		else {
			const letter = event.key.length === 1 && event.key !== ' ';
			if (here !== -1 && letter && !event.ctrlKey && !event.metaKey && !event.altKey)
				field()?.focus();
			return;
		}
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
				maxLength={QUERY_MAX}
				placeholder="Words or a question"
				value={search.query}
				onChange={(event) => onSearch({ ...search, query: event.target.value })}
			/>
			{categoriesProblem && (
				<p role="status" className="field-hint">
					Unable to load categories
				</p>
			)}
			<div className="mt-4 min-h-24">
				<div role="status" className="min-h-7">
					{state.status === 'prompt' && (
						<p className="text-muted">Type at least 3 characters to search.</p>
					)}
					{found && results.length === 0 && (
						<p>
							No articles found for <strong>“{query}”</strong>
							{category && ` in ${category}`}
						</p>
					)}
					{found && results.length > 0 && !corrected && (
						<p className={partial ? undefined : 'label'}>{foundText(query, found)}</p>
					)}
					{corrected && (
						<p>
							Did you mean{' '}
							<button
								type="button"
								className="link font-semibold"
								onClick={() => choose({ query: corrected })}
							>
								{corrected}
							</button>
							?
						</p>
					)}
				</div>
				{/* It stays while other results come, or the focus in it would be lost. */}
				{(state.status !== 'prompt' || search.category) && (
					<div className="filters scroll-shade relative -m-1 mt-1 flex min-h-11 items-center gap-2 overflow-x-auto p-1 whitespace-nowrap md:flex-wrap">
						{categories.length > 0 && (
							<Field
								label="Category"
								hideLabel
								type="select"
								options={[
									{ value: '', label: 'All Categories' },
									...categories.map(({ slug, name }) => ({ value: slug, label: name })),
								]}
								value={search.category}
								onChange={(event) => onSearch({ ...search, category: event.target.value })}
							/>
						)}
						{(kinds.length > 1 || (found && search.kind)) && (
							<Kinds
								kinds={kinds}
								chosen={search.kind}
								onChoose={(kind) => onSearch({ ...search, kind })}
							/>
						)}
					</div>
				)}
				{state.status === 'prompt' && recent.length > 0 && (
					<Recent
						heading={Heading}
						queries={recent}
						onChoose={(query) => choose({ query })}
						onClear={clear}
					/>
				)}
				{state.status === 'loading' && (
					<div className="mt-3">
						<Skeleton label="Searching" rows={3} />
					</div>
				)}
				{state.status === 'failed' && (
					<div role="alert">
						<p className="field-error">{state.message}</p>
						<Button
							variant="quiet"
							className="mt-3"
							onClick={() => {
								retry();
								field()?.focus();
							}}
						>
							Try again
						</Button>
					</div>
				)}
				{found && results.length === 0 && search.category && (
					<Button variant="quiet" className="mt-3" onClick={() => choose({ category: '' })}>
						Search all categories
					</Button>
				)}
				{((found && results.length === 0) || state.status === 'prompt') && examples.length > 0 && (
					<section aria-label="Examples" className="mt-4">
						<Heading className="label tracking-normal!">Questions that are answered here</Heading>
						<ul className="mt-2 border-t border-line">
							{examples.map((query) => (
								<li key={query} className="border-b border-line">
									<button
										type="button"
										className="flex w-full cursor-pointer py-3 text-left font-semibold hover:text-accent"
										onClick={() => choose({ query })}
									>
										{query}
									</button>
								</li>
							))}
						</ul>
					</section>
				)}
				{((found && results.length === 0) || state.status === 'prompt') &&
					categories.length > 0 && (
						<section aria-label="Categories" className="mt-4">
							<Heading className="label tracking-normal!">Look through a category</Heading>
							<ul className="mt-2 flex flex-wrap gap-2">
								{categories.map(({ slug, name, color }) => (
									<li key={slug} style={{ ['--category' as string]: color }}>
										<a className="chip" href={paths.category(slug)} onClick={onChoose}>
											{name}
										</a>
									</li>
								))}
							</ul>
						</section>
					)}
				{found && results.length > 0 && (
					<div ref={list}>
						{groups.map(([name, group]) => (
							<section key={name} aria-label={name} className="mt-2">
								{(kinds.length > 1 || groups.length > 1) && (
									<Heading className="label mt-4 tracking-normal!">{name}</Heading>
								)}
								<ul className="-mx-3 mt-2 grid grid-cols-1 gap-1">
									{group.map((one) => (
										<li key={`${one.url} ${one.title}`}>
											<Result
												found={one}
												onChoose={({ metaKey, ctrlKey, shiftKey }) => {
													count();
													rememberSearch(corrected ?? query);
													// Opening a result in another tab keeps the list.
													if (!metaKey && !ctrlKey && !shiftKey) onChoose?.();
												}}
											/>
										</li>
									))}
								</ul>
							</section>
						))}
					</div>
				)}
			</div>
		</div>
	);

	function clear() {
		forgetSearches();
		field()?.focus();
	}
}

type KindsProps = {
	kinds: readonly Kind[];
	chosen: Kind | '';
	onChoose: (kind: Kind | '') => void;
};

/** Narrows the results to one kind. */
function Kinds({ kinds, chosen, onChoose }: KindsProps) {
	return (
		<div role="group" aria-label="Kinds of results" className="contents">
			{(['', ...kinds] as const).map((kind) => (
				<button
					key={kind}
					type="button"
					className="chip cursor-pointer"
					aria-pressed={kind === chosen}
					onClick={() => onChoose(kind)}
				>
					{kind ? KINDS[kind] : 'Everything'}
				</button>
			))}
		</div>
	);
}

type ResultProps = { found: Found; onChoose: (event: MouseEvent) => void };

function Result({ found: { title, url, snippet, marks, note, by }, onChoose }: ResultProps) {
	return (
		<a href={url} onClick={onChoose} className="frame frame-hover block p-3 hover:bg-sunken">
			<span className="text-lg leading-snug font-semibold tracking-tight">
				<Marked text={curlQuotes(title)} marks={marks} />
			</span>
			<span className="mt-1 block font-serif text-muted">
				<Marked text={snippet} marks={marks} />
			</span>
			{(note || by === 'meaning') && (
				<span className="label mt-1 block">
					{noteOf({ by, note }).replace(/(\d+) min read$/, '$1\u00a0min\u00a0read')}
				</span>
			)}
		</a>
	);
}

function Marked({ text, marks }: { text: string; marks: string[] }) {
	return splitMarks(text, marks).map((part, index) =>
		part.hit ? <mark key={index}>{part.text}</mark> : part.text,
	);
}

type RecentProps = {
	heading: 'h2' | 'h3';
	queries: readonly string[];
	onChoose: (query: string) => void;
	onClear: () => void;
};

function Recent({ heading: Heading, queries, onChoose, onClear }: RecentProps) {
	return (
		<section aria-label="Recent searches" className="mt-4">
			<div className="flex flex-wrap items-center justify-between gap-x-4">
				<Heading className="label tracking-normal!">Recent searches</Heading>
				<button type="button" className="link min-h-11 text-sm" onClick={onClear}>
					Clear
				</button>
			</div>
			<ul className="flex flex-wrap gap-2">
				{queries.map((query) => (
					<li key={query} className="max-w-full">
						<Button
							variant="quiet"
							className="max-w-full break-words"
							onClick={() => onChoose(query)}
						>
							{query}
						</Button>
					</li>
				))}
			</ul>
		</section>
	);
}

const NONE: Category[] = [];

/** Returns the categories to choose from, and whether loading failed; then everything is searched. */
function useCategories(): [categories: Category[], failed: boolean] {
	const { data = NONE, error } = useAsync('categories', () => call(listCategories, {}));
	return [data, error !== undefined];
}
