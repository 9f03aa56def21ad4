import { column, type Column } from '#src/components/ui/DataTable.tsx';
import { tellUndoable } from '#src/dashboard/kit/undoable.store.ts';
import { RecordScreen, type Filters } from '#src/dashboard/records/RecordScreen.tsx';
import * as api from '#src/features/states/editing.api.ts';
import type { StateRow } from '#src/features/states/editing.ts';
import { figureText } from '#src/features/states/state.ts';
import { ImportFigures } from './ImportFigures.tsx';
import { StateEditor } from './StateEditor.tsx';
import { stateWritings } from './state.store.ts';

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
			empty="There are no states yet. A file in content/states makes one."
			action="Import figures"
			dialog={(close, reload) => (
				<ImportFigures
					onImported={(title, undo) => {
						close();
						tellUndoable({ title }, undo, reload);
						reload();
					}}
				/>
			)}
			editor={({ slug, onClose }) => <StateEditor key={slug} slug={slug} onClose={onClose} />}
		/>
	);
}
