import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { setMeta, type MetaKey } from '#src/core/meta.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { unsavedCopy, UNSAVED_DAYS, type UnsavedChange, type UnsavedCopy } from './unsaved.ts';

const PREFIX = 'unsaved:';
const keyOf = (of: string, device?: string) =>
	`${PREFIX}${of}${device ? ` ${device}` : ''}` satisfies MetaKey;
/** Matches the rows of a record, whoever typed them. */
const isOf = (of: string) => sql`(key = ${keyOf(of)} or key like ${`${keyOf(of)} %`})`;
/** A field of a row's text; null where another program wrote it. */
const part = (name: 'at' | 'keptAt') =>
	sql`case when json_valid(value) then value ->> ${`$.${name}`} end`;

/** Returns what was typed last of a record on any device and never saved, or null. */
export async function getUnsaved(db: Db, of: string): Promise<UnsavedCopy | null> {
	const [row] = await db.all<{ value: ArrayBuffer }>(
		sql`select cast(value as blob) as value from meta where ${isOf(of)} order by ${part('keptAt')} desc limit 1`,
	);
	if (!row) return null;
	try {
		return unsavedCopy.parse(JSON.parse(Buffer.from(row.value).toString()));
	} catch {
		// Another program wrote it, or a dump is damaged.
		return null;
	}
}

/** Keeps what a browser types of a record, or forgets it; and forgets what nobody came back to. */
export async function keepUnsaved(
	db: Db,
	of: string,
	{ copy, device, at }: UnsavedChange,
	now: Date,
): Promise<void> {
	const oldest = now.getTime() - UNSAVED_DAYS * DAY;
	const key = keyOf(of, device);
	const isGone = copy
		? sql`false`
		: at === undefined
			? sql`key = ${key}`
			: sql`${isOf(of)} and ${part('at')} = ${at}`;
	const forget = db.run(sql`delete from meta where key like ${`${PREFIX}%`} and (${isGone}
		or case when json_valid(value) then coalesce(value ->> '$.keptAt', 0) < ${oldest} else true end)`);
	await db.batch(
		copy
			? [forget, setMeta(db, key, JSON.stringify({ ...copy, keptAt: now.getTime() }))]
			: [forget],
	);
}
