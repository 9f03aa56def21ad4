import { isUtf8 } from 'node:buffer';
import { getTableColumns, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import {
	categories,
	authors,
	comments,
	contentProblems,
	issues,
	media,
	pages,
	pathRedirects,
	posts,
	redirects,
	series,
	states,
	tags,
	termRedirects,
} from '#db/schema.ts';
import { isNumber } from '#db/tolerant.ts';
import { isWritten, type Writes } from './writes.server.ts';

/** Aspect that is checked: the row itself, or a category's color. */
type RowKind = Exclude<
	typeof contentProblems.$inferSelect.kind,
	'post' | 'image' | 'figure' | 'download'
>;

type Checked = {
	table: SQLiteTable;
	id: SQLiteColumn;
	/** How messages name a row: the kind of thing, and the column with its name. */
	noun: string;
	label: SQLiteColumn;
	/** Part of the address of a page. */
	address?: SQLiteColumn;
	/** Whether that may be a whole path of another site, which begins with a slash. */
	isPath?: true;
	/** Columns that are not read with a row. */
	except?: SQLiteColumn[];
	/** Further faults, as branches of a `case`. */
	rules?: SQL[];
	/** Consequence for such a row. */
	outcome?: string;
	/** Shapes of JSON columns that are not lists of texts. */
	shapes?: Record<string, z.ZodMiniType>;
};

const figure = z.object({
	key: z.string(),
	label: z.string(),
	value: z.nullable(z.number()),
	unit: z.string(),
	source: z.string(),
	link: z.optional(z.string()),
	asOf: z.string(),
});
const told = z.looseObject({ id: z.string(), slug: z.string(), title: z.string() });

/** The tables that pages are made of, apart from articles' text. */
const CHECKED: Record<RowKind, Checked> = {
	'post row': {
		table: posts,
		id: posts.id,
		noun: 'article',
		label: posts.title,
		address: posts.slug,
		except: [posts.content],
	},
	'category row': {
		table: categories,
		id: categories.id,
		noun: 'category',
		label: categories.name,
		address: categories.slug,
		except: [categories.color],
	},
	'category color': {
		table: categories,
		id: categories.id,
		noun: 'category',
		label: categories.name,
		except: Object.values(getTableColumns(categories)),
		rules: [
			sql`when ${categories.color} not glob ${'#' + '[0-9A-Fa-f]'.repeat(6)} then 'its own is none'`,
		],
		outcome: 'has the default color',
	},
	'tag row': { table: tags, id: tags.id, noun: 'tag', label: tags.name, address: tags.slug },
	'series row': {
		table: series,
		id: series.id,
		noun: 'series',
		label: series.name,
		address: series.slug,
		shapes: {},
	},
	'author row': {
		table: authors,
		id: authors.id,
		noun: 'author',
		label: authors.name,
		address: authors.slug,
		shapes: { links: z.array(z.object({ label: z.string(), href: z.string() })) },
	},
	'comment row': { table: comments, id: comments.id, noun: 'comment of', label: comments.author },
	'redirect row': {
		table: redirects,
		id: redirects.slug,
		noun: 'earlier address',
		label: redirects.slug,
		address: redirects.slug,
		isPath: true,
	},
	'term redirect row': {
		table: termRedirects,
		id: termRedirects.slug,
		noun: 'earlier address',
		label: termRedirects.slug,
		address: termRedirects.slug,
	},
	'path redirect row': {
		table: pathRedirects,
		id: pathRedirects.path,
		noun: 'earlier address',
		label: pathRedirects.path,
	},
	'image row': {
		table: media,
		id: media.id,
		noun: 'image',
		label: media.name,
		except: [media.bytes],
	},
	'issue row': {
		table: issues,
		id: issues.date,
		noun: 'newsletter of',
		label: issues.date,
		rules: [sql`when date(${issues.date}) is not ${issues.date} then 'its date is none'`],
		shapes: { posts: z.array(told) },
	},
	'state row': {
		table: states,
		id: states.id,
		noun: 'guide of',
		label: states.name,
		address: states.slug,
		shapes: {
			answers: z.record(z.string(), z.string()),
			figures: z.array(figure),
			offer: z.looseObject({}),
		},
	},
	'page row': {
		table: pages,
		id: pages.id,
		noun: 'page',
		label: pages.title,
		address: pages.slug,
		shapes: {
			questions: z.array(z.object({ question: z.string(), answer: z.string() })),
			testimonials: z.array(
				z.object({ name: z.string(), role: z.string(), content: z.string(), rating: z.number() }),
			),
			offer: z.looseObject({}),
		},
	},
};

/** Returns the condition for rows that the last build could read. */
export function isReadable(kind: RowKind, id: SQLWrapper): SQL {
	return sql`${id} not in (select subject_id from content_problems where kind = ${kind})`;
}

/** Tables with a row for each post, or many, and their column with its id. */
const OF_POSTS: Partial<Record<RowKind, SQLiteColumn>> = {
	'post row': posts.id,
	'comment row': comments.postId,
};

/**
 * Looks through all rows that pages are made of, before anything reads them: another program or an older version may have
 * stored what no column should hold, and one text that is no UTF-8 ends the process that reads it. Those that no page can
 * be made of are recorded in `content_problems`; `isReadable` leaves them out of all that is public. They stay as they are.
 * Given the posts that were written to since the last time, other posts and their comments are not looked at.
 */
export async function checkRows(db: Db, now: Date, writes?: Writes): Promise<void> {
	const found: { kind: RowKind; rowid: number; reason: string }[] = [];
	for (const [kind, checked] of Object.entries(CHECKED) as [RowKind, Checked][]) {
		const { table, noun, label, outcome = 'is left out' } = checked;
		const postId = OF_POSTS[kind];
		const among = postId && isWritten(postId, writes);
		for (const [rowid, fault] of await findFaults(db, checked, among)) {
			const [row] = await db.all<{ name: ArrayBuffer }>(
				sql`select cast(${label} as blob) as name from ${table} where rowid = ${rowid}`,
			);
			const name = new TextDecoder()
				.decode(row!.name)
				.replace(/\p{Cc}/gu, ' ')
				.slice(0, 60);
			const reason = `The ${noun} “${name}” ${outcome}: ${fault}.`.slice(0, 300);
			found.push({ kind, rowid, reason });
		}
	}
	const isOfRow = or(
		...Object.keys(CHECKED).map((kind) => {
			const postId = OF_POSTS[kind as RowKind];
			const among = postId && isWritten(postId, writes);
			const isOfKind = sql`kind = ${kind}`;
			if (!among) return isOfKind;
			const { table, id } = CHECKED[kind as RowKind];
			// Those of rows that are gone as well.
			return sql`(${isOfKind} and (subject_id in (select ${id} from ${table} where ${among})
				or subject_id not in (select ${id} from ${table})))`;
		}),
	);
	const known = await db
		.select({ reason: contentProblems.reason })
		.from(contentProblems)
		.where(isOfRow);
	const told = new Set(known.map(({ reason }) => reason));
	for (const { reason } of found) if (!told.has(reason)) console.error(reason);
	if (found.length === 0 && known.length === 0) return;
	await db.batch([
		db.delete(contentProblems).where(isOfRow),
		...found.map(({ kind, rowid, reason }) =>
			// An id may be bytes as well: it is not read here.
			db.run(sql`insert into content_problems (kind, subject_id, reason, created_at)
				select ${kind}, ${sql.identifier(CHECKED[kind].id.name)}, ${reason}, ${now.getTime()}
				from ${CHECKED[kind].table} where rowid = ${rowid}`),
		),
	]);
}

/** Returns the rows that no page can be made of, with the reason, by `rowid`. */
async function findFaults(
	db: Db,
	checked: Checked,
	among: SQL | undefined,
): Promise<Map<number, string>> {
	const { table, address, isPath, except = [], rules = [] } = checked;
	const columns = Object.values(getTableColumns(table) as Record<string, SQLiteColumn>).filter(
		(column) => !except.includes(column),
	);
	const faults = columns.map((column) => {
		const { isFaulty, what } = faultOf(column);
		return sql`when ${isFaulty} then ${`its ${nameOf(column)} holds ${what}`}`;
	});
	faults.push(...rules);
	if (address) {
		const isFaulty = isPath
			? sql`iif(${address} glob '/*', ${isNoPath(address)}, ${isNoAddress(address)})`
			: isNoAddress(address);
		faults.push(sql`when ${isFaulty} then 'its address cannot be one'`);
	}
	const words = columns.filter(({ dataType }) => ['string', 'json'].includes(dataType));
	const text = sql.join(
		[sql`''`, ...words.map((column) => sql`coalesce(${column}, '')`)],
		sql` || ' ' || `,
	);
	// Each row's words are put together once.
	const rows = await db.all<{ rowid: number; fault: string | null; text: ArrayBuffer }>(
		sql`with checked as materialized (select ${table}.rowid as rowid, case ${sql.join(faults, sql` `)} end as fault,
				${text} as words from ${table} where ${among ?? sql`true`})
			select rowid, fault, cast(words as blob) as text from checked
			where fault is not null or ${isBeyondAscii(sql`words`)}`,
	);
	const found = new Map<number, string>();
	for (const { rowid, fault, text } of rows) {
		if (fault !== null) found.set(rowid, fault);
		else if (!isUtf8(text)) found.set(rowid, NOT_TEXT);
	}
	if (table === posts) await findTexts(db, found, among);
	if (checked.shapes) await findShapes(db, checked, found);
	return found;
}

const nameOf = ({ name }: SQLiteColumn) => `“${name.replaceAll('_', ' ')}”`;

const NOT_TEXT = 'it holds bytes that are no text';

/** GLOB patterns; their ranges go by code points. */
const BEYOND_ASCII = '*[^\u0001-\u007f]*';
/** Letters and digits of any script, and other characters that need no escaping in an address. No kind of space. */
const BEYOND_ADDRESSES =
	'*[^0-9A-Za-z._~\u00a1-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\ud7ff\uf900-\ufefe\u{10000}-\u{10ffff}-]*';
/** Maximum bytes of an address part, with room for file extensions. */
export const MAX_ADDRESS = 200;

const isBeyondAscii = (text: SQLWrapper) => sql`${text} glob ${BEYOND_ASCII}`;
const isNoAddress = (slug: SQLiteColumn) =>
	sql`(${slug} = '' or ${slug} glob '.*' or ${slug} glob ${BEYOND_ADDRESSES} or length(cast(${slug} as blob)) > ${MAX_ADDRESS})`;

/** Signs that end a path, or that a rule of redirects reads. */
const BEYOND_PATHS = '*[\u0001-\u0020"#*:<>?\u005c\u007f-\u00a0]*';
const isNoPath = (path: SQLiteColumn) =>
	sql`(${path} glob ${BEYOND_PATHS} or ${path} glob '*/' or length(cast(${path} as blob)) > 500)`;

/** Returns the faults of a column's value as SQL conditions with messages. The tables themselves refuse nulls. */
function faultOf(column: SQLiteColumn): { isFaulty: SQL; what: string } {
	const type = sql`typeof(${column})`;
	const [fault, what]: [SQL, string] = (
		{
			string: [sql`${type} <> 'text' or instr(${column}, char(0)) > 0`, 'no text'],
			json: [sql`${type} <> 'text' or not json_valid(${column})`, 'nothing that can be read'],
			date: [sql`not ${isNumber(column)}`, 'no time'],
		} as Record<string, [SQL, string]>
	)[column.dataType] ?? [sql`not ${isNumber(column)}`, 'no number'];
	return { isFaulty: sql`(${column} is not null and (${fault}))`, what };
}

/** Adds articles whose content is not text. Checks only those that changed since they were rendered, which is faster. */
async function findTexts(
	db: Db,
	found: Map<number, string>,
	among: SQL | undefined,
): Promise<void> {
	const isNone = sql`(typeof(${posts.content}) <> 'text' or instr(${posts.content}, char(0)) > 0)`;
	// One condition: SQLite would read every text before it looks which are rendered.
	const rows = await db.all<{ rowid: number; isNone: number }>(
		sql`select posts.rowid as rowid, ${isNone} as isNone from posts left join rendered_posts r on r.post_id = posts.id
			where ${among ?? sql`true`} and case when coalesce(r.digest, '') = '' then ${isNone} or ${isBeyondAscii(posts.content)} end`,
	);
	for (const { rowid, isNone } of rows) {
		if (found.has(rowid)) continue;
		const [row] = await db.all<{ text: ArrayBuffer }>(
			sql`select cast(content as blob) as text from posts where rowid = ${rowid}`,
		);
		if (isNone || !isUtf8(row!.text)) found.set(rowid, NOT_TEXT);
	}
}

/** Adds rows whose JSON has another shape than pages read. */
async function findShapes(
	db: Db,
	{ table, shapes = {} }: Checked,
	found: Map<number, string>,
): Promise<void> {
	const columns = Object.entries(getTableColumns(table) as Record<string, SQLiteColumn>).filter(
		([, { dataType }]) => dataType === 'json',
	);
	for (const [key, column] of columns) {
		const shape = shapes[key] ?? z.array(z.string());
		const rows = await db.all<{ rowid: number; bytes: ArrayBuffer }>(
			sql`select rowid, cast(${column} as blob) as bytes from ${table}`,
		);
		for (const { rowid, bytes } of rows) {
			if (found.has(rowid)) continue;
			const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
			if (!shape.safeParse(value).success)
				found.set(rowid, `its ${nameOf(column)} is not what it should be`);
		}
	}
}
