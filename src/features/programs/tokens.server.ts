import { and, count, desc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { posts, programDrafts, programTokens } from '#db/schema.ts';
import { auditStatement, recordAudit } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { consumeAttempt, loggedRefusals } from '#src/core/limits/limits.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { sha256 } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { actorNamed, MAX_PROGRAMS, type Program, type ProgramToken } from './tokens.ts';

/** Beginning of each token, by which scanners of public code know one. */
const PREFIX = 'gtd_';
const UNKNOWN = 'This token is not known, or was revoked.';

const hashOf = (token: string) => sha256(Buffer.from(token));

/** Returns the programs whose tokens are valid, newest first. */
export async function listPrograms(db: Db): Promise<ProgramToken[]> {
	const rows = await db
		.select({
			id: programTokens.id,
			name: programTokens.name,
			createdAt: programTokens.createdAt,
			usedAt: programTokens.usedAt,
			drafts: sql<number>`(${db
				.select({ drafts: count() })
				.from(programDrafts)
				.innerJoin(posts, eq(posts.id, programDrafts.postId))
				.where(
					and(
						eq(programDrafts.tokenId, programTokens.id),
						eq(posts.published, false),
						isNull(posts.deletedAt),
					),
				)})`,
		})
		.from(programTokens)
		.where(isNull(programTokens.revokedAt))
		.orderBy(desc(programTokens.createdAt), desc(programTokens.id));
	return rows.map(({ createdAt, usedAt, ...row }) => ({
		...row,
		createdAt: createdAt.toISOString(),
		usedAt: usedAt?.toISOString() ?? null,
	}));
}

/** Makes a token for a program. It is stored as a digest: nobody can show it again. */
export async function addProgram(
	db: Db,
	{ name }: { name: string },
	{ actor, now }: Actor,
): Promise<ProgramToken & { token: string }> {
	const known = await listPrograms(db);
	const fault =
		known.length >= MAX_PROGRAMS
			? `There are ${MAX_PROGRAMS} programs: revoke one first`
			: known.some((one) => one.name.toLowerCase() === name.toLowerCase())
				? 'Another program has this name: the log could not tell them apart'
				: undefined;
	if (fault) throw invalid({ name: fault });
	const token = PREFIX + randomBytes(32).toString('base64url');
	const id = crypto.randomUUID();
	await db.batch([
		db.insert(programTokens).values({ id, name, hash: hashOf(token), createdAt: now }),
		auditStatement(
			db,
			{ actor, action: 'let write drafts', subject: `program ${id}`, detail: `“${name}”` },
			now,
		),
	]);
	return { id, name, createdAt: now.toISOString(), usedAt: null, drafts: 0, token };
}

/** Ends a program's token. Returns null if there is no valid one. */
export async function revokeProgram(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<{ id: string } | null> {
	const [row] = await db
		.select({ name: programTokens.name })
		.from(programTokens)
		.where(and(eq(programTokens.id, id), isNull(programTokens.revokedAt)));
	if (!row) return null;
	await db.batch([
		db.update(programTokens).set({ revokedAt: now }).where(eq(programTokens.id, id)),
		auditStatement(
			db,
			{ actor, action: 'revoked', subject: `program ${id}`, detail: `“${row.name}”` },
			now,
		),
	]);
	return { id };
}

/** Returns the program that a token belongs to. Throws `unauthorized`, and logs the use of a revoked one for `what`. */
export async function findProgram(
	db: Db,
	token: string,
	what: string,
	now: Date,
): Promise<Program> {
	const [row] = await db
		.select()
		.from(programTokens)
		.where(eq(programTokens.hash, hashOf(token)));
	if (row?.revokedAt) await logRefusal(db, row, `${what}: its token is revoked`, now);
	if (!row || row.revokedAt) throw new AppError('unauthorized', UNKNOWN);
	const { id, name } = row;
	const lastMinute = new Date(now.getTime() - MINUTE);
	const isStale = or(isNull(programTokens.usedAt), lte(programTokens.usedAt, lastMinute));
	if (!row.usedAt || row.usedAt <= lastMinute)
		await db
			.update(programTokens)
			.set({ usedAt: now })
			.where(and(eq(programTokens.id, id), isStale));
	return { id, name };
}

const ONLY = 'The token of a program begins and changes drafts and uploads pictures, nothing else.';

/** Logs that a program was refused something, and returns the error to throw. */
export async function refuseProgram(
	db: Db,
	program: Program,
	what: string,
	now: Date,
	message = ONLY,
): Promise<AppError> {
	await logRefusal(db, program, what, now);
	return new AppError('forbidden', message);
}

/** Logs a refusal, unless the log has enough of this program's. */
async function logRefusal(db: Db, program: Program, what: string, now: Date): Promise<void> {
	const isNoted = await consumeAttempt(db, loggedRefusals, getSecret(), program.id, now).then(
		() => true,
		(error: unknown) => {
			if (error instanceof AppError && error.code === 'rate_limited') return false;
			throw error;
		},
	);
	if (!isNoted) return;
	const subject = `program ${program.id}`;
	const event = {
		actor: actorNamed(program),
		action: 'was refused',
		subject,
		detail: what.slice(0, 300),
	};
	await recordAudit(db, event, now);
}
