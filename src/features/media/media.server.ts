import { desc, eq, getTableColumns, like, or } from 'drizzle-orm';
import { imageSize } from 'image-size';
import type { Db } from '#db/client.ts';
import { everyWord, holds } from '#db/like.ts';
import { drafts, media, posts } from '#db/schema.ts';
import { audit } from '#src/features/admin/audit.server.ts';
import { sha256 } from '#src/lib/digest.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { pageCount } from '#src/lib/paging.ts';
import { sentenceList } from '#src/lib/text.ts';
import { MAX_IMAGE_BYTES, MEDIA_PER_PAGE, mediaPath, type ImageType, type Media } from './media.ts';

type By = { actor: string; now: Date };

const { bytes: _bytes, digest: _digest, ...columns } = getTableColumns(media);

/** image-size's names of what we take. SVG is a document that may hold scripts: never. */
const TYPES: Record<string, ImageType> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	webp: 'image/webp',
	avif: 'image/avif',
	gif: 'image/gif',
};

/** An image to store; one that comes back from an archive keeps its id and its time. */
type NewMedia = {
	name: string;
	data: string;
	alt?: string | undefined;
	id?: string;
	createdAt?: string;
};

/** Stores an image, or answers the one that has the same bytes. What it is, is told by its bytes alone. */
export async function storeMedia(
	db: Db,
	{ name, data, alt = '', ...known }: NewMedia,
	{ actor, now }: By,
): Promise<Media> {
	const bytes = Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64');
	const { type, width, height } = measure(bytes);
	const digest = sha256(bytes);
	const id = known.id ?? crypto.randomUUID();
	const createdAt = known.createdAt ? new Date(known.createdAt) : now;
	const row = { id, name: name || 'image', type, width, height, alt, digest, bytes };
	const found = () => db.select(columns).from(media).where(eq(media.digest, digest));
	const [same] = await found();
	if (same) return view(same);
	await db.batch([
		db
			.insert(media)
			.values({ ...row, size: bytes.length, createdAt })
			.onConflictDoNothing(),
		audit(db, { actor, action: 'uploaded', subject: `image ${id}`, detail: row.name }, now),
	]);
	return view((await found())[0]!);
}

function measure(bytes: Buffer): { type: ImageType; width: number; height: number } {
	const refused = (data: string) =>
		new AppError('validation', MESSAGES.validation, { fields: { data } });
	if (bytes.length > MAX_IMAGE_BYTES) throw refused('Choose an image of 4 MB or less.');
	try {
		const { type: name = '', width, height, orientation = 1 } = imageSize(bytes);
		const type = TYPES[name];
		if (type && width > 0 && height > 0) {
			// From 5 on, a photograph is shown turned by a quarter.
			return orientation < 5 ? { type, width, height } : { type, width: height, height: width };
		}
	} catch {
		// Not an image that it knows.
	}
	throw refused('Choose a PNG, JPEG, WebP, AVIF or GIF image.');
}

/** A page of the library, newest first. */
export async function listMedia(
	db: Db,
	{ q = '', page: wanted = 1 }: { q?: string | undefined; page?: number | undefined },
): Promise<{ media: Media[]; total: number; page: number; pages: number }> {
	const where = everyWord(q, (word) => or(holds(media.name, word), holds(media.alt, word)));
	const total = await db.$count(media, where);
	const pages = pageCount(total, MEDIA_PER_PAGE);
	const page = Math.min(wanted, pages);
	const rows = await db
		.select(columns)
		.from(media)
		.where(where)
		.orderBy(desc(media.createdAt), desc(media.id))
		.limit(MEDIA_PER_PAGE)
		.offset((page - 1) * MEDIA_PER_PAGE);
	return { media: rows.map(view), total, page, pages };
}

/** Says what an image shows, for those who do not see it. Null where there is none. */
export async function describeMedia(db: Db, id: string, alt: string): Promise<Media | null> {
	const [row] = await db.update(media).set({ alt }).where(eq(media.id, id)).returning(columns);
	return row ? view(row) : null;
}

/** Removes an image, unless a post or a draft uses it: then a `conflict` names them. Null where there is none. */
export async function deleteMedia(
	db: Db,
	id: string,
	{ actor, now }: By,
): Promise<{ id: string } | null> {
	const [row] = await db.select({ name: media.name }).from(media).where(eq(media.id, id));
	if (!row) return null;
	const address = `%${mediaPath(id)}%`;
	const users = await db
		.select({ title: posts.title })
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
	if (users.length > 0) {
		const names = users.slice(0, 3).map(({ title }) => `“${title}”`);
		const all = users.length > 3 ? [...names, 'others'] : names;
		const verb = all.length === 1 ? 'uses' : 'use';
		throw new AppError(
			'conflict',
			`${sentenceList(all)} ${verb} this image. Take it out there first.`,
		);
	}
	await db.batch([
		db.delete(media).where(eq(media.id, id)),
		audit(db, { actor, action: 'deleted', subject: `image ${id}`, detail: row.name }, now),
	]);
	return { id };
}

/** An image's bytes and what they are, or null. */
export async function readMedia(db: Db, id: string) {
	const [row] = await db
		.select({ type: media.type, name: media.name, digest: media.digest, bytes: media.bytes })
		.from(media)
		.where(eq(media.id, id));
	return row ?? null;
}

function view({ createdAt, ...row }: Omit<typeof media.$inferSelect, 'bytes' | 'digest'>): Media {
	return { ...row, url: mediaPath(row.id), createdAt: createdAt.toISOString() };
}
