import { useStore } from '@nanostores/react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import type { Edited, Listed } from '#src/core/records/record.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';
import type { Writing, Writings } from './desk.store.ts';

const NOTHING = {};

/** Kinds of rows that the list can be narrowed to. */
export type Filters<Row> = Record<string, { label: string; has: (row: Row) => boolean }>;

type ListProps<Row extends Listed, Of extends Edited<Form>, Form> = {
	/** The screen's part of the address, and the name in it of the record that is open. */
	screen: string;
	opens: string;
	writings: Writings<Of, Form>;
	call: Endpoint<object, Row[]>;
	/** Name of all. */
	label: string;
	/** Name of one. */
	noun: string;
	/** Heading of the first column, which has the record's name and notes beside it. */
	heading: string;
	nameOf: (row: Row) => string;
	notesOf?: (row: Row) => ReactNode;
	/** The other columns, but for the last: when it was changed. */
	columns: Column<Row>[];
	filters?: Filters<Row>;
	/** Returns the words that a search finds a row by. Without it there is no search. */
	wordsOf?: (row: Row) => string;
	/** All rows are on one page without it. */
	perPage?: number;
	empty: string;
	/** Buttons above the list, the main one last; where there are no rows, that one in their place. */
	dialogs: RecordDialog<Row>[];
};

/** A button, and what its dialog holds. */
type RecordDialog<Row> = {
	action: string;
	/** Returns whether there is anything to do in it. */
	isOffered?: (rows: readonly Row[]) => boolean;
	/** Selector of the first focus. */
	focus?: string;
	content: (close: () => void, reload: () => void, open: (slug: string) => void) => ReactNode;
};

type Props<Row extends Listed, Of extends Edited<Form>, Form> = ListProps<Row, Of, Form> & {
	/** The form of the record in the address. */
	editor: (props: {
		slug: string;
		onClose: () => void;
		onMoved: (slug: string) => void;
	}) => ReactNode;
};

/** The records of a kind: a list, and the form of the one in the address. */
export function RecordScreen<Row extends Listed, Of extends Edited<Form>, Form>({
	editor,
	...list
}: Props<Row, Of, Form>) {
	const { screen, opens } = list;
	const { $writings, $kept, isUnsaved } = list.writings;
	const { query, set } = useQuery(screen);
	const slug = query[opens];
	useEffect(() => {
		function warn(event: BeforeUnloadEvent) {
			const isAtRisk = ([slug, writing]: [string, Writing<Of, Form> | undefined]) =>
				isUnsaved(writing) && !$kept.get()[slug];
			if (Object.entries($writings.get()).some(isAtRisk)) event.preventDefault();
		}
		addEventListener('beforeunload', warn);
		return () => removeEventListener('beforeunload', warn);
	}, []);
	if (!slug) return <RecordList {...list} />;
	return editor({
		slug,
		onClose: () => set({ [opens]: '' }),
		onMoved: (moved) => set({ [opens]: moved }, 'replace'),
	});
}

function RecordList<Row extends Listed, Of extends Edited<Form>, Form>({
	...props
}: ListProps<Row, Of, Form>) {
	const { screen, opens, writings, label, noun, nameOf, notesOf, wordsOf } = props;
	const { query, set } = useQuery(screen);
	const typed = useStore(writings.$writings);
	const { answer, loading, error, reload } = useAnswer(props.call, NOTHING);
	const [opened, setOpened] = useState<string>();
	const close = () => setOpened(undefined);
	const offered = props.dialogs.filter(({ isOffered }) => !answer || (isOffered?.(answer) ?? true));
	const main = offered.at(-1);
	const filters: Filters<Row> = {
		...props.filters,
		offered: { label: 'Newer file', has: ({ offered }) => offered },
	};
	const q = query['q'] ?? '';
	const show = query['show'] ?? '';
	const found = answer?.filter(
		(row) =>
			(wordsOf?.(row).toLowerCase().includes(q.toLowerCase()) ?? true) &&
			(filters[show]?.has(row) ?? true),
	);
	const { perPage = Math.max(1, found?.length ?? 1) } = props;
	const page = props.perPage ? Math.max(1, Number(query['page'] ?? 1) || 1) : 1;

	const columns: Column<Row>[] = [
		column('name', props.heading, (row) => (
			<>
				<button type="button" className="link row-open" onClick={() => set({ [opens]: row.slug })}>
					{nameOf(row)}
				</button>
				{notesOf?.(row)}
				{row.offered && <span className="row-note">newer file</span>}
				{writings.isUnsaved(typed[row.slug]) && <span className="row-note">not saved</span>}
			</>
		)),
		...props.columns,
		column('changed', 'Changed', ({ updatedAt }) => <When at={updatedAt} />, 'end', 'wide'),
	];
	return (
		<div className={`${screen}-desk`}>
			<div className="desk-tools">
				{wordsOf && (
					<SearchField
						label={`Search ${label.toLowerCase()}`}
						value={q}
						onSearch={(text) => set({ q: text }, 'replace')}
					/>
				)}
				<Segments
					label="Show"
					value={show}
					options={[
						{ value: '', label: 'All', count: answer?.length },
						...Object.entries(filters)
							.map(([value, filter]) => ({
								value,
								label: filter.label,
								count: answer?.filter(filter.has).length,
							}))
							.filter(({ value, count }) => count !== 0 || value === show),
					]}
					onChange={(value) => set({ show: value })}
				/>
				<span className="end flex flex-wrap gap-3">
					{(answer?.length === 0 ? [] : offered).map((one) => (
						<Button
							key={one.action}
							variant={one === main ? 'primary' : 'quiet'}
							onClick={() => setOpened(one.action)}
						>
							{one.action}
						</Button>
					))}
				</span>
			</div>
			<DataTable
				label={label}
				columns={columns}
				page={
					found && {
						rows: found.slice((page - 1) * perPage, page * perPage),
						total: found.length,
						page,
						pageSize: perPage,
					}
				}
				loading={loading}
				error={error}
				onRetry={reload}
				idOf={({ slug }) => slug}
				onPage={(next) => set({ page: String(next) })}
				empty={
					<div className="grid justify-items-center gap-4">
						<p>{props.empty}</p>
						{answer?.length === 0 && main && (
							<Button onClick={() => setOpened(main.action)}>{main.action}</Button>
						)}
					</div>
				}
				onShowAll={q || show ? () => set({ q: '', show: '' }) : undefined}
			/>
			{props.dialogs.map(({ action, focus, content }) => (
				<Dialog
					key={action}
					open={opened === action}
					onClose={close}
					title={action}
					{...(focus && { firstFocus: focus })}
				>
					{opened === action && content(close, reload, (slug) => set({ [opens]: slug }))}
				</Dialog>
			))}
			<p className="sr-only" role="status">
				{found && plural(found.length, noun)}
			</p>
		</div>
	);
}
