import { eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { EnvError, getEnv } from '#src/lib/env.ts';
import { site } from '#src/site.ts';
import { faultOf, letIn } from './new-password.server.ts';
import { generatePassword, hashPassword } from './password.server.ts';
import { linkOf } from './reset.server.ts';
import { DEFAULT_EMAIL } from './session.ts';
import { hasSecondFactor, removalOfSecondFactor } from './second-factor.server.ts';

/**
 * Returns, as a value in a statement, where the owner is told of things: the address of the account, or, while it has
 * none of its own, the address for readers.
 */
export function ownerAddress(): SQL {
	const { ADMIN_EMAIL } = getEnv();
	if (ADMIN_EMAIL) return sql`${ADMIN_EMAIL}`;
	return sql`coalesce((select email from users where email <> ${DEFAULT_EMAIL} limit 1), ${site.email.contact || DEFAULT_EMAIL})`;
}

/** Returns the address to which the owner is told of things. */
export async function readOwnerAddress(db: Db): Promise<string> {
	const { address } = await db.get<{ address: string }>(sql`select ${ownerAddress()} as address`);
	return address;
}

/** Returns the admin's address, or undefined if there is none yet. */
export async function findAdmin(
	db: Db,
): Promise<{ email: string; generatedPassword?: string } | undefined> {
	const [existing] = await db.select({ email: users.email }).from(users).limit(1);
	return existing;
}

/** Throws if the environment's password breaks the rule for new ones. It is not used once there is an admin. */
export async function assertStrongPassword(password: string | undefined): Promise<void> {
	const reason = password && (await faultOf(password));
	if (reason) throw new EnvError(`Invalid environment: ADMIN_PASSWORD. ${reason}.`);
}

/**
 * Creates the one admin if there is none. Returns the password if it was generated, which is the only time that
 * anybody sees it.
 */
export async function ensureAdmin(
	db: Db,
	{
		email = DEFAULT_EMAIL,
		password,
	}: { email?: string | undefined; password?: string | undefined },
): Promise<{ email: string; generatedPassword?: string }> {
	const existing = await findAdmin(db);
	if (existing) return existing;
	await assertStrongPassword(password);
	const chosen = password ?? generatePassword();
	const made = await db
		.insert(users)
		.values({ username: 'admin', email: email.toLowerCase(), password: await hashPassword(chosen) })
		.onConflictDoNothing()
		.returning({ id: users.id });
	// Another process came first, and its password counts.
	if (made.length === 0) return { email: email.toLowerCase() };
	return {
		email: email.toLowerCase(),
		...(password === undefined && { generatedPassword: chosen }),
	};
}

/**
 * Sets the admin's password, and the address if one is given; creates the admin if there is none. Ends all
 * sessions. Returns a link besides, which makes a browser known that others' failures keep out. Used by the command on the machine, which is the way back in after a forgotten password or, with
 * `removesSecondFactor`, a lost phone.
 */
export async function setAdmin(
	db: Db,
	{
		email,
		password,
		removesSecondFactor = false,
	}: { email?: string | undefined; password: string; removesSecondFactor?: boolean },
	now: Date,
): Promise<{ email: string; made: boolean; ended: number; needsCode: boolean; link?: string }> {
	const [existing] = await db.select().from(users).limit(1);
	const address = (email ?? existing?.email ?? DEFAULT_EMAIL).toLowerCase();
	const hash = await hashPassword(password);
	const actor = 'npm run admin';
	const subject = `account ${address}`;
	if (!existing) {
		await db.batch([
			db.insert(users).values({ username: 'admin', email: address, password: hash }),
			auditStatement(db, { actor, action: 'made the account', subject }, now),
		]);
		return { email: address, made: true, ended: 0, needsCode: false };
	}
	const [, ended] = await db.batch([
		db.update(users).set({ email: address, password: hash }).where(eq(users.id, existing.id)),
		db.delete(sessions).where(eq(sessions.userId, existing.id)).returning({ id: sessions.id }),
		auditStatement(db, { actor, action: 'changed the password', subject }, now),
		...(removesSecondFactor
			? [
					...removalOfSecondFactor(db, existing.id),
					auditStatement(db, { actor, action: 'removed the second factor', subject }, now),
				]
			: []),
	]);
	await letIn(db, { id: existing.id, email: address });
	const needsCode = await hasSecondFactor(db, existing.id);
	const link = linkOf({ id: existing.id, password: hash }, now, 'command');
	return { email: address, made: false, ended: ended.length, needsCode, link };
}
