import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { pageCount, parseSort, type Paged } from '#src/lib/paging.ts';
import { formatCount } from '#src/lib/text.ts';
import { Button } from './Button.tsx';
import { SectionError } from './ErrorBoundary.tsx';
import { pageNumbers } from './pagination.ts';
import { Skeleton } from './Skeleton.tsx';

export type Column<Row> = {
	key: string;
	label: string;
	cell: (row: Row) => ReactNode;
	/** Makes the column sortable by `key`. */
	sortable?: boolean;
	/** Aligns numbers and dates to the end of the cell. */
	end?: boolean;
	/** Hidden on narrow screens. */
	wide?: boolean;
};

/** Returns a column that is what `how` says. */
export const column = <Row,>(
	key: string,
	label: string,
	cell: Column<Row>['cell'],
	...how: ('sortable' | 'end' | 'wide')[]
): Column<Row> => ({ key, label, cell, ...Object.fromEntries(how.map((name) => [name, true])) });

type Props<Row> = {
	/** Accessible name of the table. */
	label: string;
	columns: readonly Column<Row>[];
	/** The latest response; undefined before the first one. */
	page: Paged<Row> | undefined;
	loading: boolean;
	error: string | undefined;
	onRetry: () => void;
	/** Shown if the list is empty. */
	empty: ReactNode;
	/** Clears the filters; given while there are some. */
	onShowAll?: (() => void) | undefined;
	idOf: (row: Row) => string;
	/** A column's key, with a leading hyphen for descending order. */
	sort?: string;
	onSort?: (sort: string) => void;
	onPage: (page: number) => void;
	/** Ids of selected rows; Shift selects a range. Without it, rows cannot be selected. */
	selected?: ReadonlySet<string>;
	onSelect?: (selected: ReadonlySet<string>) => void;
	/** Returns a row's name for the label of its checkbox. */
	nameOf?: (row: Row) => string;
	/** Returns the heading under which a row stands with those that have the same one. */
	groupOf?: (row: Row) => string;
};

/** Controls of a row. */
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)';

/** A list that the server sorts, filters and pages. In a row, J, K and X go to the next one, to the one before, and choose it. */
export function DataTable<Row>(props: Props<Row>) {
	const { label, columns, page, loading, error, onRetry, empty, onShowAll, idOf } = props;
	const { sort, onSort, onPage, selected, onSelect, nameOf = idOf, groupOf } = props;
	/** The row that was chosen last: Shift chooses from there. */
	const last = useRef<string>(null);
	if (error !== undefined) return <SectionError message={error} onRetry={onRetry} />;
	if (!page) return <Skeleton label={`Loading ${label.toLowerCase()}`} rows={6} />;
	const ids = page.rows.map(idOf);
	const chosen = ids.filter((id) => selected?.has(id)).length;

	function choose(changed: string[], on: boolean) {
		const next = new Set(selected);
		for (const id of changed) {
			if (on) next.add(id);
			else next.delete(id);
		}
		onSelect?.(next);
	}
	function chooseRow(id: string, on: boolean, isRange: boolean) {
		const ends = [ids.indexOf(last.current ?? ''), ids.indexOf(id)].sort((a, b) => a - b);
		const [from, to] = ends as [number, number];
		choose(isRange && from >= 0 ? ids.slice(from, to + 1) : [id], on);
		last.current = id;
	}

	/** Moves to the row below or above by J and K, and chooses it by X; not where words are typed, nor in a menu. */
	function onKeyDown(event: KeyboardEvent<HTMLElement>) {
		const { key, target, currentTarget, shiftKey } = event;
		const isElsewhere = (target as Element).closest(
			'select, textarea, input:not([type=checkbox]), [popover]',
		);
		if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
		const lines = [...currentTarget.querySelectorAll('tbody > tr:not(.data-group)')];
		const at = lines.findIndex((line) => line.contains(target as Element));
		const step = { j: 1, k: -1 }[key.toLowerCase()];
		const id = ids[at];
		if (step !== undefined) {
			const controls = (line: Element | undefined) => [
				...(line?.querySelectorAll<HTMLElement>(CONTROLS) ?? []),
			];
			const next = controls(lines[at + step]);
			(next[controls(lines[at]).indexOf(target as HTMLElement)] ?? next[0])?.focus();
		} else if (key.toLowerCase() === 'x' && selected && id !== undefined)
			chooseRow(id, !selected.has(id), shiftKey);
		else return;
		event.preventDefault();
	}

	return (
		<div className="data" aria-busy={loading}>
			{page.rows.length === 0 ? (
				<div className="data-empty frame">
					<p className="frame-label">0 results</p>
					{onShowAll ? (
						<>
							<p>Nothing matches.</p>
							<Button variant="quiet" className="mt-4" onClick={onShowAll}>
								Show all
							</Button>
						</>
					) : (
						empty
					)}
				</div>
			) : (
				<div className="data-scroll" tabIndex={0} role="group" aria-label={label}>
					<table className="data-table" aria-label={label} onKeyDown={onKeyDown}>
						<thead>
							<tr>
								{selected && (
									<td className="data-check">
										<Checkbox
											label="All rows of this page"
											checked={chosen === ids.length}
											mixed={chosen > 0 && chosen < ids.length}
											onChange={(on) => choose(ids, on)}
										/>
									</td>
								)}
								{columns.map((column) => (
									<Header key={column.key} column={column} sort={sort} onSort={onSort} />
								))}
							</tr>
						</thead>
						{[...Map.groupBy(page.rows, (row) => groupOf?.(row))].map(([group, rows]) => (
							<tbody key={group ?? ''}>
								{group !== undefined && (
									<tr className="data-group">
										<th scope="rowgroup" colSpan={columns.length + (selected ? 1 : 0)}>
											{group}
										</th>
									</tr>
								)}
								{rows.map((row) => {
									const id = idOf(row);
									return (
										<tr key={id} data-chosen={selected?.has(id) || undefined}>
											{selected && (
												<td className="data-check">
													<Checkbox
														label={nameOf(row)}
														checked={selected.has(id)}
														onChange={(on, isRange) => chooseRow(id, on, isRange)}
													/>
												</td>
											)}
											{columns.map((column) => (
												<td key={column.key} className={classOf(column)}>
													{column.cell(row)}
												</td>
											))}
										</tr>
									);
								})}
							</tbody>
						))}
					</table>
				</div>
			)}
			<Pages {...page} onPage={onPage} />
		</div>
	);
}

function classOf<Row>({ end, wide }: Column<Row>): string | undefined {
	return [end && 'data-end', wide && 'data-wide'].filter(Boolean).join(' ') || undefined;
}

function Header<Row>({
	column,
	sort,
	onSort,
}: {
	column: Column<Row>;
	sort: string | undefined;
	onSort: ((sort: string) => void) | undefined;
}) {
	const { key, label } = column;
	if (!column.sortable || sort === undefined) {
		return (
			<th scope="col" className={classOf(column)}>
				{label}
			</th>
		);
	}
	const { key: sortKey, descending } = parseSort(sort);
	const isBy = sortKey === key;
	return (
		<th
			scope="col"
			className={classOf(column)}
			aria-sort={isBy ? (descending ? 'descending' : 'ascending') : 'none'}
		>
			<button type="button" onClick={() => onSort?.(isBy && !descending ? `-${key}` : key)}>
				{label}
				<span aria-hidden="true">{isBy ? (descending ? '↓' : '↑') : ''}</span>
			</button>
		</th>
	);
}

function Checkbox({
	label,
	checked,
	mixed = false,
	onChange,
}: {
	label: string;
	checked: boolean;
	mixed?: boolean;
	/** With Shift, it is meant for a range. */
	onChange: (on: boolean, isRange: boolean) => void;
}) {
	const input = useRef<HTMLInputElement>(null);
	useEffect(() => {
		input.current!.indeterminate = mixed;
	}, [mixed]);
	return (
		<label>
			<span className="sr-only">{label}</span>
			<input
				ref={input}
				type="checkbox"
				checked={checked}
				onChange={({ currentTarget, nativeEvent }) =>
					onChange(
						currentTarget.checked,
						'shiftKey' in nativeEvent && nativeEvent.shiftKey === true,
					)
				}
			/>
		</label>
	);
}

/** Pagination of a list; renders nothing for a single page. */
export function Pages({
	total,
	page,
	pageSize,
	onPage,
}: Omit<Paged<unknown>, 'rows'> & { onPage: (page: number) => void }) {
	const pages = pageCount(total, pageSize);
	if (pages === 1 && page === 1) return null;
	return (
		<nav aria-label="Pages" className="data-pages">
			<button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
				Previous
			</button>
			<ol>
				{pageNumbers(page, pages).map((n, index) => (
					<li key={n === 0 ? `gap-${index}` : n}>
						{n === 0 ? (
							<span aria-hidden="true">…</span>
						) : (
							<button
								type="button"
								className={n === page ? 'frame' : undefined}
								aria-current={n === page ? 'page' : undefined}
								aria-label={`Page ${n}`}
								onClick={() => onPage(n)}
							>
								{formatCount(n)}
							</button>
						)}
					</li>
				))}
			</ol>
			<button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
				Next
			</button>
		</nav>
	);
}
