import type { Context } from '@netlify/functions';
import { getDb, readingBeside } from '#db/client.ts';
import { RECENT_MINUTES, SESSION_DAYS } from '#src/core/session/session.ts';
import {
	adminOfSession,
	requireRecent,
	type Admin,
	type Session,
} from '#src/core/session/session.server.ts';
import type { Visit } from '#src/core/session/sign-in.server.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import {
	callsPerProgram,
	consumeAttempt,
	programsPerAddress,
	type Limit,
} from '#src/core/limits/limits.server.ts';
import { actorNamed, type Program } from '#src/features/programs/tokens.ts';
import { findProgram, refuseProgram } from '#src/features/programs/tokens.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { setCookie, sign, readSignedCookie } from './cookie.ts';
import { errorResponse } from './failure.ts';
import type { Handler } from './http.ts';
import { limitSubjectOf } from './public-form.ts';
import { ResponseWith } from './response.ts';
import { routesOf } from './routes.ts';

const SESSION_COOKIE = 'groundtruth_session';
/** On https, where browsers take it from this host alone and over an encrypted connection. */
const HOST_SESSION_COOKIE = '__Host-groundtruth_session';
const DEVICE_COOKIE = 'groundtruth_device';
const DEVICE_DAYS = 365;

/** Serves the paths of all these handlers to a signed-in admin only. Without a session every method and path responds 401. */
export function serveAdmin(handlers: Handler[]) {
	const find = routesOf(handlers);
	return async (request: Request, context: Context): Promise<Response> => {
		try {
			const { answer: route, params, handlers: own } = find(request);
			const isRead = request.method === 'GET' || request.method === 'HEAD';
			// Lists, figures and files of a large site take long, and nobody else waits for them.
			const answer: typeof route = (...asked) =>
				isRead ? readingBeside(() => route(...asked)) : route(...asked);
			if (request.headers.has('Authorization')) {
				const handler = own.find(({ method }) => method === request.method);
				await admitProgram(request, context, handler?.programs);
				return await answer(request, context, params);
			}
			const admin = await findSignedInAdmin(request);
			if (!admin) throw new AppError('unauthorized', MESSAGES.unauthorized);
			adminOf.set(request, admin);
			getBuilder()?.prewarm();
			return await answer(request, context, params);
		} catch (error) {
			return errorResponse(error, request);
		}
	};
}

/** The program of each request that `serveAdmin` let through by its token. */
const programs = new WeakMap<Request, Program>();

/** Returns the program behind a request, or undefined where the admin is. Only for handlers of `serveAdmin`. */
export const programOf = (request: Request): Program | undefined => programs.get(request);

/** Lets a program through to the calls that are for programs. Throws for any other, and logs that. */
async function admitProgram(
	request: Request,
	context: Context,
	limits: Handler['programs'],
): Promise<void> {
	const program = await signedInProgram(request, context.ip);
	if (!limits) throw await refuseProgram(getDb(), program, pathOf(request), new Date());
	for (const limit of limits)
		await consumeAttempt(getDb(), limit, getSecret(), program.id, new Date());
	programs.set(request, program);
}

/**
 * Returns the program whose token a request carries. Throws `unauthorized` for one that is unknown or revoked, `rate_limited`
 * where this address has tried too often.
 */
export async function signedInProgram(request: Request, ip: string): Promise<Program> {
	const now = new Date();
	await consumeAttempt(getDb(), programsPerAddress, getSecret(), limitSubjectOf(ip), now);
	const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.get('Authorization')!) ?? [];
	return findProgram(getDb(), token, pathOf(request), now);
}

const pathOf = ({ method, url }: Request) => `${method} ${new URL(url).pathname}`;

/**
 * Makes a handler of `serveAdmin` one that programs may call as well, as often as these limits allow. Every other one refuses
 * them.
 */
export function forPrograms(handler: Handler, ...limits: Limit[]): Handler {
	return { ...handler, programs: [callsPerProgram, ...limits] };
}

/** The admin of each request that `serveAdmin` let through. */
const adminOf = new WeakMap<Request, SignedIn>();
type SignedIn = NonNullable<Awaited<ReturnType<typeof adminOfSession>>>;

/** Returns the signed-in admin. Only for handlers of `serveAdmin`. */
export function signedInAdmin(request: Request): SignedIn {
	return adminOf.get(request)!;
}

/**
 * Wraps a handler of `serveAdmin` whose work a found or stolen session must not do: it takes a sign-in of the last
 * minutes, and otherwise responds `sign_in_again`, before anything is read. Where `hasPreviews`, a `preview` takes none: it
 * changes nothing.
 */
export function sensitive(
	handler: Handler,
	{ minutes = RECENT_MINUTES, hasPreviews = false } = {},
): Handler {
	return {
		...handler,
		run: async (input, request, context) => {
			const { preview } = Object(input) as { preview?: unknown };
			if (!hasPreviews || preview !== true)
				requireRecent(signedInAdmin(request).signedInAt, minutes, new Date());
			return handler.run(input, request, context);
		},
	};
}

/** Returns the name of the request's admin or program for the audit log. Only for handlers of `serveAdmin`. */
export function adminEmailOf(request: Request): string {
	const program = programOf(request);
	return program ? actorNamed(program) : signedInAdmin(request).email;
}

/** Returns the signed-in admin, or null. */
export async function findSignedInAdmin(request: Request): Promise<SignedIn | null> {
	const id = readSessionId(request);
	return id ? adminOfSession(getDb(), id, new Date()) : null;
}

/** Returns the session id of a cookie that we signed, or null. */
export function readSessionId(request: Request): string | null {
	// Sessions that were opened under the plain name go on until they end.
	return (
		readSignedCookie(request, HOST_SESSION_COOKIE, 'session') ??
		readSignedCookie(request, SESSION_COOKIE, 'session')
	);
}

/** Returns a `Set-Cookie` value that opens a session. */
export function setSessionCookie(session: Session): string {
	const isEncrypted = getEnv().SITE_URL.startsWith('https:');
	const name = isEncrypted ? HOST_SESSION_COOKIE : SESSION_COOKIE;
	return setCookie(name, sign(session.id, 'session'), '/', SESSION_DAYS);
}

/** Returns `Set-Cookie` values that remove the session's cookie, whatever it is called. */
export function removeSessionCookies(): string[] {
	return [HOST_SESSION_COOKIE, SESSION_COOKIE].map((name) => setCookie(name, '', '/', 0));
}

/** Returns what a sign-in comes from. */
export function visitOf(request: Request, device: string | null): Visit {
	return {
		userAgent: (request.headers.get('User-Agent') ?? '').slice(0, 300),
		isKnown: device !== null,
		replaced: readSessionId(request),
	};
}

/** Returns the answer to a sign-in: the session's cookie, and one by which this browser is known from now on. */
export function signedIn({ email }: Admin, session: Session, device: string | null) {
	return new ResponseWith({ isAuthenticated: true as const, email }, {}, [
		setSessionCookie(session),
		knownDevice(email, device ?? undefined),
	]);
}

/** Returns the id of a browser in which this account has signed in before, or null. A browser cannot forge it. */
export function readDevice(request: Request, email: string): string | null {
	return readSignedCookie(request, DEVICE_COOKIE, `device ${email}`);
}

/**
 * Returns a `Set-Cookie` value that remembers a browser of this account's owner, so that others' failures do not keep it out. It
 * grants nothing by itself.
 */
export function knownDevice(email: string, device: string = crypto.randomUUID()): string {
	return setCookie(DEVICE_COOKIE, sign(device, `device ${email}`), '/api/admin/login', DEVICE_DAYS);
}
