import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import {
	FIGURE_KINDS,
	figureIn,
	inOrder,
	yearOf,
	type FigureKind,
} from '#src/features/states/figures.ts';
import type { Figure } from '#src/features/states/state.ts';
import { formatCount } from '#src/lib/text.ts';

type Props = {
	figures: Figure[];
	errors: Record<string, string>;
	onChange: (figures: Figure[]) => void;
};

/** The figures of one year at a time, each with its source, link and date. */
export function FiguresField({ figures, errors, onChange }: Props) {
	const [added, setAdded] = useState<string[]>([]);
	const years = [...new Set([...figures.map(yearOf), ...added])].sort().reverse();
	const refused = Object.keys(errors).map((path) => /^figures\.(\d+)/.exec(path)?.[1]);
	const refusedAt = refused.find((index) => index !== undefined);
	const refusedYear = refusedAt === undefined ? undefined : figures[Number(refusedAt)];
	const [chosen, setChosen] = useState(() => newestWork(figures) ?? years[0] ?? '');
	const [shownError, setShownError] = useState(errors);
	if (shownError !== errors) {
		setShownError(errors);
		// What was refused is shown.
		if (refusedYear) setChosen(yearOf(refusedYear));
	}
	const year = years.includes(chosen) ? chosen : (years[0] ?? '');
	const [typed, setTyped] = useState('');
	const isYear = /^(19|20)\d\d$/.test(typed);
	function addYear() {
		if (!isYear) return;
		setAdded([...added, typed]);
		setChosen(typed);
		setTyped('');
	}

	const kinds = [
		...FIGURE_KINDS.filter(
			({ key }) => key !== 'population' || year.endsWith('0') || figureIn(figures, key, year),
		),
		// And kinds that another program stored.
		...figures
			.filter(({ key }) => !FIGURE_KINDS.some((kind) => kind.key === key))
			.map(({ key, unit, label }) => ({ key, unit, labelOf: () => label })),
	];
	const replace = (old: Figure | undefined, figure: Figure | undefined) => {
		if (old && figure) onChange(figures.with(figures.indexOf(old), figure));
		else if (old) onChange(figures.filter((one) => one !== old));
		else if (figure) onChange(inOrder([...figures, figure]));
	};
	return (
		<fieldset className="versioned-part">
			<legend>Figures</legend>
			<div className="desk-tools">
				<Field
					type="select"
					label="Year"
					value={year}
					options={years}
					onChange={({ currentTarget }) => setChosen(currentTarget.value)}
				/>
				<Field
					label="Another year"
					value={typed}
					inputMode="numeric"
					maxLength={4}
					autoComplete="off"
					onChange={({ currentTarget }) => setTyped(currentTarget.value)}
					onKeyDown={(event) => {
						if (event.key !== 'Enter') return;
						// And not to save the form.
						event.preventDefault();
						addYear();
					}}
				/>
				<Button variant="quiet" disabled={!isYear} onClick={addYear}>
					Add year
				</Button>
			</div>
			{errors['figures'] && (
				<p role="alert" className="field-error">
					{errors['figures']}
				</p>
			)}
			<p className="field-hint">
				Readers see the newest year of each. AI jobs and the average salary follow from the newest
				year that both occupations have.
			</p>
			<div className="data-scroll" tabIndex={0} role="group" aria-label={`Figures of ${year}`}>
				<table className="data-table state-figures">
					<thead>
						<tr>
							<th scope="col">Figure</th>
							<th scope="col">Value</th>
							<th scope="col">As of {year}-</th>
							<th scope="col">Source</th>
							<th scope="col">
								<span className="sr-only">Entry</span>
							</th>
						</tr>
					</thead>
					<tbody>
						{kinds.map((kind) => {
							const figure = figureIn(figures, kind.key, year);
							const index = figure ? figures.indexOf(figure) : -1;
							return (
								<FigureRow
									key={`${year} ${kind.key}`}
									kind={kind}
									year={year}
									figure={figure}
									like={figures.find(({ key }) => key === kind.key)}
									errorOf={(part) => errors[`figures.${index}.${part}`]}
									onChange={(next) => replace(figure, next)}
								/>
							);
						})}
					</tbody>
				</table>
			</div>
		</fieldset>
	);
}

/** The newest year of the figures about work, with which an edit usually begins. */
function newestWork(figures: Figure[]): string | undefined {
	return figures
		.filter(({ key }) => key.includes('.'))
		.map(yearOf)
		.sort()
		.at(-1);
}

type RowProps = {
	kind: FigureKind;
	year: string;
	figure: Figure | undefined;
	/** The same in another year, whose source a new one begins with. */
	like: Figure | undefined;
	errorOf: (part: 'value' | 'source' | 'link' | 'asOf') => string | undefined;
	onChange: (figure: Figure | undefined) => void;
};

function FigureRow({ kind, year, figure, like, errorOf, onChange }: RowProps) {
	const label = kind.labelOf(year);
	const [typed, setTyped] = useState<string>();
	const shown = figure && !Number.isNaN(figure.value) ? textOfValue(figure.value) : undefined;
	// Typed as long as it means what is stored: "5,120." on the way to "5,120.5".
	const value =
		typed !== undefined && same(readValue(typed), figure?.value) ? typed : (shown ?? typed ?? '');
	const entry: Figure = figure ?? {
		key: kind.key,
		label,
		value: null,
		unit: kind.unit,
		source: like?.source ?? '',
		asOf: `${year}${like?.asOf.slice(4) ?? ''}`,
	};
	const cell = (part: 'value' | 'source' | 'link' | 'asOf', name: string) => ({
		'aria-label': `${label}: ${name}`,
		'aria-invalid': errorOf(part) !== undefined,
		title: errorOf(part),
		autoComplete: 'off',
	});
	const isRefused = errorOf('source') !== undefined || errorOf('link') !== undefined;
	return (
		<tr>
			<th scope="row">{label}</th>
			<td className="field" data-label="Value">
				<input
					{...cell('value', 'value')}
					inputMode="decimal"
					value={value}
					placeholder={figure ? 'not published' : 'no entry'}
					onChange={({ currentTarget }) => {
						setTyped(currentTarget.value);
						onChange({ ...entry, value: readValue(currentTarget.value) });
					}}
				/>
				{errorOf('value') && <span className="field-error">{errorOf('value')}</span>}
			</td>
			<td className="field" data-label={`As of ${year}-`}>
				<input
					{...cell('asOf', 'month, or month and day')}
					disabled={!figure}
					placeholder="MM or MM-DD"
					value={entry.asOf.slice(5)}
					onChange={({ currentTarget }) => {
						const rest = currentTarget.value;
						onChange({ ...entry, asOf: rest ? `${year}-${rest}` : year });
					}}
				/>
				{errorOf('asOf') && <span className="field-error">{errorOf('asOf')}</span>}
			</td>
			<td className="state-source">
				{figure ? (
					<details open={isRefused || undefined}>
						<summary>
							<span className="sr-only">Source of {label}: </span>
							{entry.source || 'none'}
						</summary>
						<div className="field">
							<textarea
								{...cell('source', 'source')}
								rows={1}
								value={entry.source}
								onChange={({ currentTarget }) =>
									onChange({ ...entry, source: currentTarget.value.replace(/\s*\n\s*/g, ' ') })
								}
							/>
							{errorOf('source') && <span className="field-error">{errorOf('source')}</span>}
							<input
								{...cell('link', 'link')}
								placeholder="https://"
								value={entry.link ?? ''}
								onChange={({ currentTarget }) => {
									const { link: _, ...rest } = entry;
									onChange(currentTarget.value ? { ...rest, link: currentTarget.value } : rest);
								}}
							/>
							{errorOf('link') && <span className="field-error">{errorOf('link')}</span>}
						</div>
					</details>
				) : (
					<span className="text-muted">—</span>
				)}
			</td>
			<td>
				<span className="row-actions">
					{figure ? (
						<button
							type="button"
							className="text-danger"
							onClick={() => {
								setTyped(undefined);
								onChange(undefined);
							}}
						>
							Remove<span className="sr-only"> {label}</span>
						</button>
					) : (
						<button type="button" onClick={() => onChange(entry)}>
							Not published<span className="sr-only">: {label}</span>
						</button>
					)}
				</span>
			</td>
		</tr>
	);
}

const textOfValue = (value: number | null) => (value === null ? '' : formatCount(value));
const same = (a: number | null, b: number | null | undefined) => Object.is(a, b);

/** Returns a typed number, null for none, or NaN for what is no number. */
function readValue(typed: string): number | null {
	const text = typed.replace(/^\s*\$?|[,\s]/g, '');
	if (text === '') return null;
	return /^\d+\.?\d*$/.test(text) ? Number(text) : NaN;
}
