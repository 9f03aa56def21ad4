import type { Db, Statement } from '#db/client.ts';
import { media } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { sha256 } from '#src/lib/digest.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { cleanImage } from './clean.server.ts';
import { findMedia } from './media.server.ts';
import type { Media } from './media.ts';

type Actor = { actor: string; now: Date };

/** An image to store. One from an archive keeps its id and time. */
type NewMedia = {
	name: string;
	data: string;
	alt?: string | undefined;
	id?: string;
	createdAt?: string;
};

/**
 * Stores an image without its camera's metadata, or returns an existing one with the same bytes. Its type is
 * detected from the bytes alone. Throws `validation` for the field `data` if it cannot be decoded. `trace`
 * returns the statement that records a new image's origin in the same batch.
 */
export async function storeMedia(
	db: Db,
	{ name, data, alt = '', ...known }: NewMedia,
	{ actor, now }: Actor,
	trace: (id: string, name: string) => Statement = (id, detail) =>
		auditStatement(db, { actor, action: 'uploaded', subject: `image ${id}`, detail }, now),
): Promise<Media> {
	const given = Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64');
	const picture = await cleanImage(given).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error;
		throw new AppError('validation', MESSAGES.validation, { fields: { data: error.message } });
	});
	const digest = sha256(picture.bytes);
	const same = await findMedia(db, digest);
	if (same) return same;
	const row = { id: known.id ?? crypto.randomUUID(), name: name || 'image', alt, digest };
	const createdAt = known.createdAt ? new Date(known.createdAt) : now;
	await db.batch([
		db
			.insert(media)
			.values({ ...row, ...picture, size: picture.bytes.length, createdAt })
			.onConflictDoNothing(),
		trace(row.id, row.name),
	]);
	return (await findMedia(db, digest))!;
}
