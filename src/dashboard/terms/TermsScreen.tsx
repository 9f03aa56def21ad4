import { useState, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { DOWN, Sign, UP } from '#src/dashboard/site/OrderedList.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { Menu } from '#src/dashboard/kit/Menu.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { completeTags } from '#src/features/posts/editing.api.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import type { StoredCategory, Term, TermKind } from '#src/features/taxonomy/term.ts';
import { messageOf } from '#src/lib/errors.ts';
import { pageWithin } from '#src/lib/paging.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { MoveForm } from './MoveForm.tsx';
import { TermForm } from './TermForm.tsx';
import { useOrder } from './useOrder.ts';

const NOTHING = {};
const TAGS_PER_PAGE = 50;

/** Kinds by their name in the address. */
const KINDS: Record<string, TermKind> = { tags: 'tag', series: 'series', authors: 'author' };
const NOUNS: Record<TermKind, { one: string; many: string; empty: string }> = {
	category: {
		one: 'category',
		many: 'categories',
		empty: 'There are no categories yet. Each published post is in one.',
	},
	tag: {
		one: 'tag',
		many: 'tags',
		empty: 'There are no tags yet. Posts make them, and so can you.',
	},
	series: {
		one: 'series',
		many: 'series',
		empty:
			'There are no series yet. One puts articles in an order, each with a link to the next part.',
	},
	author: {
		one: 'author',
		many: 'authors',
		empty:
			'There are no authors yet. An article whose byline names one leads to a page about them.',
	},
};
const REMOVERS = { tag: api.deleteTag, series: api.deleteSeries, author: api.deleteAuthor };

/** The dialog that is open, and for which term. */
type Open = { what: 'create' } | { what: 'edit' | 'merge' | 'delete'; term: Term };

/** Categories in their order, tags, series and authors: created, changed, merged and deleted. */
export function TermsScreen() {
	const { query, set } = useQuery('categories');
	const kind = KINDS[query['kind'] ?? ''] ?? 'category';
	const answers = {
		category: useAnswer(api.listStoredCategories, NOTHING),
		tag: useAnswer(completeTags, NOTHING),
		series: useAnswer(api.listStoredSeries, NOTHING),
		author: useAnswer(api.listStoredAuthors, NOTHING),
	};
	return (
		<div className="terms">
			<Terms key={kind} kind={kind} {...answers[kind]}>
				<Segments
					label="Kind"
					value={kind === 'category' ? '' : NOUNS[kind].many}
					options={[
						{ value: '', label: 'Categories', count: answers.category.answer?.length },
						{ value: 'tags', label: 'Tags', count: answers.tag.answer?.length },
						{ value: 'series', label: 'Series', count: answers.series.answer?.length },
						{ value: 'authors', label: 'Authors', count: answers.author.answer?.length },
					]}
					onChange={(value) => set({ kind: value, q: '' })}
				/>
			</Terms>
		</div>
	);
}

type TermsProps = {
	kind: TermKind;
	answer: Term[] | undefined;
	loading: boolean;
	error: string | undefined;
	reload: () => void;
	/** The choice of a kind. */
	children: ReactNode;
};

function Terms({ kind, answer, loading, error, reload, children }: TermsProps) {
	const { query, set } = useQuery('categories');
	const [open, setOpen] = useState<Open>();
	const { busy, run } = useSubmit('That did not work');
	/** Closes the dialog that is open now: an answer that comes later closes no other. */
	const close = () => setOpen((now) => (now === open ? undefined : now));
	const q = query['q'] ?? '';
	const { ordered, move } = useOrder(answer, store, reload);
	const found = ordered?.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
	const pageSize = kind === 'tag' ? TAGS_PER_PAGE : Math.max(1, found?.length ?? 1);
	const page = Math.min(
		pageWithin(Number(query['page'] ?? 1) || 1, found?.length ?? 0),
		Math.max(1, Math.ceil((found?.length ?? 0) / pageSize)),
	);

	/** Saves the place of a category and tells it, with a way back. */
	async function store(term: Term, position: number) {
		try {
			const { undo } = await callAsAdmin(api.updateCategory, { id: term.id, position });
			tellUndoable({ title: `“${term.name}” moved` }, undo, reload);
		} catch (problem) {
			toast({ title: 'That did not work', description: messageOf(problem), destructive: true });
		}
	}

	/** Does something with a term and tells it, with a way back. */
	const act = (work: () => Promise<{ title: string; undo: string | null }>) =>
		run(async () => {
			try {
				const { title, undo } = await work();
				tellUndoable({ title }, undo, reload);
				close();
			} finally {
				reload();
			}
		});
	const remove = (term: Term, into?: string) =>
		act(async () => {
			const { undo } =
				kind === 'category'
					? await callAsAdmin(api.deleteCategory, { id: term.id, into })
					: await callAsAdmin(REMOVERS[kind], { id: term.id });
			return { title: `“${term.name}” deleted`, undo };
		});
	const merge = (term: Term, into: string) =>
		act(async () => {
			const endpoint = kind === 'tag' ? api.mergeTag : api.mergeCategory;
			const { name, moved, undo } = await callAsAdmin(endpoint, { id: term.id, into });
			return { title: `${plural(moved, 'post')} moved to “${name}”`, undo };
		});
	const askToRemove = (term: Term) =>
		kind === 'category' && term.posts > 0 ? setOpen({ what: 'delete', term }) : void remove(term);

	const columns: Column<Term>[] = [
		column('name', 'Name', (term) => (
			<>
				<span className="term-name" style={{ ['--category' as string]: colorOf(term) }}>
					{kind === 'category' && <span className="term-swatch" aria-hidden="true" />}
					<button
						type="button"
						className="post-title link"
						onClick={() => setOpen({ what: 'edit', term })}
					>
						<span className="sr-only">Edit </span>
						{term.name}
					</button>
				</span>
				{term.description && <span className="term-about">{term.description}</span>}
			</>
		)),
		column(
			'address',
			'Address',
			({ slug }) => <span className="label break-words">{paths[kind](slug)}</span>,
			'wide',
		),
		column(
			'posts',
			'Posts',
			({ slug, posts }) =>
				kind === 'series' || kind === 'author' ? (
					formatCount(posts)
				) : (
					<button
						type="button"
						className="link"
						onClick={() => openScreen('posts', { [kind]: slug })}
					>
						{formatCount(posts)}
						<span className="sr-only"> {posts === 1 ? 'post' : 'posts'}</span>
					</button>
				),
			'end',
		),
		column(
			'actions',
			'Actions',
			(term) => (
				<span className="term-actions">
					{kind === 'category' && !q && (
						<>
							<Sign
								label={`Move up: ${term.name}`}
								disabled={term === ordered?.[0]}
								path={UP}
								onClick={() => move(term, -1)}
							/>
							<Sign
								label={`Move down: ${term.name}`}
								disabled={term === ordered?.at(-1)}
								path={DOWN}
								onClick={() => move(term, 1)}
							/>
						</>
					)}
					<Menu label={`Actions for ${term.name}`}>
						{(kind === 'category' || kind === 'tag') && (
							<button type="button" onClick={() => setOpen({ what: 'merge', term })}>
								Merge<span className="sr-only"> {term.name}</span>
							</button>
						)}
						<button type="button" className="text-danger" onClick={() => askToRemove(term)}>
							Delete<span className="sr-only"> {term.name}</span>
						</button>
					</Menu>
				</span>
			),
			'end',
		),
	];

	const { one: noun, many, empty } = NOUNS[kind];
	const term = open && 'term' in open ? open.term : undefined;
	return (
		<>
			<div className="desk-tools">
				{children}
				{kind === 'tag' && (
					<SearchField
						label="Search tags"
						value={q}
						onSearch={(text) => set({ q: text }, 'replace')}
					/>
				)}
				<Button className="end" onClick={() => setOpen({ what: 'create' })}>
					Create {noun}
				</Button>
			</div>
			<DataTable
				label={many.charAt(0).toUpperCase() + many.slice(1)}
				columns={columns}
				page={
					found && {
						rows: found.slice((page - 1) * pageSize, page * pageSize),
						total: found.length,
						page,
						pageSize,
					}
				}
				loading={loading || busy}
				error={error}
				onRetry={reload}
				idOf={({ id }) => id}
				onPage={(next) => set({ page: String(next) })}
				empty={
					<>
						<p>{empty}</p>
						<Button className="mt-4" onClick={() => setOpen({ what: 'create' })}>
							Create the first one
						</Button>
					</>
				}
				onShowAll={q ? () => set({ q: '' }) : undefined}
			/>
			<Dialog
				open={open?.what === 'create' || open?.what === 'edit'}
				onClose={close}
				title={term ? `Edit “${term.name}”` : `Create ${noun}`}
				firstFocus="input"
			>
				<TermForm
					kind={kind}
					term={term}
					onSaved={(title, undo) => {
						close();
						tellUndoable({ title }, undo, reload);
						reload();
					}}
				/>
			</Dialog>
			<Dialog
				open={open?.what === 'merge' || open?.what === 'delete'}
				onClose={close}
				title={`${open?.what === 'merge' ? 'Merge' : 'Delete'} “${term?.name}”`}
				firstFocus="select"
			>
				{term && (
					<MoveForm
						kind={kind}
						term={term}
						others={(answer ?? []).filter(({ id }) => id !== term.id)}
						leads={open?.what === 'merge'}
						busy={busy}
						onMove={(into) => void (open?.what === 'merge' ? merge : remove)(term, into)}
					/>
				)}
			</Dialog>
			<p className="sr-only" role="status">
				{found && plural(found.length, noun, many)}
			</p>
		</>
	);
}

function colorOf(term: Term): string | undefined {
	return (term as Partial<StoredCategory>).color;
}
