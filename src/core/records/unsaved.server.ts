import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { setMeta, type MetaKey } from '#src/core/meta.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { unsavedCopy, UNSAVED_DAYS, type UnsavedCopy } from './unsaved.ts';

const PREFIX = 'unsaved:';
const keyOf = (of: string) => `${PREFIX}${of}` satisfies MetaKey;

/** Returns what was typed of a record on any device and never saved, or null. */
export async function getUnsaved(db: Db, of: string): Promise<UnsavedCopy | null> {
	const [row] = await db.all<{ value: ArrayBuffer }>(
		sql`select cast(value as blob) as value from meta where key = ${keyOf(of)}`,
	);
	if (!row) return null;
	try {
		return unsavedCopy.parse(JSON.parse(Buffer.from(row.value).toString()));
	} catch {
		// Another program wrote it, or a dump is damaged.
		return null;
	}
}

/** Keeps what is typed of a record, or forgets it; and forgets what nobody came back to. */
export async function keepUnsaved(
	db: Db,
	of: string,
	copy: UnsavedCopy | null,
	now: Date,
): Promise<void> {
	const oldest = now.getTime() - UNSAVED_DAYS * DAY;
	const isGone = copy ? sql`false` : sql`key = ${keyOf(of)}`;
	const forget = db.run(sql`delete from meta where key like ${`${PREFIX}%`} and (${isGone}
		or case when json_valid(value) then coalesce(value ->> '$.keptAt', 0) < ${oldest} else true end)`);
	await db.batch(
		copy
			? [forget, setMeta(db, keyOf(of), JSON.stringify({ ...copy, keptAt: now.getTime() }))]
			: [forget],
	);
}
