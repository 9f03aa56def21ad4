import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox, subscribers } from '#db/schema.ts';
import { DAY } from '#src/lib/dates.ts';
import { SUBSCRIBED, type SubscribeAnswer, type SubscriberInput } from './subscriber.ts';

/**
 * Subscribes an address, or makes one that had left active again. Idempotent.
 * The welcome mail is queued in the same batch, at most one per address and 24 hours.
 */
export async function subscribe(
	db: Db,
	input: SubscriberInput,
	now: Date,
): Promise<SubscribeAnswer> {
	const { email, source } = input;
	// A key is the address, a space and the time, so that one range of the index holds a day's welcomes.
	const key = (time: number) => `${email} ${new Date(time).toISOString()}`;
	const at = now.getTime();
	const welcomed = sql`select 1 from ${outbox} where ${outbox.kind} = 'welcome'
		and ${outbox.key} > ${key(at - DAY)} and ${outbox.key} <= ${key(at)}`;
	const payload = JSON.stringify({ email, source: source ?? null });
	await db.batch([
		db
			.insert(subscribers)
			.values({ email, source: source ?? null, createdAt: now })
			.onConflictDoUpdate({ target: subscribers.email, set: { active: true } }),
		db.run(sql`insert or ignore into ${outbox} (id, kind, key, payload, due_at, created_at)
			select ${crypto.randomUUID()}, 'welcome', ${key(at)}, ${payload}, ${at}, ${at}
			where not exists (${welcomed})`),
	]);
	return { success: true, message: SUBSCRIBED };
}

/** How many addresses receive the newsletter. */
export async function countSubscribers(db: Db): Promise<{ count: number }> {
	return { count: await db.$count(subscribers, eq(subscribers.active, true)) };
}
