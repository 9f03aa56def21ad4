import { parseCsv, unescapeFormula } from '#src/lib/csv.ts';
import { withoutInvisible } from '#src/lib/email.ts';
import { importRow, MAX_LABELS, type ImportRow } from '#src/features/newsletter/subscribers.ts';
import {
	guessFields,
	isMailchimp,
	labelsIn,
	questionOf,
	rolesOf,
	sinceColumns,
	standingOf,
	type ImportField,
	type Mapping,
} from './columns.ts';
import { dateOrderOf, readDate, type DateOrder } from './dates.ts';
import { isNothing, standingOfFile, worstOf, type Standing } from './words.ts';

export type RowError = { line: number; value: string; message: string };
export type Sheet = { header: string[]; rows: { line: number; values: string[] }[] };

/** The owner's answers where a file leaves it open. */
export type Answers = {
	/** Standings that values of a column mean, by `keyOf`. */
	values?: Record<string, Standing>;
	/** Standings that all other unknown values of a column mean, by column. */
	others?: Record<number, Standing>;
	/** Columns that say something else than who gets letters. */
	ignored?: number[];
	/** The standing of everybody in the file. */
	everybody?: Standing | undefined;
	dateOrder?: DateOrder | undefined;
};

/** A value of a column, in `Answers`. */
export const keyOf = (column: number, value: string) => `${column} ${value}`;

/** A column that says who gets letters, with the numbers of rows that were understood, and the values that were not. */
export type StateColumn = {
	column: number;
	label: string;
	known: Record<Standing, number>;
	unknown: { value: string; count: number }[];
};

/** A file's contents before it is imported. */
export type Reading = {
	subscribers: ImportRow[];
	errors: RowError[];
	/** Rows that repeat an address. */
	duplicates: number;
	/** Numbers of addresses by what the file says of them. */
	standings: Record<Standing, number>;
	/** Columns that say who gets letters. */
	states: StateColumn[];
	/** Names of columns whose contents are not taken. */
	dropped: string[];
	/** The standing of everybody in the file; null where its columns say it, undefined where it has to be asked. */
	everybody: Standing | null | undefined;
	/** Whether it has to be asked which part of `05/01/2023` is the day. */
	asksDateOrder: boolean;
};

/** A file's questions; `others` are unknown values that are asked about together. */
type Questions = Pick<Reading, 'everybody' | 'asksDateOrder'> & {
	states: (StateColumn & { others?: { values: number } })[];
};

/** Returns whether a question that only a file's owner can answer is still open. */
export const isOpen = ({ states, everybody, asksDateOrder }: Questions, answers: Answers = {}) =>
	everybody === undefined ||
	asksDateOrder ||
	states.some(
		({ column, unknown, others }) =>
			unknown.some(({ value }) => !answers.values?.[keyOf(column, value)]) ||
			(others !== undefined && others.values > 0 && !answers.others?.[column]),
	);

/** Returns whether a column may be said to say something else: none of its values says that somebody gets no letters. */
export const isOptional = ({ known: { active: _, ...inactive } }: StateColumn) =>
	Object.values(inactive).every((count) => count === 0);

/** Splits a CSV file into header and rows. If the first line contains an address, the file has no header. */
export function readSheet(text: string): Sheet {
	const [first, ...rest] = parseCsv(text);
	if (!first) return { header: [], rows: [] };
	if (!first.values.some((value) => value.includes('@')))
		return { header: first.values.map(withoutInvisible), rows: rest };
	const header = first.values.map((value, index) =>
		value.includes('@') ? 'email' : `Column ${index + 1}`,
	);
	return { header, rows: [first, ...rest] };
}

/** Rows by which a column of addresses is known. */
const LOOKED_AT = 200;

/** Guesses the column of each field from the header; of addresses, from the first rows where several are likely, or none. */
export function guessMapping(header: readonly string[], rows: Sheet['rows'] = []): Mapping {
	const fields = guessFields(header);
	const count = (column: number) =>
		rows.slice(0, LOOKED_AT).filter(({ values }) => values[column]?.includes('@')).length;
	const likely = [...header.keys()].reduce(
		(best, column) => (count(column) > (best === -1 ? 0 : count(best)) ? column : best),
		fields.email,
	);
	return { ...fields, email: likely };
}

/**
 * Returns the subscribers of a sheet, one per address with its rows merged, and the rows that cannot be taken. Who left,
 * bounced, was blocked or never confirmed by any column, or by the file's name, is not active; a row whose state is not
 * understood is an error until `answers` say what it means.
 */
export function readSubscribers(
	{ header, rows }: Sheet,
	mapping: Mapping,
	answers: Answers = {},
	fileName = '',
): Reading {
	const cells = rows.map(({ values }) => values.map(cellOf));
	const columnOf = (column: number) => cells.map((row) => row[column] ?? '');
	const roles = rolesOf(header, mapping, columnOf).filter(
		({ column }) => !answers.ignored?.includes(column),
	);
	const states = roles.map((role) => newState(role.column, header));
	// A column of words may be of anything; one of leaving says which of a service's files it is.
	const tellsFile = roles.some(({ kind }) => kind !== 'words');
	const everybody = answers.everybody ?? standingOfAll(fileName, header, tellsFile);
	const times = roles.filter(({ kind }) => kind === 'left').map(({ column }) => column);
	const since = sinceColumns(header, mapping).filter(
		(column) => !roles.some((role) => role.column === column),
	);
	const order = answers.dateOrder ?? dateOrderOf([...since, ...times].flatMap(columnOf));

	const found = new Map<string, Person>();
	const away = new Map<string, Standing>();
	const errors: RowError[] = [];
	let duplicates = 0;
	for (const [index, { line }] of rows.entries()) {
		const text = (field: ImportField) => cells[index]![mapping[field]] || null;
		const said: Standing[] = everybody ? [everybody] : [];
		let leftAt: string | null = null;
		let open: string | undefined;
		for (const [at, role] of roles.entries()) {
			const cell = cells[index]![role.column] ?? '';
			const value = questionOf(cell, role);
			const known = standingOf(cell, role);
			const standing =
				known ?? answers.values?.[keyOf(role.column, value)] ?? answers.others?.[role.column];
			if (known) states[at]!.known[known]++;
			else states[at]!.unknown.set(value, (states[at]!.unknown.get(value) ?? 0) + 1);
			if (!standing) open ??= value;
			else if (standing !== 'active') {
				said.push(standing);
				leftAt ??= readDate(cell, order) ?? null;
			}
		}
		const standing = worstOf(said);
		const began = since
			.map((column) => cells[index]![column] ?? '')
			// "2 years ago" tells no day, as Sendy writes it.
			.find((cell) => !isNothing(cell) && !/\bago$/i.test(cell.trim()));
		const createdAt = readDate(began ?? '', order);
		const row = importRow.safeParse({
			email: addressIn(text('email') ?? ''),
			name: text('name'),
			lastName: text('lastName'),
			source: text('source'),
			active: standing === 'active',
			createdAt: createdAt ?? null,
			leftAt,
			consent: text('consent'),
			...(text('labels') && { labels: shortLabels(text('labels')!) }),
		});
		const problem = !row.success
			? row.error.issues[0]!.message
			: open !== undefined
				? `“${open}” says neither active nor inactive`
				: createdAt === undefined
					? `“${began}” is no date`
					: undefined;
		if (problem !== undefined || !row.data) {
			errors.push({ line, value: text('email') ?? '', message: problem ?? '' });
			// Who left in a row that is wrong has left all the same.
			const address = importRow.shape.email.safeParse(addressIn(text('email') ?? '')).data;
			const why = open === undefined ? standing : worstOf([...said, 'unconfirmed']);
			if (address) away.set(address, worstOf([why, away.get(address) ?? 'active']));
			continue;
		}
		const known = found.get(row.data.email);
		if (known) duplicates++;
		const next = { row: row.data, standing };
		found.set(row.data.email, known ? merged(known, next) : next);
	}
	for (const [address, why] of away) {
		const person = found.get(address);
		if (!person || why === 'active') continue;
		person.standing = worstOf([person.standing, why]);
		person.row.active = false;
	}
	const standings = noneOfEach();
	for (const { standing } of found.values()) standings[standing]++;
	return {
		...{ errors, duplicates, standings, everybody },
		subscribers: [...found.values()].map(({ row }) => row),
		states: states.map(({ unknown, ...state }) => ({
			...state,
			unknown: [...unknown].map(([value, count]) => ({ value, count })),
		})),
		dropped: namesOfDropped(header, [...Object.values(mapping), ...since], roles, columnOf),
		asksDateOrder: order === undefined,
	};
}

type Person = { row: ImportRow; standing: Standing };

/** Merges two rows of one address: the second fills gaps of the first, and someone who left in either has left. */
function merged(first: Person, second: Person): Person {
	const [one, other] = [first.row, second.row];
	const dates = [one.createdAt, other.createdAt].filter((date) => date !== null).sort();
	return {
		standing: worstOf([first.standing, second.standing]),
		row: {
			email: one.email,
			name: one.name ?? other.name,
			lastName: one.lastName ?? other.lastName,
			source: one.source ?? other.source,
			active: one.active && other.active,
			createdAt: dates[0] ?? null,
			leftAt: one.leftAt ?? other.leftAt,
			consent: one.consent ?? other.consent ?? null,
			...((one.labels || other.labels) && {
				labels: [...new Set([...(one.labels ?? []), ...(other.labels ?? [])])].slice(0, MAX_LABELS),
			}),
		},
	};
}

const shortLabels = (cell: string) =>
	labelsIn(cell)
		.map((label) => label.slice(0, 60))
		.slice(0, MAX_LABELS);

const noneOfEach = () => ({ active: 0, left: 0, bounced: 0, blocked: 0, unconfirmed: 0 });

/** Returns a cell without what spreadsheets and browsers add to it unseen. */
const cellOf = (value: string) => unescapeFormula(withoutInvisible(value)).trim();

/** Returns the address in a cell: `Ann <ann@example.com>`, `mailto:ann@example.com`. */
function addressIn(cell: string): string {
	const inside = (/<([^<>]*)>\s*$/.exec(cell)?.[1] ?? cell).trim();
	const link = /^mailto:([^?]*)/i.exec(inside);
	return link ? link[1]! : inside;
}

const newState = (column: number, header: readonly string[]) => ({
	column,
	label: header[column] || `Column ${column + 1}`,
	known: noneOfEach(),
	unknown: new Map<string, number>(),
});

/** Returns what holds for everybody in a file; null where its columns say it, undefined where nothing does. */
function standingOfAll(fileName: string, header: readonly string[], hasStates: boolean) {
	const said = standingOfFile(fileName);
	if (said && said !== 'active') return said;
	return isMailchimp(header) && !hasStates && !said ? undefined : null;
}

/** Returns the names of columns that hold something which is not taken. */
function namesOfDropped(
	header: readonly string[],
	columns: readonly number[],
	roles: readonly { column: number }[],
	columnOf: (column: number) => string[],
): string[] {
	const taken = new Set([...columns, ...roles.map(({ column }) => column)]);
	return header.filter((_, column) => !taken.has(column) && columnOf(column).some(Boolean));
}
