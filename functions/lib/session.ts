import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { SESSION_DAYS } from '#src/core/session/session.ts';
import { adminOfSession, type Admin, type Session } from '#src/core/session/session.server.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { setCookie, sign, readSignedCookie } from './cookie.ts';
import { errorResponse, serve } from './http.ts';

const SESSION_COOKIE = 'groundtruth_session';
const DEVICE_COOKIE = 'groundtruth_device';
const DEVICE_DAYS = 365;

/** The only way to be an admin: without a session every method and path answers 401. */
export function serveAdmin(...handlers: Parameters<typeof serve>) {
	const inner = serve(...handlers);
	return async (request: Request, context: Context): Promise<Response> => {
		try {
			const admin = await findSignedInAdmin(request);
			if (!admin) throw new AppError('unauthorized', MESSAGES.unauthorized);
			adminOf.set(request, admin);
			getBuilder()?.prewarm();
			return await inner(request, context);
		} catch (error) {
			return errorResponse(error, request);
		}
	};
}

/** Who sends a request that `serveAdmin` let through. */
const adminOf = new WeakMap<Request, Admin>();

/** Who signed in. Only for handlers of `serveAdmin`. */
export function signedInAdmin(request: Request): Admin {
	return adminOf.get(request)!;
}

/** Whom the audit log names for what this request does. Only for handlers of `serveAdmin`. */
export function adminEmailOf(request: Request): string {
	return signedInAdmin(request).email;
}

/** The signed-in admin, or null. */
export async function findSignedInAdmin(request: Request): Promise<Admin | null> {
	const id = readSessionId(request);
	return id ? adminOfSession(getDb(), id, new Date()) : null;
}

/** The session id of a cookie that we signed, or null. */
export function readSessionId(request: Request): string | null {
	return readSignedCookie(request, SESSION_COOKIE, 'session');
}

/** A `Set-Cookie` value that opens a session; without one, a value that takes the cookie away. */
export function setSessionCookie(session?: Session): string {
	const value = session ? sign(session.id, 'session') : '';
	return setCookie(SESSION_COOKIE, value, '/', session ? SESSION_DAYS : 0);
}

/** A browser in which this account signed in before, as an id that it cannot make up; or null. */
export function readDevice(request: Request, email: string): string | null {
	return readSignedCookie(request, DEVICE_COOKIE, `device ${email}`);
}

/** A `Set-Cookie` value that remembers a browser in which this account signed in. It opens nothing by itself. */
export function setDeviceCookie(device: string, email: string): string {
	return setCookie(DEVICE_COOKIE, sign(device, `device ${email}`), '/api/admin/login', DEVICE_DAYS);
}
