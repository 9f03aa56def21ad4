import type { Config, Context } from '@netlify/functions';
import { routes } from '#functions/admin.ts';
import { loadFunctions, type FunctionFile } from '#src/build/functions.ts';
import { routeFunctions, type Functions } from '#src/host/router.ts';

type Handler = (request: Request, context: Context) => Promise<Response>;

/** A `fetch` that calls one function directly, so tests go through the same client as the islands. */
export function fetchFrom(handler: Handler, context: Partial<Context> = {}): typeof fetch {
	return async (input, init) => {
		const request = requestOf(input, init);
		const pending: Promise<unknown>[] = [];
		const response = await handler(request, {
			params: {},
			ip: '203.0.113.1',
			waitUntil: (promise: Promise<unknown>) => void pending.push(promise),
			...context,
		} as Context);
		await Promise.all(pending);
		return response;
	};
}

/** A `fetch` of the whole API, by the router of the one-machine server. Throws where that server has a page or nothing. */
export function fetchApi(context: Partial<Context> = {}): typeof fetch {
	return async (input, init) => {
		const request = requestOf(input, init);
		const { pathname } = new URL(request.url);
		const call = (await router()).match(pathname, request.method);
		if (!call) throw new Error(`No function answers ${request.method} ${pathname}`);
		return fetchFrom(call.handler as Handler, { params: call.params, ...context })(request);
	};
}

const ORIGIN = 'https://groundtruth.test';

/** Returns the request of a call. A text whose type is not named is JSON, which is what our clients send. */
function requestOf(input: RequestInfo | URL, init: RequestInit = {}): Request {
	if (input instanceof Request) return input;
	const headers = new Headers(init.headers);
	if (typeof init.body === 'string' && !headers.has('Content-Type'))
		headers.set('Content-Type', 'application/json');
	return new Request(new URL(input, ORIGIN), { ...init, headers });
}

/** As our files are: Netlify allows a handler to answer nothing, and a file to have no `config`. */
type Configured = Omit<FunctionFile, 'default'> & { default: Handler; config: Config };

let loaded: Promise<Configured[]> | undefined;
let routed: Promise<Functions> | undefined;

/** Every function of the site, by its file. */
export function functions() {
	return (loaded ??= loadFunctions().then((files) =>
		files.map((file) => ({ ...file, config: file.config ?? {} }) as Configured),
	));
}

/** Returns every path of the site's functions, and those that the admin's function finds by its table. */
export async function paths(): Promise<string[]> {
	const own = (await functions()).flatMap(({ config }) => config.path ?? []);
	return [...new Set([...own, ...routes.map(({ path }) => path)])];
}

function router(): Promise<Functions> {
	return (routed ??= functions().then(routeFunctions));
}
