/** Saves and removes what is edited whole: each in one batch with its log, its undo, its consequences and its build. */
import { and, desc, eq, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { batchOfMany, type Db, type Statement } from '#db/client.ts';
import { tolerant } from '#db/tolerant.ts';
import { type AuditEvent, auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import {
	asIs,
	type Change,
	changeOfRows,
	type Need,
	recordUndoable,
	type UndoableEvent,
} from '#src/core/undo/undo.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { wordChange } from '#src/lib/word-change.ts';
import { changesOf, type Consequence, statementsOf } from './consequences.server.ts';
import type { Edited, Kind, Listed, Update } from './record.ts';
import * as unsaved from './unsaved.server.ts';
import type { UnsavedChange, UnsavedCopy } from './unsaved.ts';
import type { ListedVersion, Revision, Saved } from './calls.ts';

type TableName = Change['table'];
type Columns = Record<string, string | number | null>;

/** A row that is stored in place of what was read of it: columns as they were, and as they become. */
type Rewrite = { id: string; version: number; before: Columns; after: Columns };

/** Returns how rows of a table get other values and their next version, all from the versions that were read. */
export function rewriteRows(db: Db, table: TableName, rows: Rewrite[]) {
	const name = sql.identifier(table);
	const columns = Object.keys(rows[0]?.after ?? {});
	const versions = JSON.stringify(rows.map(({ id, version }) => ({ id, version })));
	const images = JSON.stringify(
		rows.map(({ id, before, after }) => ({ key: { id }, before, after })),
	);
	const set = columns.map(
		(column) => sql`${sql.identifier(column)} = u.value ->> ${sql.raw(`'$.after.${column}'`)}`,
	);
	const change: Change = { table, images: sql`select value as image from json_each(${images})` };
	return {
		condition: sql`(select count(*) from ${name} s join json_each(${versions}) u
			on s.id = u.value ->> '$.id' and s.version = u.value ->> '$.version') = ${rows.length}`,
		changes: columns.length > 0 ? [change] : [],
		statement:
			db.run(sql`update ${name} set ${sql.join([sql`version = version + 1`, ...set], sql`, `)}
			from json_each(${images}) u where ${name}.id = u.value ->> '$.key.id'`),
	};
}

/** Returns how a row goes, with all that it holds. */
export function removeRow(
	db: Db,
	table: TableName,
	columns: Record<string, SQLiteColumn>,
	{ id, version }: { id: string; version: number },
) {
	const name = sql.identifier(table);
	const rest = Object.values(columns).flatMap((column) =>
		column.name === 'id' ? [] : column.name,
	);
	const change = changeOfRows(
		table,
		asIs('id'),
		asIs(...rest),
		null,
		sql`from ${name} where id = ${id}`,
	);
	return {
		condition: sql`(select version from ${name} where id = ${id}) = ${version}`,
		changes: [change],
		statement: db.run(sql`delete from ${name} where id = ${id}`),
	};
}

/** `token` takes it back; none where nothing does. */
type Logged = { event: UndoableEvent; token: string } | { event: AuditEvent; token?: undefined };
type Batch = Logged & {
	/** Conditions without which nothing is written. */
	conditions?: SQL[];
	/** In the order in which they are taken back, last first. */
	changes?: Change[];
	needs?: Need | undefined;
	statements: Statement[];
	/** Addresses whose pages show it. Without any there is no build. */
	paths: string[];
	cause?: string;
	/** How many rows it may be about. */
	rows?: number;
};

/** Writes an action in one batch: with its log, what takes it back, and a build where readers see it. */
export async function commit(db: Db, batch: Batch, now: Date): Promise<void> {
	const { event, conditions = [], changes = [], needs, statements, paths, rows = 0 } = batch;
	const { cause = `${capitalize(event.action)} ${event.detail}` } = batch;
	const builds = paths.length > 0;
	const log = batch.token
		? recordUndoable(db, { ...batch, changes, needs, builds }, now)
		: [auditStatement(db, event, now)];
	const [first, ...rest] = [
		...conditions.map((condition) => abortUnless(db, condition)),
		...log,
		...statements,
		...(builds ? requestBuild(db, cause, now, [...new Set(paths)]) : []),
	];
	await batchOfMany(db, rows, [first!, ...rest]);
}

/** Refuses a save that was made from another version than the one that is stored. */
export async function refuseStale(
	version: number | undefined,
	current: number,
	stored: () => unknown,
): Promise<void> {
	if (version === undefined || version === current) return;
	const message = 'This was changed elsewhere since you opened it.';
	throw new AppError('conflict', message, { stored: await stored() });
}

function givenOf<Form extends object>(changes: Form): Partial<Form> {
	return Object.fromEntries(
		Object.entries(changes).filter(([, value]) => value !== undefined),
	) as Partial<Form>;
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A record as it is stored. */
export type Row<Form extends object> = Form & {
	id: string;
	slug: string;
	/** Fields as a newer file has them. */
	offer: Partial<Form>;
	version: number;
	updatedAt: Date;
};

type Definition<Form extends object, Stored extends Row<Form>, Of, Listing, Changes> = {
	/** As the log has it. */
	noun: string;
	kind: Kind<Form>;
	/** One of `EDITED_WHOLE` of the schema. */
	table: SQLiteTable & { slug: SQLiteColumn };
	revisions: Revisions;
	/** The column of a revision that names its record. */
	owner: SQLiteColumn;
	order: SQLiteColumn[];
	/** Columns that follow from the fields. */
	derived?: readonly (keyof Stored & string)[];
	nameOf: (row: Stored) => string;
	/** Returns the names of changed fields in words, for the log. */
	wordsOf?: (labels: string[]) => string;
	/** Returns the row with what was given, or refuses it. Without it, all that the rules of the fields let through is taken. */
	complete?: (db: Db, row: Stored, given: Omit<Changes, Keys>) => Stored | Promise<Stored>;
	/** Returns what a newer file offers, completed by what is stored. */
	offered?: (row: Stored, offer: Form) => Form;
	/** Returns what else the editor, or the list, has of it. */
	edited?: (row: Stored) => Omit<Of, keyof Edited<Form>>;
	listed: (row: Stored) => Omit<Listing, keyof Listed>;
	/** Returns the addresses that show a change. */
	pathsOf: (before: Stored, after: Stored) => string[];
	consequences?: (db: Db, before: Stored, after: Stored, now: Date) => Consequence[];
};

type Keys = 'version' | 'settled';

/** Returns how the records of a kind are read and saved. */
export function recordStore<
	Form extends object,
	Stored extends Row<Form>,
	Of extends Edited<Form>,
	Listing extends Listed,
	Changes extends Update<object> = Update<Form>,
>(definition: Definition<Form, Stored, Of, Listing, Changes>) {
	const { noun, kind, table, revisions, owner, nameOf, pathsOf } = definition;
	const { wordsOf = (labels) => joinWithAnd(labels.map((label) => label.toLowerCase())) } =
		definition;
	const columns: Record<string, SQLiteColumn> = getTableColumns(table);
	const saved = [...kind.names, ...(definition.derived ?? []), 'offer', 'updatedAt'] as const;

	/** Returns all records, in their order, or the one of this slug, also those that no page can be made of. */
	async function read(db: Db, slug?: string): Promise<Stored[]> {
		const rows = await db
			.select(tolerant(columns))
			.from(table)
			.where(slug === undefined ? undefined : eq(table.slug, slug))
			.orderBy(...definition.order);
		return rows.map((row) => ({ ...row, ...kind.read(row as Partial<Form>) }) as unknown as Stored);
	}

	/** Returns a record as a newer file has it, or null if that says nothing else. */
	function offerOf({ offer, ...row }: Stored): Form | null {
		if (Object.keys(offer).length === 0) return null;
		const form = kind.read({ ...row, ...offer });
		const offered = definition.offered?.(row as unknown as Stored, form) ?? form;
		return kind.between(row as unknown as Form, offered).length > 0 ? offered : null;
	}

	function toEdited(row: Stored): Of {
		const { id, slug, version, updatedAt } = row;
		return {
			...kind.read(row),
			...definition.edited?.(row),
			...{ id, slug, version, offer: offerOf(row), updatedAt: updatedAt.toISOString() },
		} as unknown as Of;
	}

	async function list(db: Db): Promise<Listing[]> {
		return (await read(db)).map((row) => {
			const { slug, version, updatedAt } = row;
			const common = { slug, version, offered: offerOf(row) !== null };
			return {
				...common,
				...definition.listed(row),
				updatedAt: updatedAt.toISOString(),
			} as unknown as Listing;
		});
	}

	async function get(db: Db, slug: string): Promise<Of | null> {
		const [row] = await read(db, slug);
		return row ? toEdited(row) : null;
	}

	/** Saves changes; missing fields keep their values. Returns null if there is no such record. */
	async function update(
		db: Db,
		slug: string,
		{ version, settled = false, ...changes }: Changes,
		{ actor, now }: Actor,
	): Promise<Saved<Of> | null> {
		const token = crypto.randomUUID();
		const result = await retryWhenOvertaken(async () => {
			const [before] = await read(db, slug);
			if (!before) return null;
			await refuseStale(version, before.version, () => toEdited(before));
			const given = givenOf(changes) as Omit<Changes, Keys>;
			const after = (await definition.complete?.(db, before, given)) ?? { ...before, ...given };
			if (settled) after.offer = {};
			const labels = kind.between(before, after).map((name) => kind.labels[name]);
			const isLeft = settled && Object.keys(before.offer).length > 0;
			if (labels.length === 0 && !isLeft) return { slug, undo: null };
			const words = wordsOf(labels) || 'the newer file was left';
			const event = {
				actor,
				action: labels.length > 0 ? ('changed' as const) : ('kept' as const),
				subject: `${noun} ${before.id}`,
				detail: `“${nameOf(before)}”: ${words}`,
			};
			await save(db, { token, event, rows: [{ before, after }] }, now);
			return { slug: after.slug, undo: token };
		});
		return result && { ...(await get(db, result.slug))!, undo: result.undo };
	}

	/** Stores records in place of what was read of them. A trigger keeps the earlier versions. */
	async function save(
		db: Db,
		{
			token,
			event,
			rows,
		}: { token: string; event: UndoableEvent; rows: { before: Stored; after: Stored }[] },
		now: Date,
	): Promise<void> {
		const pairs = rows.map(({ before, after }) => {
			const isChanged = kind.between(before, after).length > 0;
			return { before, after: isChanged ? { ...after, updatedAt: now } : after, isChanged };
		});
		const valueOf = (row: Stored, name: string) => storedValue((row as Columns)[name]);
		const changed = saved.filter((name) =>
			pairs.some(({ before, after }) => valueOf(before, name) !== valueOf(after, name)),
		);
		const pick = (row: Stored) =>
			Object.fromEntries(changed.map((name) => [columns[name]!.name, valueOf(row, name)]));
		const own = rewriteRows(
			db,
			getTableName(table) as TableName,
			pairs.map(({ before, after }) => ({
				...{ id: before.id, version: before.version },
				...{ before: pick(before), after: pick(after) },
			})),
		);
		const followed = pairs.flatMap(
			({ before, after }) => definition.consequences?.(db, before, after, now) ?? [],
		);
		await commit(
			db,
			{
				token,
				event,
				conditions: [own.condition],
				changes: [...changesOf(followed), ...own.changes],
				statements: [own.statement, ...statementsOf(followed)],
				paths: pairs.flatMap(({ before, after, isChanged }) =>
					isChanged ? pathsOf(before, after) : [],
				),
				cause: `${capitalize(event.action)} ${event.detail?.slice(0, 200) ?? ''}`,
			},
			now,
		);
	}

	/** Returns earlier versions, newest first, each with what it changed, or null if there is no such record. */
	async function listRevisions(db: Db, slug: string): Promise<ListedVersion[] | null> {
		const [row] = await read(db, slug);
		if (!row) return null;
		const { version, createdAt, columns: kept } = revisions;
		const found = (await db
			.select(tolerant({ version, createdAt, columns: kept }))
			.from(revisions)
			.where(eq(owner, row.id))
			.orderBy(desc(version))) as StoredVersion[];
		const forms = found.map(formOf);
		const textOf = (form: Form | undefined) =>
			kind.names.map((name) => (form ? wordsIn(form, name) : '')).join(' ');
		return found.map((one, index) => {
			const [form, before] = [forms[index]!, forms[index + 1]];
			return {
				...toVersion(one),
				changed: before ? kind.between(before, form).map((name) => kind.labels[name]) : [],
				...wordChange(textOf(before), textOf(form)),
			};
		});
	}

	/** Returns the fields of a row as a version kept them. */
	function formOf({ columns: kept }: StoredVersion): Form {
		const stored = kind.names.map((name) => {
			const { name: column, dataType } = columns[name]!;
			const value = kept[column];
			return [name, dataType === 'json' ? parseStored(value) : value];
		});
		return kind.read(Object.fromEntries(stored) as Partial<Form>);
	}

	function wordsIn(form: Form, name: keyof Form & string): string {
		const value = form[name];
		if (typeof value === 'boolean') return '';
		return typeof value === 'string' ? value : kind.textOf(form, name);
	}

	/** Returns an earlier version, or null. */
	async function getRevision(db: Db, slug: string, wanted: number): Promise<Revision<Form> | null> {
		const [row] = await read(db, slug);
		if (!row) return null;
		const { version, createdAt, columns: kept } = revisions;
		const [found] = (await db
			.select(tolerant({ version, createdAt, columns: kept }))
			.from(revisions)
			.where(and(eq(owner, row.id), eq(version, wanted)))) as StoredVersion[];
		return found ? { ...toVersion(found), form: formOf(found) } : null;
	}

	/** Returns the name under which is kept what is typed of a record, or null if there is no such record. */
	async function nameKept(db: Db, slug: string): Promise<string | null> {
		const [row] = await read(db, slug);
		return row ? `${noun} ${row.id}` : null;
	}

	/** Returns what was typed of a record and never saved; null if there is no such record. */
	async function getUnsaved(db: Db, slug: string): Promise<{ copy: UnsavedCopy | null } | null> {
		const name = await nameKept(db, slug);
		return name === null ? null : { copy: await unsaved.getUnsaved(db, name) };
	}

	/** Keeps what is typed of a record, or forgets it. Returns null if there is no such record. */
	async function keepUnsaved(
		db: Db,
		slug: string,
		change: UnsavedChange,
		now: Date,
	): Promise<{ isKept: boolean } | null> {
		const name = await nameKept(db, slug);
		if (name === null) return null;
		await unsaved.keepUnsaved(db, name, change, now);
		return { isKept: change.copy !== null };
	}

	return { read, list, get, update, save, listRevisions, getRevision, getUnsaved, keepUnsaved };
}

type Revisions = SQLiteTable & Record<'version' | 'createdAt' | 'columns', SQLiteColumn>;

type StoredVersion = { version: number; createdAt: Date; columns: Record<string, unknown> };

const toVersion = ({ version, createdAt }: Pick<StoredVersion, 'version' | 'createdAt'>) => ({
	version,
	savedAt: createdAt.toISOString(),
});

/** Returns a column's value as SQLite stores it. */
function storedValue(value: unknown): string | number | null {
	if (value instanceof Date) return value.getTime();
	if (typeof value === 'boolean') return Number(value);
	if (typeof value === 'string' || typeof value === 'number') return value;
	return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Returns the value of a column of JSON, or undefined if it cannot be read. */
function parseStored(value: unknown): unknown {
	try {
		return JSON.parse(String(value));
	} catch {
		return undefined;
	}
}
