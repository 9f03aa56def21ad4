import { useMemo, useState } from 'react';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import {
	composePlot,
	firstChoice,
	marksFor,
	PLOT_MARKS,
	reopenPlot,
	seriesColumns,
	type PlotChoice,
	type PlotMark,
} from '#src/core/figures/plots/compose.ts';
import { columnsOf, parseTable } from '#src/core/figures/plots/table.ts';
import { FigureForm, type DialogProps } from './FigureForm.tsx';

/** A table as text, and what was chosen for it. */
type Draft = { table: string; changed: Partial<PlotChoice> };
const EMPTY: Draft = { table: '', changed: {} };

/** Makes a plot of a pasted table, or changes one, and shows it while it is chosen how. */
export function PlotDialog({ open, source, onClose, onInsert }: DialogProps) {
	// Kept while it is closed, so that a press beside it loses nothing.
	const [fresh, setFresh] = useState(EMPTY);
	const [changed, setChanged] = useState<{ of: string; draft: Draft }>();
	const given = useMemo(() => draftOf(source), [source]);
	const draft = given ? (changed && changed.of === source ? changed.draft : given) : fresh;
	const set = (part: Partial<Draft>) =>
		source === null
			? setFresh({ ...draft, ...part })
			: setChanged({ of: source, draft: { ...draft, ...part } });
	const close = () => {
		setChanged(undefined);
		onClose();
	};
	return (
		<Dialog open={open} onClose={close} title="Plot" firstFocus="textarea">
			<PlotForm
				table={draft.table}
				onTable={(table) => set({ table })}
				changed={draft.changed}
				onChange={(part) => set({ changed: { ...draft.changed, ...part } })}
				isNew={source === null}
				onInsert={(made) => {
					if (source === null) setFresh(EMPTY);
					close();
					onInsert(made);
				}}
			/>
		</Dialog>
	);
}

function draftOf(source: string | null): Draft | null {
	const read = source === null ? null : reopenPlot(source);
	return read && { table: read.table, changed: read.choice };
}

type FormProps = {
	table: string;
	onTable: (table: string) => void;
	changed: Partial<PlotChoice>;
	onChange: (part: Partial<PlotChoice>) => void;
	isNew: boolean;
	onInsert: (source: string) => void;
};

function PlotForm({ table, onTable, changed, onChange, isNew, onInsert }: FormProps) {
	const rows = useMemo(() => parseTable(table), [table]);
	const columns = useMemo(() => columnsOf(rows), [rows]);
	const choice = fitting({ ...firstChoice(rows, columns), ...changed }, rows, columns);
	const { along, mark, values, series } = choice;
	const plot = composePlot(rows, columns, choice);
	const source = 'source' in plot ? plot.source : null;
	const numbers = columns.filter(({ name, kind }) => kind === 'number' && name !== along);
	const splits = values.length > 1 ? [] : seriesColumns(rows, columns, along);

	return (
		<FigureForm
			language="vega-lite"
			source={source}
			missing={'missing' in plot ? plot.missing : ''}
			button={isNew ? 'Insert plot' : 'Change plot'}
			onInsert={onInsert}
		>
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
		</FigureForm>
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
