import { useStore } from '@nanostores/react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { ListedClaim, ListedPicture } from '#src/components/ui/Listed.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { drawCover } from '#src/features/covers/cover.ts';
import { keepOffline } from '#src/features/offline/offline.store.ts';
import type { BlogRow } from '#src/features/posts/blog-list.ts';
import { claimOf } from '#src/features/posts/claim.ts';
import { listPosts } from '#src/features/posts/posts.api.ts';
import { localDate } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { plural } from '#src/lib/text.ts';
import { $isStorageRefused } from '#src/lib/stored.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import { toMarkdown } from './export.ts';
import { highlightAddress, HISTORY_MAX } from './reader.ts';
import {
	clearHistory,
	removeFromHistory,
	$highlights,
	$likedPosts,
	$readingHistory,
	$readingTitles,
	removeHighlight,
	$savedPosts,
	unlike,
	unsave,
	type Undo,
} from './reader.store.ts';
import { $articleRows, keepRows, pruneRows } from './rows.store.ts';

/** Data stored in the visitor's browser: saved and liked articles, highlights, history. Works offline. */
export const SavedPage = island(Saved, 'page');

type Entry = { id: string; title: string; slug?: string | undefined };

type Props = {
	siteName: string;
	categories?: readonly Category[];
	/** Articles to go to where nothing is saved. */
	newest?: BlogRow[];
};
type Category = { slug: string; name: string; color: string };

function Saved({ siteName, categories = [], newest = [] }: Props) {
	const saved = useStore($savedPosts, { ssr: 'initial' });
	const liked = useStore($likedPosts, { ssr: 'initial' });
	const marks = useStore($highlights, { ssr: 'initial' });
	const history = useStore($readingHistory, { ssr: 'initial' });
	const titles = useStore($readingTitles, { ssr: 'initial' });
	const isRefused = useStore($isStorageRefused, { ssr: 'initial' });
	const isOnline = useSyncExternalStore(
		onConnection,
		() => navigator.onLine,
		() => true,
	);

	useEffect(() => $savedPosts.subscribe(keepOffline), []);

	const read = history.slice(0, HISTORY_MAX).map((id): Entry => ({ id, title: '', ...titles[id] }));
	const named = useNames([...saved, ...liked, ...read]);
	const rows = useRows(
		[...saved, ...liked, ...read].flatMap((entry) => named(entry).slug ?? []),
		isOnline,
	);
	const look = (row: BlogRow | undefined) => ({
		row,
		category: categories.find(({ slug }) => slug === row?.category),
	});
	const shown = (entry: Entry) => ({
		entry,
		...look(entry.slug === undefined ? undefined : rows[entry.slug]),
	});
	const readAndNamed = read.map(named).filter(({ title }) => title !== '');
	const counts = {
		saved: saved.length,
		liked: liked.length,
		highlights: marks.length,
		read: history.length,
	};
	// A list whose last entry goes stays, with its heading, which gets the focus.
	const [begun, setBegun] = useState<readonly string[]>([]);
	const filled = Object.entries(counts).filter(([, count]) => count > 0);
	if (filled.some(([name]) => !begun.includes(name)))
		setBegun([...new Set([...begun, ...filled.map(([name]) => name)])]);
	const isElsewhere = location.pathname !== paths.saved;

	function exported() {
		const text = toMarkdown(
			{
				saved: saved.map((entry) => ({ ...entry, ...named(entry) })),
				liked: liked.map((entry) => ({ ...entry, ...named(entry) })),
				highlights: marks,
				history: readAndNamed.map(({ title, slug }) => ({ title, slug })),
			},
			location.origin,
			siteName,
		);
		saveFile(new Blob([text], { type: 'text/markdown' }), 'saved.md');
	}

	const lists = (
		<>
			<Section
				title="Saved articles"
				isBegun={begun.includes('saved')}
				count={saved.length}
				empty="0 saved"
				hint="Saved articles appear here and, where your browser can keep them, work offline."
			>
				{saved.map((entry) => (
					<Row
						key={entry.id}
						{...shown(named(entry))}
						hasClaim
						note={`Saved ${localDate(new Date(entry.savedAt))}`}
						from="saved articles"
						onRemove={() => unsave(entry)}
					/>
				))}
			</Section>
			<div className="empty:hidden">
				<Section
					title="Liked articles"
					isBegun={begun.includes('liked')}
					count={liked.length}
					empty="0 liked"
					hint="Articles that you like are listed here."
				>
					{liked.map((entry) => (
						<Row
							key={entry.id}
							{...shown(named(entry))}
							note={`Liked ${localDate(new Date(entry.likedAt))}`}
							from="liked articles"
							onRemove={() => unlike(entry)}
						/>
					))}
				</Section>
				<Section
					title="Highlights"
					isBegun={begun.includes('highlights')}
					count={marks.length}
					empty="0 highlights"
					hint="Select a passage of an article to highlight it."
				>
					{marks.map((entry, index) => (
						<li key={`${String(entry.timestamp)}${index}`} className="py-4">
							<blockquote className="font-serif text-lg">{entry.text}</blockquote>
							<p className="label mt-1 flex flex-wrap items-baseline gap-x-4">
								<span>
									<a className="link" href={highlightAddress(entry)}>
										{entry.title ?? new URL(entry.url, location.origin).pathname}
									</a>
									{' · '}
									{localDate(new Date(entry.timestamp))}
									{entry.missing && ' · No longer in the article'}
								</span>
								<Remove
									what={entry.text}
									from="highlights"
									onRemove={() => removeHighlight(entry)}
								/>
							</p>
						</li>
					))}
				</Section>
				<Section
					title="Reading history"
					isBegun={begun.includes('read')}
					count={history.length}
					empty="0 read"
					hint={`The last ${HISTORY_MAX} articles that you read are listed here.`}
					action={
						<Button
							variant="quiet"
							onClick={() => offerUndo('History cleared', undefined, clearHistory())}
						>
							Clear history
						</Button>
					}
				>
					{readAndNamed.length < history.length && (
						<li className="py-3 text-muted">
							{plural(history.length - readAndNamed.length, 'article')} whose title is not known
							here
						</li>
					)}
					{readAndNamed.map((entry) => (
						<Row
							key={entry.id}
							{...shown(entry)}
							from="reading history"
							onRemove={() => removeFromHistory(entry.id)}
						/>
					))}
				</Section>
			</div>
		</>
	);

	return (
		<>
			{(isElsewhere || !isOnline) && (
				<p role="status" className="mb-8 border-l-2 border-accent pl-4">
					<strong>You are offline.</strong>{' '}
					{isElsewhere
						? 'This page cannot be loaded without a connection. Your saved articles can.'
						: 'Your saved articles can be read all the same.'}
				</p>
			)}
			{isRefused && (
				<p role="status" className="mb-8 border-l-2 border-danger pl-4">
					Your browser can't store more data for this site: its storage is full or switched off.
					What you change now lasts until you close the page.
				</p>
			)}
			<div className={begun.length > 1 ? 'grid items-start gap-x-16 lg:grid-cols-2' : undefined}>
				{lists}
			</div>
			{filled.length > 0 && (
				<p className="mt-10">
					<Button variant="quiet" onClick={exported}>
						Export as Markdown
					</Button>
				</p>
			)}
			{begun.length === 0 && (
				<section className="frame mt-12 max-w-xl px-6 py-8" aria-labelledby="nothing-saved">
					<h2 id="nothing-saved" className="frame-label tracking-normal!">
						0 saved
					</h2>
					<p className="text-muted">
						Articles that you save, like or read are listed here, and passages that you highlight in
						them. Saved articles work offline where your browser can keep them.
					</p>
					{newest.length > 0 && (
						<ul className="post-rows mt-5" aria-label="Newest articles">
							{newest.map((row) => (
								<Row key={row.slug} entry={{ id: row.slug, ...row }} {...look(row)} />
							))}
						</ul>
					)}
					<p className="mt-4">
						<a className="link" href="/blog">
							Read the articles
						</a>
					</p>
				</section>
			)}
		</>
	);
}

type SectionProps = {
	title: string;
	/** True from its first entry on, also once the last one is removed. */
	isBegun: boolean;
	count: number;
	empty: string;
	hint: string;
	action?: ReactNode;
	children: ReactNode;
};

function Section({ title, isBegun, count, empty, hint, action, children }: SectionProps) {
	if (!isBegun) return null;
	return (
		<section className="mt-12">
			<div className="flex flex-wrap items-center justify-between gap-3">
				<h2 className="outline-none" tabIndex={-1}>
					{title}
				</h2>
				{count > 0 && action}
			</div>
			{count === 0 ? (
				<p className="mt-4 text-muted">
					<span className="label">{empty}</span> {hint}
				</p>
			) : (
				<ul className="post-rows mt-4">{children}</ul>
			)}
		</section>
	);
}

type RowProps = {
	entry: Entry;
	row: BlogRow | undefined;
	category: Category | undefined;
	hasClaim?: boolean;
	note?: string;
	from?: string;
	onRemove?: () => Undo;
};

/** An article as in other lists, as far as it is known here. */
function Row({ entry, row, category, hasClaim = false, note, from, onRemove }: RowProps) {
	const { id, title, slug } = entry;
	return (
		<li>
			<article
				className="post-row frame frame-hover"
				data-small={hasClaim ? undefined : ''}
				style={category && { ['--category' as string]: category.color }}
			>
				<ListedPicture
					{...row}
					cover={drawCover(slug ?? id, row?.cover ?? '', hasClaim ? 'row' : 'tile')}
				/>
				<p className="title">
					<a href={slug ? paths.post(slug) : paths.search(title)}>{title}</a>
				</p>
				{hasClaim && row?.excerpt && <ListedClaim pieces={claimOf(row.excerpt)} />}
				<ul className="label">
					{category && <li className="text-(--hue)!">{category.name}</li>}
					{row && <li>{row.readTime} min read</li>}
					{note && <li>{note}</li>}
					{onRemove && (
						<li>
							<Remove what={title} from={from!} onRemove={onRemove} />
						</li>
					)}
				</ul>
			</article>
		</li>
	);
}

function Remove({ what, from, onRemove }: { what: string; from: string; onRemove: () => Undo }) {
	return (
		<button
			type="button"
			className="link relative min-h-6"
			aria-label={`Remove from ${from}: ${what}`}
			onClick={(event) => {
				// The button disappears, so the focus moves to its section.
				event.currentTarget.closest('section')?.querySelector('h2')?.focus({ preventScroll: true });
				offerUndo(`Removed from ${from}`, what, onRemove());
			}}
		>
			Remove
		</button>
	);
}

function offerUndo(title: string, description: string | undefined, undo: Undo): void {
	toast({ title, description, action: { label: 'Undo', run: undo } });
}

/** Completes missing titles and addresses from the newest posts, if there is a connection. */
function useNames(entries: readonly Entry[]): (entry: Entry) => Entry {
	const isIncomplete = entries.some(({ slug }) => !slug);
	// Without an address, a title links to the search.
	const { data: posts } = useAsync(isIncomplete ? 'newest' : null, async () => {
		const newest: Entry[] = await call(listPosts, { limit: 100 });
		return new Map(newest.map((post) => [post.id, post]));
	});
	return ({ id, title, slug }) => ({
		id,
		title: title || (posts?.get(id)?.title ?? ''),
		slug: slug ?? posts?.get(id)?.slug,
	});
}

/** Returns what lists show of these articles. What is not known yet is loaded; what is of no article listed here is not kept. */
function useRows(slugs: readonly string[], isOnline: boolean): Readonly<Record<string, BlogRow>> {
	const rows = useStore($articleRows, { ssr: 'initial' });
	const isKnown = slugs.every((slug) => Object.hasOwn(rows, slug));
	useAsync(isOnline && !isKnown ? 'rows' : null, () => keepRows(slugs));
	useEffect(() => pruneRows(slugs), []);
	return rows;
}

function onConnection(listener: () => void) {
	addEventListener('online', listener);
	addEventListener('offline', listener);
	return () => {
		removeEventListener('online', listener);
		removeEventListener('offline', listener);
	};
}
