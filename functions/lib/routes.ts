import { requestContext } from '#src/core/request-context.ts';
import { matcherOf } from '#src/lib/path-pattern.ts';
import { serve, type Handler } from './http.ts';

/** Returns a function that finds what answers a path among many handlers: those of this path by method, or the API's own 404. */
export function routesOf(handlers: Handler[]) {
	// `letters/next` goes before `letters/:id`, because letters sort after a colon.
	const paths = [...Map.groupBy(handlers, ({ path }) => path)].sort(([one], [other]) =>
		one < other ? 1 : -1,
	);
	const routes = paths.map(([path, those]) => {
		return { match: matcherOf(path), path, handlers: those, answer: serve(...those) };
	});
	const unknown = serve();
	return ({ url }: Request) => {
		// Netlify takes `/foo/` for `/foo`.
		const pathname = new URL(url).pathname.replace(/(?<=.)\/$/, '');
		for (const { path, match, handlers: own, answer } of routes) {
			const params = match(pathname);
			if (!params) continue;
			const info = requestContext.getStore();
			if (info) info.route = path;
			return { answer, params, handlers: own };
		}
		return { answer: unknown, params: {}, handlers: [] };
	};
}
