import { eq, getTableColumns, getTableName, lte, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { batchOfMany, type Db, type Statement, type Statements } from '#db/client.ts';
import {
	auditLog,
	comments,
	drafts,
	EDITED_WHOLE,
	media,
	pathRedirects,
	postOffers,
	posts,
	postTags,
	redirects,
	settings,
	stateRevisions,
	termRedirects,
	undo,
} from '#db/schema.ts';
import { auditStatement, type AuditEvent } from '#src/core/audit/audit.server.ts';
import {
	abortUnless,
	among,
	deleteInPieces,
	nextTurn,
	retryWhenOvertaken,
} from '#src/core/batches.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { sentenceOf, type UndoableAction } from '#src/core/audit/sentences.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { UNDO_DAYS } from '#src/core/retention.ts';
import { beginning } from '#src/lib/code-parts.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import type { Undone } from './undo.api.ts';

/** Stands for a document as a whole, where a row holds one value: a setting. */
export const WHOLE = 'whole';

/** Tables whose values are in one JSON document: its column, and the key of a row. */
const DOCUMENTS: { [Name in TableName]?: { column: string; key: string } } = {
	drafts: { column: 'form', key: 'post_id' },
	settings: { column: 'value', key: 'key' },
};

/** Tables that actions which can be undone change. `drafts` and `settings` are changed within their document. */
const TABLES = [
	...EDITED_WHOLE,
	...[comments, drafts, media, pathRedirects, postOffers, posts, postTags, redirects, settings],
	...[stateRevisions, termRedirects],
] as const;
type TableName = (typeof TABLES)[number]['_']['name'];

function tableOf(name: TableName): SQLiteTable {
	return TABLES.find((table) => getTableName(table) === name)!;
}

/** Rows whose change must be taken back whole, or not at all. */
const STRICT: readonly string[] = ['settings', ...EDITED_WHOLE.map(getTableName)];

/**
 * A part of an action: which rows of a table it changes, inserts or deletes. `images` is a query before the action with
 * one column, `imageOf(…)` of each row. What `isWhole` is taken back with all of its rows, or not at all.
 */
export type Change = { table: TableName; images: SQL; isWhole?: boolean };

/** A row as it was and as the action leaves it. Null where there is none. */
type Image = {
	key: Record<string, string>;
	before: Record<string, unknown> | null;
	after: Record<string, unknown> | null;
};
type Step = { table: TableName; rows: Image[]; isWhole?: boolean };
/** A row that must still be there. */
export type Need = {
	table: 'categories' | 'tags' | 'series' | 'authors';
	id: string;
	name: string;
};
type Inverse = { steps: Step[]; needs: Need | null; builds: boolean };

type Columns = Record<string, SQL>;

/** Returns SQL for a row as JSON: its key, and its values before and after. An empty list of values only counts as a change. */
export function imageOf(key: Columns, before: Columns | null, after: Columns | null): SQL {
	const image = (columns: Columns | null) => (columns ? objectOf(columns) : sql`json('null')`);
	return objectOf({ key: objectOf(key), before: image(before), after: image(after) });
}

/** Names columns of a row as they are: its key, or its values before. */
export const asIs = (...names: string[]): Columns =>
	Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(name)}`]));

/** Returns the change of the rows that `from` selects, with their key, and their values before and after. */
export const changeOfRows = (
	table: TableName,
	key: Columns,
	before: Columns | null,
	after: Columns | null,
	from: SQL = sql``,
): Change => ({ table, images: sql`select ${imageOf(key, before, after)} as image ${from}` });

function objectOf(columns: Columns): SQL {
	const pairs = Object.entries(columns).map(
		([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`,
	);
	return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** An event whose undoing has a sentence. */
export type UndoableEvent = AuditEvent & { action: UndoableAction };

type Recorded = {
	token: string;
	event: UndoableEvent;
	/** In the order of the action; the first one of a table of `COUNTED` has one row for each thing that it is about. */
	changes: Change[];
	needs?: Need | undefined;
	/** Whether readers see the action, and so its undoing. */
	builds: boolean;
};

/** Returns statements that log an action with what takes it back. They come first in its batch: they read how things were. */
export function recordUndoable(
	db: Db,
	{ token, event, changes, needs, builds }: Recorded,
	now: Date,
): Statements {
	const steps = changes.map(
		({ table, images, isWhole = false }) =>
			sql`json_object('table', ${table}, 'isWhole', json(${JSON.stringify(isWhole)}),
				'rows', (select json_group_array(json(image)) from (${images})))`,
	);
	return [
		auditStatement(db, event, now),
		db.run(sql`insert into undo (token, audit_id, steps, created_at) select ${token},
			(select max(id) from ${auditLog}),
			json_object('steps', json_array(${sql.join(steps, sql`, `)}),
				'needs', json(${JSON.stringify(needs ?? null)}), 'builds', json(${JSON.stringify(builds)})),
			${now.getTime()}`),
	];
}

/** Returns how many posts, images or comments an action changed. */
export async function countChanged(db: Db, token: string): Promise<number> {
	const [row] = await db.all<{
		count: number;
	}>(sql`select json_array_length(s.value -> 'rows') as count
		from ${undo}, json_each(${undo.steps} -> 'steps') s where ${undo.token} = ${token}
			and s.value ->> 'table' in ${Object.keys(COUNTED)} order by s.key limit 1`);
	return row?.count ?? 0;
}

/** Names of the rows of these tables in answers to an undo. */
const COUNTED: { [Name in TableName]?: string } = {
	posts: 'post',
	post_tags: 'post',
	comments: 'comment',
	media: 'image',
};

/** The step that has one row for each post, image or comment that an action changes. */
function countedStep({ steps }: Inverse): Step | undefined {
	return steps.find(({ table }) => COUNTED[table]);
}

/** Characters of what is said to be undone. */
const MAX_WORDS = 160;
const GONE = 'This can no longer be undone: that is possible for 30 days.';
const DONE = 'This was undone already.';

/**
 * Takes an action back: rows get the values that they had, unless somebody gave them others since. Posts, images and
 * comments that were changed since stay and are counted; settings, or a category, tag, state or page, that were changed
 * since refuse the whole undo.
 */
export function undoAction(db: Db, token: string, { actor, now }: Actor): Promise<Undone> {
	return retryWhenOvertaken(async () => {
		const [row] = await db
			.select({ undo, log: auditLog })
			.from(undo)
			.innerJoin(auditLog, eq(auditLog.id, undo.auditId))
			.where(eq(undo.token, token));
		if (!row || row.undo.createdAt <= oldestUndoable(now)) throw new AppError('not_found', GONE);
		if (row.undo.undoneAt) throw new AppError('conflict', DONE);
		const inverse = row.undo.steps as Inverse;
		const { steps, needs, builds } = inverse;
		if (needs) await refuseMissing(db, needs);
		const terms = termsOf(steps);
		for (const step of steps) {
			await nextTurn();
			if (step.table === 'settings') await refuseUnlessWhole(db, step, terms, 'same settings were');
			else if (step.isWhole) await refuseUnlessWhole(db, step, terms, `${COUNTED[step.table]} was`);
			else if (STRICT.includes(step.table)) await refuseChanged(db, step);
		}
		await nextTurn();
		const counted = countedStep(inverse);
		const noun = (counted && COUNTED[counted.table]) ?? 'post';
		const moved = counted ? await countUnchanged(db, counted, terms) : 0;
		await nextTurn();
		const kept = (counted?.rows.length ?? 0) - moved;
		const isCountedOnly = steps.every(
			({ table, rows }) => !STRICT.includes(table) || rows.every(({ before }) => before === null),
		);
		if (counted && isCountedOnly && moved === 0) {
			throw new AppError('conflict', `These ${noun}s were all changed since: nothing was undone.`);
		}
		const { action, subject, detail } = row.log;
		// The entry of the action says all of it.
		const what = beginning([action, detail].filter(Boolean).join(' '), MAX_WORDS);
		const told = sentenceOf({ action: 'undid', subject, detail: what });
		const isOpen = sql`(select undone_at from undo where token = ${token}) is null`;
		const rows = steps.reduce((sum, step) => sum + step.rows.length, 0);
		await batchOfMany(db, rows, [
			abortUnless(db, isOpen),
			db.update(undo).set({ undoneAt: now }).where(eq(undo.token, token)),
			...steps.toReversed().flatMap((step) => revert(db, step, terms)),
			auditStatement(db, { actor, action: 'undid', subject, detail: what }, now),
			...(builds ? requestBuild(db, told, now) : []),
		]);
		const stays =
			kept > 0
				? ` ${plural(kept, noun)} changed since ${kept === 1 ? 'stays' : 'stay'} as now.`
				: '';
		const end = told.endsWith('…') ? '' : '.';
		return { message: `${told}${end}${stays}`, changed: moved, kept };
	});
}

/** Deletes what can no longer be undone. */
export async function pruneUndo(db: Db, now: Date): Promise<void> {
	await deleteInPieces(db, undo, lte(undo.createdAt, oldestUndoable(now)));
}

/** Returns when an action was that can no longer be undone. */
export const oldestUndoable = (now: Date) => new Date(now.getTime() - UNDO_DAYS * DAY);

async function refuseMissing(db: Db, { table, id, name }: Need): Promise<void> {
	if ((await db.$count(tableOf(table), sql`id = ${id}`)) > 0) return;
	throw new AppError('conflict', `“${name}” was merged or deleted since. Undo that first.`);
}

/** Throws a sentence about the first row that is not as the action left it, or whose name or address is taken. */
async function refuseChanged(db: Db, { table, rows }: Step): Promise<void> {
	const known = sql.identifier(table);
	const label = namesOf(tableOf(table)).includes('name') ? 'name' : 'title';
	for (const { key, before, after } of rows) {
		if (!before) continue;
		const [current] = await db.all<Record<string, unknown>>(
			sql`select * from ${known} where id = ${key['id']}`,
		);
		const name = String(before[label] ?? current?.[label]);
		if (after && !current) {
			throw new AppError('conflict', `“${name}” was merged or deleted since. Undo that first.`);
		}
		if (Object.entries(after ?? {}).some(([column, value]) => current?.[column] !== value)) {
			throw new AppError('conflict', `“${name}” was changed again since. Undo that first.`);
		}
		const { name: named = null, slug = null } = before;
		const [taken] = await db.all<{ name: string }>(
			sql`select ${sql.identifier(label)} as name from ${known} where id <> ${key['id']}
				and (slug = ${slug} or (${label} = 'name' and ${sql.identifier(label)} = ${named}))`,
		);
		if (taken) {
			// It cannot have another name.
			if (table === 'states')
				throw new AppError(
					'conflict',
					`There is “${name}” again by now. Undo or delete that first.`,
				);
			throw new AppError(
				'conflict',
				`“${taken.name}” has the name or the address of “${name}” by now. Rename it first.`,
			);
		}
	}
}

async function refuseUnlessWhole(db: Db, step: Step, terms: SQL, what: string): Promise<void> {
	if ((await countUnchanged(db, step, terms)) === step.rows.length) return;
	throw new AppError('conflict', `The ${what} changed again since. Undo that first.`);
}

/** Rows of a step with the same columns. */
type Group = {
	table: TableName;
	json: string;
	/** By the action. */
	inserted: boolean;
	deleted: boolean;
	keys: string[];
	columns: string[];
	/** Whether a row of the table is the one of `u`. */
	isRow: SQL;
	/** Whether a row has the values that the action gave it, and can have its own again. */
	isAsLeft: SQL;
};

function groupsOf({ table, rows }: Step, terms: SQL): Group[] {
	const kinds = Map.groupBy(rows, ({ before, after }) => `${before !== null} ${after !== null}`);
	return [...kinds.values()].map((same) => {
		const { key, before, after } = same[0]!;
		const keys = Object.keys(key);
		const columns = Object.keys(before ?? after ?? {});
		const asLeft = after ? columns : [];
		return {
			table,
			json: JSON.stringify(same),
			inserted: before === null,
			deleted: after === null,
			keys,
			columns,
			isRow: allOf(keys.map((one) => sql`${columnOf(table, one)} = ${valueOf('key', one)}`)),
			isAsLeft: allOf([
				...asLeft.map((one) => sql`${columnOf(table, one)} is ${valueOf('after', one, table)}`),
				...parentsOf(table, columns, terms),
			]),
		};
	});
}

/** Conditions that what a restored row refers to is there, or comes back as one of `terms`. */
function parentsOf(table: TableName, columns: string[], terms: SQL): SQL[] {
	const isTerm = (name: 'categories' | 'tags', id: SQL) =>
		sql`(${id} in ${terms} or exists (select 1 from ${sql.identifier(name)} t where t.id = ${id}))`;
	if (table === 'posts' && columns.includes('category_id'))
		return [isTerm('categories', valueOf('before', 'category_id'))];
	const hasPost = sql`exists (select 1 from posts p where p.id = ${valueOf('key', 'post_id')})`;
	if (table === 'post_offers') return [hasPost];
	if (table === 'redirects' && columns.includes('post_id'))
		return [sql`exists (select 1 from posts p where p.id = ${valueOf('before', 'post_id')})`];
	if (table !== 'post_tags') return [];
	return [isTerm('tags', valueOf('key', 'tag_id')), hasPost];
}

const allOf = (conditions: SQL[]) =>
	sql.join([sql`true`, ...conditions.map((one) => sql`(${one})`)], sql` and `);

/** A column; of a document, a field. Names come from the action, and must be columns of ours. */
function columnOf(table: TableName, column: string): SQL {
	const document = DOCUMENTS[table];
	if (document && column !== document.key) {
		const path = column === WHOLE ? '$' : `$.${column}`;
		return sql`${sql.identifier(table)}.${sql.identifier(document.column)} -> ${path}`;
	}
	const known = table === 'drafts' ? ['post_id'] : namesOf(tableOf(table));
	if (!known.includes(column)) throw new Error(`${table} has no column ${column}`);
	return sql`${sql.identifier(table)}.${sql.identifier(column)}`;
}

const namesOf = (table: SQLiteTable) =>
	Object.values(getTableColumns(table)).map(({ name }) => name);

function valueOf(of: keyof Image, column: string, table?: TableName): SQL {
	const path = `$.${of}.${column}`;
	return table && DOCUMENTS[table] ? sql`u.value -> ${path}` : sql`u.value ->> ${path}`;
}

/** The ids of the categories and tags that these steps bring back. */
function termsOf(steps: Step[]): SQL {
	const rows = steps.filter(({ table }) => STRICT.includes(table)).flatMap(({ rows }) => rows);
	return among(rows.filter(({ after }) => after === null).map(({ key }) => key['id']!));
}

/** The number of rows that can be taken back. */
async function countUnchanged(db: Db, step: Step, terms: SQL): Promise<number> {
	let count = 0;
	for (const { table, json, deleted, isRow, isAsLeft } of groupsOf(step, terms)) {
		const rows = sql`select 1 from ${sql.identifier(table)} where ${isRow}`;
		const found = await db.all<{ count: number }>(
			deleted
				? sql`select count(*) as count from json_each(${json}) u where ${isAsLeft} and not exists (${rows})`
				: sql`select count(*) as count from json_each(${json}) u cross join ${sql.identifier(table)} on ${isRow} where ${isAsLeft}`,
		);
		count += found[0]!.count;
	}
	return count;
}

/** Statements that take a step back where its rows are as the action left them. */
function revert(db: Db, step: Step, terms: SQL): Statement[] {
	return groupsOf(step, terms).map(
		({ table, json, inserted, deleted, keys, columns, isRow, isAsLeft }) => {
			const name = sql.identifier(table);
			if (inserted) {
				// A tag or category that the action made may be on other posts by now.
				const isFree =
					table === 'tags'
						? sql`tags.id not in (select tag_id from post_tags)`
						: table === 'categories'
							? sql`categories.id not in (select category_id from posts)`
							: sql`true`;
				// From the list through the table's index: the other way round, each row goes through the list.
				return db.run(
					sql`delete from ${name} where ${isFree} and rowid in (
						select ${name}.rowid from json_each(${json}) u cross join ${name} where ${isRow} and ${isAsLeft})`,
				);
			}
			if (deleted) {
				const all = [...keys, ...columns].map((one) => sql.identifier(one));
				const values = [
					...keys.map((one) => valueOf('key', one)),
					...columns.map((one) => valueOf('before', one)),
				];
				const where = STRICT.includes(table)
					? isAsLeft
					: sql`${isAsLeft} and not exists (select 1 from ${name} where ${isRow})`;
				return db.run(sql`insert into ${name} (${sql.join(all, sql`, `)})
					select ${sql.join(values, sql`, `)} from json_each(${json}) u where ${where}`);
			}
			const counted = [
				'posts',
				'categories',
				'tags',
				'series',
				'authors',
				'states',
				'pages',
			].includes(table)
				? [sql`version = version + 1`]
				: [];
			const document = DOCUMENTS[table];
			const set = document
				? [restoredDocument(table, document.column, columns)]
				: columns.map((one) => sql`${sql.identifier(one)} = ${valueOf('before', one)}`);
			return db.run(sql`update ${name} set ${sql.join([...counted, ...set], sql`, `)}
				from json_each(${json}) u where ${isRow} and ${isAsLeft}`);
		},
	);
}

/** The assignment that gives fields of a document their values back. Settings count their saves in theirs. */
function restoredDocument(table: TableName, column: string, fields: string[]): SQL {
	const document = sql`${sql.identifier(table)}.${sql.identifier(column)}`;
	if (fields.includes(WHOLE))
		return sql`${sql.identifier(column)} = json(${valueOf('before', WHOLE, table)})`;
	const values = fields.map(
		(field) => sql`${`$.${field}`}, json(${valueOf('before', field, table)})`,
	);
	const counted = table === 'settings' ? [sql`'$.version', (${document} ->> '$.version') + 1`] : [];
	return sql`${sql.identifier(column)} = json_set(${document}, ${sql.join([...values, ...counted], sql`, `)})`;
}
