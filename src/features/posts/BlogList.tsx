import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { ListedClaim, ListedPicture } from '#src/components/ui/Listed.tsx';
import { localDate } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import {
	blogAddress,
	joinParts,
	loadPart,
	parseBlogQuery,
	partPaths,
	selectRows,
	type BlogQuery,
	type BlogRow,
} from './blog-list.ts';
import { claimOf } from './claim.ts';
import { MIN_READINGS, PAGE_SIZE } from './post.ts';

type Category = { slug: string; name: string; color: string };
type Props = {
	total: number;
	/** Heading where nothing is found, if it is not the usual. */
	none?: string;
	categories: Category[];
	banner?: ReactNode;
	notify?: ReactNode;
	children?: ReactNode;
};

const SORTS = [
	{ value: '', label: 'Newest' },
	{ value: 'trending', label: 'Trending' },
];
/** Categories that fit into two lines. */
const MAX_CHIPS = 12;
const ALL: BlogQuery = { category: '', trending: false };

/** The blog's list: prebuilt as it is; filtered and sorted in the browser over the full list, loaded when first needed. */
export const BlogList = island(List);

function List({
	total,
	none = 'No AI articles found',
	categories,
	banner,
	notify,
	children,
}: Props) {
	const [query, setQuery] = useState(ALL);
	const [shown, setShown] = useState(PAGE_SIZE);
	const list = useRef<HTMLUListElement>(null);
	const active = query.category !== '' || query.trending;
	const wasActive = useRef(false);
	wasActive.current ||= active;
	const {
		data: full,
		error,
		loading,
		reload,
	} = useAsync(wasActive.current ? 'full' : null, () => loadFullList(total));
	const failed = error !== undefined && !loading;

	useEffect(() => {
		function read() {
			setQuery(parseBlogQuery(location.search, categories));
			setShown(shownBefore());
		}
		read();
		addEventListener('popstate', read);
		return () => removeEventListener('popstate', read);
	}, [categories]);

	function choose(next: BlogQuery) {
		history.pushState(null, '', blogAddress(next));
		setQuery(next);
		setShown(PAGE_SIZE);
		if (failed) reload();
	}

	/** The first of the new ones takes the focus; coming back finds as many as were shown. */
	function showMore() {
		const next = shown + PAGE_SIZE;
		history.replaceState({ shown: next }, '');
		flushSync(() => setShown(next));
		list.current?.children[shown]?.querySelector('a')?.focus();
	}

	const chosen = full && selectRows(full.rows, query);
	const readings = full?.rows.reduce((sum, { score }) => sum + score, 0);
	const count = active ? chosen?.length : total;
	const hasChips = categories.length > 0 && categories.length <= MAX_CHIPS;
	return (
		<>
			<div className="blog-head">
				<h2 aria-live="polite">{count === undefined ? 'Articles' : plural(count, 'Article')}</h2>
				{hasChips && (
					<CategoryChips
						categories={categories}
						value={query.category}
						onChange={(category) => choose({ ...query, category })}
					/>
				)}
				<div className="js-only grid grid-cols-2 items-end gap-3 sm:flex">
					<div className={hasChips ? 'lg:hidden' : undefined}>
						<CategorySelect
							categories={categories}
							value={query.category}
							onChange={(category) => choose({ ...query, category })}
						/>
					</div>
					<Field
						label="Sort"
						type="select"
						options={SORTS}
						value={query.trending ? 'trending' : ''}
						onChange={(event) => choose({ ...query, trending: event.target.value === 'trending' })}
					/>
				</div>
			</div>
			<div hidden={active}>{children}</div>
			{active && failed && (
				<div role="alert">
					<p className="font-semibold">Error loading posts</p>
					<p className="text-muted">
						We couldn&apos;t load the blog posts. Please try refreshing the page or check back
						later.
					</p>
					<Button className="mt-4" onClick={reload}>
						Try again
					</Button>
				</div>
			)}
			{active && !failed && !chosen && (
				<div
					className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3"
					role="status"
					aria-label="Loading articles"
				>
					{Array.from({ length: 9 }, (_, index) => (
						<div key={index} className="skeleton h-56!" />
					))}
				</div>
			)}
			{active && chosen?.length === 0 && (
				<div className="frame mx-auto mt-14 mb-10 max-w-xl px-6 py-12 text-center">
					<p className="frame-label">0 results</p>
					<h3>{none}</h3>
					<div className="mt-6 flex flex-wrap items-end justify-center gap-3">
						<CategorySelect
							categories={categories}
							value={query.category}
							onChange={(category) => choose({ ...query, category })}
						/>
						{notify}
					</div>
				</div>
			)}
			{active && full && chosen && chosen.length > 0 && (
				<>
					{query.trending && readings! < MIN_READINGS && (
						<p className="mb-4 text-muted">
							Too little has been read lately to rank it: the newest come first.
						</p>
					)}
					<ul ref={list} className="post-grid">
						{chosen.slice(0, shown).map((row, at) => (
							<li key={row.slug} className={at === 0 ? 'sm:col-span-full!' : undefined}>
								<Row
									row={row}
									leads={at === 0}
									category={categories.find(({ slug }) => slug === row.category)}
									drawCover={full.drawCover}
								/>
							</li>
						))}
					</ul>
					{chosen.length > shown && (
						<Button variant="quiet" className="mt-8" onClick={showMore}>
							Show more articles
						</Button>
					)}
				</>
			)}
			{banner}
		</>
	);
}

type ChoiceProps = { categories: Category[]; value: string; onChange: (slug: string) => void };

/** The filter of a wide screen. Without scripts it leads to the pages of the categories. */
function CategoryChips({ categories, value, onChange }: ChoiceProps) {
	const all = { slug: '', name: 'All', color: undefined };
	return (
		<nav className="filter-chips" aria-label="Filter by category">
			<ul className="flex flex-wrap gap-2">
				{[all, ...categories].map(({ slug, name, color }) => (
					<li key={slug}>
						<a
							className="chip"
							data-held=""
							href={slug ? paths.category(slug) : paths.blog()}
							style={color ? { ['--category' as string]: color } : undefined}
							aria-current={slug === value ? 'true' : undefined}
							onClick={(event) => {
								if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
								event.preventDefault();
								onChange(slug);
							}}
						>
							{name}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
}

function CategorySelect({ categories, value, onChange }: ChoiceProps) {
	return (
		<Field
			label="Category"
			type="select"
			options={[
				{ value: '', label: 'All Categories' },
				...categories.map(({ slug, name }) => ({ value: slug, label: name })),
			]}
			value={value}
			onChange={(event) => onChange(event.target.value)}
		/>
	);
}

type RowProps = {
	row: BlogRow;
	/** The first of them is larger, and its claim is whole. */
	leads: boolean;
	category: Category | undefined;
	drawCover: FullList['drawCover'];
};

/** Drawn once: a longer list leaves the cards that it had alone. */
const Row = memo(function Row({ row, leads, category, drawCover }: RowProps) {
	return (
		<article
			className={`card frame frame-hover${leads ? ' card-wide' : ''}`}
			style={{ ['--category' as string]: category?.color }}
		>
			<ListedPicture
				{...row}
				cover={drawCover(row.slug, row.cover ?? '', leads ? 'page' : 'card')}
			/>
			<p className="label text-(--hue)!">{category?.name}</p>
			<h3>
				<a href={paths.post(row.slug)}>{row.title}</a>
			</h3>
			{row.excerpt && <ListedClaim pieces={claimOf(row.excerpt, leads ? Infinity : undefined)} />}
			<p className="label mt-auto pt-2">
				{row.author && `${row.author} · `}
				{row.publishedAt && (
					<>
						<time className="whitespace-nowrap" dateTime={row.publishedAt}>
							{localDate(row.publishedAt, 'medium')}
						</time>
						{' · '}
					</>
				)}
				<span className="whitespace-nowrap">{row.readTime} min read</span>
			</p>
		</article>
	);
});

type FullList = {
	rows: BlogRow[];
	drawCover: typeof import('#src/features/covers/cover.ts').drawCover;
};

/** The whole blog and the pen that draws its covers: loaded only when somebody filters or sorts. */
async function loadFullList(total: number): Promise<FullList> {
	const [parts, { drawCover }] = await Promise.all([
		Promise.all(partPaths(total).map(loadPart)),
		import('#src/features/covers/cover.ts'),
	]);
	return { rows: joinParts(parts), drawCover };
}

/** How many cards this entry of the tab's history showed when it was left. */
function shownBefore(): number {
	const state = history.state as { shown?: unknown } | null;
	return typeof state?.shown === 'number' ? state.shown : PAGE_SIZE;
}
