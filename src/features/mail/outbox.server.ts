import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { backoff, MAX_ATTEMPTS, PermanentError } from './outbox.ts';

export type Delivery = typeof outbox.$inferSelect;
/** Takes one delivery where it must go. Throws to be tried again later, a `PermanentError` to give up. */
export type Courier = (delivery: Delivery, now: Date) => Promise<void>;

type Cause = {
	kind: string;
	/** Together with `kind`, says what must happen only once. */
	key: string;
	recipient?: string;
	payload: Record<string, unknown>;
	/** When it is due; at once without. */
	dueAt?: Date;
};

/** A statement for the batch that holds the cause. A delivery that is there already stays as it is. */
export function enqueue(db: Db, { kind, key, recipient, payload, dueAt }: Cause, now: Date) {
	return db
		.insert(outbox)
		.values({ kind, key, recipient, payload, dueAt: dueAt ?? now, createdAt: now })
		.onConflictDoNothing();
}

/** How long a worker may take for one delivery before another may take it over. */
const LEASE_MS = 2 * MINUTE;
/** Deliveries that one worker holds at a time. */
const HANDFUL = 10;

type Work = {
	couriers: Record<string, Courier>;
	now?: () => Date;
	random?: () => number;
	wait?: (ms: number) => Promise<unknown>;
	/** Waits for retries that fall due before this time; without it, ends when nothing is due. */
	until?: Date;
};

/**
 * Delivers all that is due, new deliveries before those that failed. Any number of workers may do so at once:
 * a delivery belongs to the one whose lease is in its row. Answers how many were delivered.
 */
export async function deliver(
	db: Db,
	{ couriers, now = () => new Date(), random = Math.random, wait = sleep, until }: Work,
): Promise<number> {
	const kinds = Object.keys(couriers);
	let delivered = 0;
	for (;;) {
		const mine = await lease(db, kinds, now());
		const results = await Promise.all(
			mine.map((delivery) => attempt(db, delivery, couriers[delivery.kind]!, now, random)),
		);
		delivered += results.filter(Boolean).length;
		if (mine.length > 0) continue;
		const due = until && (await nextDue(db, kinds));
		if (!due || due > until) return delivered;
		await wait(Math.max(0, due.getTime() - now().getTime()));
	}
}

/** Takes a handful of due deliveries; each update is one statement, so that no two workers take the same. */
async function lease(db: Db, kinds: string[], now: Date): Promise<Delivery[]> {
	const at = now.getTime();
	return db
		.update(outbox)
		.set({ leasedUntil: new Date(at + LEASE_MS), attempts: sql`attempts + 1` })
		.where(
			sql`id in (select id from outbox where due_at <= ${at} and ${inArray(outbox.kind, kinds)}
				and (leased_until is null or leased_until <= ${at})
				order by attempts, due_at limit ${HANDFUL})`,
		)
		.returning();
}

async function attempt(
	db: Db,
	delivery: Delivery,
	courier: Courier,
	now: () => Date,
	random: () => number,
): Promise<boolean> {
	// Whose lease has run out may not say how it ended.
	const own = and(
		eq(outbox.id, delivery.id),
		eq(outbox.attempts, delivery.attempts),
		isNotNull(outbox.dueAt),
	);
	try {
		await courier(delivery, now());
	} catch (error) {
		const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
		const isOver = error instanceof PermanentError || delivery.attempts >= MAX_ATTEMPTS;
		const dueAt = new Date(now().getTime() + backoff(delivery.attempts, random()));
		await db
			.update(outbox)
			.set({
				lastError,
				leasedUntil: null,
				...(isOver ? { dueAt: null, failedAt: now() } : { dueAt }),
			})
			.where(own);
		return false;
	}
	await db
		.update(outbox)
		.set({ deliveredAt: now(), dueAt: null, leasedUntil: null, lastError: null })
		.where(own);
	return true;
}

/** When the next delivery of these kinds can be tried: it is due, and no other worker holds it. */
async function nextDue(db: Db, kinds: string[]): Promise<Date | null> {
	const [next] = await db
		.select({ at: sql<number | null>`min(max(due_at, coalesce(leased_until, 0)))` })
		.from(outbox)
		.where(and(isNotNull(outbox.dueAt), inArray(outbox.kind, kinds)));
	return next?.at ? new Date(next.at) : null;
}
