import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { authors, categories, posts, series, tags } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { bylines } from '#src/core/bylines.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { moveFollowers, redirectTo } from '#src/core/former-slugs.server.ts';
import { refuseMissingPicture } from '#src/core/settings/site.server.ts';
import { countChanged, imageOf, recordUndoable, type Change } from '#src/core/undo/undo.server.ts';
import { inOrder } from '#src/features/categories/categories.server.ts';
import { FAMILIES } from '#src/features/covers/families/families.ts';
import { freeSlug, tagKey } from '#src/features/posts/editing.ts';
import type { Actor } from '#src/features/posts/saving.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { slugOfName, storedTag } from '#src/features/posts/tags.server.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import {
	NO_FAMILY,
	type StoredAuthor,
	type StoredCategory,
	type StoredSeries,
	type Term,
	type TermForm,
	type TermKind,
	type Undoable,
} from './term.ts';

const TABLES = {
	category: sql`categories`,
	tag: sql`tags`,
	series: sql`series`,
	author: sql`authors`,
};
const NAMES = {
	category: 'categories',
	tag: 'tags',
	series: 'series',
	author: 'authors',
} as const;

/** The columns that a form changes, as they are stored. */
type Row = {
	name: string;
	slug: string;
	description: string | null;
	color?: string;
	cover?: string | null;
	position?: number | null;
	/** JSON. */
	articles?: string;
	picture?: string;
	/** JSON. */
	links?: string;
};
/** Changed fields of a form. */
type Changes = { [Key in keyof TermForm]?: TermForm[Key] | undefined };

const { id, name, slug, description, version, color } = tolerant(categories);
const storedCategory = {
	...{ id, name, slug, description, version, color },
	posts: sql<number>`(select count(*) from posts p where p.category_id = categories.id and p.deleted_at is null)`,
	cover: asText(sql`coalesce(${categories.cover}, ${categories.slug})`),
};

const withFamily = <Row extends { cover: string }>(row: Row) => ({
	...row,
	cover: FAMILIES.includes(row.cover) ? row.cover : NO_FAMILY,
});

/** Returns all categories, in their order. */
export async function listStoredCategories(db: Db): Promise<StoredCategory[]> {
	const rows = await db
		.select(storedCategory)
		.from(categories)
		.orderBy(...inOrder);
	return rows.map(withFamily);
}

export async function getCategory(db: Db, id: string): Promise<StoredCategory | null> {
	const [row] = await db.select(storedCategory).from(categories).where(eq(categories.id, id));
	return row ? withFamily(row) : null;
}

export async function getTag(db: Db, id: string): Promise<Term | null> {
	const [row] = await db.select(storedTag).from(tags).where(eq(tags.id, id));
	return row ?? null;
}

/** Returns all series, by name. */
export function listStoredSeries(db: Db): Promise<StoredSeries[]> {
	return readSeries(db, sql`true`);
}

export async function getSeries(db: Db, id: string): Promise<StoredSeries | null> {
	return (await readSeries(db, eq(series.id, id)))[0] ?? null;
}

async function readSeries(db: Db, where: SQL): Promise<StoredSeries[]> {
	const { createdAt: _, ...columns } = tolerant(series);
	const rows = await db.select(columns).from(series).where(where).orderBy(series.name);
	const found = await db
		.select({
			id: posts.id,
			title: tolerant(posts).title,
			isPublic: sql<number>`${isPublic(new Date())}`,
		})
		.from(posts)
		.where(and(inArray(posts.id, rows.flatMap(idsOf)), isNull(posts.deletedAt)));
	const byId = new Map(found.map((post) => [post.id, { ...post, isPublic: post.isPublic === 1 }]));
	return rows.map((row) => {
		const articles = idsOf(row).flatMap((id) => byId.get(id) ?? []);
		return { ...row, articles, posts: articles.length };
	});
}

/** The ids of a series, or none where they cannot be read. */
const idsOf = ({ articles }: { articles: unknown }): string[] =>
	Array.isArray(articles) ? articles.filter((id) => typeof id === 'string') : [];

/** Returns all authors, by name. */
export function listStoredAuthors(db: Db): Promise<StoredAuthor[]> {
	return readAuthors(db, sql`true`);
}

export async function getAuthor(db: Db, id: string): Promise<StoredAuthor | null> {
	return (await readAuthors(db, eq(authors.id, id)))[0] ?? null;
}

async function readAuthors(db: Db, where: SQL): Promise<StoredAuthor[]> {
	const { createdAt: _, ...columns } = tolerant(authors);
	const rows = await db
		.select({
			...columns,
			posts: sql<number>`(select count(*) from posts p where p.author = authors.name and p.deleted_at is null)`,
		})
		.from(authors)
		.where(where)
		.orderBy(authors.name);
	return rows.map((row) => ({ ...row, links: Array.isArray(row.links) ? row.links : [] }));
}

const GETTERS = { category: getCategory, tag: getTag, series: getSeries, author: getAuthor };

export async function createCategory(db: Db, form: TermForm, actor: Actor) {
	return (await getCategory(db, await createTerm(db, 'category', form, actor)))!;
}

export async function createTag(db: Db, form: TermForm, actor: Actor) {
	return (await getTag(db, await createTerm(db, 'tag', form, actor)))!;
}

export async function createSeries(db: Db, form: TermForm, actor: Actor) {
	return (await getSeries(db, await createTerm(db, 'series', form, actor)))!;
}

export async function createAuthor(db: Db, form: TermForm, actor: Actor) {
	return (await getAuthor(db, await createTerm(db, 'author', form, actor)))!;
}

/** Stores a new category, as the last one, a new tag, series or author. Returns its id. */
function createTerm(
	db: Db,
	kind: TermKind,
	form: TermForm,
	{ actor, now }: Actor,
): Promise<string> {
	return retryWhenOvertaken(async () => {
		const id = crypto.randomUUID();
		const { name, description = null, color, cover = null, position } = form;
		const { picture = '', links = [] } = form;
		await refuseMissingPicture(db, picture, 'picture');
		const slug = await chooseSlug(db, kind, id, form);
		const event = { actor, action: 'created', subject: `${kind} ${id}`, detail: quote(name) };
		const articles = await checkArticles(db, form.articles ?? []);
		const common = { id, name, slug, description };
		const inserts: Record<TermKind, Statement[]> = {
			category: [
				db.insert(categories).values({ ...common, cover, ...(color && { color }) }),
				placeAt(db, id, position ?? Number.MAX_SAFE_INTEGER),
			],
			tag: [db.insert(tags).values(common)],
			series: [db.insert(series).values({ ...common, articles })],
			author: [db.insert(authors).values({ ...common, picture, links })],
		};
		await db.batch([
			auditStatement(db, event, now),
			...inserts[kind],
			// Only a category has a page without articles; an author may be named by bylines already.
			...(kind === 'category' || kind === 'author' || articles.length > 0
				? requestBuild(db, `Created ${quote(name)}`, now, [paths[kind](slug)])
				: []),
		]);
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

/** Returns a statement that moves a category to a place in the order, and numbers all of them. */
function placeAt(db: Db, id: string, place: number): Statement {
	return db.run(sql`${placesOf(id, place)}
		update categories set position = places.place from places where places.id = categories.id`);
}

/** Returns the places that `placeAt` changes. */
function placesAround(id: string, place: number): Change {
	const image = imageOf(
		{ id: sql`c.id` },
		{ position: sql`c.position` },
		{ position: sql`places.place` },
	);
	return {
		table: 'categories',
		images: sql`${placesOf(id, place)} select ${image} as image from categories c join places on places.id = c.id
			where c.position is not places.place`,
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

const STALE = 'This was changed elsewhere since you opened it.';

export function updateCategory(db: Db, id: string, changes: Changes & Versioned, actor: Actor) {
	return updateTerm<StoredCategory>(db, 'category', id, changes, actor);
}

export function updateTag(db: Db, id: string, changes: Changes & Versioned, actor: Actor) {
	return updateTerm<Term>(db, 'tag', id, changes, actor);
}

export function updateSeries(db: Db, id: string, changes: Changes & Versioned, actor: Actor) {
	return updateTerm<StoredSeries>(db, 'series', id, changes, actor);
}

export function updateAuthor(db: Db, id: string, changes: Changes & Versioned, actor: Actor) {
	return updateTerm<StoredAuthor>(db, 'author', id, changes, actor);
}

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
		if (version !== undefined && version !== before.version) {
			throw new AppError('conflict', STALE, { stored: await get() });
		}
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
			action: isRenamed ? 'renamed' : columns.length > 0 ? 'changed' : 'moved',
			subject: `${kind} ${id}`,
			detail:
				before.name !== after.name
					? `${quote(before.name)} to ${quote(after.name)}`
					: hasLeft
						? `${quote(after.name)}: ${before.slug} to ${after.slug}`
						: quote(after.name),
		};
		const image = (row: Row) =>
			Object.fromEntries(columns.map((column) => [column, sql`${row[column] ?? null}`]));
		const withName = kind === 'tag' && before.name !== after.name;
		const redirect = hasLeft ? redirectTo(db, kind, before.slug, id, now) : undefined;
		const ofAuthor = kind === 'author' ? bylines(db, before.name, after.name) : [];
		const renamed = withName ? [inDrafts(db, before.name, after.name)] : ofAuthor;
		const changesOf: Change[] = [
			...(withName ? [postsOfTag(id)] : []),
			...renamed.map(({ change }) => change),
			...(redirect ? [redirect.change] : []),
			...(columns.length > 0
				? [
						{
							table: NAMES[kind],
							images: sql`select ${imageOf({ id: sql`${id}` }, image(before), image(after))} as image`,
						},
					]
				: []),
			...(isMoved ? [placesAround(id, position)] : []),
		];
		const set = columns.map((column) => sql`${sql.identifier(column)} = ${after[column] ?? null}`);
		await db.batch([
			abortUnless(
				db,
				sql`(select version from ${TABLES[kind]} where id = ${id}) = ${before.version}`,
			),
			...recordUndoable(db, { token, event, changes: changesOf, builds: true }, now),
			db.run(sql`update ${TABLES[kind]} set ${sql.join([sql`version = version + 1`, ...set], sql`, `)}
				where id = ${id}`),
			...(withName ? [touchPosts(db, id)] : []),
			...renamed.map(({ statement }) => statement),
			...(redirect ? [redirect.statement] : []),
			...(isMoved ? [placeAt(db, id, position)] : []),
			...requestBuild(db, `${capitalize(event.action)} ${event.detail}`, now, [
				...new Set([paths[kind](before.slug), paths[kind](after.slug)]),
			]),
		]);
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
	const { name = before.name, description, color, cover, articles } = changes;
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
	const drawn = before.cover ?? before.slug;
	const family = FAMILIES.includes(drawn) ? drawn : NO_FAMILY;
	const isOther = cover !== undefined && cover !== family;
	return {
		...row,
		color: color ?? before.color!,
		// Drawn as before, whatever the address is now.
		cover: isOther ? cover : slug === before.slug ? before.cover! : drawn,
	};
}

/** Returns the ids of a series, each once. Refuses one of no post. */
async function checkArticles(db: Db, articles: readonly string[]): Promise<string[]> {
	const ids = [...new Set(articles)];
	const known = await db.$count(posts, and(inArray(posts.id, ids), isNull(posts.deletedAt)));
	if (known === ids.length) return ids;
	const fields = {
		articles: 'One of these articles was deleted since. Take it out and save again.',
	};
	throw new AppError('validation', MESSAGES.validation, { fields });
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
		throw new AppError('validation', MESSAGES.validation, { fields });
	}
	return freeSlug(wanted, taken);
}

type Removal = { id: string; undo: string; moved: number };

/** Deletes a category; its posts, if it has some, move to another one. Its address is gone. */
export async function deleteCategory(
	db: Db,
	id: string,
	into: string | undefined,
	actor: Actor,
): Promise<Removal | null> {
	const found = await getCategory(db, id);
	if (!found) return null;
	// Deleted posts need a category as well: they can be restored.
	const count = await db.$count(posts, eq(posts.categoryId, id));
	if (count > 0 && into === undefined) {
		const message = `${plural(count, 'post')} ${count === 1 ? 'is' : 'are'} in this category: choose where to move ${count === 1 ? 'it' : 'them'}.`;
		throw new AppError('validation', message, { fields: { into: message } });
	}
	return removeTerm(db, 'category', id, { into, leads: false }, actor);
}

/** Deletes a tag and takes it from its posts. Its address is gone. */
export function deleteTag(db: Db, id: string, actor: Actor): Promise<Removal | null> {
	return removeTerm(db, 'tag', id, { into: undefined, leads: false }, actor);
}

/** Deletes a series; its articles stay. Its address is gone. */
export function deleteSeries(db: Db, id: string, actor: Actor): Promise<Removal | null> {
	return removeTerm(db, 'series', id, { into: undefined, leads: false }, actor);
}

/** Deletes an author; the bylines stay. The address is gone. */
export function deleteAuthor(db: Db, id: string, actor: Actor): Promise<Removal | null> {
	return removeTerm(db, 'author', id, { into: undefined, leads: false }, actor);
}

/** Moves the posts of a category to another one, to which its addresses lead from now on. */
export async function mergeCategory(db: Db, id: string, into: string, actor: Actor) {
	const removal = await removeTerm(db, 'category', id, { into, leads: true }, actor);
	return removal && { ...(await getCategory(db, into))!, undo: removal.undo, moved: removal.moved };
}

export async function mergeTag(db: Db, id: string, into: string, actor: Actor) {
	const removal = await removeTerm(db, 'tag', id, { into, leads: true }, actor);
	return removal && { ...(await getTag(db, into))!, undo: removal.undo, moved: removal.moved };
}

/** Removes a term in one batch. `leads`: its addresses lead to the one that its posts move to. */
async function removeTerm(
	db: Db,
	kind: TermKind,
	id: string,
	{ into, leads }: { into: string | undefined; leads: boolean },
	{ actor, now }: Actor,
): Promise<Removal | null> {
	const token = crypto.randomUUID();
	const found = await retryWhenOvertaken(async () => {
		const [gone] = await db.all<Row & { version: number }>(
			sql`select * from ${TABLES[kind]} where id = ${id}`,
		);
		if (!gone) return false;
		const target = into === undefined ? undefined : await findTarget(db, kind, id, into);
		const moves: Record<TermKind, () => Moving> = {
			category: () => movePosts(db, id, into),
			tag: () => moveTag(db, id, gone.name, target),
			series: () => ({ posts: [], changes: [], statements: [] }),
			author: () => ({ posts: [], changes: [], statements: [] }),
		};
		const { posts: moving, ...rest } = moves[kind]();
		const redirect = leads ? redirectTo(db, kind, gone.slug, into!, now) : undefined;
		const followers = moveFollowers(db, kind, id, leads ? into : undefined);
		const event = {
			actor,
			action: leads ? 'merged' : 'deleted',
			subject: `${kind} ${id}`,
			detail: target ? `${quote(gone.name)} into ${quote(target.name)}` : quote(gone.name),
		};
		await db.batch([
			abortUnless(
				db,
				sql`(select version from ${TABLES[kind]} where id = ${id}) = ${gone.version}`,
			),
			...(target
				? [abortUnless(db, sql`exists (select 1 from ${TABLES[kind]} where id = ${target.id})`)]
				: []),
			...recordUndoable(
				db,
				{
					token,
					event,
					changes: [
						...moving,
						...rest.changes,
						followers.change,
						...(redirect ? [redirect.change] : []),
						wholeRow(kind, id),
					],
					needs: target && { table: NAMES[kind], id: target.id, name: target.name },
					builds: true,
				},
				now,
			),
			...rest.statements,
			followers.statement,
			...(redirect ? [redirect.statement] : []),
			db.run(sql`delete from ${TABLES[kind]} where id = ${id}`),
			...requestBuild(db, `${capitalize(event.action)} ${event.detail}`, now, [
				paths[kind](gone.slug),
				...(target ? [paths[kind](target.slug)] : []),
			]),
		]);
		return true;
	});
	return found ? { id, undo: token, moved: await countChanged(db, token) } : null;
}

/** Returns the term that posts move to. */
async function findTarget(db: Db, kind: TermKind, id: string, into: string) {
	const [target] = await db.all<{ id: string; name: string; slug: string }>(
		sql`select id, name, slug from ${TABLES[kind]} where id = ${into}`,
	);
	const message = !target
		? `There is no such ${kind} to move the posts to.`
		: into === id && `Choose another ${kind}.`;
	if (!target || message) {
		throw new AppError('validation', MESSAGES.validation, { fields: { into: message || '' } });
	}
	return target;
}

type Moving = { posts: Change[]; changes: Change[]; statements: Statement[] };

/** How the posts and drafts of a category move to another one. */
function movePosts(db: Db, id: string, into: string | undefined): Moving {
	if (into === undefined) {
		const none = sql`select null as image where false`;
		return { posts: [{ table: 'posts', images: none }], changes: [], statements: [] };
	}
	const isOfDraft = sql`form ->> '$.categoryId' = ${id}`;
	return {
		posts: [
			{
				table: 'posts',
				images: sql`select ${imageOf({ id: sql`id` }, { category_id: sql`${id}` }, { category_id: sql`${into}` })} as image
					from posts where category_id = ${id}`,
			},
		],
		changes: [
			{
				table: 'drafts',
				images: sql`select ${imageOf({ post_id: sql`post_id` }, { categoryId: sql`${id}` }, { categoryId: sql`${into}` })} as image
					from drafts where ${isOfDraft}`,
			},
		],
		statements: [
			db.run(
				sql`update posts set category_id = ${into}, version = version + 1 where category_id = ${id}`,
			),
			db.run(
				sql`update drafts set form = json_set(form, '$.categoryId', ${into}) where ${isOfDraft}`,
			),
			// Both stay, so that undo leaves no reader without a topic.
			db.run(
				sql`update subscribers set topics = json_insert(topics, '$[#]', ${into})
					where json_valid(topics) and exists (select 1 from json_each(topics) where value = ${id})`,
			),
		],
	};
}

/** How a tag leaves its posts and drafts, and another one takes its place. */
function moveTag(
	db: Db,
	id: string,
	name: string,
	target: { id: string; name: string } | undefined,
): Moving {
	const added = sql`from post_tags a where a.tag_id = ${id}
		and not exists (select 1 from post_tags b where b.post_id = a.post_id and b.tag_id = ${target?.id ?? null})`;
	const written = inDrafts(db, name, target?.name);
	return {
		posts: [
			{
				table: 'post_tags',
				images: sql`select ${imageOf(
					{ post_id: sql`post_id`, tag_id: sql`tag_id` },
					{ id: sql`id`, position: sql`position` },
					null,
				)} as image from post_tags where tag_id = ${id}`,
			},
		],
		changes: [
			...(target
				? [
						{
							table: 'post_tags' as const,
							images: sql`select ${imageOf({ post_id: sql`a.post_id`, tag_id: sql`${target.id}` }, null, {})} as image ${added}`,
						},
					]
				: []),
			postsOfTag(id),
			written.change,
		],
		statements: [
			touchPosts(db, id),
			written.statement,
			...(target
				? [
						db.run(sql`insert into post_tags (id, post_id, tag_id, position)
							select lower(hex(randomblob(16))), a.post_id, ${target.id}, a.position ${added}`),
					]
				: []),
			db.run(sql`delete from post_tags where tag_id = ${id}`),
		],
	};
}

/** The posts of a tag, whose forms hold its name: an open editor notices. */
function postsOfTag(id: string): Change {
	return {
		table: 'posts',
		images: sql`select ${imageOf({ id: sql`post_id` }, {}, {})} as image from post_tags where tag_id = ${id}`,
	};
}

function touchPosts(db: Db, id: string): Statement {
	return db.run(sql`update posts set version = version + 1
		where id in (select post_id from post_tags where tag_id = ${id})`);
}

/** How a tag's name changes in drafts, or leaves them where there is no other. */
function inDrafts(db: Db, name: string, other: string | undefined) {
	const isName = sql`lower(value) = lower(${name})`;
	const next = sql`json((select json_group_array(one) from (select case when ${isName} then ${other ?? null} else value end as one,
		min(key) as place from json_each(drafts.form, '$.tags') where not (${isName} and ${other ?? null} is null)
		group by 1 order by place)))`;
	const isWritten = sql`json_type(drafts.form, '$.tags') = 'array'
		and exists (select 1 from json_each(drafts.form, '$.tags') where ${isName})`;
	const change: Change = {
		table: 'drafts',
		images: sql`select ${imageOf({ post_id: sql`post_id` }, { tags: sql`json(form -> '$.tags')` }, { tags: next })} as image
			from drafts where ${isWritten}`,
	};
	const statement = db.run(
		sql`update drafts set form = json_set(form, '$.tags', ${next}) where ${isWritten}`,
	);
	return { change, statement };
}

/** A term itself, which goes. */
function wholeRow(kind: TermKind, id: string): Change {
	const columns = ['name', 'slug', 'description', 'version', 'created_at'];
	if (kind === 'category') columns.push('color', 'position', 'cover');
	if (kind === 'series') columns.push('articles');
	if (kind === 'author') columns.push('picture', 'links');
	const before = Object.fromEntries(columns.map((one) => [one, sql`${sql.identifier(one)}`]));
	return {
		table: NAMES[kind],
		images: sql`select ${imageOf({ id: sql`id` }, before, null)} as image from ${TABLES[kind]} where id = ${id}`,
	};
}

function quote(name: string): string {
	return `“${name}”`;
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
