/** Reads functions/: what each file answers, and what it leaves to the others. */
import type { Config, Context } from '@netlify/functions';
import { readdir } from 'node:fs/promises';
import { matcherOf } from '#src/lib/path-pattern.ts';

export type Handler = (request: Request, context: Context) => Promise<Response | undefined>;
/** A file of functions/ as it is loaded. */
export type FunctionFile = { name: string; default: Handler; config?: Config };

const FOLDER = new URL('../../functions/', import.meta.url);

/**
 * Loads every file of functions/, with `load` or as this process does. Where the paths of two overlap, as
 * `/api/posts/:slug` and `/api/posts/featured` do, the general one gets the special one as its `excludedPath`.
 */
export async function loadFunctions(
	load: (url: URL) => Promise<unknown> = (url) => import(url.href),
): Promise<FunctionFile[]> {
	const entries = await readdir(FOLDER, { withFileTypes: true });
	const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
	const files = await Promise.all(
		names.sort().map(async (name) => {
			const file = (await load(new URL(name, FOLDER))) as Omit<FunctionFile, 'name'>;
			return { ...file, name: name.replace(/\.ts$/, '') };
		}),
	);
	const paths = files.flatMap(({ config }) => pathsOf(config));
	return files.map((file) => {
		const excludedPath = pathsOf(file.config).flatMap((path) => specialCases(path, paths));
		return excludedPath.length === 0
			? file
			: { ...file, config: { ...file.config, excludedPath } as Config };
	});
}

function pathsOf({ path = [] }: Config = {}): string[] {
	return [path].flat();
}

/** Returns the paths that match a part of what `path` matches: `/a/b` and `/a/:id/c` of `/a/*`. */
function specialCases(path: string, paths: string[]): string[] {
	const match = matcherOf(path);
	return paths.filter((other) => match(example(other)) && !matcherOf(other)(example(path)));
}

/** Returns an address that a path matches and that no other path names. */
function example(path: string): string {
	return path.replace('*', 'any/thing').replace(/:\w+/g, 'anything');
}
