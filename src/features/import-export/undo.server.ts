import { and, eq, inArray, sql } from 'drizzle-orm';
import { batchOfMany, type Db } from '#db/client.ts';
import {
	categories,
	comments,
	drafts,
	importItems,
	imports,
	media,
	pages,
	posts,
	postTags,
	subscribers,
	tags,
} from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { among, nextTurn } from '#src/core/batches.server.ts';
import { importSubject } from '#src/core/imports/run.ts';
import { listUses } from '#src/features/media/uses.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import type { ImportView } from './bundle.ts';

type Import = typeof imports.$inferSelect;

/** An import with what undoing it would remove and keep; null where there is none. */
export async function getImport(db: Db, id: string): Promise<ImportView | null> {
	const [row] = await db.select(tolerant(imports)).from(imports).where(eq(imports.id, id));
	return row ? toImportView(row, await planUndo(db, row)) : null;
}

/**
 * Removes what an import made, as one entry of the log. What was changed here since stays, and so does what that needs; and
 * who left here since, so that no file makes them active. Removed for good: the file is there to be imported again.
 */
export async function undoImport(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<ImportView | null> {
	const [row] = await db.select(tolerant(imports)).from(imports).where(eq(imports.id, id));
	if (!row) return null;
	const plan = await planUndo(db, row);
	if (row.undoneAt) return toImportView(row, plan);
	const gone = [...plan.posts, ...plan.pages, ...plan.categories, ...plan.images];
	const made = sql`(select item_id from import_items where import_id = ${id} and kind = 'subscriber')`;
	const rows = gone.length + plan.subscribers + plan.restores;
	await batchOfMany(db, rows, [
		db.update(imports).set({ undoneAt: now }).where(eq(imports.id, id)),
		// A post that is saved at this moment stays; then its category is in use, and nothing of all this happens.
		db.delete(posts).where(and(sql`${posts.id} in ${among(plan.posts)}`, isUntouched)),
		db.delete(pages).where(sql`${pages.id} in ${among(plan.pages)} and ${pages.version} <= 1`),
		db.delete(tags).where(sql`${tags.id} in ${among(plan.tags)}`),
		db.delete(categories).where(sql`${categories.id} in ${among(plan.categories)}`),
		db.delete(media).where(sql`${media.id} in ${among(plan.images)}`),
		restoreSubscribers(db, id),
		// Who left since stays away, also when another import is undone that had made them inactive.
		db.delete(importItems).where(sql`kind = 'changed-subscriber' and import_id <> ${id}
			and item_id in (select id from subscribers where id in ${made} and ${hasLeft})`),
		db
			.delete(subscribers)
			.where(sql`id in ${made} and not ${hasLeft} and not ${hasSignedUp(row.createdAt.getTime())}`),
		db.delete(importItems).where(
			sql`import_id = ${id} and (item_id in ${among(gone)}
				or kind = 'subscriber' and item_id not in (select id from subscribers))`,
		),
		auditStatement(
			db,
			{
				actor,
				action: 'undid an import',
				subject: importSubject(id),
				detail: `${row.name}: ${removedWords(plan)} removed, ${plan.keeps.length} kept`,
			},
			now,
		),
		...(plan.wasPublic ? requestBuild(db, `Undid the import of ${row.name}`, now) : []),
	]);
	return toImportView({ ...row, undoneAt: now }, plan);
}

type Plan = Awaited<ReturnType<typeof planUndo>>;

const removedWords = ({ posts: { length: count }, subscribers: people }: Plan) =>
	count === 0 && people > 0 ? plural(people, 'subscriber') : plural(count, 'post');

/** Condition for subscribers whom an import made, and who left, bounced or complained after it. */
const hasLeft = sql`(subscribers.active = 0 and subscribers.left_at > subscribers.imported_at)`;

/** Condition for those who were written to for a reason of their own since: they have signed up. */
const hasSignedUp = (since: number) =>
	sql`exists (select 1 from outbox where recipient = subscribers.email
		and kind not in ('digest', 'letter') and created_at >= ${since})`;

/** Columns of a subscriber that an import may change. */
const CHANGEABLE = [
	...[
		'name',
		'last_name',
		'source',
		'consent',
		'active',
		'left_at',
		'paused_until',
		'hard_bounces',
		'labels',
	],
] as const;

/** Returns a column as an import's item has it. One of an earlier release says nothing of labels. */
const valueOf = (when: 'before' | 'after', column: string) => {
	const value = sql`i.key ->> ${`$.${when}.${column}`}`;
	return column === 'labels' ? sql`coalesce(${value}, subscribers.labels)` : value;
};

/** Condition for the subscribers that an import changed, and that are as it left them. */
const isAsImported = sql.join(
	CHANGEABLE.map(
		(column) => sql`subscribers.${sql.identifier(column)} is ${valueOf('after', column)}`,
	),
	sql` and `,
);

function restoreSubscribers(db: Db, id: string) {
	const values = CHANGEABLE.map(
		(column) => sql`${sql.identifier(column)} = ${valueOf('before', column)}`,
	);
	return db.run(sql`update subscribers set ${sql.join(values, sql`, `)} from import_items i
		where i.import_id = ${id} and i.kind = 'changed-subscriber' and i.item_id = subscribers.id and ${isAsImported}`);
}

function toImportView({ id, name, kind, undoneAt }: Import, plan: Plan): ImportView {
	return {
		id,
		name,
		kind,
		undoneAt: undoneAt?.toISOString() ?? null,
		removes: {
			posts: plan.posts.length,
			pages: plan.pages.length,
			categories: plan.categories.length,
			tags: plan.tags.length,
			images: plan.images.length,
			subscribers: plan.subscribers,
		},
		restores: plan.restores,
		wakes: plan.wakes,
		keeps: plan.keeps,
	};
}

/** Whether nobody saved a post since it was made. Deleting one is no change of it. */
const isUntouched = sql`${posts.version} - (${posts.deletedAt} is not null) <= 1`;

/** Returns the items of an import that can be deleted, and those that stay, with reasons. */
async function planUndo(db: Db, { id, createdAt }: Import) {
	const since = createdAt.getTime();
	const keeps: ImportView['keeps'] = [];
	const rows = await db
		.select({
			...tolerant({ id: posts.id, title: posts.title }),
			published: posts.published,
			isUntouched: sql<number>`${isUntouched}`,
			hasDraft: sql<number>`coalesce(${drafts.version} > 1 or ${drafts.updatedAt} >= ${since}, 0)`,
			isDiscussed: sql<number>`exists (select 1 from ${comments} c where c.post_id = ${posts.id} and c.created_at >= ${since})`,
		})
		.from(importItems)
		.innerJoin(posts, eq(posts.id, importItems.itemId))
		.leftJoin(drafts, eq(drafts.postId, posts.id))
		.where(and(eq(importItems.importId, id), eq(importItems.kind, 'post')));
	const gone = rows.filter((row) => {
		const why = !row.isUntouched
			? 'changed here since'
			: row.hasDraft
				? 'being written on'
				: row.isDiscussed
					? 'has comments of readers'
					: '';
		if (why) keeps.push({ name: `“${row.title}”`, why });
		return !why;
	});
	const sides = await db
		.select({
			...tolerant({ id: pages.id, title: pages.title }),
			...{ published: pages.published, version: pages.version },
		})
		.from(importItems)
		.innerJoin(pages, eq(pages.id, importItems.itemId))
		.where(and(eq(importItems.importId, id), eq(importItems.kind, 'page')));
	const untouched = sides.filter(({ version }) => version <= 1);
	for (const { title, version } of sides)
		if (version > 1) keeps.push({ name: `Page “${title}”`, why: 'changed here since' });
	const removed = new Set([...gone, ...untouched].map((row) => row.id));
	const itemsOf = async (kind: 'category' | 'image') =>
		(
			await db
				.select({ id: importItems.itemId })
				.from(importItems)
				.where(and(eq(importItems.importId, id), eq(importItems.kind, kind)))
		).map((item) => item.id);

	const made = await itemsOf('category');
	const all = await db
		.select(tolerant({ id: categories.id, name: categories.name }))
		.from(categories)
		.where(sql`${categories.id} in (select value from json_each(${JSON.stringify(made)}))`);
	const homes = await db.select({ id: posts.id, categoryId: posts.categoryId }).from(posts);
	const used = new Set(
		homes.filter((item) => !removed.has(item.id)).map((item) => item.categoryId),
	);
	for (const { id: item, name } of all) {
		if (used.has(item)) keeps.push({ name: `Category “${name}”`, why: 'has posts that stay' });
	}

	const images = await itemsOf('image');
	const uses = await listUses(db, images);
	const shown = (image: string) =>
		(uses[image] ?? []).some(({ id: user }) => user === null || !removed.has(user));
	const kept = images.filter(shown).length;
	if (kept > 0) keeps.push({ name: plural(kept, 'image'), why: 'shown by posts that stay' });

	const { readers, left, signedUp, restores, changed, wakes } = await countPeople(db, id, since);
	if (left > 0) {
		const why = 'left here since, and stay away: inactive, so that no file brings them back';
		keeps.push({ name: plural(left, 'subscriber'), why });
	}
	if (signedUp > 0)
		keeps.push({ name: plural(signedUp, 'subscriber'), why: 'signed up here since' });
	if (changed > restores) {
		const name = plural(changed - restores, 'subscriber');
		keeps.push({ name, why: 'were known before the import, and changed here since' });
	}

	return {
		...{ restores, wakes },
		posts: gone.map((row) => row.id),
		pages: untouched.map((row) => row.id),
		categories: all.map((item) => item.id).filter((item) => !used.has(item)),
		tags: await tagsOf(db, removed, since),
		images: images.filter((image) => !shown(image)),
		subscribers: readers,
		wasPublic: [...gone, ...untouched].some((row) => row.published),
		keeps,
	};
}

/** The last item of a piece, and numbers of it. */
type Piece = { last: string | null } & Partial<Record<string, number | null>>;

/** Items that are read at once. */
const PIECE = 2000;

/**
 * Counts the subscribers of an import, in pieces: those it made that go, left here or signed up here since; those it changed, that
 * get back what they had, and that get letters again by that.
 */
async function countPeople(db: Db, id: string, since: number) {
	const sums = { readers: 0, left: 0, signedUp: 0, changed: 0, restores: 0, wakes: 0 };
	const columns = {
		subscriber: sql`sum(not ${hasLeft} and not ${hasSignedUp(since)}) as readers, sum(${hasLeft}) as left,
			sum(not ${hasLeft} and ${hasSignedUp(since)}) as signedUp`,
		'changed-subscriber': sql`count(*) as changed, sum(${isAsImported}) as restores,
			sum(${isAsImported} and i.key ->> '$.before.active' > i.key ->> '$.after.active') as wakes`,
	};
	for (const [kind, counts] of Object.entries(columns)) {
		for (let last: string | null = ''; last !== null;) {
			const piece: Piece[] = await db.all<Piece>(
				sql`select max(i.item_id) as last, ${counts} from (select item_id, key from import_items
					where import_id = ${id} and kind = ${kind} and item_id > ${last} order by item_id limit ${PIECE}) i
					left join subscribers on subscribers.id = i.item_id`,
			);
			const { last: reached, ...counted } = piece[0]!;
			for (const [name, count] of Object.entries(counted))
				sums[name as keyof typeof sums] += count ?? 0;
			last = reached;
			await nextTurn();
		}
	}
	return sums;
}

/** Clocks of a server and its database differ. */
const SKEW_MS = MINUTE;

/** Tags that are as new as the import, and on no other post. */
async function tagsOf(db: Db, removed: ReadonlySet<string>, since: number): Promise<string[]> {
	const rows = await db
		.select({ tag: postTags.tagId, post: postTags.postId })
		.from(postTags)
		.where(
			inArray(
				postTags.tagId,
				db
					.select({ id: tags.id })
					.from(tags)
					.where(sql`${tags.createdAt} >= ${since - SKEW_MS}`),
			),
		);
	return [...Map.groupBy(rows, ({ tag }) => tag)]
		.filter(([, uses]) => uses.every(({ post }) => removed.has(post)))
		.map(([tag]) => tag);
}
