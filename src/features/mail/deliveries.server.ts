import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord } from '#db/like.ts';
import { outbox } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { getEnv, type Env } from '#src/lib/env.ts';
import { PAGE_ROWS, pageWithin } from '#src/lib/paging.ts';
import {
	STATES,
	type DeliveryView,
	type OutboxQuery,
	type OutboxView,
	type SentTest,
} from './deliveries.ts';
import { renderEmail, type Writer } from '#src/core/outbox/mail.server.ts';
import { enqueue, ofCause, ofKinds, type Delivery } from '#src/core/outbox/outbox.server.ts';
import {
	deliveryStateOf,
	KEPT_NOTE,
	WithdrawnError,
	type DeliveryState,
} from '#src/core/outbox/outbox.ts';
import { mailboxFolder, transportKind } from '#src/core/outbox/transport.server.ts';

/** `deliveryStateOf` as SQL. */
const STATE = sql<DeliveryState>`case when delivered_at is not null and last_error = ${KEPT_NOTE} then 'kept'
	when delivered_at is not null then 'delivered' when failed_at is not null then 'failed'
	when due_at is null then 'withdrawn' when leased_until is not null then 'sending'
	when attempts > 0 then 'retrying' else 'waiting' end`;

/** Returns a page of the outbox, newest first, with the number of deliveries in each state. */
export async function listOutbox(
	db: Db,
	{ what, state, q, letter, page }: OutboxQuery,
	env: Env,
	emailKinds: string[],
): Promise<OutboxView> {
	const group = letter
		? and(inArray(outbox.kind, ['digest', 'letter']), ofCause(letter))
		: (what === 'mail' ? inArray : notInArray)(outbox.kind, emailKinds);
	const where = and(
		group,
		state ? sql`${STATE} = ${state}` : undefined,
		everyWord(q.toLowerCase(), (word) => sql`instr(recipient, ${word}) > 0`),
	);
	const total = await db.$count(outbox, where);
	const shown = pageWithin(page, total);
	const [rows, counts] = await Promise.all([
		db
			.select(tolerant(outbox))
			.from(outbox)
			.where(where)
			.orderBy(desc(outbox.createdAt), desc(outbox.id))
			.limit(PAGE_ROWS)
			.offset((shown - 1) * PAGE_ROWS),
		db
			.select({ state: STATE, count: sql<number>`count(*)` })
			.from(outbox)
			.where(group)
			.groupBy(STATE),
	]);
	const transport = transportKind(env);
	const found = new Map(counts.map((row) => [row.state, row.count]));
	return {
		transport,
		mailbox: transport === 'mailbox' ? mailboxFolder(env.DATABASE_URL) : null,
		counts: Object.fromEntries(STATES.map((state) => [state, found.get(state) ?? 0])) as Record<
			DeliveryState,
			number
		>,
		rows: rows.map((row) => toDeliveryView(row, emailKinds)),
		total,
		page: shown,
		pageSize: PAGE_ROWS,
	};
}

function toDeliveryView(row: Delivery, emailKinds: string[]): DeliveryView {
	const { id, kind, recipient, attempts, lastError, createdAt, dueAt, deliveredAt } = row;
	return {
		id,
		kind,
		recipient,
		state: deliveryStateOf(row),
		attempts,
		reason: lastError,
		createdAt: createdAt.toISOString(),
		dueAt: dueAt?.toISOString() ?? null,
		deliveredAt: deliveredAt?.toISOString() ?? null,
		isEmail: emailKinds.includes(kind),
	};
}

/** Returns the emails that failed since a time, oldest first, and how many did. */
export async function listFailed(db: Db, emailKinds: string[], limit: number, since: Date) {
	const where = and(gt(outbox.failedAt, since), ofKinds(emailKinds));
	const [total, rows] = await Promise.all([
		db.$count(outbox, where),
		db
			.select(tolerant(outbox))
			.from(outbox)
			.where(where)
			.orderBy(asc(outbox.failedAt))
			.limit(limit),
	]);
	return {
		total,
		rows: rows.map(({ id, kind, recipient, lastError, failedAt }) => ({
			...{ id, kind, recipient, reason: lastError ?? '', at: failedAt!.toISOString() },
		})),
	};
}

/** Makes a failed or waiting delivery due now. One that was delivered, withdrawn or is being sent stays as it is. */
export async function retryDelivery(
	db: Db,
	id: string,
	now: Date,
): Promise<{ retried: number } | null> {
	const [row] = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id));
	if (!row) return null;
	const { rowsAffected } = await db
		.update(outbox)
		.set({ dueAt: now, failedAt: null, attempts: 0 })
		.where(
			and(
				eq(outbox.id, id),
				isNull(outbox.deliveredAt),
				isNull(outbox.leasedUntil),
				sql`(${isNotNull(outbox.failedAt)} or ${isNotNull(outbox.dueAt)})`,
			),
		);
	return { retried: rowsAffected };
}

/** Queues a test email of a kind to the admin. `unstored` is what its writer needs that is not saved yet. */
export async function queueTestEmail(
	db: Db,
	what: string,
	recipient: string,
	now: Date,
	unstored: object = {},
): Promise<SentTest> {
	const key = `${recipient} ${now.toISOString()}`;
	await enqueue(db, { kind: 'test', key, recipient, payload: { ...unstored, what } }, now);
	return { recipient, ...(transportKind(getEnv()) === 'mailbox' && { isKept: true }) };
}

/** Returns the HTML of a delivery's email as it would be sent now, with disabled links, or null if there is none. */
export async function renderDelivery(
	db: Db,
	id: string,
	writers: Record<string, Writer>,
	now: Date,
): Promise<string | null> {
	const [row] = await db.select(tolerant(outbox)).from(outbox).where(eq(outbox.id, id));
	const write = row && writers[row.kind];
	if (!row || !write) return null;
	try {
		const written = await write(row, now);
		const { html } = 'html' in written ? written : await renderEmail(written);
		return disableLinks(html);
	} catch (error) {
		if (error instanceof WithdrawnError) return null;
		throw error;
	}
}

/** Disables the links of an email, so that viewing somebody's email cannot unsubscribe them, nor a session set a password. */
export function disableLinks(html: string): string {
	return html.replaceAll(/(\?token=|\/downloads\/|#reset=)[\w-]+/g, '$1shown-to-the-admin');
}
