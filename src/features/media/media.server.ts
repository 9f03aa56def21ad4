import {
	and,
	desc,
	eq,
	getTableColumns,
	inArray,
	isNull,
	lte,
	or,
	sql,
	type SQL,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, containsText } from '#db/like.ts';
import { media, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { among, deleteInPieces } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import {
	imageOf,
	oldestUndoable,
	recordUndoable,
	type Change,
	type UndoableEvent,
} from '#src/core/undo/undo.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { pageWithin } from '#src/lib/paging.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import type { MediaPage } from './media.api.ts';
import { MEDIA_PER_PAGE, mediaPath, type Media, type MediaFilter } from './media.ts';
import { listUses, usedImages } from './uses.server.ts';

const isKept = isNull(media.deletedAt);

const { bytes: _bytes, digest: _digest, deletedAt: _deletedAt, ...shown } = getTableColumns(media);
const columns = tolerant(shown);

/** Returns the image that has these bytes, or undefined. */
export async function findMedia(db: Db, digest: string): Promise<Media | undefined> {
	const [row] = await db
		.select(columns)
		.from(media)
		.where(and(eq(media.digest, digest), isKept));
	return row && toMedia(row);
}

/** Returns an image of the library, or null. */
export async function showMedia(db: Db, id: string): Promise<Media | null> {
	const [row] = await db
		.select(columns)
		.from(media)
		.where(and(eq(media.id, id), isKept));
	return row ? toMedia(row) : null;
}

/** Returns a page of the library, newest first. */
export async function listMedia(
	db: Db,
	{
		q = '',
		page: wanted = 1,
		show,
	}: { q?: string | undefined; page?: number | undefined; show?: MediaFilter | undefined },
): Promise<MediaPage> {
	const found = and(
		isKept,
		everyWord(q, (word) => or(containsText(media.name, word), containsText(media.alt, word))),
	);
	const isUndescribed = eq(media.alt, '');
	const where = and(
		found,
		show === 'undescribed' ? isUndescribed : undefined,
		show === 'unused'
			? sql`${media.id} not in ${among([...(await usedImages(db)).keys()])}`
			: undefined,
	);
	const total = await db.$count(media, where);
	const page = pageWithin(wanted, total, MEDIA_PER_PAGE);
	const rows = await db
		.select(columns)
		.from(media)
		.where(where)
		.orderBy(desc(media.createdAt), desc(media.id))
		.limit(MEDIA_PER_PAGE)
		.offset((page - 1) * MEDIA_PER_PAGE);
	const undescribed = await db.$count(media, and(found, isUndescribed));
	return { rows: rows.map(toMedia), total, page, pageSize: MEDIA_PER_PAGE, undescribed };
}

/**
 * Sets the name of an image, its alternative text and what crops keep in sight. Returns null if there is no such image. Cards and
 * articles that show it follow with a build.
 */
export async function describeMedia(
	db: Db,
	id: string,
	given: { name?: string | undefined; alt?: string | undefined; focus?: string | undefined },
	now: Date,
): Promise<Media | null> {
	const set = {
		...(given.name !== undefined && { name: given.name }),
		...(given.alt !== undefined && { alt: given.alt }),
		...(given.focus !== undefined && { focus: given.focus }),
	};
	const isOne = and(eq(media.id, id), isKept);
	const [old] = await db.select(columns).from(media).where(isOne);
	if (!old) return null;
	const next = { ...old, ...set };
	const isShown = next.alt !== old.alt || next.focus !== old.focus;
	if (!isShown && next.name === old.name) return toMedia(old);
	// No page says an image's name.
	const builds = isShown && (await isFeatured(db, id));
	await db.batch([
		db.update(media).set(set).where(isOne),
		...(builds ? requestBuild(db, `“${old.name}” was described`, now) : []),
	]);
	return toMedia(next);
}

/** Whether an image is the featured one of a published post: builds make files of it. */
export async function isFeatured(db: Db, id: string): Promise<boolean> {
	const featured = and(eq(posts.featuredImage, mediaPath(id)), posts.published);
	return (await db.$count(posts, featured)) > 0;
}

/**
 * Deletes an image that nothing uses. `undo` brings it back, for 30 days. Throws a `conflict` that names what uses it.
 * Returns null if there is no such image.
 */
export async function deleteMedia(
	db: Db,
	id: string,
	actor: Actor,
): Promise<{ id: string; undo: string } | null> {
	const isOne = and(eq(media.id, id), isKept);
	const [row] = await db
		.select(tolerant({ name: media.name }))
		.from(media)
		.where(isOne);
	if (!row) return null;
	const users = (await listUses(db, [id]))[id] ?? [];
	if (users.some(({ kind }) => kind === 'site')) {
		throw new AppError(
			'conflict',
			'This image is the logo of the site. Choose another logo first.',
		);
	}
	if (users.length > 0) {
		const names = users.slice(0, 3).map(({ title }) => `“${title}”`);
		const all = users.length > 3 ? [...names, 'others'] : names;
		const verb = all.length === 1 ? 'uses' : 'use';
		throw new AppError(
			'conflict',
			`${joinWithAnd(all)} ${verb} this image. Take it out there first.`,
		);
	}
	const event = { action: 'deleted' as const, subject: `image ${id}`, detail: row.name };
	return { id, undo: await remove(db, isOne!, event, actor) };
}

/** Deletes those of these images that nothing uses, or all such images, as one action. */
export async function deleteUnused(
	db: Db,
	ids: string[] | undefined,
	actor: Actor,
): Promise<{ deleted: string[]; undo: string | null }> {
	const isUnused = and(
		isKept,
		sql`${media.id} not in ${among([...(await usedImages(db)).keys()])}`,
		ids && inArray(media.id, ids),
	)!;
	const rows = await db.select({ id: media.id }).from(media).where(isUnused);
	const deleted = rows.map(({ id }) => id);
	if (deleted.length === 0) return { deleted, undo: null };
	const event = {
		action: 'deleted' as const,
		subject: `image ${deleted[0]}`,
		detail: plural(deleted.length, 'unused image'),
	};
	return {
		deleted,
		undo: await remove(db, sql`${media.id} in ${among(deleted)} and ${isKept}`, event, actor),
	};
}

async function remove(
	db: Db,
	where: SQL,
	event: Omit<UndoableEvent, 'actor'>,
	{ actor, now }: Actor,
): Promise<string> {
	const token = crypto.randomUUID();
	const images = sql`select ${imageOf(
		{ id: sql`id` },
		{ deleted_at: sql`deleted_at` },
		{ deleted_at: sql`${now.getTime()}` },
	)} as image from media where ${where}`;
	const changes: Change[] = [{ table: 'media', images }];
	await db.batch([
		...recordUndoable(db, { token, event: { actor, ...event }, changes, builds: false }, now),
		db.update(media).set({ deletedAt: now }).where(where),
	]);
	return token;
}

/** Erases images that were deleted so long ago that they can no longer be restored. */
export async function purgeDeletedMedia(db: Db, now: Date): Promise<void> {
	await deleteInPieces(db, media, lte(media.deletedAt, oldestUndoable(now)));
}

/** Returns an image's bytes and type, or null. Who has the bytes of this digest gets none. */
export async function readMedia(db: Db, id: string, known: string | null) {
	const [row] = await db
		.select({
			...tolerant({ type: media.type, name: media.name, digest: media.digest }),
			bytes: sql<ArrayBuffer | null>`case when ${media.digest} is ${known} then null else ${media.bytes} end`,
		})
		.from(media)
		.where(and(eq(media.id, id), isKept));
	return row ?? null;
}

function toMedia({
	createdAt,
	...row
}: Omit<typeof media.$inferSelect, 'bytes' | 'digest' | 'deletedAt'>): Media {
	return { ...row, url: mediaPath(row.id), createdAt: createdAt.toISOString() };
}
