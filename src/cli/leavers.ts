/** Keeps those away who left after a copy was made that takes the place of the database. */
import { inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { subscribers } from '#db/schema.ts';
import { prepareSecret } from '#src/build/prepare.ts';
import { among } from '#src/core/batches.server.ts';
import { erasedAmong } from '#src/core/erased.server.ts';

/** Addresses that are looked up at once. */
const PIECE = 2000;

/**
 * Makes everybody inactive in a restored database who left, bounced or complained in the former one after the copy was made,
 * and drops subscribers who had everything erased since. Returns how many; undefined where the former one cannot be read.
 */
export async function keepLeaversAway(db: Db, former: string): Promise<number | undefined> {
	try {
		await db.run(sql`attach database ${former} as former`);
		// The last that happened in the copy: who left later comes back by nothing that the copy knows.
		const [copy] = await db.all<{ at: number }>(
			sql`select max(at) as at from (select max(created_at) as at from main.outbox
				union all select max(created_at) from main.audit_log
				union all select max(max(created_at), coalesce(max(left_at), 0)) from main.subscribers)`,
		);
		const since = copy!.at ?? 0;
		const hasLeft = sql`former.active = 0 and former.left_at > ${since}`;
		const { rowsAffected: left } = await db.run(sql`update main.subscribers
			set active = 0, left_at = former.left_at, hard_bounces = former.hard_bounces
			from former.subscribers former
			where former.email = subscribers.email and subscribers.active = 1 and ${hasLeft}`);
		await db.run(sql`insert or ignore into main.subscribers (id, email, active, left_at, hard_bounces, created_at)
			select id, email, active, left_at, hard_bounces, created_at from former.subscribers former where ${hasLeft}`);
		const { rowsAffected: marks } = await db.run(sql`insert into main.meta (key, value)
			select key, value from former.meta where key like 'erased:%' and cast(value as integer) > ${since}
			on conflict do update set value = excluded.value`);
		return left + (marks > 0 ? await dropErased(db, since) : 0);
	} catch {
		return undefined;
	} finally {
		await db.run(sql`detach database former`).catch(() => {});
	}
}

async function dropErased(db: Db, since: number): Promise<number> {
	await prepareSecret();
	let dropped = 0;
	for (let last = ''; ;) {
		const rows = await db.all<{ email: string }>(
			sql`select email from main.subscribers where email > ${last} order by email limit ${PIECE}`,
		);
		if (rows.length === 0) return dropped;
		const emails = rows.map(({ email }) => email);
		const erased = await erasedAmong(db, emails);
		const gone = emails.filter((email) => (erased.get(email) ?? 0) > since);
		await db.delete(subscribers).where(inArray(subscribers.email, among(gone)));
		dropped += gone.length;
		last = emails.at(-1)!;
	}
}
