import { and, eq, isNotNull, SQL, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db } from '#db/client.ts';
import { withoutValues } from '#db/outage.ts';
import { outbox } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces, nextTurn } from '#src/core/batches.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { DELIVERY_KINDS, isMail, type DeliveryKind, type JobKind } from './kinds.ts';
import {
	backoff,
	PostponedError,
	MAX_DELAY_MS,
	LeaseLostError,
	MAX_ATTEMPTS,
	OutageError,
	PermanentError,
	SENDING_NOTE,
	WithdrawnError,
	type AcceptedDeliveries,
} from './outbox.ts';

export type Delivery = typeof outbox.$inferSelect;
/**
 * Must be called immediately before a delivery is sent: renews the lease and marks the row. Throws if another
 * worker holds the row by now, so that a worker that was suspended sends nothing.
 */
type MarkSending = () => Promise<void>;
/**
 * Sends one delivery. Returns a note where something else became of it. Throws to be tried again later, or one of the errors
 * in `outbox.ts`.
 */
export type Courier = (
	delivery: Delivery,
	now: Date,
	begin: MarkSending,
) => Promise<string | undefined | void>;

type NewDelivery = {
	kind: DeliveryKind;
	/** Together with `kind`, says what must happen only once. */
	key: string | SQL;
	recipient?: string | SQL;
	payload: SQL | Record<string, unknown>;
	/** Not before this time, in milliseconds; now, without it. */
	dueAt?: SQL;
	/** Rows for each of which there is one, as `from … where …`: their columns can be used by the rest. */
	each?: SQL;
	/** Only where this holds. */
	where?: SQL;
	/** The payload of a delivery that is there already; without, it stays as it is. `excluded` is the new one. */
	merged?: SQL;
};

/** Returns the statement that queues a delivery, for the batch that holds its cause. */
export function enqueue(
	db: Db,
	{ kind, key, recipient, payload, dueAt, each, where, merged }: NewDelivery,
	now: Date,
) {
	const at = now.getTime();
	const id = each ? sql`lower(hex(randomblob(16)))` : crypto.randomUUID();
	const content = payload instanceof SQL ? payload : JSON.stringify(payload);
	return db.run(sql`insert ${merged ? sql`` : sql`or ignore`} into ${outbox}
		(id, kind, key, recipient, payload, due_at, created_at)
		select ${id}, ${kind}, ${key}, ${recipient ?? null}, ${content}, ${dueAt ?? at}, ${at}
		${each ?? sql``} ${where && sql`where ${where}`}
		${merged && sql`on conflict (kind, key) do update set payload = ${merged}`}`);
}

/** How long a worker may take for a delivery before another worker takes over. */
const LEASE_MS = 2 * MINUTE;
/** Deliveries that a worker leases at a time, and how many of them it sends in parallel. */
const LEASE_BATCH = 50;
export const DELIVERY_CONCURRENCY = 5;
/** Pause of a third party's deliveries after it failed to respond. */
const OUTAGE_PAUSE_MS = 5 * SECOND;

type DeliverOptions = {
	couriers: Record<string, Courier>;
	/** Without it, what a worker sent just before it died is sent again. */
	accepted?: AcceptedDeliveries | undefined;
	now?: () => Date;
	random?: () => number;
	wait?: (ms: number) => Promise<unknown>;
	/**
	 * Waits for retries that become due before this time and starts nothing after it. Without it, ends when
	 * nothing is due.
	 */
	until?: Date;
	/** Starts nothing once aborted. A custom `wait` must end on it as well. */
	signal?: AbortSignal;
};

/**
 * Delivers everything that is due, new deliveries before retries. Any number of workers may run: a delivery
 * belongs to the one whose lease is in its row. Returns how many were delivered.
 */
export async function deliver(
	db: Db,
	{
		couriers,
		accepted,
		now = () => new Date(),
		random = Math.random,
		wait = sleep,
		until,
		signal,
	}: DeliverOptions,
): Promise<number> {
	const kinds = Object.keys(couriers);
	const pausedUntil = new Map<Courier, number>();
	let delivered = 0;
	const pauseEndOf = (kind: string) => pausedUntil.get(couriers[kind]!) ?? 0;
	const isAvailable = (kind: string) => pauseEndOf(kind) <= now().getTime();
	const isOver = () => signal?.aborted || (until !== undefined && now() >= until);
	while (!isOver()) {
		const leased = await leaseDue(db, kinds.filter(isAvailable), now());
		const queue = leased.values();
		const worker = async () => {
			for (const delivery of queue) {
				if (isOver()) {
					await postpone(db, delivery, delivery.dueAt!);
					continue;
				}
				const courier = couriers[delivery.kind]!;
				const error = isAvailable(delivery.kind)
					? await attemptDelivery(db, delivery, courier, { accepted, now, random })
					: await postpone(db, delivery, now());
				if (error instanceof OutageError)
					pausedUntil.set(courier, now().getTime() + OUTAGE_PAUSE_MS);
				await tellOutage(db, delivery.kind, error, now());
				if (error === null) delivered++;
				// Readers come first: what waits for the pace of its domain may be thousands, and waits for nothing else.
				await nextTurn();
			}
		};
		await Promise.all(Array.from({ length: DELIVERY_CONCURRENCY }, worker));
		if (leased.length > 0) continue;
		const next = until && (await nextDue(db, kinds, pauseEndOf));
		if (!next || next > until) break;
		await wait(Math.max(0, next.getTime() - now().getTime()));
	}
	return delivered;
}

/** Third parties that did not respond when this process tried last, and when it recorded last that an email has left. */
const told = new WeakMap<Db, { away: Set<string>; sentAt: number }>();
const SENT_AT = 'email_sent_at';

/** Tells the log when a third party begins to fail and when it responds again, and records that emails leave. */
async function tellOutage(db: Db, kind: string, error: unknown, now: Date): Promise<void> {
	const label = isMail(kind) ? 'Emails' : `“${DELIVERY_KINDS[kind as JobKind].label}”`;
	const known = told.get(db) ?? { away: new Set<string>(), sentAt: -Infinity };
	told.set(db, known);
	if (error instanceof OutageError) {
		if (known.away.has(label)) return;
		known.away.add(label);
		console.error(`${label} cannot be delivered and wait: ${error.message}`);
	} else if (error === null) {
		if (known.away.delete(label)) console.log(`${label} can be delivered again.`);
		if (!isMail(kind) || Math.abs(now.getTime() - known.sentAt) < MINUTE) return;
		known.sentAt = now.getTime();
		await setMeta(db, SENT_AT, now.toISOString()).catch((error: unknown) => {
			known.sentAt = -Infinity;
			console.error('When an email left could not be recorded.', withoutValues(error));
		});
	}
}

/** Returns the condition for deliveries whose key begins with a name and a space: those of one letter. */
export const ofCause = (name: string) => sql`key > ${`${name} `} and key < ${`${name}!`}`;

/** Hides the kinds from SQLite's planner, which would otherwise scan all emails ever sent instead of those due. */
export const ofKinds = (kinds: string[]) => sql`+${outbox.kind} in ${kinds}`;

/**
 * Leases a batch of due deliveries: the newest untried ones first, so that a signup does not wait for a long
 * queue, then retries. Each update is one statement, so that no two workers lease the same row.
 */
async function leaseDue(db: Db, kinds: string[], now: Date): Promise<Delivery[]> {
	if (kinds.length === 0) return [];
	const at = now.getTime();
	const leaseWhere = (which: SQL, limit: number) =>
		db
			.update(outbox)
			.set({ leasedUntil: new Date(at + LEASE_MS), attempts: sql`attempts + 1` })
			.where(
				sql`id in (select id from outbox where due_at <= ${at} and ${ofKinds(kinds)}
					and (leased_until is null or leased_until <= ${at}) and ${which} limit ${limit})`,
			)
			.returning(tolerant(outbox));
	const untried = await leaseWhere(sql`attempts = 0 order by due_at desc`, LEASE_BATCH);
	if (untried.length === LEASE_BATCH) return untried;
	return [
		...untried,
		...(await leaseWhere(sql`attempts > 0 order by due_at`, LEASE_BATCH - untried.length)),
	];
}

/** Returns a condition that fails once the lease has run out: then the worker may not record an outcome. */
const isOwnLease = (delivery: Delivery) =>
	and(eq(outbox.id, delivery.id), eq(outbox.attempts, delivery.attempts), isNotNull(outbox.dueAt))!;

/** Attempts one delivery and records the outcome. Returns the error, or null. */
async function attemptDelivery(
	db: Db,
	delivery: Delivery,
	courier: Courier,
	{
		accepted,
		now,
		random,
	}: Pick<DeliverOptions, 'accepted'> & Required<Pick<DeliverOptions, 'now' | 'random'>>,
): Promise<unknown> {
	const isOwn = isOwnLease(delivery);
	const markSending = async () => {
		const leasedUntil = new Date(now().getTime() + LEASE_MS);
		const marked = await db
			.update(outbox)
			.set({ leasedUntil, lastError: SENDING_NOTE })
			.where(and(isOwn, isNotNull(outbox.leasedUntil)))
			.returning({ id: outbox.id });
		if (marked.length === 0) throw new LeaseLostError('Another worker holds it.');
	};
	const wasAccepted = accepted?.has(delivery.id);
	let note: string | null = null;
	try {
		if (!wasAccepted) note = (await courier(delivery, now(), markSending)) ?? null;
	} catch (error) {
		const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
		const close = { lastError, leasedUntil: null, dueAt: null };
		if (error instanceof LeaseLostError) return error;
		if (error instanceof PostponedError) return postpone(db, delivery, error.dueAt, error);
		if (error instanceof WithdrawnError) await db.update(outbox).set(close).where(isOwn);
		else if (error instanceof PermanentError || delivery.attempts >= MAX_ATTEMPTS) {
			await db
				.update(outbox)
				.set({ ...close, failedAt: now() })
				.where(isOwn);
		} else {
			const dueAt = new Date(now().getTime() + backoff(delivery.attempts, random()));
			await db
				.update(outbox)
				.set({ ...close, dueAt })
				.where(isOwn);
		}
		return error;
	}
	accepted?.add(delivery.id);
	await db
		.update(outbox)
		.set({ deliveredAt: now(), dueAt: null, leasedUntil: null, lastError: note })
		.where(isOwn);
	accepted?.delete(delivery.id);
	return null;
}

/** Puts a delivery back as if it had not been tried. */
async function postpone(
	db: Db,
	delivery: Delivery,
	dueAt: Date,
	reason: unknown = new PostponedError(dueAt),
): Promise<unknown> {
	const { attempts, lastError } = delivery;
	await db
		.update(outbox)
		.set({ attempts: attempts - 1, dueAt, leasedUntil: null, lastError })
		.where(isOwnLease(delivery));
	return reason;
}

/** Returns when the next delivery of these kinds can be tried: it is due, not leased, and its kind is not paused. */
async function nextDue(
	db: Db,
	kinds: string[],
	pauseEndOf: (kind: string) => number,
): Promise<Date | null> {
	if (kinds.length === 0) return null;
	const cases = sql.join(kinds.map((kind) => sql`when ${kind} then ${pauseEndOf(kind)} `));
	const pauseEnd = sql`case ${outbox.kind} ${cases}end`;
	const [next] = await db
		.select({ at: sql<number | null>`min(max(due_at, coalesce(leased_until, 0), ${pauseEnd}))` })
		.from(outbox)
		.where(and(isNotNull(outbox.dueAt), ofKinds(kinds)));
	return next?.at ? new Date(next.at) : null;
}

/** Deliveries that are looked at for the oldest: those that are due first. */
const OLDEST_AMONG = 1000;

/**
 * Counts open and failed deliveries. Returns the counts, when the oldest was queued that is due or was tried, and when an email
 * left last, to the minute.
 */
export async function countOutbox(db: Db, now: Date) {
	const isOpen = isNotNull(outbox.dueAt);
	const waiting = await db.$count(outbox, isOpen);
	const failed = await db.$count(outbox, isNotNull(outbox.failedAt));
	const [oldest] = await db.values<[number | null]>(
		sql`select min(created_at) from (select created_at from outbox where due_at is not null
			and (due_at <= ${now.getTime()} or attempts > 0) order by due_at limit ${OLDEST_AMONG})`,
	);
	const sent = await getMeta(db, SENT_AT);
	return {
		waiting,
		failed,
		oldest: oldest?.[0] ? new Date(oldest[0]) : null,
		sent: sent === undefined ? null : new Date(sent),
	};
}

/** Deletes deliveries that were closed long ago, or whose recipient was erased. */
export async function pruneOutbox(db: Db, now: Date): Promise<void> {
	await deleteInPieces(
		db,
		outbox,
		sql`due_at is null and (created_at < ${now.getTime() - RETENTION_DAYS.emails * DAY}
			or delivered_at is not null and json_extract(payload, '$.erased'))`,
	);
}

/**
 * Makes deliveries due that a wrong clock postponed too far; nothing is postponed that long on purpose.
 * Deliveries being sent stay with their worker.
 */
export async function recallDeliveries(db: Db, now: Date): Promise<void> {
	const at = now.getTime();
	await db
		.update(outbox)
		.set({ dueAt: now, leasedUntil: null })
		.where(
			sql`due_at is not null and (created_at > ${at + HOUR} or leased_until > ${at + HOUR}
				or due_at > ${at + MAX_DELAY_MS})
				and (leased_until is null or leased_until not between ${at + 1} and ${at + HOUR})`,
		);
}
