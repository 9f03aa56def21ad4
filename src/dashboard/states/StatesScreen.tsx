import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useQuery } from '#src/dashboard/kit/useQuery.ts';
import * as api from '#src/features/states/editing.api.ts';
import type { StateRow } from '#src/features/states/editing.ts';
import { figureText } from '#src/features/states/state.ts';
import { shortDate } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { ImportFigures } from './ImportFigures.tsx';
import { StateEditor } from './StateEditor.tsx';
import { stateWritings } from './state.store.ts';

const { $writings, isUnsaved } = stateWritings;

const NOTHING = {};
const PER_PAGE = 50;

/** The guides of the states: a list, and the form of the one in the address. */
export function StatesScreen() {
	const { query, set } = useQuery('states');
	const writings = useStore($writings);
	const slug = query['state'];
	useEffect(() => {
		function warn(event: BeforeUnloadEvent) {
			if (Object.values($writings.get()).some(isUnsaved)) event.preventDefault();
		}
		addEventListener('beforeunload', warn);
		return () => removeEventListener('beforeunload', warn);
	}, []);
	if (slug) return <StateEditor key={slug} slug={slug} onClose={() => set({ state: '' })} />;
	const unsaved = Object.keys(writings).filter((one) => isUnsaved(writings[one]));
	return <StateList unsaved={unsaved} />;
}

function StateList({ unsaved }: { unsaved: string[] }) {
	const { query, set } = useQuery('states');
	const { answer, loading, error, reload } = useAnswer(api.listEditedStates, NOTHING);
	const [importing, setImporting] = useState(false);
	const q = query['q'] ?? '';
	const show = query['show'] ?? '';
	const kinds: Record<string, (row: StateRow) => boolean> = {
		edited: ({ version }) => version > 1,
		offered: ({ offered }) => offered,
	};
	const found = answer?.filter(
		(row) =>
			`${row.name} ${row.abbreviation}`.toLowerCase().includes(q.toLowerCase()) &&
			(kinds[show]?.(row) ?? true),
	);
	const page = Math.max(1, Number(query['page'] ?? 1) || 1);

	const columns: Column<StateRow>[] = [
		{
			key: 'name',
			label: 'Name',
			cell: ({ slug, name, abbreviation, offered }) => (
				<>
					<button type="button" className="link row-open" onClick={() => set({ state: slug })}>
						{name}
					</button>{' '}
					<span className="label">{abbreviation}</span>
					{offered && <span className="row-note">newer file</span>}
					{unsaved.includes(slug) && <span className="row-note">not saved</span>}
				</>
			),
		},
		{ key: 'jobs', label: 'AI jobs', end: true, cell: ({ aiJobs }) => figureText(aiJobs) },
		{
			key: 'salary',
			label: 'Average salary',
			end: true,
			wide: true,
			cell: ({ averageSalary }) => figureText(averageSalary, 'US dollars a year'),
		},
		{ key: 'years', label: 'Years', wide: true, cell: ({ years }) => years.join(', ') },
		{
			key: 'changed',
			label: 'Changed',
			end: true,
			wide: true,
			cell: ({ updatedAt }) => shortDate(updatedAt),
		},
	];
	return (
		<div className="states-desk">
			<div className="desk-tools">
				<SearchField
					label="Search states"
					value={q}
					onSearch={(text) => set({ q: text }, 'replace')}
				/>
				<Segments
					label="Show"
					value={show}
					options={[
						{ value: '', label: 'All', count: answer?.length },
						{ value: 'edited', label: 'Edited', count: answer?.filter(kinds['edited']!).length },
						{
							value: 'offered',
							label: 'Newer file',
							count: answer?.filter(kinds['offered']!).length,
						},
					]}
					onChange={(value) => set({ show: value })}
				/>
				<Button className="end" onClick={() => setImporting(true)}>
					Import figures
				</Button>
			</div>
			<DataTable
				label="States"
				columns={columns}
				page={
					found && {
						rows: found.slice((page - 1) * PER_PAGE, page * PER_PAGE),
						total: found.length,
						page,
						pageSize: PER_PAGE,
					}
				}
				loading={loading}
				error={error}
				onRetry={reload}
				idOf={({ slug }) => slug}
				onPage={(next) => set({ page: String(next) })}
				empty={<p>There are no states yet. A file in content/states makes one.</p>}
				onShowAll={q || show ? () => set({ q: '', show: '' }) : undefined}
			/>
			<Dialog open={importing} onClose={() => setImporting(false)} title="Import figures">
				{importing && (
					<ImportFigures
						onImported={(title, undo) => {
							setImporting(false);
							tellUndoable({ title }, undo, reload);
							reload();
						}}
					/>
				)}
			</Dialog>
			<p className="sr-only" role="status">
				{found && plural(found.length, 'state')}
			</p>
		</div>
	);
}
