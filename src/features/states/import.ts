import type { Figure } from '#db/schema.ts';
import { parseCsv, unescapeFormula } from '#src/lib/csv.ts';
import { invalid } from '#src/lib/errors.ts';
import { singleLine } from '#src/lib/text.ts';
import { figureInput } from './editing.ts';
import { FIGURE_KINDS, figureIn, yearOf } from './figures.ts';

/** A cell that an import changes: a part of one figure of one state and year. */
export type CellChange = {
	state: string;
	slug: string;
	label: string;
	year: string;
	cell: 'value' | 'source' | 'link' | 'as of';
	/** Null where there was none. */
	before: string | null;
	after: string;
};

type Known = { name: string; slug: string; abbreviation: string; figures: Figure[] };

const COLUMNS = [
	'state',
	'slug',
	'abbreviation',
	'figure',
	'label',
	'value',
	'unit',
	'source',
	'as_of',
	'link',
] as const;
type ColumnName = (typeof COLUMNS)[number];
const NEEDED: readonly ColumnName[] = ['figure', 'value', 'source', 'as_of'];
const COMPUTED = ['aiJobs', 'averageSalary'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const ERRORS_TOLD = 5;

type Table = { figures: Map<string, Figure[]>; rows: number; computed: number };

/**
 * Returns the figures of a table in the shape of /data/states.csv, by the slug of their states. Throws a sentence with the
 * number of its row for each of the first things that cannot be read.
 */
export function readFigures(csv: string, states: readonly Known[]): Table {
	const [head, ...lines] = parseCsv(csv);
	const errors: string[] = [];
	const columns = readHead(head?.values ?? [], errors);
	const found = new Map<string, Figure[]>();
	let rows = 0;
	let computed = 0;
	if (errors.length === 0) {
		for (const { line, values } of lines) {
			const cell = (name: ColumnName) =>
				singleLine(unescapeFormula(values[columns.indexOf(name)] ?? ''));
			if (values.every((value) => value.trim() === '')) continue;
			if (COMPUTED.includes(cell('figure'))) {
				computed++;
				continue;
			}
			rows++;
			try {
				if (values.length > columns.length) throw new Error('has more cells than the first row');
				const state = findState(cell, states);
				const figure = readFigure(cell);
				const own = found.get(state.slug) ?? [];
				const known = figureIn(own, figure.key, yearOf(figure));
				if (known && JSON.stringify(known) !== JSON.stringify(figure)) {
					throw new Error(
						`says something else of “${figure.label}” in ${yearOf(figure)} than a row before`,
					);
				}
				if (!known) found.set(state.slug, [...own, figure]);
			} catch (problem) {
				errors.push(`Row ${line} ${(problem as Error).message}.`);
			}
		}
		if (rows + computed === 0) errors.push('There are no rows in this table.');
	}
	if (errors.length > 0) {
		const more = errors.length - ERRORS_TOLD;
		const told = errors.slice(0, ERRORS_TOLD).join(' ') + (more > 0 ? ` And ${more} more.` : '');
		throw invalid({ csv: told });
	}
	return { figures: found, rows, computed };
}

function readHead(values: string[], errors: string[]): ColumnName[] {
	const names = values.map((value) =>
		value
			.trim()
			.toLowerCase()
			.replaceAll(/[\s-]+/g, '_'),
	);
	const unknown = names.find((name) => !COLUMNS.some((column) => column === name));
	const columns = names as ColumnName[];
	const missing = NEEDED.find((name) => !columns.includes(name));
	const twice = columns.find((name, index) => columns.indexOf(name) < index);
	if (names.join('') === '') errors.push('There are no rows in this table.');
	else if (unknown !== undefined) {
		errors.push(
			`Row 1 names a column that there is not: “${unknown.slice(0, 50)}”. Known are ${COLUMNS.join(', ')}.`,
		);
	} else if (twice) errors.push(`Row 1 has the column “${twice}” twice.`);
	else if (missing) errors.push(`Row 1 lacks the column “${missing}”.`);
	else if (!columns.some((name) => ['state', 'slug', 'abbreviation'].includes(name))) {
		errors.push('Row 1 lacks the column “state”, “slug” or “abbreviation”.');
	}
	return columns;
}

/** Returns the state that a row names, by one or more of its names. */
function findState(cell: (name: ColumnName) => string, states: readonly Known[]): Known {
	const given = [cell('slug'), cell('state'), cell('abbreviation')].filter(Boolean);
	if (given.length === 0) throw new Error('names no state');
	const found = given.map((name) => {
		const wanted = name.toLowerCase();
		const state = states.find((one) =>
			[one.slug, one.name, one.abbreviation].some((own) => own.toLowerCase() === wanted),
		);
		if (!state) throw new Error(`names a state that there is not: “${name.slice(0, 50)}”`);
		return state;
	});
	const other = found.find((state) => state !== found[0]);
	if (other) throw new Error(`names two states: ${found[0]!.name} and ${other.name}`);
	return found[0]!;
}

function readFigure(cell: (name: ColumnName) => string): Figure {
	const key = cell('figure');
	const kind = FIGURE_KINDS.find((one) => one.key === key);
	if (!kind) throw new Error(`names a figure that there is not: “${key.slice(0, 50)}”`);
	const { unit, labelOf } = kind;
	if (cell('unit') && cell('unit') !== unit) {
		throw new Error(`counts ${cell('unit').slice(0, 50)}, but “${key}” is in ${unit}`);
	}
	const read = figureInput.safeParse({
		key,
		value: readNumber(cell('value'), unit),
		source: cell('source'),
		link: cell('link'),
		asOf: readDate(cell('as_of')),
	});
	if (!read.success) {
		const [{ path, message }] = read.error.issues as [(typeof read.error.issues)[number]];
		const [name] = path;
		const words = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
		throw new Error(
			`has no ${name === 'asOf' ? 'date (as_of)' : String(name)} that can be used: ${words}`,
		);
	}
	const { value, source, link, asOf } = read.data;
	return {
		key,
		label: labelOf(yearOf({ asOf })),
		value,
		unit,
		source,
		...(link && { link }),
		asOf,
	};
}

/** Returns a number, with commas between thousands or without. Null where the cell is empty. */
function readNumber(text: string, unit: Figure['unit']): number | null {
	if (text === '' || /^not published$/i.test(text)) return null;
	const given = unit === 'US dollars a year' ? text.replace(/^\$ ?/, '') : text;
	// In “7,725 jobs per 1,000” nobody can tell which comma it is.
	const isSmall = unit === 'per 1,000 jobs' || unit === 'quotient';
	const isGrouped = !isSmall && /^[1-9]\d{0,2}(,\d{3})+$/.test(given);
	if (!isGrouped && !/^\d+(\.\d+)?$/.test(given)) {
		throw new Error(
			`has no number that can be read: “${text.slice(0, 30)}”. Write ${isSmall ? '0.852, with a point' : '1234 or 1,234'}, or leave the cell empty where none is published`,
		);
	}
	const value = Number(given.replaceAll(',', ''));
	if (!isSmall && !Number.isInteger(value)) {
		throw new Error(`has a fraction of ${unit}: “${text.slice(0, 30)}”`);
	}
	return value;
}

/** Returns a date; also one that a spreadsheet has written in its own way: “May-23”, “4/1/2020”. */
function readDate(text: string): string {
	const [, monthName, short] = /^([A-Z][a-z]{2})[- ](?:20)?(\d\d)$/.exec(text) ?? [];
	const place = MONTHS.indexOf(monthName ?? '');
	if (place >= 0) return `20${short}-${String(place + 1).padStart(2, '0')}`;
	const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
	return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text;
}

/** Returns what changes where these figures take the place of stored ones. A link that a table does not name stays. */
export function compareFigures(
	{ name, slug, figures }: Known,
	given: Figure[],
): { changes: CellChange[]; changed: Figure[] } {
	const changes: CellChange[] = [];
	const changed: Figure[] = [];
	for (const figure of given) {
		const stored = figureIn(figures, figure.key, yearOf(figure));
		const next: Figure =
			stored?.link !== undefined && figure.link === undefined
				? { ...figure, link: stored.link }
				: figure;
		const cells: [CellChange['cell'], string | null, string][] = [
			['value', stored ? valueText(stored.value) : null, valueText(next.value)],
			['source', stored?.source ?? null, next.source],
			['link', stored?.link ?? null, next.link ?? ''],
			['as of', stored?.asOf ?? null, next.asOf],
		];
		const differing = cells.filter(
			([, before, after]) => before !== after && (before ?? after) !== '',
		);
		if (differing.length > 0) changed.push(next);
		for (const [cell, before, after] of differing) {
			changes.push({
				state: name,
				slug,
				label: next.label,
				year: yearOf(next),
				cell,
				before,
				after,
			});
		}
	}
	return { changes, changed };
}

const valueText = (value: number | null) => (value === null ? 'not published' : String(value));
