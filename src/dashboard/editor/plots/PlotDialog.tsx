import { useMemo, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import {
	composePlot,
	firstChoice,
	marksFor,
	PLOT_MARKS,
	seriesColumns,
	type PlotChoice,
	type PlotMark,
} from '#src/core/figures/plots/compose.ts';
import { columnsOf, parseTable } from '#src/core/figures/plots/table.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { drawBlock } from './drawn.store.ts';

type Props = {
	open: boolean;
	onClose: () => void;
	/** Takes the text of the plot's block of code. */
	onInsert: (source: string) => void;
};

/** Makes a plot of a pasted table, and shows it while it is chosen how. */
export function PlotDialog({ open, onClose, onInsert }: Props) {
	// Kept while it is closed, so that a press beside it loses nothing.
	const [table, setTable] = useState('');
	const [changed, setChanged] = useState<Partial<PlotChoice>>({});
	const clear = () => {
		setTable('');
		setChanged({});
	};
	return (
		<Dialog open={open} onClose={onClose} title="Plot" firstFocus="textarea">
			<PlotForm
				table={table}
				onTable={setTable}
				changed={changed}
				onChange={(part) => setChanged((before) => ({ ...before, ...part }))}
				onInsert={(source) => {
					onClose();
					clear();
					// The dialog is closed by then and has given the focus back, which the block takes.
					setTimeout(() => onInsert(source));
				}}
			/>
		</Dialog>
	);
}

type FormProps = {
	table: string;
	onTable: (table: string) => void;
	changed: Partial<PlotChoice>;
	onChange: (part: Partial<PlotChoice>) => void;
	onInsert: (source: string) => void;
};

function PlotForm({ table, onTable, changed, onChange, onInsert }: FormProps) {
	const rows = useMemo(() => parseTable(table), [table]);
	const columns = useMemo(() => columnsOf(rows), [rows]);
	const choice = fitting({ ...firstChoice(rows, columns), ...changed }, rows, columns);
	const { along, mark, values, series } = choice;
	const plot = composePlot(rows, columns, choice);
	const source = 'source' in plot ? plot.source : null;
	const { data: html, error } = useAsync(source, () => drawBlock('vega-lite', source!), 250);
	const numbers = columns.filter(({ name, kind }) => kind === 'number' && name !== along);
	const splits = values.length > 1 ? [] : seriesColumns(rows, columns, along);
	const isDrawn = source !== null && html !== undefined && html.includes('class="drawn"');

	function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (source !== null) onInsert(source);
	}

	return (
		<form method="post" onSubmit={send} className="plot-form">
			<div className="grid content-start gap-4">
				<Field
					type="textarea"
					label="Table"
					hint="Paste it from a spreadsheet, a CSV file or Markdown. Its first row names the columns."
					rows={6}
					spellCheck={false}
					className="font-label text-xs"
					value={table}
					onChange={(event) => onTable(event.currentTarget.value)}
				/>
				{rows.length > 0 && (
					<>
						<Segments
							label="Mark"
							value={mark}
							options={marksFor(columns.find(({ name }) => name === along)).map((value) => ({
								value,
								label: PLOT_MARKS[value],
							}))}
							onChange={(value) => onChange({ mark: value as PlotMark })}
						/>
						<Field
							type="select"
							label="Along"
							value={along}
							options={columns.map(({ name }) => name)}
							onChange={({ currentTarget }) => {
								const { value } = currentTarget;
								const rest = values.filter((name) => name !== value);
								onChange({ along: value, values: rest });
							}}
						/>
						<fieldset className="plot-values">
							<legend>Numbers to draw</legend>
							{numbers.map(({ name }) => (
								<label key={name}>
									<input
										type="checkbox"
										checked={values.includes(name)}
										onChange={({ currentTarget }) => {
											const isIn = (one: string) =>
												one === name ? currentTarget.checked : values.includes(one);
											onChange({
												values: numbers.map((one) => one.name).filter(isIn),
											});
										}}
									/>
									{name}
								</label>
							))}
							{numbers.length === 0 && <p className="field-hint">No other column holds numbers.</p>}
						</fieldset>
						{splits.length > 0 && (
							<Field
								type="select"
								label="Series"
								value={series}
								options={[
									{ value: '', label: 'One' },
									...splits.map(({ name }) => ({ value: name, label: `By ${name}` })),
								]}
								onChange={(event) => onChange({ series: event.currentTarget.value })}
							/>
						)}
						<label className="check">
							<input
								type="checkbox"
								checked={choice.isWide}
								onChange={(event) => onChange({ isWide: event.currentTarget.checked })}
							/>
							Wider than the text where there is room
						</label>
						<Field
							label="Title: what to see"
							value={choice.title}
							maxLength={200}
							onChange={(event) => onChange({ title: event.currentTarget.value })}
						/>
						<Field
							label="Description: the same in numbers"
							value={choice.description}
							maxLength={300}
							onChange={(event) => onChange({ description: event.currentTarget.value })}
						/>
					</>
				)}
			</div>
			<div className="grid content-start gap-4">
				<div className="plot-shown prose" role="status">
					{'missing' in plot && <p className="label">{plot.missing}</p>}
					{source !== null && error !== undefined && (
						<p className="label">The server does not answer. Change something to try again.</p>
					)}
					{source !== null && html !== undefined && error === undefined && (
						<div dangerouslySetInnerHTML={{ __html: html }} />
					)}
				</div>
				<div>
					<Button type="submit" disabled={!isDrawn}>
						Insert plot
					</Button>
				</div>
			</div>
		</form>
	);
}

/** Returns a choice without what its table does not have: the table may have changed since. */
function fitting(
	choice: PlotChoice,
	rows: ReturnType<typeof parseTable>,
	columns: ReturnType<typeof columnsOf>,
): PlotChoice {
	const first = firstChoice(rows, columns);
	const along =
		columns.find(({ name }) => name === choice.along) ??
		columns.find(({ name }) => name === first.along);
	const isNumber = (name: string) =>
		name !== along?.name && columns.some((one) => one.name === name && one.kind === 'number');
	const kept = choice.values.filter(isNumber);
	const values =
		kept.length > 0 || choice.values.length === 0 ? kept : first.values.filter(isNumber);
	const marks = marksFor(along);
	const splits = seriesColumns(rows, columns, along?.name ?? '');
	return {
		...choice,
		along: along?.name ?? '',
		values,
		mark: marks.includes(choice.mark) ? choice.mark : marks[0]!,
		series: splits.some(({ name }) => name === choice.series) ? choice.series : '',
	};
}
