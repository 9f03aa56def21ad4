import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { useShownChoice } from '#src/components/ui/Segments.tsx';
import { toast, type Notice } from '#src/components/ui/toast.store.ts';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { Menu } from '#src/dashboard/kit/Menu.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { Views } from '#src/dashboard/kit/Views.tsx';
import { When } from '#src/dashboard/kit/When.tsx';
import { listCategories } from '#src/features/categories/categories.api.ts';
import {
	copyPost,
	deletePost,
	listAdminPosts,
	recordReview,
	restorePost,
	updatePost,
	type AdminPost,
	type AdminPosts,
} from '#src/features/posts/editing.api.ts';
import { POST_SORTS, type PostSort } from '#src/features/posts/editing.ts';
import { POST_STATES, type PostState } from '#src/core/posts/post-state.ts';
import { messageOf } from '#src/lib/errors.ts';
import { PAGE_ROWS } from '#src/lib/paging.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { BulkBar } from './BulkBar.tsx';
import { DueList } from './DueList.tsx';
import { PostPicture } from './PostPicture.tsx';
import { readWords, useReadArticles } from '#src/dashboard/visits/PostFigures.tsx';
import { PostBadge, STATE_LABELS } from '#src/dashboard/editor/publishing/PostBadge.tsx';

const SEARCH_MS = 250;

/** All posts: found, filtered and sorted by the server, and what can be done with one. */
export function PostsScreen() {
	const place = useQuery('posts');
	const { query } = place;
	const set: typeof place.set = (changes, how) => place.set(changes, how);
	const state = POST_STATES.find((one) => one === query['state']);
	const sort = sortOf(query['sort']);
	const { answer, error, loading, reload } = useAnswer(listAdminPosts, inputOf(query, state, sort));
	const categories = useAnswer(listCategories, {});
	const { read, ...figures } = useReadArticles(answer?.rows.map(({ slug }) => slug) ?? []);
	const [search, setSearch] = useState(query['q'] ?? '');
	const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
	const filter = filterOf(query, state);
	const shown = JSON.stringify(filter);
	// Rows that are no longer shown are no longer chosen.
	useEffect(() => setSelected(new Set()), [shown]);

	useEffect(() => setSearch(query['q'] ?? ''), [query['q']]);
	useEffect(() => {
		if (search === (query['q'] ?? '')) return;
		const timer = setTimeout(() => set({ q: search }, 'replace'), SEARCH_MS);
		return () => clearTimeout(timer);
	}, [search]);

	async function act(work: () => Promise<unknown>, done: Notice, failed: string) {
		try {
			await work();
			toast(done);
		} catch (problem) {
			toast({ title: failed, description: messageOf(problem), destructive: true });
		} finally {
			// What was refused may have changed elsewhere.
			reload();
		}
	}
	async function remove(post: AdminPost) {
		await act(
			() => callAsAdmin(deletePost, { id: post.id }),
			{
				title: 'Post deleted',
				description: `“${post.title}” can be restored for 30 days.`,
				action: { label: 'Undo', run: () => void restore(post) },
			},
			'Failed to delete post',
		);
	}
	async function restore(post: AdminPost) {
		await act(
			() => callAsAdmin(restorePost, { id: post.id }),
			{ title: 'Post restored' },
			'Failed to save post',
		);
	}
	const duplicate = (post: AdminPost) =>
		act(
			async () => {
				const { id } = await callAsAdmin(copyPost, { id: post.id });
				openScreen('create', { post: id });
			},
			{ title: 'Duplicated', description: 'This is the copy: a draft with an address of its own.' },
			'Failed to duplicate the post',
		);
	const review = (post: AdminPost) =>
		act(
			() => callAsAdmin(recordReview, { id: post.id }),
			{ title: 'Marked as reviewed' },
			'Failed to save post',
		);
	const unpublish = (post: AdminPost) =>
		act(
			() => callAsAdmin(updatePost, { id: post.id, published: false, version: post.version }),
			{
				title: 'Unpublished',
				description: `“${post.title}” is a draft now. Readers no longer see it.`,
				action: { label: 'Undo', run: () => void publishAgain(post) },
			},
			'Failed to save post',
		);
	const publishAgain = ({ id, version }: AdminPost) =>
		act(
			() => callAsAdmin(updatePost, { id, published: true, version: version + 1 }),
			{ title: 'Published again' },
			'Failed to save post',
		);

	const columns: Column<AdminPost>[] = [
		column(
			'title',
			'Title',
			(post) => (
				<div className="post-entry">
					<PostPicture post={post} />
					<div>
						{post.state === 'deleted' ? (
							<span className="post-title">{post.title}</span>
						) : (
							<button
								type="button"
								className="post-title link"
								onClick={() => openScreen('create', { post: post.id })}
							>
								{post.title}
							</button>
						)}
						<span className="post-notes label">
							<span>{post.category.name}</span>
							{post.featured && <span>Featured</span>}
							{post.hasDraft && post.published && <span>Unpublished changes</span>}
							{post.isDue && <span>Review pending{staleReason(post)}</span>}
							{post.offered && <span>Newer file</span>}
							{post.program && <span>Begun by {post.program}</span>}
						</span>
						{post.problem && <span className="post-problem">{post.problem}</span>}
					</div>
				</div>
			),
			'sortable',
		),
		column('state', 'State', (post) => (
			<>
				<PostBadge state={post.state} />
				{post.state === 'scheduled' && (
					<span className="post-due">
						<When at={post.publishedAt} hour />
					</span>
				)}
			</>
		)),
		column(
			'published',
			'Published',
			({ publishedAt, state: its }) => <When at={publishedAt} hour={its === 'scheduled'} />,
			'sortable',
			'wide',
		),
		column(
			'updated',
			state === 'deleted' ? 'Deleted' : 'Changed',
			({ updatedAt, deletedAt }) => <When at={deletedAt ?? updatedAt} />,
			'sortable',
			'wide',
		),
		column(
			'read',
			'Read, 30 days',
			({ slug }) => {
				const row = read?.get(paths.post(slug));
				return row ? readWords(row) : read && '—';
			},
			'wide',
		),
		column(
			'actions',
			'Actions',
			(post) =>
				post.state === 'deleted' ? (
					<button type="button" className="link" onClick={() => void restore(post)}>
						Restore<span className="sr-only"> {post.title}</span>
					</button>
				) : (
					<Menu label={`Actions for ${post.title}`}>
						{post.state === 'published' && (
							<a href={paths.post(post.slug)} target="_blank" rel="noopener">
								View<span className="sr-only"> {post.title}</span>
							</a>
						)}
						{post.isDue && (
							<button type="button" onClick={() => void review(post)}>
								Reviewed, nothing to change<span className="sr-only"> in {post.title}</span>
							</button>
						)}
						{post.published && (
							<button type="button" onClick={() => void unpublish(post)}>
								Unpublish<span className="sr-only"> {post.title}</span>
							</button>
						)}
						<button type="button" onClick={() => void duplicate(post)}>
							Duplicate<span className="sr-only"> {post.title}</span>
						</button>
						<button type="button" className="text-danger" onClick={() => void remove(post)}>
							Delete<span className="sr-only"> {post.title}</span>
						</button>
					</Menu>
				),
			'end',
		),
	];

	const isSearched = Boolean(query['q'] ?? query['category'] ?? query['tag']);
	const chosen = CHOICES.find((one) => one === query['state']) ?? 'all';
	return (
		<div className="posts-screen">
			<div className="desk-tools">
				<div className="field-search">
					<Field
						label="Search posts"
						hideLabel
						placeholder="Search posts"
						value={search}
						autoComplete="off"
						onChange={(event) => setSearch(event.currentTarget.value)}
					/>
				</div>
				<Field
					type="select"
					label="Category"
					hideLabel
					value={query['category'] ?? ''}
					options={[
						{ value: '', label: 'All categories' },
						...(categories.answer ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
					]}
					onChange={(event) => set({ category: event.currentTarget.value })}
				/>
				{query['tag'] && (
					<Button variant="quiet" onClick={() => set({ tag: '' })}>
						Tag “{query['tag']}” only: show all
					</Button>
				)}
				<LoadError what="Categories" {...categories} />
				<LoadError what="How articles were read" {...figures} />
				<Button className="end" onClick={() => openScreen('create', {})}>
					Create post
				</Button>
			</div>
			<Views screen="posts" />
			<BulkBar
				selected={selected}
				onSelect={setSelected}
				total={answer?.total ?? 0}
				filter={filter}
				categories={categories.answer ?? []}
				onDone={reload}
			>
				<div className="desk-bar">
					<StateFilter
						counts={answer?.counts}
						chosen={chosen}
						onChoose={(next) => set({ state: next })}
					/>
					<p role="status" className="label">
						{answer && isSearched && plural(answer.total, 'post')}
					</p>
				</div>
			</BulkBar>
			<DataTable
				label="Posts"
				columns={columns}
				page={answer}
				loading={loading}
				error={error}
				onRetry={reload}
				idOf={({ id }) => id}
				nameOf={({ title }) => title}
				// Deleted ones can only be restored.
				{...(state !== 'deleted' && { selected, onSelect: setSelected })}
				sort={sort}
				onSort={(next) => set({ sort: next })}
				onPage={(page) => set({ page: String(page) })}
				empty={
					chosen === 'all' ? (
						<>
							<p>
								There are no posts yet. What you write is kept as a draft from its first words, and
								is on the site a moment after you publish it.
							</p>
							<Button className="mt-4" onClick={() => openScreen('create', {})}>
								Write your first article
							</Button>
						</>
					) : (
						<p>{NONE[chosen]}</p>
					)
				}
				onShowAll={isSearched ? () => set({ q: '', category: '', state: '', tag: '' }) : undefined}
			/>
			{query['state'] === DUE && <DueList />}
		</div>
	);
}

/** Returns the sort of an address, or last changed first for one that there is not. */
function sortOf(given = ''): PostSort {
	const sorts = POST_SORTS.flatMap((key): PostSort[] => [key, `-${key}`]);
	return sorts.find((sort) => sort === given) ?? '-updated';
}

function filterOf(query: Readonly<Record<string, string>>, state: PostState | undefined) {
	const due = query['state'] === DUE || undefined;
	const offered = query['state'] === OFFERED || undefined;
	return { q: query['q'], category: query['category'], tag: query['tag'], state, due, offered };
}

function inputOf(
	query: Readonly<Record<string, string>>,
	state: PostState | undefined,
	sort: PostSort,
) {
	return {
		...filterOf(query, state),
		sort,
		page: Number(query['page'] ?? 1),
		pageSize: PAGE_ROWS,
	};
}

/** Beside the states: what waits for a review, and what a newer file says something else of. */
const DUE = 'due';
const OFFERED = 'offered';
const CHOICES = ['all', ...POST_STATES, DUE, OFFERED] as const;
type Choice = (typeof CHOICES)[number];
const CHOICE_LABELS: Record<Choice, string> = {
	...STATE_LABELS,
	all: 'All',
	due: 'Due for review',
	offered: 'Newer file',
};

/** Words for a list that has none. */
const NONE: Record<Exclude<Choice, 'all'>, string> = {
	draft: 'There are no drafts. What you write is one from its first words.',
	scheduled: 'Nothing is scheduled. What is published can be given a time.',
	published: 'Nothing is published. A draft is on the site a moment after you publish it.',
	unpublished: 'Nothing was taken back from readers.',
	deleted: 'Nothing was deleted in the last 30 days. Until then a post can be restored here.',
	due: 'No article waits for a review.',
	offered: 'No file of the repository has a newer text.',
};

function StateFilter({
	counts,
	chosen,
	onChoose,
}: {
	counts: AdminPosts['counts'] | undefined;
	chosen: Choice;
	onChoose: (state: string) => void;
}) {
	const list = useRef<HTMLDivElement>(null);
	useShownChoice(list, `${chosen} ${counts !== undefined}`);
	// Newer files are rare.
	const choices = CHOICES.filter((one) => one !== OFFERED || one === chosen || counts?.offered);
	return (
		<div ref={list} className="segments" role="radiogroup" aria-label="State">
			{choices.map((one) => (
				<label key={one}>
					<input
						type="radio"
						name="post-state"
						checked={chosen === one}
						onChange={() => onChoose(one === 'all' ? '' : one)}
					/>
					{CHOICE_LABELS[one]}
					<span className="count">{counts && formatCount(counts[one])}</span>
				</label>
			))}
		</div>
	);
}

/** Returns what of a post is no longer sure, after a colon, or nothing where it is only old. */
function staleReason({ staleAfter }: AdminPost): string {
	if (!staleAfter || Date.parse(staleAfter.slice(0, 10)) > Date.now()) return '';
	return `: ${staleAfter.slice(11) || staleAfter}`;
}
