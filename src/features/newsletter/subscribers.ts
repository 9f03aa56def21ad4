import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';
import { parseCsv, unescapeFormula } from '#src/lib/csv.ts';
import { pagedInput, searchField } from '#src/lib/paging.ts';

/** A subscriber as the admin sees it. */
export type SubscriberRow = {
	id: string;
	email: string;
	name: string | null;
	source: string | null;
	active: boolean;
	createdAt: string;
	leftAt: string | null;
};

/** Stands for subscribers whose source is not known. */
export const NO_SOURCE = '-';

const filters = {
	q: searchField,
	source: z.optional(z.string().check(z.maxLength(100))),
	state: z.optional(z.enum(['active', 'inactive'])),
};
export const subscribersFilter = z.object(filters);
export type SubscribersFilter = z.infer<typeof subscribersFilter>;
export const subscribersQuery = z.object({
	...pagedInput(['created', 'email', 'source'], '-created'),
	...filters,
});
export type SubscribersQuery = z.infer<typeof subscribersQuery>;

export const activation = z.object({
	ids: z
		.array(z.string().check(z.maxLength(100)))
		.check(z.minLength(1, 'Choose one or more'), z.maxLength(200, 'Choose 200 or fewer')),
	active: z.boolean(),
});

/** Subscribers that one call imports. The browser sends a longer file in parts. */
export const IMPORT_ROWS = 1000;
/** Characters of a file that can be imported: some 200,000 addresses. */
export const IMPORT_CHARACTERS = 20_000_000;

const words = z.nullable(z.string().check(z.maxLength(100)));
export const importRow = z.object({
	email: email(),
	name: words,
	lastName: words,
	source: words,
	active: z.boolean(),
	/** Null where the file does not say: then it is now. */
	createdAt: z.nullable(z.iso.datetime()),
	leftAt: z._default(z.nullable(z.iso.datetime()), null),
});
export type ImportRow = z.infer<typeof importRow>;

export const importInput = z.object({
	rows: z.array(importRow).check(z.maxLength(IMPORT_ROWS)),
	/** Whether people who left are made active again where the file has them as active. */
	reactivate: z.boolean(),
	/** Only tell what would happen. */
	preview: z.boolean(),
	/** The import of a whole archive that these are a part of. */
	importId: z.optional(z.string().check(z.maxLength(100))),
});
export type ImportInput = z.infer<typeof importInput>;

/** What an import does, or would do, by the number of addresses. */
export type ImportReport = {
	added: number;
	/** Known, and given a name or source that was missing. */
	completed: number;
	/** Known and as they were. */
	unchanged: number;
	/** Had left and stay away. */
	keptAway: number;
	reactivated: number;
};

export type ImportField =
	'email' | 'name' | 'lastName' | 'source' | 'active' | 'createdAt' | 'leftAt';
/** Which column of the file holds what; -1 for none. */
export type Mapping = Record<ImportField, number>;

const HEADERS: Record<ImportField, RegExp> = {
	email: /^(e-?mail( ?address)?|address|subscriber)$/,
	name: /^(first ?name|name|full ?name|given ?name)$/,
	lastName: /^(last ?name|surname|family ?name)$/,
	source: /^(source|company|origin|signup ?source|list)$/,
	active: /^(active|status|state|subscribed)$/,
	createdAt: /^(created( ?at)?|subscribed ?at|date( ?added)?|signup ?date|joined)$/,
	leftAt: /^(left( ?at)?|unsubscribed ?at|unsub ?time)$/,
};

/** Where each field is, by the names of the columns. */
export function guessMapping(header: readonly string[]): Mapping {
	const names = header.map((name) => name.trim().toLowerCase().replaceAll('_', ' '));
	const find = (field: ImportField) => names.findIndex((name) => HEADERS[field].test(name));
	return {
		email: find('email'),
		name: find('name'),
		lastName: find('lastName'),
		source: find('source'),
		active: find('active'),
		createdAt: find('createdAt'),
		leftAt: find('leftAt'),
	};
}

export type RowError = { line: number; value: string; message: string };
export type Sheet = { header: string[]; rows: { line: number; values: string[] }[] };

/** A CSV file as a header and its rows. A file without a header is one whose first line holds an address. */
export function readSheet(text: string): Sheet {
	const [first, ...rest] = parseCsv(text);
	if (!first) return { header: [], rows: [] };
	if (!first.values.some((value) => value.includes('@')))
		return { header: first.values, rows: rest };
	const header = first.values.map((value, index) =>
		value.includes('@') ? 'email' : `Column ${index + 1}`,
	);
	return { header, rows: [first, ...rest] };
}

/** The subscribers of a sheet: each address once, its rows merged, and the rows that hold none. */
export function readSubscribers(
	{ rows }: Sheet,
	mapping: Mapping,
): { subscribers: ImportRow[]; errors: RowError[]; duplicates: number } {
	const found = new Map<string, ImportRow>();
	const errors: RowError[] = [];
	let duplicates = 0;
	for (const { line, values } of rows) {
		const text = (field: ImportField) =>
			unescapeFormula((values[mapping[field]] ?? '').trim()) || null;
		const isActive = parseActive(text('active'));
		const date = parseDate(text('createdAt'));
		const left = parseDate(text('leftAt'));
		const row = importRow.safeParse({
			email: text('email') ?? '',
			name: text('name'),
			lastName: text('lastName'),
			source: text('source'),
			active: isActive ?? true,
			createdAt: date ?? null,
			leftAt: left ?? null,
		});
		const problem = !row.success
			? row.error.issues[0]!.message
			: isActive === undefined
				? `“${text('active')}” says neither active nor inactive`
				: date === undefined || left === undefined
					? `“${text(date === undefined ? 'createdAt' : 'leftAt')}” is no date`
					: undefined;
		if (problem !== undefined || !row.data) {
			errors.push({ line, value: text('email') ?? '', message: problem ?? '' });
			continue;
		}
		const known = found.get(row.data.email);
		if (known) duplicates++;
		found.set(row.data.email, known ? mergeRows(known, row.data) : row.data);
	}
	return { subscribers: [...found.values()], errors, duplicates };
}

/** Two rows of one address: what the first leaves open the second fills, and who left in either has left. */
function mergeRows(first: ImportRow, second: ImportRow): ImportRow {
	const dates = [first.createdAt, second.createdAt].filter((date) => date !== null).sort();
	return {
		email: first.email,
		name: first.name ?? second.name,
		lastName: first.lastName ?? second.lastName,
		source: first.source ?? second.source,
		active: first.active && second.active,
		createdAt: dates[0] ?? null,
		leftAt: first.leftAt ?? second.leftAt,
	};
}

/** Undefined where it says neither. */
function parseActive(text: string | null): boolean | undefined {
	if (text === null || /^(true|yes|1|active|subscribed|confirmed)$/i.test(text)) return true;
	if (/^(false|no|0|inactive|unsubscribed|bounced|cleaned|left|junk|complained)$/i.test(text))
		return false;
	return undefined;
}

/** Undefined where it is no date. */
function parseDate(text: string | null): string | null | undefined {
	if (text === null) return null;
	// Without a zone a date is UTC, so that every machine reads the same.
	const zoned = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text)
		? `${text.replace(' ', 'T')}Z`
		: text;
	const time = /^\d{4}-\d\d-\d\d/.test(zoned) ? Date.parse(zoned) : NaN;
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
