import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import { auditLog, undo } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { AUDIT_KINDS, type AuditEntry, type AuditQuery } from './audit.ts';

export type AuditEvent = {
	/** The admin's email address, or the name of a command. */
	actor: string;
	/** A verb in the past: `published`, `signed in`. */
	action: string;
	/** The target: a kind and an id, such as `post 3f2a…`. */
	subject: string;
	/** Details in words, for a person. Never a secret. */
	detail?: string | undefined;
};

/** Returns a statement for the batch that makes the change, so that nothing is done without an entry. */
export function auditStatement(db: Db, { actor, action, subject, detail }: AuditEvent, now: Date) {
	return db
		.insert(auditLog)
		.values({ actor, action, subject, detail: detail ?? null, createdAt: now });
}

/** Records an event that changes nothing else in the database. */
export async function recordAudit(db: Db, event: AuditEvent, now: Date): Promise<void> {
	await auditStatement(db, event, now);
}

/** The first word of a subject. */
const NOUN = sql`substr(${auditLog.subject}, 1, instr(${auditLog.subject} || ' ', ' ') - 1)`;

/** Returns a page of the log, newest first by default: all of it, or the entries of a kind. Every word of `q` must occur somewhere in an entry. */
export async function listAudit(
	db: Db,
	{ page, sort, q, kind }: AuditQuery,
): Promise<Paged<AuditEntry>> {
	const direction = parseSort(sort).descending ? desc : asc;
	const matches = and(
		everyWord(q, (word) =>
			holdsWord(
				sql`${auditLog.actor} || ' ' || ${auditLog.action} || ' ' || ${auditLog.subject} || ' ' || coalesce(${auditLog.detail}, '')`,
				word,
			),
		),
		kind && inArray(NOUN, AUDIT_KINDS[kind].nouns as readonly string[] as string[]),
	);
	const total = await db.$count(auditLog, matches);
	const shown = pageWithin(page, total);
	const rows = await db
		.select({ ...tolerant(auditLog), token: undo.token, undoneAt: undo.undoneAt })
		.from(auditLog)
		.leftJoin(undo, eq(undo.auditId, auditLog.id))
		.where(matches)
		.orderBy(direction(auditLog.id))
		.limit(PAGE_ROWS)
		.offset((shown - 1) * PAGE_ROWS);
	return {
		rows: rows.map(({ token, undoneAt, createdAt, ...row }) => ({
			...row,
			undo: undoneAt ? null : token,
			undoneAt: undoneAt?.toISOString() ?? null,
			createdAt: createdAt.toISOString(),
		})),
		total,
		page: shown,
		pageSize: PAGE_ROWS,
	};
}
