import { parseAllHeaders, type Header } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import { join } from 'node:path';
import { patternOf } from '#src/features/redirects/redirect.ts';
import { ROOT } from './builds.ts';

/** A redirect as Netlify's parser returns it. */
type ParsedRedirect = {
	from: string;
	to: string;
	status?: number;
	force: boolean;
	query: object;
	conditions: object;
	headers: object;
	host?: string;
	proxy?: boolean;
	signed?: string;
};

/** A redirect that matches a path: its rule's own path, where it leads, and how. */
type RedirectTarget = { from: string; to: string; status: number; force: boolean };

/** Netlify's rules, as the one-machine server applies them. */
export type Rules = {
	/** Yields the redirects that match a path, in order, with placeholders in `to` filled in. */
	redirects(pathname: string): Iterable<RedirectTarget>;
	/** Returns the response headers of a path; headers of several rules are joined. */
	headers(pathname: string): Headers;
	/** Paths of files that are only ever served with status 404. */
	notFound: Set<string>;
};

/**
 * Reads a build's `_redirects` and `_headers`, which come first, and netlify.toml. Throws on rules that the
 * server cannot honor.
 */
export async function readRules(dir: string): Promise<Rules> {
	const netlifyConfigPath = join(ROOT, 'netlify.toml');
	const [redirects, headers] = await Promise.all([
		parseAllRedirects({
			redirectsFiles: [join(dir, '_redirects')],
			netlifyConfigPath,
			configRedirects: [],
			minimal: false,
		}),
		parseAllHeaders({
			headersFiles: [join(dir, '_headers')],
			netlifyConfigPath,
			configHeaders: undefined,
			minimal: false,
		}),
	]);
	const [error] = [...(redirects.errors as Error[]), ...headers.errors];
	if (error) throw error;
	const rules = (redirects.redirects as ParsedRedirect[]).map(compileRedirect);
	// A site that moved here has some for each article: only those with placeholders are tried one by one.
	const exact = Map.groupBy(
		rules.filter(({ hasPlaceholders }) => !hasPlaceholders),
		({ path }) => path,
	);
	const others = rules.filter(({ hasPlaceholders }) => hasPlaceholders);
	return {
		*redirects(pathname) {
			const path = withoutSlash(decodeURI(pathname));
			const near = [...(exact.get(path) ?? []), ...others].sort((a, b) => a.place - b.place);
			for (const { pattern, rule } of near) {
				const match = pattern.exec(path);
				if (match) yield { ...rule, to: fillPlaceholders(rule.to, match.groups ?? {}) };
			}
		},
		headers(pathname) {
			const all = new Headers();
			for (const { forRegExp, values } of headers.headers as Header[]) {
				if (!forRegExp.test(pathname)) continue;
				for (const [name, value] of Object.entries(values)) all.append(name, value);
			}
			return all;
		},
		notFound: new Set(rules.filter(({ rule }) => rule.status === 404).map(({ rule }) => rule.to)),
	};
}

function compileRedirect(
	{ from, to, status = 301, force, ...other }: ParsedRedirect,
	place: number,
) {
	const { query, conditions, headers, host, proxy, signed } = other;
	const special = [query, conditions, headers].some((part) => Object.keys(part).length > 0);
	if (special || host || proxy || signed) {
		throw new Error(`The redirect from ${from} uses what only Netlify can do.`);
	}
	const path = withoutSlash(decodeURI(from));
	const parts = path.split('/').slice(1);
	return {
		path,
		place,
		hasPlaceholders: parts.some((part) => part === '*' || part.startsWith(':')),
		pattern: patternOf(parts),
		rule: { from: path, to, status, force },
	};
}

/** Returns a target with its placeholders filled in. The result never points to another host. */
function fillPlaceholders(to: string, groups: Record<string, string | undefined>): string {
	const filled = to.replace(/(?<=\/):(\w+)/g, (_, name: string) =>
		// What stayed encoded when the path was decoded is not encoded twice.
		encodeURI(groups[name] ?? '').replace(/%25(?=2[346BCF]|3[ABDF]|40)/gi, '%'),
	);
	return to.startsWith('/') ? filled.replace(/^[/\\]+/, '/') : filled;
}

function withoutSlash(pathname: string): string {
	return pathname === '/' ? pathname : pathname.replace(/\/$/, '');
}
