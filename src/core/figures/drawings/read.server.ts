import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { media } from '#db/schema.ts';
import type { Drawings } from '#src/core/figures/blocks.ts';
import { drawingIdsIn } from './library.ts';

/** Returns the files of the drawings that these texts show. */
export async function readDrawings(db: Db, texts: string[]): Promise<Drawings> {
	const ids = new Set(texts.flatMap(drawingIdsIn));
	if (ids.size === 0) return new Map();
	const rows = await db
		.select({ id: media.id, bytes: media.bytes })
		.from(media)
		.where(
			and(inArray(media.id, [...ids]), eq(media.type, 'image/svg+xml'), isNull(media.deletedAt)),
		)
		.orderBy(media.id);
	return new Map(rows.map(({ id, bytes }) => [id, Buffer.from(bytes).toString()]));
}
