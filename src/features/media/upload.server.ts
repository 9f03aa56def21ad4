import type { Db, Statement } from '#db/client.ts';
import { media } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { sha256 } from '#src/lib/digest.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { cleanImage } from './clean.server.ts';
import { findMedia } from './media.server.ts';
import type { Media } from './media.ts';

type Actor = { actor: string; now: Date };

/** An image to store; one that comes back from an archive keeps its id and its time. */
type NewMedia = {
	name: string;
	data: string;
	alt?: string | undefined;
	id?: string;
	createdAt?: string;
};

/**
 * Stores an image without what its camera wrote into it, or returns the one that has the same bytes. What it is, is told
 * by its bytes alone. Refuses what cannot be decoded with a `validation` of the field `data`. `trace` writes down in the
 * same batch where a new one comes from.
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
