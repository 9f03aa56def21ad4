import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { textOfSheet } from '#src/lib/csv.ts';
import { importFigures, type FigureImport } from '#src/features/states/editing.api.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

const ROWS_SHOWN = 200;

/** The most that one request takes. */
const MAX_BYTES = 900_000;

type Props = { onImported: (title: string, undo: string | null) => void };

/** A table of figures is chosen, looked at, and imported. */
export function ImportFigures({ onImported }: Props) {
	const [csv, setCsv] = useState('');
	const [report, setReport] = useState<FigureImport>();
	const { busy, reason, run } = useSubmit();

	async function send(text: string, preview?: string) {
		try {
			const answer = await callAsAdmin(importFigures, { csv: text, preview });
			if (preview === undefined) setReport(answer);
			else onImported(`${plural(answer.states.length, 'state')} imported`, answer.undo);
		} catch (problem) {
			const again = problem instanceof AppError ? problem.stored : undefined;
			setReport(again as FigureImport | undefined);
			throw problem;
		}
	}
	const open = (file: File) =>
		run(async () => {
			setReport(undefined);
			if (file.size > MAX_BYTES)
				throw new AppError('validation', 'This file is too long: import a year at a time.');
			const text = textOfSheet(await file.arrayBuffer());
			setCsv(text);
			await send(text);
		});

	return (
		<div className="grid gap-4">
			<p className="text-muted">
				A table with the columns of <a href="/data/states.csv">states.csv</a>: a row for each figure
				of a state and year. What it does not name stays as it is.
			</p>
			<div className="field">
				<label htmlFor="figures-file">CSV file</label>
				<input
					id="figures-file"
					type="file"
					accept=".csv,text/csv,text/plain"
					onChange={({ currentTarget: { files } }) => {
						if (files?.[0]) void open(files[0]);
					}}
				/>
			</div>
			<FieldError>{reason}</FieldError>
			{busy && !report && <p role="status">Reading…</p>}
			{report && <Preview report={report} />}
			{report && report.changes.length > 0 && (
				<Button
					className="justify-self-start"
					busy={busy}
					onClick={() => void run(() => send(csv, report.preview))}
				>
					{busy ? 'Importing…' : 'Import'}
				</Button>
			)}
		</div>
	);
}

function Preview({ report: { changes, same, computed } }: { report: FigureImport }) {
	const states = new Set(changes.map(({ slug }) => slug)).size;
	return (
		<>
			<p role="status">
				{changes.length === 0
					? 'Nothing changes.'
					: `${plural(changes.length, 'cell')} of ${plural(states, 'state')} ${changes.length === 1 ? 'changes' : 'change'}.`}{' '}
				{same > 0 && `${plural(same, 'row says', 'rows say')} what is stored. `}
				{computed > 0 && `${plural(computed, 'row is', 'rows are')} computed and left out.`}
			</p>
			{changes.length > 0 && (
				<div className="data-scroll state-preview" tabIndex={0} role="group" aria-label="Changes">
					<table className="data-table">
						<thead>
							<tr>
								<th scope="col">State</th>
								<th scope="col">Figure</th>
								<th scope="col">Now</th>
								<th scope="col">Then</th>
							</tr>
						</thead>
						<tbody>
							{changes.slice(0, ROWS_SHOWN).map(({ state, label, year, cell, before, after }) => (
								<tr key={`${state} ${label} ${year} ${cell}`}>
									<th scope="row">{state}</th>
									<td>
										{label}, {year} <span className="label">{cell}</span>
									</td>
									<td>{before === null ? '–' : <del>{before}</del>}</td>
									<td>
										<ins>{after}</ins>
									</td>
								</tr>
							))}
						</tbody>
					</table>
					{changes.length > ROWS_SHOWN && <p>and {changes.length - ROWS_SHOWN} more</p>}
				</div>
			)}
		</>
	);
}
