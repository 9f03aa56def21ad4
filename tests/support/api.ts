import type { Config, Context } from '@netlify/functions';
import { readdir } from 'node:fs/promises';

type Handler = (request: Request, context: Context) => Promise<Response>;
export type FunctionFile = { name: string; default: Handler; config: Config };

/** A `fetch` that calls one function directly, so tests go through the same client as the islands. */
export function fetchFrom(handler: Handler, context: Partial<Context> = {}): typeof fetch {
	return async (input, init) => {
		const request = input instanceof Request ? input : new Request(new URL(input, ORIGIN), init);
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

/** A `fetch` of the whole API: picks the function as Netlify does, by its own `path` and `excludedPath`. */
export function fetchApi(context: Partial<Context> = {}): typeof fetch {
	return async (input, init) => {
		const request = input instanceof Request ? input : new Request(new URL(input, ORIGIN), init);
		const { pathname } = new URL(request.url);
		for (const { default: handler, config } of await functions()) {
			const excluded = pathsOf(config.excludedPath).some((path) => match(path, pathname));
			const params = pathsOf(config.path)
				.map((path) => match(path, pathname))
				.find((found) => found !== null);
			if (params && !excluded) return fetchFrom(handler, { params, ...context })(request);
		}
		throw new Error(`No function answers ${pathname}`);
	};
}

const ORIGIN = 'https://groundtruth.test';
const FOLDER = new URL('../../functions/', import.meta.url);

let loaded: Promise<FunctionFile[]> | undefined;

/** Every function of the site, by its file. */
export function functions(): Promise<FunctionFile[]> {
	return (loaded ??= readdir(FOLDER, { withFileTypes: true }).then((entries) =>
		Promise.all(
			entries
				.filter((entry) => entry.isFile())
				.map(async ({ name }) => {
					const file = (await import(new URL(name, FOLDER).pathname)) as Omit<FunctionFile, 'name'>;
					return { name, default: file.default, config: file.config ?? {} };
				}),
		),
	));
}

function pathsOf(path: Config['path']): string[] {
	return path === undefined ? [] : [path].flat();
}

function match(path: string, pathname: string): Record<string, string> | null {
	const found = new URLPattern({ pathname: path }).exec({ pathname });
	if (!found) return null;
	const pairs = Object.entries(found.pathname.groups).map(([name, value]) => [
		name,
		decodeURIComponent(value ?? ''),
	]);
	return Object.fromEntries(pairs) as Record<string, string>;
}
