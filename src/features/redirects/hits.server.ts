import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/** Rules that were used since the last time they were stored, and how often. */
let pending = new Map<string, number>();

/** Counts a use of a redirect. It is stored later: who is led on waits for no disk. */
export function countHit(rule: string): void {
	pending.set(rule, (pending.get(rule) ?? 0) + 1);
}

/** Stores what was counted since the last time. What could not be stored is tried again. */
export async function storeHits(db: Db, now: Date): Promise<void> {
	if (pending.size === 0) return;
	const counted = pending;
	pending = new Map();
	const rows = JSON.stringify([...counted].map(([path, hits]) => ({ path, hits })));
	try {
		await db.run(sql`insert into redirect_hits (path, hits, last_at)
			select value ->> 'path', value ->> 'hits', ${now.getTime()} from json_each(${rows}) where true
			on conflict (path) do update set hits = hits + excluded.hits, last_at = excluded.last_at`);
	} catch (error) {
		for (const [rule, hits] of counted) pending.set(rule, (pending.get(rule) ?? 0) + hits);
		throw error;
	}
}
