import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { users } from '#db/schema.ts';
import type { Writer } from '#src/core/outbox/mail.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { transportKind } from '#src/core/outbox/transport.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { digest } from '#src/lib/digest.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { ENDED_LINK, NO_RESET, RESET_MINUTES } from './session.ts';
import { resetEmail } from './sign-in-emails.ts';

const PURPOSE = 'new password';

/**
 * Queues the email with the link, if the address is the admin's. Both addresses take the same statement, so that neither
 * the answer nor its time tells them apart. Throws `unavailable` where mail does not leave this machine.
 */
export async function requestReset(db: Db, email: string, now: Date): Promise<void> {
	if (transportKind(getEnv()) !== 'smtp') throw new AppError('unavailable', NO_RESET);
	await enqueue(
		db,
		{
			kind: 'reset',
			key: crypto.randomUUID(),
			recipient: email,
			payload: { at: now.toISOString() },
			where: sql`exists (select 1 from ${users} where ${users.email} = ${email})`,
		},
		now,
	);
}

/** Returns the writer of the email with the link. The link is made as it is written, so that no table holds it. */
export function resetWriter(db: Db): Writer {
	return async ({ recipient, payload }, now) => {
		const [user] = await db
			.select()
			.from(users)
			.where(eq(users.email, recipient ?? ''));
		const at = new Date((payload as { at: string }).at);
		if (!user || expiryOf(at) <= now.getTime()) {
			throw new WithdrawnError('The link would have ended before it arrived.');
		}
		return resetEmail(linkOf(user, at, 'email'));
	};
}

const expiryOf = (at: Date) => at.getTime() + RESET_MINUTES * MINUTE;

/** Giver of a link: an email, or the command on the machine. */
type Giver = 'email' | 'command';

/** Returns the link with which an account's owner chooses a password, once, within the minutes after it was asked for. */
export function linkOf(
	{ id, password }: { id: string; password: string },
	at: Date,
	giver: Giver,
): string {
	const token = seal(getSecret(), PURPOSE, `${id} ${expiryOf(at)} ${digest(password)} ${giver}`);
	// Behind a hash sign, which browsers send to no server.
	return `${getEnv().SITE_URL}/admin#reset=${token}`;
}

/** Returns the account that a link leads to, when the link ends and what gave it out. Throws `validation` if it was used or has ended. */
export async function openReset(db: Db, token: string, now: Date) {
	const [id = '', expires, state, giver] = (unseal(getSecret(), PURPOSE, token) ?? '').split(' ');
	const expiresAt = new Date(Number(expires));
	const [user] = await db.select().from(users).where(eq(users.id, id));
	if (!user || !(expiresAt > now) || digest(user.password) !== state) throw endedLink();
	return { user, expiresAt, giver: giver as Giver };
}

export const endedLink = () =>
	new AppError('validation', ENDED_LINK, { fields: { token: ENDED_LINK } });
