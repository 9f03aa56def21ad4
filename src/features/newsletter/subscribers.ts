import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';
import { parseCsv, unescapeFormula } from '#src/lib/csv.ts';
import { pagedInput, searchField } from '#src/lib/paging.ts';
import { singleLine } from '#src/lib/text.ts';

/** A subscriber as the admin sees it. */
export type SubscriberRow = {
	id: string;
	email: string;
	name: string | null;
	source: string | null;
	active: boolean;
	createdAt: string;
	leftAt: string | null;
	/** How an imported address agreed to get letters; null for a signup. */
	consent: string | null;
};

/** Stands for an unknown source. */
export const NO_SOURCE = '-';

const day = z.union([z.literal(''), z.iso.date('Enter a date')]);
const filters = {
	q: searchField,
	source: z.optional(z.string().check(z.maxLength(100))),
	state: z.optional(z.enum(['active', 'inactive'])),
	/** Id of a category: those who get its letters. */
	topic: z.optional(z.string().check(z.maxLength(100))),
	/** The first and last day of signup, in UTC. */
	from: z.optional(day),
	to: z.optional(day),
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

/** Maximum number of subscribers per call. The browser sends a longer file in parts. */
export const IMPORT_ROWS = 1000;
/** Maximum number of characters in an imported file: about 200,000 addresses. */
export const IMPORT_CHARACTERS = 20_000_000;

const consentField = z.string().check(z.overwrite(singleLine), z.maxLength(300));
const words = z.nullable(z.string().check(z.maxLength(100)));
export const importRow = z.object({
	email: email(),
	name: words,
	lastName: words,
	source: words,
	active: z.boolean(),
	/** Null if the file does not say; then it is the time of the import. */
	createdAt: z.nullable(z.iso.datetime()),
	leftAt: z._default(z.nullable(z.iso.datetime()), null),
	/** How the address agreed to get letters. */
	consent: z.optional(z.nullable(consentField)),
	/** Choices of the reader, which only archives of a site like this tell: the slugs of wanted categories, and the rest. */
	topics: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
	wantsWhole: z.optional(z.boolean()),
	pausedUntil: z.optional(z.nullable(z.iso.datetime())),
});
export type ImportRow = z.infer<typeof importRow>;

export const importInput = z.object({
	rows: z.array(importRow).check(z.maxLength(IMPORT_ROWS)),
	/** Whether former subscribers are reactivated if they are active in the file. */
	reactivate: z.boolean(),
	/** How those agreed to get letters of whom the file says nothing. Asked for if there are any, except by a preview. */
	consent: z.optional(consentField),
	/** Only report what would happen. */
	preview: z.boolean(),
	/** The import of a whole archive that these belong to: of a site like this, where who signed up has agreed. */
	importId: z.optional(z.string().check(z.maxLength(100))),
});
export type ImportInput = z.infer<typeof importInput>;

/** The result, or expected result, of an import, in numbers of addresses. */
export type ImportReport = {
	added: number;
	/** Existing subscribers that got a missing name or source. */
	completed: number;
	/** Existing subscribers without changes. */
	unchanged: number;
	/** Former subscribers that stay away. */
	keptAway: number;
	reactivated: number;
	/** Those that will get letters from now on, but the file does not say how they agreed to. */
	unstated: number;
};

export const CONSENT_MISSING = 'Say how they agreed to get your letters';

export type ImportField =
	'email' | 'name' | 'lastName' | 'source' | 'active' | 'createdAt' | 'leftAt' | 'consent';
/** Column index of each field; -1 for none. */
export type Mapping = Record<ImportField, number>;

const HEADERS: Record<ImportField, RegExp> = {
	email: /^(e-?mail( ?address)?|address|subscriber)$/,
	name: /^(first ?name|name|full ?name|given ?name)$/,
	lastName: /^(last ?name|surname|family ?name)$/,
	source: /^(source|company|origin|signup ?source|list)$/,
	active: /^(active|status|state|subscribed)$/,
	createdAt: /^(created( ?at)?|subscribed ?at|date( ?added)?|signup ?date|joined)$/,
	leftAt: /^(left( ?at)?|unsubscribed ?at|unsub ?time)$/,
	consent: /^(consent|permission|opt-?in( ?source)?)$/,
};

/** Guesses the column of each field from the header. */
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
		consent: find('consent'),
	};
}

export type RowError = { line: number; value: string; message: string };
export type Sheet = { header: string[]; rows: { line: number; values: string[] }[] };

/** Splits a CSV file into header and rows. If the first line contains an address, the file has no header. */
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

/** Returns the subscribers of a sheet, one per address with its rows merged, and the rows without a valid one. */
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
			consent: text('consent'),
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

/** Merges two rows of one address: the second fills gaps of the first, and someone who left in either has left. */
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
		consent: first.consent ?? second.consent ?? null,
	};
}

/** Returns undefined for an unknown text. */
function parseActive(text: string | null): boolean | undefined {
	if (text === null || /^(true|yes|1|active|subscribed|confirmed)$/i.test(text)) return true;
	if (/^(false|no|0|inactive|unsubscribed|bounced|cleaned|left|junk|complained)$/i.test(text))
		return false;
	return undefined;
}

/** Returns undefined for a text that is not a date. */
function parseDate(text: string | null): string | null | undefined {
	if (text === null) return null;
	// A date without a zone is UTC, so that every machine reads the same.
	const zoned = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text)
		? `${text.replace(' ', 'T')}Z`
		: text;
	const time = /^\d{4}-\d\d-\d\d/.test(zoned) ? Date.parse(zoned) : NaN;
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
