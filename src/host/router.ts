import type { Config, Context } from '@netlify/functions';
import { Cron } from 'croner';
import { outageOf, withoutValues } from '#db/outage.ts';
import { errorResponse } from '#functions/lib/failure.ts';
import { getEnv } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { matcherOf } from '#src/lib/path-pattern.ts';
import { requestContext } from '#src/core/request-context.ts';
import type { FunctionFile, Handler } from '#src/build/functions.ts';

type FunctionCall = {
	handler: Handler;
	params: Record<string, string>;
	preferStatic: boolean;
	/** The pattern of its path. */
	route: string;
};

/** Netlify's functions, called in this process. */
export type Functions = {
	/**
	 * Returns the handler for an address: a function, by its own `path`, `excludedPath` and `method`, or the API's
	 * own 404.
	 */
	match(pathname: string, method: string): FunctionCall | undefined;
	/** Calls it. Answers any failure as the API does. */
	call(call: FunctionCall, request: Request, ip: string): Promise<Response>;
	/** Runs scheduled functions at their times, in UTC, never twice at once. */
	startSchedules(): void;
	/** Ends schedules and waits for the work that answers left behind (`waitUntil`). */
	settle(): Promise<void>;
};

/** Routes to functions as Netlify does. */
export function routeFunctions(files: FunctionFile[]): Functions {
	const routes = files.map(({ name, default: handler, config = {} }) => ({
		name,
		handler,
		config,
		paths: compilePatterns(config.path),
		excluded: compilePatterns(config.excludedPath),
	}));
	const pending = new Set<Promise<void>>();
	const crons: Cron[] = [];

	const waitUntil = (promise: Promise<unknown>) => {
		const done = promise.then(() => {}, logFailure).finally(() => pending.delete(done));
		pending.add(done);
	};

	const run = (handler: Handler, request: Request, params: Record<string, string>, ip: string) => {
		const context = {
			params,
			ip,
			waitUntil,
			url: new URL(request.url),
			requestId: requestContext.getStore()?.id ?? crypto.randomUUID(),
			site: { url: getEnv().SITE_URL },
		};
		// The rest of the context is about Netlify's network: nothing here may rely on it.
		return handler(request, context as unknown as Context);
	};

	return {
		match(pathname, method) {
			// Netlify takes `/foo/` for `/foo`.
			const path = pathname.replace(/(?<=.)\/$/, '');
			for (const { handler, config, paths, excluded } of routes) {
				if (config.method && ![config.method].flat().includes(method as never)) continue;
				for (const { route, match } of paths) {
					const params = match(path);
					if (!params || excluded.some((other) => other.match(path))) continue;
					return { handler, params, preferStatic: config.preferStatic ?? false, route };
				}
			}
			return /^\/api(\/|$)/.test(path) ? notFoundCall : undefined;
		},
		async call({ handler, params }, request, ip) {
			try {
				return (await run(handler, request, params, ip)) ?? new Response(null, { status: 204 });
			} catch (error) {
				return errorResponse(error, request, requestContext.getStore()?.id);
			}
		},
		startSchedules() {
			for (const { handler, config, name } of routes) {
				if (!config.schedule) continue;
				const options = { timezone: 'UTC', protect: true, catch: logFailure };
				const cron: Cron = new Cron(config.schedule, options, async () => {
					const body = JSON.stringify({ next_run: cron.nextRun()?.toISOString() });
					const address = new URL(`/.netlify/functions/${name}`, getEnv().SITE_URL);
					const work = run(handler, new Request(address, { method: 'POST', body }), {}, '');
					waitUntil(work.catch(() => {}));
					await work;
				});
				crons.push(cron);
			}
		},
		async settle() {
			for (const cron of crons) cron.stop();
			while (pending.size > 0) await Promise.all(pending);
		},
	};
}

/** Takes every request that no file answers, where nobody knows yet which functions there are. */
export const EVERYTHING: Pick<Functions, 'match'> = { match: () => notFoundCall };

/** Logs what nobody is answered: an outage in one line, and of a failed query nothing that people typed. */
function logFailure(error: unknown): void {
	console.error(outageOf(error) ?? withoutValues(error));
}

const notFoundCall: FunctionCall = {
	handler: async (request) => {
		return errorResponse(new AppError('not_found', MESSAGES.not_found), request);
	},
	params: {},
	// Prebuilt parts of the API, such as its description.
	preferStatic: true,
	route: 'unknown',
};

function compilePatterns(paths: Config['path'] = []) {
	return [paths].flat().map((route) => ({ route, match: matcherOf(route) }));
}
