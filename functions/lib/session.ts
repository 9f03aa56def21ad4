import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { SESSION_DAYS } from '#src/core/session/session.ts';
import { adminOf, type Admin, type Session } from '#src/core/session/session.server.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { cookie, signed, signedValue } from './cookie.ts';
import { errorResponse, serve } from './http.ts';

const SESSION = 'groundtruth_session';
const DEVICE = 'groundtruth_device';
const DEVICE_DAYS = 365;

/** The only way to be an admin: without a session every method and path answers 401. */
export function serveAdmin(...handlers: Parameters<typeof serve>) {
	const inner = serve(...handlers);
	return async (request: Request, context: Context): Promise<Response> => {
		try {
			const admin = await adminFrom(request);
			if (!admin) throw new AppError('unauthorized', MESSAGES.unauthorized);
			admins.set(request, admin);
			getBuilder()?.getReady();
			return await inner(request, context);
		} catch (error) {
			return errorResponse(error, request);
		}
	};
}

/** Who sends a request that `serveAdmin` let through. */
const admins = new WeakMap<Request, Admin>();

/** Who signed in. Only for handlers of `serveAdmin`. */
export function adminOfRequest(request: Request): Admin {
	return admins.get(request)!;
}

/** Whom the audit log names for what this request does. Only for handlers of `serveAdmin`. */
export function actorOf(request: Request): string {
	return adminOfRequest(request).email;
}

/** The signed-in admin, or null. */
export async function adminFrom(request: Request): Promise<Admin | null> {
	const id = sessionIdFrom(request);
	return id ? adminOf(getDb(), id, new Date()) : null;
}

/** The session id of a cookie that we signed, or null. */
export function sessionIdFrom(request: Request): string | null {
	return signedValue(request, SESSION, 'session');
}

/** A `Set-Cookie` value that opens a session; without one, a value that takes the cookie away. */
export function sessionCookie(session?: Session): string {
	const value = session ? signed(session.id, 'session') : '';
	return cookie(SESSION, value, '/', session ? SESSION_DAYS : 0);
}

/** A browser in which this account signed in before, as an id that it cannot make up; or null. */
export function deviceFrom(request: Request, email: string): string | null {
	return signedValue(request, DEVICE, `device ${email}`);
}

/** A `Set-Cookie` value that remembers a browser in which this account signed in. It opens nothing by itself. */
export function deviceCookie(device: string, email: string): string {
	return cookie(DEVICE, signed(device, `device ${email}`), '/api/admin/login', DEVICE_DAYS);
}
