import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import { setSessionCookie } from '#functions/lib/session.ts';
import { DAY } from '#src/lib/dates.ts';
import { fetchApi } from './api.ts';

export const ADMIN_EMAIL = 'admin@example.com';

/** Makes the admin with an open session. Answers the session's cookie. */
export async function openSession(db: Db, expiresAt = new Date(Date.now() + 90 * DAY)) {
	const [user] = await db
		.insert(users)
		.values({ username: 'admin', email: ADMIN_EMAIL, password: '' })
		.onConflictDoUpdate({ target: users.username, set: { email: ADMIN_EMAIL } })
		.returning();
	const [session] = await db
		.insert(sessions)
		.values({ userId: user!.id, expiresAt, createdAt: new Date() })
		.returning();
	return setSessionCookie(session!).split(';')[0]!;
}

/** A `fetch` of the whole API that sends this cookie. */
export function withCookie(cookie: string): typeof fetch {
	return (input, init) =>
		fetchApi()(input, { ...init, headers: { ...init?.headers, Cookie: cookie } });
}

/** A `fetch` of the whole API as the signed-in admin. */
export async function asAdmin(db: Db): Promise<typeof fetch> {
	return withCookie(await openSession(db));
}
