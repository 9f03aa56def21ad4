import { desc, eq, getTableColumns, like, or } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, containsText } from '#db/like.ts';
import { drafts, media, pages, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { getSite } from '#src/core/settings/site.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { pageWithin, type Paged } from '#src/lib/paging.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { MEDIA_PER_PAGE, mediaPath, type Media } from './media.ts';

type Actor = { actor: string; now: Date };

const { bytes: _bytes, digest: _digest, ...shown } = getTableColumns(media);
const columns = tolerant(shown);

/** Returns the image that has these bytes, or undefined. */
export async function findMedia(db: Db, digest: string): Promise<Media | undefined> {
	const [row] = await db.select(columns).from(media).where(eq(media.digest, digest));
	return row && toMedia(row);
}

/** Returns a page of the library, newest first. */
export async function listMedia(
	db: Db,
	{ q = '', page: wanted = 1 }: { q?: string | undefined; page?: number | undefined },
): Promise<Paged<Media>> {
	const where = everyWord(q, (word) =>
		or(containsText(media.name, word), containsText(media.alt, word)),
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
	return { rows: rows.map(toMedia), total, page, pageSize: MEDIA_PER_PAGE };
}

/** Sets the alternative text of an image. Returns null if there is no such image. */
export async function describeMedia(db: Db, id: string, alt: string): Promise<Media | null> {
	const [row] = await db.update(media).set({ alt }).where(eq(media.id, id)).returning(columns);
	return row ? toMedia(row) : null;
}

/**
 * Deletes an image. Throws a `conflict` that names the posts, drafts or pages using it. Returns null if there is no
 * such image.
 */
export async function deleteMedia(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<{ id: string } | null> {
	const [row] = await db
		.select(tolerant({ name: media.name }))
		.from(media)
		.where(eq(media.id, id));
	if (!row) return null;
	const address = `%${mediaPath(id)}%`;
	const ofPosts = await db
		.select(tolerant({ title: posts.title }))
		.from(posts)
		.leftJoin(drafts, eq(drafts.postId, posts.id))
		.where(
			or(
				like(posts.content, address),
				like(posts.featuredImage, address),
				like(drafts.form, address),
			),
		)
		.limit(4);
	const ofPages = await db
		.select(tolerant({ title: pages.title }))
		.from(pages)
		.where(like(pages.content, address))
		.limit(4);
	const users = [...ofPosts, ...ofPages];
	if (users.length > 0) {
		const names = users.slice(0, 3).map(({ title }) => `“${title}”`);
		const all = users.length > 3 ? [...names, 'others'] : names;
		const verb = all.length === 1 ? 'uses' : 'use';
		throw new AppError(
			'conflict',
			`${joinWithAnd(all)} ${verb} this image. Take it out there first.`,
		);
	}
	if ((await getSite(db)).logo === mediaPath(id)) {
		throw new AppError(
			'conflict',
			'This image is the logo of the site. Choose another logo first.',
		);
	}
	await db.batch([
		db.delete(media).where(eq(media.id, id)),
		auditStatement(db, { actor, action: 'deleted', subject: `image ${id}`, detail: row.name }, now),
	]);
	return { id };
}

/** Returns an image's bytes and type, or null. */
export async function readMedia(db: Db, id: string) {
	const [row] = await db
		.select({
			...tolerant({ type: media.type, name: media.name, digest: media.digest }),
			bytes: media.bytes,
		})
		.from(media)
		.where(eq(media.id, id));
	return row ?? null;
}

function toMedia({
	createdAt,
	...row
}: Omit<typeof media.$inferSelect, 'bytes' | 'digest'>): Media {
	return { ...row, url: mediaPath(row.id), createdAt: createdAt.toISOString() };
}
