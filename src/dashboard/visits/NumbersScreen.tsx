import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { isPhone } from '#src/dashboard/kit/phone.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import { getStats } from '#src/features/stats/stats.api.ts';
import { RANGES } from '#src/features/stats/stats.ts';
import { getFigures } from '#src/features/visits/visits.api.ts';
import {
	DESCRIBED,
	FIGURES,
	dayText,
	figuresQuery,
	firstKeptDay,
	rangeOf,
	type Figure,
	type FigureRow,
	type Figures,
	type FiguresQuery,
} from '#src/features/visits/visits.ts';
import { DAY, shortDate } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { formatCount } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { OpenPage } from './OpenPage.tsx';
import { Overview } from './Overview.tsx';
import { Sources } from './Sources.tsx';

/** Figures of the screen that a filter by one of these fields can be set from. */
const FILTERS = {
	page: 'path',
	article: 'path',
	referrer: 'referrer',
	campaign: 'campaign',
} as const;

type Filtering = keyof typeof FILTERS;
type Filter = Pick<FiguresQuery, 'path' | 'referrer' | 'campaign'>;
type Range = { from: string; to: string };

/** Figures of readers and visitors between two days, of all pages, of one page or from one source. */
export function NumbersScreen() {
	const { query, set } = useQuery('numbers');
	const fields = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
	// An empty host stands for visits without one.
	if (fields['referrer'] === DIRECT) fields['referrer'] = '';
	const given = figuresQuery.safeParse(fields);
	const { path, referrer, campaign, ...rest } = given.success
		? given.data
		: parse(figuresQuery, {});
	const { first, last } = rangeOf(rest, new Date());
	const range = { from: dayText(first), to: dayText(last) };
	const filter: Filter = {
		...(path !== undefined && { path }),
		...(referrer !== undefined && { referrer }),
		...(campaign !== undefined && { campaign }),
	};
	const today = Math.floor(Date.now() / DAY);
	const firstKept = firstKeptDay(new Date());
	const preset = last === today ? String(last - first + 1) : '';

	// The button that changes a filter disappears with the change.
	const nextFocus = useRef('');
	useEffect(() => {
		document.getElementById(nextFocus.current)?.focus();
		nextFocus.current = '';
	}, [path, referrer, campaign]);
	function filterBy(field: keyof Filter, value: string) {
		const figure = FIGURES.find((by) => by in FILTERS && FILTERS[by as Filtering] === field);
		nextFocus.current = value === '' ? `figure-${figure}` : `filter-${field}`;
		set({ [field]: value });
	}
	const isFiltered = Object.keys(filter).length > 0;
	// Without a filter, signups stand there by their source.
	const shown = FIGURES.filter(
		(by) => by !== 'day' && by !== 'hour' && isShown(by, filter) && (by !== 'signup' || isFiltered),
	);
	const visits = useAnswer(getFigures, { by: 'day', format: 'json', ...range, ...filter });
	const stats = useAnswer(getStats, { days: last - first + 1, to: range.to });
	const isQuiet = !isFiltered && visits.error === undefined && visits.answer?.rows.length === 0;
	return (
		<>
			<div className="desk-tools">
				<Segments
					label="Range"
					value={preset}
					options={RANGES.map((days) => ({ value: String(days), label: `${days} days` }))}
					onChange={(days) => set({ from: dayText(today - Number(days) + 1), to: '' })}
				/>
				<DayField
					label="From"
					value={range.from}
					max={range.to}
					onChange={(from) => set({ from })}
				/>
				<DayField label="To" value={range.to} min={range.from} onChange={(to) => set({ to })} />
			</div>
			{isFiltered && (
				<div className="desk-bar" role="group" aria-label="Filters">
					{path !== undefined && (
						<Button id="filter-path" variant="quiet" onClick={() => filterBy('path', '')}>
							Page {path} only: show all
						</Button>
					)}
					{referrer !== undefined && (
						<Button id="filter-referrer" variant="quiet" onClick={() => filterBy('referrer', '')}>
							From {referrer || 'no other site'} only: show all
						</Button>
					)}
					{campaign !== undefined && (
						<Button id="filter-campaign" variant="quiet" onClick={() => filterBy('campaign', '')}>
							Campaign {campaign} only: show all
						</Button>
					)}
				</div>
			)}
			{isFiltered && first < firstKept && (
				<p className="text-muted">
					Of one page or source what is older than {shortDate(dayText(firstKept))} is no longer
					known.
				</p>
			)}
			<Overview
				{...{ first, last, filter, visits, stats, isQuiet }}
				chosen={query['figure']}
				onChoose={(figure) => set({ figure })}
			/>
			{isQuiet && <NoVisitors />}
			<div className="visits-figures">
				{!isFiltered && stats.answer && <Sources {...stats.answer} />}
				{shown.map((by) => (
					<FigureSection
						key={`${by} ${JSON.stringify(filter)}`}
						{...{ by, range, filter }}
						hidesEmpty={isQuiet}
						onFilter={filterBy}
					/>
				))}
			</div>
			<OpenPage />
			<p className="mt-8 text-muted">
				Days are in UTC. A page counts once a day for each visitor. Bots are left out, and so is
				whoever sends Do Not Track or Global Privacy Control.
			</p>
		</>
	);
}

/** Says what will be here, and how it comes about. */
function NoVisitors() {
	return (
		<div className="data-empty frame">
			<p className="frame-label">0 visitors</p>
			<p>Nobody was counted in these days.</p>
			<p className="mt-2">
				With the first visitors it stands here which pages they open, which sites led them here, how
				far they read and what they search for. A link with <code>?utm_source=</code> and{' '}
				<code>&utm_campaign=</code> tells what a post elsewhere or a letter brought.
			</p>
			<Button variant="quiet" className="mt-4" onClick={() => openScreen('create', {})}>
				Write something to read
			</Button>
		</div>
	);
}

/** Stands in the address for visits that no other site led to. */
const DIRECT = '(none)';

/** Returns whether a figure can be told under a filter. */
function isShown(by: Figure, filter: Filter): boolean {
	const { path } = filter;
	const isOnlyPage = path !== undefined && Object.keys(filter).length === 1;
	if (by === 'stop') return isOnlyPage && path.startsWith(paths.post(''));
	if (by === 'signup' && isOnlyPage) return true;
	return Object.keys(filter).length === 0 || (DESCRIBED[by].filters ?? false);
}

type DayProps = {
	label: string;
	value: string;
	min?: string;
	max?: string;
	onChange: (day: string) => void;
};

function DayField({ label, onChange, ...input }: DayProps) {
	return (
		<label className="field">
			{label}
			<input
				type="date"
				{...input}
				onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
			/>
		</label>
	);
}

/** Rows before one asks for all: a phone shows the figures below, too. */
const FIRST_ROWS = isPhone() ? 5 : 10;

type SectionProps = {
	by: Figure;
	range: Range;
	filter: Filter;
	/** Hides a figure that has no rows. */
	hidesEmpty: boolean;
	onFilter: (field: keyof Filter, value: string) => void;
};

/** One figure: its table, the first rows of it, and the same as a file. */
function FigureSection({ by, range, filter, hidesEmpty, onFilter }: SectionProps) {
	const input: FiguresQuery = { by, format: 'json', ...range, ...filter };
	const { answer, error, loading, reload } = useAnswer(getFigures, input);
	const { title } = DESCRIBED[by];
	if (hidesEmpty && answer?.rows.length === 0) return null;
	const file = new URLSearchParams({
		...{ by, ...range, format: 'csv' },
		...(filter as Record<string, string>),
	});
	return (
		<section className="visits-figure" aria-label={title} aria-busy={loading}>
			<div className="visits-head">
				<h2 id={`figure-${by}`} tabIndex={-1}>
					{title}
				</h2>
				<a className="link" href={`${getFigures.path}?${file}`} download>
					CSV<span className="sr-only"> of {title}</span>
				</a>
			</div>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label={`Loading ${title}`} rows={3} />}
			{answer && error === undefined && <FigureTable figures={answer} onFilter={onFilter} />}
		</section>
	);
}

type TableProps = { figures: Figures; onFilter: SectionProps['onFilter'] };

function FigureTable({ figures: { by, rows }, onFilter }: TableProps) {
	const [all, setAll] = useState(by === 'stop');
	const body = useRef<HTMLTableSectionElement>(null);
	const { key, columns, empty } = DESCRIBED[by];
	const names = Object.entries(columns);
	if (rows.length === 0) return <p className="text-muted">{empty}</p>;
	return (
		<>
			<table className="data-table mt-3">
				<thead>
					<tr>
						<th scope="col">{key}</th>
						{names.map(([name, label]) => (
							<th key={name} scope="col" className="data-end">
								{label}
							</th>
						))}
					</tr>
				</thead>
				<tbody ref={body}>
					{(all ? rows : rows.slice(0, FIRST_ROWS)).map((row) => (
						<tr key={row.key} tabIndex={-1}>
							<td className="wrap">
								<Key by={by} row={row} onFilter={onFilter} />
							</td>
							{names.map(([name]) => (
								<td key={name} className="data-end">
									{formatCount(Number(row[name]))}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{!all && rows.length > FIRST_ROWS && (
				<Button
					variant="quiet"
					className="mt-3"
					onClick={() => {
						// The button goes: who pressed it goes on at the first of the rows that came.
						flushSync(() => setAll(true));
						body.current?.rows[FIRST_ROWS]?.focus();
					}}
				>
					Show all {formatCount(rows.length)}
				</Button>
			)}
		</>
	);
}

type KeyProps = { by: Figure; row: FigureRow; onFilter: SectionProps['onFilter'] };

/** Subject of a row; where that can be a filter, a button that sets it. */
function Key({ by, row, onFilter }: KeyProps) {
	const text = row.label ?? (row.key || (by === 'referrer' ? 'No other site' : 'Not known'));
	const field = by in FILTERS ? FILTERS[by as Filtering] : undefined;
	if (!field) return text;
	return (
		<button type="button" className="link" onClick={() => onFilter(field, row.key || DIRECT)}>
			{text}
		</button>
	);
}
