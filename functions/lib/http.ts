import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { refreshSiteSettings } from '#src/core/settings/site.server.ts';
import type { Limit } from '#src/core/limits/limits.server.ts';
import { DAY, SECOND } from '#src/lib/dates.ts';
import { parse, refuseTooLong, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import type { FormSpec } from '#src/lib/form.ts';
import {
	ResponseWith,
	cacheHeaders,
	json,
	withSecurityHeaders,
	seeOther,
	type Reply,
} from './response.ts';
import { errorResponse, toAppError, notAllowed } from './failure.ts';
import { formPage } from './form-page.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { asSent, buffered, inputOf as readInput, isPlainForm } from './input.ts';
import { refuseOtherSites } from './origin.ts';

/** A handler of one method at one path. */
export type Handler = {
	method: string;
	maxBody: number;
	forms: boolean;
	anyOrigin: boolean;
	open: boolean;
	signed: boolean;
	/** Limits for programs that may call it, of those that a session guards. */
	programs?: Limit[];
	form?: FormSpec | undefined;
	failurePage?: FailurePage | undefined;
	path: string;
	run(input: object, request: Request, context: Context): Promise<Reply | Response>;
};

/** The values of a path's parameters. */
type Params = Record<string, string>;

/** The page that a browser gets instead of JSON where it asked for a page. */
type FailurePage = (input: Record<string, unknown>, error: AppError) => Response;

type Options = {
	/** Other sites may send it too: what counts is the token that it carries. */
	anyOrigin?: boolean;
	/** Tags under which the CDN may keep the answer. Without them the answer is about a person and never stored. */
	cache?: string[];
	/** For how long it may keep it at most; without, until a write purges a tag. */
	cacheMs?: number;
	/** How a plain form post is answered: with a thank-you page, or with this form again. */
	form?: FormSpec;
	/** How a failure is answered where the answer is a page. */
	failurePage?: FailurePage;
	/** Takes a form's encoding besides JSON. Default: all calls but the admin's. */
	forms?: boolean;
	maxBody?: number;
	/** The request is passed on unread, because a signature covers its very text. */
	signed?: boolean;
	/** Programs of any site may read the answer. What the CDN may keep, they may. */
	open?: boolean;
	/** Status of a success. Default: 201 for POST, 200 otherwise. */
	status?: number;
};

const MAX_BODY_BYTES = 64 * 1024;
/** Maximum size of an admin's request body, in bytes. */
export const ADMIN_BODY_BYTES = 1024 * 1024;

/**
 * Binds an endpoint to what it does: parse the request, do the work, answer with JSON. `null` means not found;
 * a `Response` (a file, a stream) goes out with our security headers where it has none of its own.
 */
export function on<In, Out>(
	endpoint: Endpoint<In, Out>,
	work: (
		input: In,
		request: Request,
		context: Context,
	) => Promise<Out | ResponseWith<Out> | Response | null>,
	{
		anyOrigin = false,
		cache,
		cacheMs,
		form,
		failurePage,
		forms = !endpoint.path.startsWith('/api/admin'),
		maxBody = MAX_BODY_BYTES,
		open = cache !== undefined,
		signed = false,
		status = endpoint.method === 'POST' ? 201 : 200,
	}: Options = {},
): Handler {
	return {
		method: endpoint.method,
		path: endpoint.path,
		maxBody,
		forms,
		anyOrigin,
		open,
		signed,
		form,
		failurePage,
		async run(input, request, context) {
			const sent = asSent(input);
			if (sent) refuseTooLong(endpoint.input, sent);
			const output = await work(parse(endpoint.input, input), request, context);
			if (output === null) throw new AppError('not_found', MESSAGES.not_found);
			if (output instanceof Response) return withSecurityHeaders(output);
			const { body, headers, cookies, thanks } =
				output instanceof ResponseWith ? output : new ResponseWith(output, {});
			return {
				body,
				status,
				headers: { ...(cache && cacheHeaders(cache, cacheMs)), ...headers },
				cookies,
				thanks,
			};
		},
	};
}

/** The default export of every function: answers, and lets programs of any site read what is open. */
export function serve(...handlers: Handler[]) {
	const answer = dispatch(handlers);
	if (!handlers.some(({ open }) => open)) return answer;
	return async (request: Request, context: Context, params?: Params): Promise<Response> => {
		if (request.method === 'OPTIONS') {
			return new Response(null, {
				status: 204,
				headers: { ...SECURITY_HEADERS, ...PREFLIGHT_HEADERS },
			});
		}
		const response = await answer(request, context, params);
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		for (const [name, value] of isRead ? Object.entries(CORS_HEADERS) : []) {
			response.headers.set(name, value);
		}
		return response;
	};
}

/** Response headers to a CORS preflight request. */
const PREFLIGHT_HEADERS = {
	...CORS_HEADERS,
	'Access-Control-Allow-Methods': 'GET, HEAD',
	'Access-Control-Allow-Headers': '*',
	'Access-Control-Max-Age': String(DAY / SECOND),
};

/** Picks the handler by method and turns errors into responses. */
function dispatch(handlers: Handler[]) {
	return async (
		request: Request,
		context: Context,
		params: Params = context.params,
	): Promise<Response> => {
		const method = request.method === 'HEAD' ? 'GET' : request.method;
		const handler = handlers.find((candidate) => candidate.method === method);
		if (handlers.length === 0) {
			return errorResponse(new AppError('not_found', MESSAGES.not_found), request);
		}
		if (!handler) {
			const methods = handlers.map((candidate) => candidate.method);
			const Allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
			return notAllowed(request, Allow);
		}
		let input: Record<string, unknown> = {};
		const plain = isPlainForm(request) ? handler.form : undefined;
		try {
			if (method !== 'GET' && !handler.anyOrigin) refuseOtherSites(request);
			const passed = handler.signed ? await buffered(request, handler.maxBody) : request;
			input = await readInput(handler.signed ? passed.clone() : request, params, handler);
			await refreshSiteSettings(getDb, new Date());
			const reply = await handler.run(input, passed, context);
			if (reply instanceof Response)
				return request.method === 'HEAD' ? new Response(null, reply) : reply;
			if (plain) return seeOther(reply.thanks ?? plain.thanks, reply.cookies);
			return json(reply, request);
		} catch (error) {
			if (plain) return formPage(plain, handler.path, input, toAppError(error, context.requestId));
			return handler.failurePage
				? handler.failurePage(input, toAppError(error, context.requestId))
				: errorResponse(error, request, context.requestId);
		}
	};
}
