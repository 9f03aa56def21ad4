/** Deletes and merges categories, tags, series and authors. */
import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { retryWhenOvertaken } from '#src/core/batches.server.ts';
import {
	changesOf,
	moveFollowers,
	redirectTo,
	statementsOf,
} from '#src/core/records/consequences.server.ts';
import { commit, removeRow } from '#src/core/records/records.server.ts';
import { asIs, type Change, changeOfRows, countChanged } from '#src/core/undo/undo.server.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { TermKind } from './term.ts';
import { getCategory, getTag } from './stored-terms.server.ts';
import { inDrafts, NAMES, quote, type Row, TABLES, touchPosts } from './term-rows.server.ts';

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
		const [gone] = await db.all<Row & { id: string; version: number }>(
			sql`select * from ${TABLES[kind]} where id = ${id}`,
		);
		if (!gone) return false;
		const target = into === undefined ? undefined : await findTarget(db, kind, id, into);
		const moves: Record<TermKind, () => Moving> = {
			category: () => movePosts(db, id, into),
			tag: () => moveTag(db, id, gone.name, target),
			series: () => NO_MOVE,
			author: () => NO_MOVE,
		};
		const moving = moves[kind]();
		const followed = [
			moveFollowers(db, kind, id, leads ? into : undefined),
			...(leads ? [redirectTo(db, kind, gone.slug, into!, now)] : []),
		];
		const own = removeRow(db, NAMES[kind], getTableColumns(TABLES[kind]), gone);
		const event = {
			actor,
			action: leads ? ('merged' as const) : ('deleted' as const),
			subject: `${kind} ${id}`,
			detail: target ? `${quote(gone.name)} into ${quote(target.name)}` : quote(gone.name),
		};
		const isThere = target && sql`exists (select 1 from ${TABLES[kind]} where id = ${target.id})`;
		const batch = {
			...{ token, event, rows: await db.$count(posts) },
			conditions: [own.condition, ...(isThere ? [isThere] : [])],
			changes: [...moving.posts, ...moving.changes, ...changesOf(followed), ...own.changes],
			needs: target && { table: NAMES[kind], id: target.id, name: target.name },
			statements: [...moving.statements, ...statementsOf(followed), own.statement],
			paths: [paths[kind](gone.slug), ...(target ? [paths[kind](target.slug)] : [])],
		};
		await commit(db, batch, now);
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
		throw invalid({ into: message || '' });
	}
	return target;
}

type Moving = { posts: Change[]; changes: Change[]; statements: Statement[] };
const NO_MOVE: Moving = { posts: [], changes: [], statements: [] };

/** Returns the changes and statements that move the posts and drafts of a category to another one. */
function movePosts(db: Db, id: string, into: string | undefined): Moving {
	if (into === undefined) {
		const none = sql`select null as image where false`;
		return { posts: [{ table: 'posts', images: none }], changes: [], statements: [] };
	}
	const [from, to] = [sql`${id}`, sql`${into}`];
	const isOfDraft = sql`form ->> '$.categoryId' = ${id}`;
	const ofCategory = sql`from posts where category_id = ${id}`;
	const ofDrafts = sql`from drafts where ${isOfDraft}`;
	return {
		posts: [
			changeOfRows('posts', asIs('id'), { category_id: from }, { category_id: to }, ofCategory),
		],
		changes: [
			changeOfRows('drafts', asIs('post_id'), { categoryId: from }, { categoryId: to }, ofDrafts),
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

/** Returns the changes and statements by which a tag leaves its posts and drafts, and another one takes its place. */
function moveTag(
	db: Db,
	id: string,
	name: string,
	target: { id: string; name: string } | undefined,
): Moving {
	const added = sql`from post_tags a where a.tag_id = ${id}
		and not exists (select 1 from post_tags b where b.post_id = a.post_id and b.tag_id = ${target?.id ?? null})`;
	const ofTag = sql`from post_tags where tag_id = ${id}`;
	const gains = (tag: string) => ({ post_id: sql`a.post_id`, tag_id: sql`${tag}` });
	const followed = [touchPosts(db, id), inDrafts(db, name, target?.name)];
	return {
		posts: [
			changeOfRows('post_tags', asIs('post_id', 'tag_id'), asIs('id', 'position'), null, ofTag),
		],
		changes: [
			...(target ? [changeOfRows('post_tags', gains(target.id), null, {}, added)] : []),
			...changesOf(followed),
		],
		statements: [
			...statementsOf(followed),
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
