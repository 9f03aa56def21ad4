import { column, type Column } from '#src/components/ui/DataTable.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { RecordScreen, type Filters } from '#src/dashboard/records/RecordScreen.tsx';
import * as api from '#src/features/states/editing.api.ts';
import type { StateRow } from '#src/features/states/editing.ts';
import { figureText, STATES_IN_ALL } from '#src/features/states/state.ts';
import { paths } from '#src/site.ts';
import { AddStates } from './AddStates.tsx';
import { ImportFigures } from './ImportFigures.tsx';
import { StateEditor } from './StateEditor.tsx';
import { stateWritings } from './state.store.ts';

const ADDED = `They are at ${paths.states} with the next build.`;

const FILTERS: Filters<StateRow> = {
	edited: { label: 'Edited', has: ({ version }) => version > 1 },
};

const COLUMNS: Column<StateRow>[] = [
	column('jobs', 'AI jobs', ({ aiJobs }) => figureText(aiJobs), 'end'),
	column(
		'salary',
		'Average salary',
		({ averageSalary }) => figureText(averageSalary, 'US dollars a year'),
		'end',
		'wide',
	),
	column('years', 'Years', ({ years }) => years.join(', '), 'wide'),
];

/** The guides of the states. */
export function StatesScreen() {
	return (
		<RecordScreen
			screen="states"
			opens="state"
			writings={stateWritings}
			call={api.list}
			label="States"
			noun="state"
			heading="Name"
			nameOf={({ name }) => name}
			notesOf={({ abbreviation }) => <span className="label"> {abbreviation}</span>}
			columns={COLUMNS}
			filters={FILTERS}
			wordsOf={({ name, abbreviation }) => `${name} ${abbreviation}`}
			perPage={50}
			empty="No state has a guide here. Guides to all fifty come with the program, with figures and sources: add those you want."
			dialogs={[
				{
					action: 'Import figures',
					isOffered: (rows) => rows.length > 0,
					content: (close, reload) => (
						<ImportFigures
							onImported={(title, undo) => {
								close();
								tellUndoable({ title }, undo, reload);
								reload();
							}}
						/>
					),
				},
				{
					action: 'Add states',
					isOffered: (rows) => rows.length < STATES_IN_ALL,
					content: (close, reload) => (
						<AddStates
							onAdded={(names, undo) => {
								close();
								const title =
									names.length === 1 ? `${names[0]} added` : `${names.length} states added`;
								tellUndoable({ title, description: ADDED }, undo, reload);
								reload();
							}}
						/>
					),
				},
			]}
			editor={(props) => <StateEditor key={props.slug} {...props} />}
		/>
	);
}
