import type { Context } from '@netlify/functions';
import { timingSafeEqual } from 'node:crypto';
import { getDb } from '#db/client.ts';
import { SESSION_DAYS } from '#src/features/admin/admin.ts';
import { adminOf, type Admin, type Session } from '#src/features/admin/admin.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { errorResponse, serve } from './http.ts';

const NAME = 'groundtruth_session';

/** The only way to be an admin: without a session every method and path answers 401. */
export function serveAdmin(...handlers: Parameters<typeof serve>) {
	const inner = serve(...handlers);
	return async (request: Request, context: Context): Promise<Response> => {
		try {
			const admin = await adminFrom(request);
			if (!admin) throw new AppError('unauthorized', MESSAGES.unauthorized);
			admins.set(request, admin);
			return await inner(request, context);
		} catch (error) {
			return errorResponse(error, request);
		}
	};
}

/** Who sends a request that `serveAdmin` let through. */
const admins = new WeakMap<Request, Admin>();

/** Whom the audit log names for what this request does. Only for handlers of `serveAdmin`. */
export function actorOf(request: Request): string {
	return admins.get(request)!.email;
}

/** The signed-in admin, or null. */
export async function adminFrom(request: Request): Promise<Admin | null> {
	const id = sessionIdFrom(request);
	return id ? adminOf(getDb(), id, new Date()) : null;
}

/** The session id of a cookie that we signed, or null. */
export function sessionIdFrom(request: Request): string | null {
	const cookies = (request.headers.get('Cookie') ?? '').split(/;\s*/);
	const value = cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
	const [id = '', signature = ''] = value?.split('.') ?? [];
	const given = Buffer.from(signature);
	const right = Buffer.from(sign(id));
	return id && given.length === right.length && timingSafeEqual(given, right) ? id : null;
}

/** A `Set-Cookie` value that opens a session; without one, a value that takes the cookie away. */
export function sessionCookie(session?: Session): string {
	const value = session ? `${session.id}.${sign(session.id)}` : '';
	const maxAge = session ? Math.round((SESSION_DAYS * DAY) / 1000) : 0;
	const secure = getEnv().SITE_URL.startsWith('https:') ? '; Secure' : '';
	return `${NAME}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}

const sign = (id: string) => keyedHash(getSecret(), 'session', id);
