import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { media } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { imageOf, recordUndoable, type Change } from '#src/core/undo/undo.server.ts';
import { sha256 } from '#src/lib/digest.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { cleanImage, type CleanImage } from './clean.server.ts';
import { DRAWING_PREFIX, drawingId } from '#src/core/figures/drawings/library.ts';
import { findMedia, isFeatured } from './media.server.ts';
import { CENTER, DRAWING_TYPE, mediaPath, type Media } from './media.ts';

/** An image to store. One from an archive keeps its id and time. */
type NewMedia = {
	name: string;
	data: string;
	alt?: string | undefined;
	focus?: string | undefined;
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
	{ name, data, alt = '', focus = CENTER, ...known }: NewMedia,
	{ actor, now }: Actor,
	trace: (id: string, name: string) => Statement = (id, detail) =>
		auditStatement(db, { actor, action: 'uploaded', subject: `image ${id}`, detail }, now),
): Promise<Media> {
	const { drawing, ...picture } = await clean(data);
	const digest = sha256(picture.bytes);
	const told = drawing && { removed: drawing.removed };
	const same = await findMedia(db, digest);
	if (same) return { ...same, ...told };
	const id = await freeId(db, digest, picture.type, known.id);
	const row = { id, name: name || 'image', alt: alt || (drawing?.title ?? ''), focus, digest };
	const createdAt = known.createdAt ? new Date(known.createdAt) : now;
	await db.batch([
		db
			.insert(media)
			.values({ ...row, ...picture, size: picture.bytes.length, createdAt })
			.onConflictDoUpdate({
				target: media.digest,
				// What was deleted comes back.
				set: { name: row.name, alt: row.alt, focus, createdAt, deletedAt: null },
				setWhere: isNotNull(media.deletedAt),
			}),
		trace(row.id, row.name),
	]);
	return { ...(await findMedia(db, digest))!, ...told };
}

async function clean(data: string) {
	const given = Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64');
	return cleanImage(given).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error;
		throw refusal(error.message);
	});
}

const refusal = (message: string) => invalid({ data: message });

const isDrawing = (id: string) => drawingId(mediaPath(id)) !== undefined;
const newId = (ofDrawing: boolean) => `${ofDrawing ? DRAWING_PREFIX : ''}${crypto.randomUUID()}`;

/**
 * Returns the id for new bytes: the one of a deleted image that had them, or the wanted one unless another has it. The id tells
 * whether it is a drawing, so that articles are rendered without looking up what each of their pictures is.
 */
async function freeId(
	db: Db,
	digest: string,
	type: CleanImage['type'],
	wanted?: string,
): Promise<string> {
	const rows = await db
		.select({ id: media.id, digest: media.digest })
		.from(media)
		.where(or(eq(media.digest, digest), eq(media.id, wanted ?? '')));
	const same = rows.find((row) => row.digest === digest);
	if (same) return same.id;
	const isOne = type === DRAWING_TYPE;
	if (wanted && isDrawing(wanted) === isOne && rows.length === 0) return wanted;
	return newId(isOne);
}

/**
 * Puts another picture at the address of an image, so that whatever uses it follows. The former one counts as deleted:
 * `undo` brings it back. Returns null if there is no such image, and no `undo` if it has these bytes already. Throws
 * `validation` for the field `data` if the picture cannot be decoded or is another image of the library.
 */
export function replaceMedia(
	...args: Parameters<typeof tryToReplace>
): ReturnType<typeof tryToReplace> {
	return retryWhenOvertaken(() => tryToReplace(...args));
}

async function tryToReplace(
	db: Db,
	id: string,
	{ name, data }: Pick<NewMedia, 'name' | 'data'>,
	{ actor, now }: Actor,
): Promise<{ image: Media; undo: string | null } | null> {
	const [old] = await db
		.select({ digest: media.digest, ...tolerant({ name: media.name, alt: media.alt }) })
		.from(media)
		.where(and(eq(media.id, id), isNull(media.deletedAt)));
	if (!old) return null;
	const { drawing, ...picture } = await clean(data);
	if (isDrawing(id) !== Boolean(drawing))
		throw refusal(
			drawing
				? 'A drawing stands differently in a text than a picture does. Upload it as one of its own.'
				: 'This is a drawing, and another drawing can take its place: an SVG file.',
		);
	const digest = sha256(picture.bytes);
	const same = await findMedia(db, digest);
	if (same?.id === id) return { image: same, undo: null };
	if (same) {
		throw refusal(
			`This picture is in the library already, as “${same.name}”. Use that one instead.`,
		);
	}
	// Stored as a deleted one first, so that what follows only gives two images each other's place.
	const spare = await freeId(db, digest, picture.type);
	await db
		.insert(media)
		.values({
			...{ ...picture, id: spare, digest, name: name || 'image', alt: old.alt },
			...{ size: picture.bytes.length, createdAt: now, deletedAt: now },
		})
		.onConflictDoNothing();
	const token = crypto.randomUUID();
	const away = newId(drawing !== undefined);
	const builds = drawing !== undefined || (await isFeatured(db, id));
	const place = (at: string, deletedAt: Date | null) => ({
		id: sql`${at}`,
		deleted_at: sql`${deletedAt?.getTime() ?? null}`,
	});
	const stored = { id: sql`id`, deleted_at: sql`deleted_at` };
	const moves = [
		{ digest: old.digest, to: { id: away, deletedAt: now } },
		{ digest, to: { id, deletedAt: null } },
	];
	const changes = moves.map((move): Change => ({
		table: 'media',
		isWhole: true,
		images: sql`select ${imageOf({ digest: sql`digest` }, stored, place(move.to.id, move.to.deletedAt))} as image
			from media where digest = ${move.digest}`,
	}));
	const event = { actor, action: 'replaced' as const, subject: `image ${id}`, detail: old.name };
	await db.batch([
		abortUnless(
			db,
			sql`(select count(*) from media where (id = ${id} and digest = ${old.digest} and deleted_at is null)
				or (digest = ${digest} and deleted_at is not null)) = 2`,
		),
		...recordUndoable(db, { token, event, changes, builds }, now),
		...moves.map((move) => db.update(media).set(move.to).where(eq(media.digest, move.digest))),
		...(builds ? requestBuild(db, `“${old.name}” was replaced`, now) : []),
	]);
	const image = { ...(await findMedia(db, digest))!, ...(drawing && { removed: drawing.removed }) };
	return { image, undo: token };
}
