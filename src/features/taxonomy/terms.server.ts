/** Creates and changes categories, tags, series and authors. */
import { and, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { authors, categories, posts, series, tags } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import type { UndoableAction } from '#src/core/audit/sentences.ts';
import { retryWhenOvertaken } from '#src/core/batches.server.ts';
import { bylines } from '#src/core/bylines.server.ts';
import {
	changesOf,
	redirectTo,
	statementsOf,
	type Consequence,
} from '#src/core/records/consequences.server.ts';
import { commit, refuseStale, rewriteRows } from '#src/core/records/records.server.ts';
import { refuseMissingPicture } from '#src/core/settings/site.server.ts';
import { imageOf } from '#src/core/undo/undo.server.ts';
import { inOrder } from '#src/features/categories/categories.server.ts';
import { freeSlug, tagKey } from '#src/features/posts/editing.ts';
import { slugOfName } from '#src/features/posts/tags.server.ts';
import { invalid } from '#src/lib/errors.ts';
import { paths } from '#src/site.ts';
import {
	type StoredAuthor,
	type StoredCategory,
	type StoredSeries,
	type Term,
	type TermForm,
	type TermKind,
	type Undoable,
} from './term.ts';
import { getAuthor, getCategory, getSeries, getTag, GETTERS } from './stored-terms.server.ts';
import { inDrafts, NAMES, quote, type Row, TABLES, touchPosts } from './term-rows.server.ts';

/** Changed fields of a form. */
type Changes = { [Key in keyof TermForm]?: TermForm[Key] | undefined };

const creator =
	<Stored>(kind: TermKind, get: (db: Db, id: string) => Promise<Stored | null>) =>
	async (db: Db, form: TermForm, actor: Actor) =>
		(await get(db, await createTerm(db, kind, form, actor)))!;

export const createCategory = creator('category', getCategory);
export const createTag = creator('tag', getTag);
export const createSeries = creator('series', getSeries);
export const createAuthor = creator('author', getAuthor);

/** Stores a new category, as the last one, a new tag, series or author. Returns its id. */
function createTerm(
	db: Db,
	kind: TermKind,
	form: TermForm,
	{ actor, now }: Actor,
): Promise<string> {
	return retryWhenOvertaken(async () => {
		const id = crypto.randomUUID();
		const { name, description = null, color, position } = form;
		const { picture = '', links = [] } = form;
		await refuseMissingPicture(db, picture, 'picture');
		const slug = await chooseSlug(db, kind, id, form);
		const event = { actor, action: 'created', subject: `${kind} ${id}`, detail: quote(name) };
		const articles = await checkArticles(db, form.articles ?? []);
		const common = { id, name, slug, description };
		const inserts: Record<TermKind, Statement[]> = {
			category: [
				db.insert(categories).values({ ...common, ...(color && { color }) }),
				placeAt(db, id, position ?? Number.MAX_SAFE_INTEGER).statement,
			],
			tag: [db.insert(tags).values(common)],
			series: [db.insert(series).values({ ...common, articles })],
			author: [db.insert(authors).values({ ...common, picture, links })],
		};
		// Only a category has a page without articles; an author may be named by bylines already.
		const isShown = kind === 'category' || kind === 'author' || articles.length > 0;
		const shown = isShown ? [paths[kind](slug)] : [];
		await commit(db, { event, statements: inserts[kind], paths: shown }, now);
		return id;
	});
}

/** SQL for `places`: the order of all categories once this one has another place. */
function placesOf(id: string, place: number): SQL {
	return sql`with others as (
			select id, row_number() over (order by position is null, position, name) - 1 as n from categories where id <> ${id}
		), places as (select id, n + (n >= ${place}) as place from others
			union all select ${id}, min(${place}, (select count(*) from others)))`;
}

/** Returns the consequence that gives a category a place in the order, and all of them their numbers. */
function placeAt(db: Db, id: string, place: number): Consequence {
	const image = imageOf(
		{ id: sql`c.id` },
		{ position: sql`c.position` },
		{ position: sql`places.place` },
	);
	const places = placesOf(id, place);
	return {
		change: {
			table: 'categories',
			images: sql`${places} select ${image} as image from categories c join places on places.id = c.id
				where c.position is not places.place`,
		},
		statement: db.run(sql`${places}
			update categories set position = places.place from places where places.id = categories.id`),
	};
}

/** Whether a category is not yet at this place, or last where that is beyond the end. */
async function isElsewhere(db: Db, id: string, place: number): Promise<boolean> {
	const rows = await db
		.select({ id: categories.id })
		.from(categories)
		.orderBy(...inOrder);
	return rows[Math.min(place, rows.length - 1)]?.id !== id;
}

const updater =
	<Stored extends Term>(kind: TermKind) =>
	(db: Db, id: string, changes: Changes & Versioned, actor: Actor) =>
		updateTerm<Stored>(db, kind, id, changes, actor);

export const updateCategory = updater<StoredCategory>('category');
export const updateTag = updater<Term>('tag');
export const updateSeries = updater<StoredSeries>('series');
export const updateAuthor = updater<StoredAuthor>('author');

type Versioned = { version?: number | undefined };

/** Saves changes; missing fields keep their values. Returns null if there is no such term. */
async function updateTerm<Stored extends Term>(
	db: Db,
	kind: TermKind,
	id: string,
	{ version, position, ...changes }: Changes & Versioned,
	{ actor, now }: Actor,
): Promise<Undoable<Stored> | null> {
	const get = async () => (await GETTERS[kind](db, id)) as Stored | null;
	const token = crypto.randomUUID();
	const changed = await retryWhenOvertaken(async () => {
		const [before] = await db.all<Row & { version: number }>(
			sql`select * from ${TABLES[kind]} where id = ${id}`,
		);
		if (!before) return null;
		await refuseStale(version, before.version, get);
		if (changes.picture) await refuseMissingPicture(db, changes.picture, 'picture');
		const after = await complete(db, kind, id, before, changes);
		const columns = (Object.keys(after) as (keyof Row)[]).filter(
			(key) => after[key] !== before[key],
		);
		const isMoved = position !== undefined && (await isElsewhere(db, id, position));
		if (columns.length === 0 && !isMoved) return false;
		const isRenamed = columns.includes('name') || columns.includes('slug');
		const hasLeft = columns.includes('slug');
		const event = {
			actor,
			action: (isRenamed ? 'renamed' : columns.length > 0 ? 'changed' : 'moved') as UndoableAction,
			subject: `${kind} ${id}`,
			detail:
				before.name !== after.name
					? `${quote(before.name)} to ${quote(after.name)}`
					: hasLeft
						? `${quote(after.name)}: ${before.slug} to ${after.slug}`
						: quote(after.name),
		};
		const pick = (row: Row) =>
			Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
		const own = rewriteRows(db, NAMES[kind], [
			{ id, version: before.version, before: pick(before), after: pick(after) },
		]);
		const isTagNamed = kind === 'tag' && before.name !== after.name;
		const followed: Consequence[] = [
			...(isTagNamed ? [touchPosts(db, id), inDrafts(db, before.name, after.name)] : []),
			...(kind === 'author' ? bylines(db, before.name, after.name) : []),
			...(hasLeft ? [redirectTo(db, kind, before.slug, id, now)] : []),
		];
		const moved = isMoved ? [placeAt(db, id, position)] : [];
		const batch = {
			...{ token, event, conditions: [own.condition], rows: await db.$count(posts) },
			changes: [...changesOf(followed), ...own.changes, ...changesOf(moved)],
			statements: [own.statement, ...statementsOf(followed), ...statementsOf(moved)],
			paths: [paths[kind](before.slug), paths[kind](after.slug)],
		};
		await commit(db, batch, now);
		return true;
	});
	if (changed === null) return null;
	return { ...(await get())!, undo: changed ? token : null };
}

/** Returns a row with the changes of a form. */
async function complete(
	db: Db,
	kind: TermKind,
	id: string,
	before: Row,
	changes: Changes,
): Promise<Row> {
	const { name = before.name, description, color, articles } = changes;
	const follows = changes.slug !== undefined || name !== before.name;
	const isSame = changes.slug === before.slug && name === before.name;
	const slug =
		follows && !isSame
			? await chooseSlug(db, kind, id, { name, slug: changes.slug ?? '' }, before)
			: before.slug;
	const row = {
		name,
		slug,
		description: description === undefined ? before.description : description || null,
	};
	if (kind === 'tag') return row;
	if (kind === 'author') {
		const { picture = before.picture!, links } = changes;
		return { ...row, picture, links: links ? JSON.stringify(links) : before.links! };
	}
	if (kind === 'series') {
		if (articles === undefined) return { ...row, articles: before.articles! };
		return { ...row, articles: JSON.stringify(await checkArticles(db, articles)) };
	}
	return { ...row, color: color ?? before.color! };
}

/** Returns the ids of a series, each once. Refuses one of no post. */
async function checkArticles(db: Db, articles: readonly string[]): Promise<string[]> {
	const ids = [...new Set(articles)];
	const known = await db.$count(posts, and(inArray(posts.id, ids), isNull(posts.deletedAt)));
	if (known === ids.length) return ids;
	const fields = {
		articles: 'One of these articles was deleted since. Take it out and save again.',
	};
	throw invalid(fields);
}

/**
 * Returns the slug for a name: the given one, which must be free, or one made of the name. Refuses a name that another one
 * has.
 */
async function chooseSlug(
	db: Db,
	kind: TermKind,
	id: string,
	{ name, slug: given = '' }: Pick<TermForm, 'name' | 'slug'>,
	before?: Row,
): Promise<string> {
	const others = await db.all<{ name: string; slug: string }>(
		sql`select name, slug from ${TABLES[kind]} where id <> ${id}`,
	);
	const fields: Record<string, string> = {};
	const same = others.find((other) => tagKey(other.name) === tagKey(name));
	if (same) {
		const merge = kind === 'series' || kind === 'author' ? '' : ' To make one of both, merge them.';
		const article = kind === 'author' ? 'an' : 'a';
		fields['name'] = `There is ${article} ${kind} “${same.name}” already.${merge}`;
	}
	const taken = (slug: string) => others.some((other) => other.slug === slug);
	const wanted = slugOfName(given || name) || (before?.slug ?? kind);
	if (given && taken(wanted)) fields['slug'] = `Another ${kind} has this address.`;
	if (Object.keys(fields).length > 0) {
		throw invalid(fields);
	}
	return freeSlug(wanted, taken);
}
