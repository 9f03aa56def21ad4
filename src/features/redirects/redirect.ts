import * as z from 'zod/mini';
import { pagedInput, searchField } from '#src/lib/paging.ts';

/** Most bytes of a path and of what it leads to, and most lines of a file. */
const MAX_PATH = 500;
const MAX_TARGET = 1000;
export const MAX_LINES = 2000;
export const MAX_FILE = 500_000;

/** Makers of redirects: the admin, an import from another site, or a new address of something here. */
export const ORIGINS = { desk: 'At the desk', moved: 'By an import', renamed: 'By a new address' };
export type Origin = keyof typeof ORIGINS;

export type Redirect = { from: string; to: string };
export type RedirectRow = Redirect & {
	origin: Origin;
	hits: number;
	lastHitAt: string | null;
	/** Whether readers are not led on yet, because no build that has it is live. */
	waits: boolean;
	createdAt: string;
};

export const redirectsQuery = z.object({
	...pagedInput(['from', 'hits', 'created'], '-created'),
	q: searchField,
	origin: z.catch(z.optional(z.enum(Object.keys(ORIGINS) as Origin[])), undefined),
});
export type RedirectsQuery = z.infer<typeof redirectsQuery>;

/** First parts of addresses that functions, files of builds and the desk answer. */
const OURS = ['api', 'admin', 'mcp', '_astro', 'media', '.well-known'];
/** Signs that a rule of redirects reads in another way, or that no path has. */
const NOT_IN_A_PATH = /[\s?#<>"\\|^`{}\p{Cc}]/u;

const size = (text: string) => new TextEncoder().encode(text).length;
const isOpen = (part: string) => part === '*' || part.startsWith(':');
const partsOf = (path: string) => path.split('/').slice(1);

/** Returns an address as it is compared: of our own site its path, decoded, composed and without a slash at its end. */
export function tidy(given: string, siteUrl: string): string {
	const { origin } = new URL(siteUrl);
	const path = given.startsWith(`${origin}/`) ? given.slice(origin.length) : given;
	if (!path.startsWith('/')) return URL.canParse(path) ? new URL(path).href : path;
	let decoded = path;
	try {
		decoded = decodeURI(path);
	} catch {
		// Stays as it was given.
	}
	return decoded.normalize().replace(/(?<=[^/])\/+$/, '');
}

/** Returns a former address as it is compared. A whole one stands for its path, whatever its host: what leads on was asked for here. */
export function tidyFormer(given: string, siteUrl: string): string {
	return tidy(given.replace(/^https?:\/\/[^/\s]+(?=\/)/i, ''), siteUrl);
}

/** Returns what is wrong with a tidied former address, in a sentence, or undefined. */
export function faultOfPath(path: string): string | undefined {
	if (!path.startsWith('/')) return 'Begin with a slash: /old-address';
	if (path === '/') return 'This is the home page';
	if (path.includes('?') || path.includes('#'))
		return 'Leave out what follows ? or #: an address leads on with whatever follows it';
	if (NOT_IN_A_PATH.test(path)) return 'No address has a space or one of < > " \\ | ^ ` { }';
	if (size(path) > MAX_PATH) return `Use ${MAX_PATH} bytes or fewer`;
	const parts = partsOf(path);
	if (parts.some((part) => part === '' || part === '.' || part === '..'))
		return 'Leave out empty parts and dots';
	if (OURS.includes(parts[0]!)) return `/${parts[0]!} is the site’s own`;
	if (isOpen(parts[0]!)) return 'Begin with a part that is fixed, such as /2023';
	if (parts.some((part) => part.includes('*') && part !== '*'))
		return 'A * stands for a whole part: /2023/*';
	if (parts.slice(0, -1).filter((part) => part === '*').length > 1)
		return 'Use one * before the end, and names such as :month for other parts';
	const names = parts.filter((part) => part.startsWith(':'));
	if (names.some((name) => !/^:[a-z]\w*$/i.test(name) || /^:(splat|part)$/.test(name)))
		return 'A name is a colon and letters: /:slug';
	if (parts.some((part) => part.includes(':') && !part.startsWith(':')))
		return 'A name stands for a whole part: /2023/:slug';
	if (new Set(names).size < names.length) return 'Use each name once';
	return undefined;
}

/** Returns what is wrong with what a former address is to lead to, or undefined. */
export function faultOfTarget(target: string, path: string): string | undefined {
	if (size(target) > MAX_TARGET) return `Use ${MAX_TARGET} bytes or fewer`;
	const isWhole = /^https?:\/\//i.test(target);
	if (!isWhole && !/^\/(?![/\\])/.test(target))
		return 'Begin with a slash (/blog/new-address) or with https://';
	if (/[\s<>"\\|^`{}*\p{Cc}]/u.test(target)) {
		return target.includes('*')
			? 'Write :splat for what the * at the end stands for'
			: 'No address has a space or one of < > " \\ | ^ ` { }';
	}
	if (isWhole && !URL.canParse(target)) return 'This is no address';
	const known = partsOf(path).filter((part) => part.startsWith(':'));
	if (path.endsWith('/*')) known.push(':splat');
	const unknown = target
		.replace(/^https?:\/\/[^/]*/i, '')
		.match(/(?<=\/):\w+/g)
		?.find((name) => !known.includes(name));
	return unknown ? `The old address has no ${unknown}` : undefined;
}

/** Returns the rule as hosts read it: they take a `*` at the end alone. */
export const ruleOf = (path: string) => path.replace(/\/\*(?=\/)/, '/:part');

/** Returns the pattern of the paths that these parts stand for. */
export function patternOf(parts: string[]): RegExp {
	const source = parts.map((part) => {
		if (part === '*') return '(?:/(?<splat>.*))?';
		return part.startsWith(':') ? `/(?<${part.slice(1)}>[^/]+)` : `/${RegExp.escape(part)}`;
	});
	return new RegExp(`^${source.join('')}$`);
}

/** Returns the path that a rule leads a path to, or undefined where it leads elsewhere or not at all. */
function step({ from, to }: Redirect, path: string): string | undefined {
	const match = patternOf(partsOf(ruleOf(from))).exec(path);
	if (!match) return undefined;
	const filled = to.replace(/(?<=\/):(\w+)/g, (_, name: string) => match.groups?.[name] ?? '');
	return filled.replace(/[?#].*$/, '').replace(/(?<=[^/])\/+$/, '');
}

/** Hops that a browser may follow; who needs more comes back to where it was. */
const MAX_HOPS = 10;

/**
 * Returns the addresses through which a rule leads back to itself, or undefined where it does not. `others` may have one of its
 * path. What is there (`isThere`) is shown, whatever a rule says of it.
 */
export function loopOf(
	rule: Redirect,
	others: readonly Redirect[],
	isThere: (path: string) => boolean,
): string[] | undefined {
	const rules = [rule, ...others.filter(({ from }) => from !== rule.from)];
	const exact = new Map(rules.filter(({ from }) => !isPattern(from)).map((one) => [one.from, one]));
	const open = rules.filter(({ from }) => isPattern(from));
	const start = partsOf(rule.from)
		.map((part, at) => (isOpen(part) ? `/x${at}` : `/${part}`))
		.join('');
	const seen = [start];
	for (let hop = 0; hop < MAX_HOPS; hop++) {
		const path = seen.at(-1)!;
		const next =
			exact.get(path) ?? open.find(({ from }) => patternOf(partsOf(ruleOf(from))).test(path));
		const to = next && step(next, path);
		if (to === undefined || /^https?:/i.test(to) || isThere(to)) return undefined;
		seen.push(to);
		if (seen.indexOf(to) < seen.length - 1) return seen;
	}
	return seen.slice(0, 4);
}

/** Returns whether a former address stands for more than one. */
export const isPattern = (path: string) => partsOf(path).some(isOpen);

/** Compares rules by which is to be tried first: a path before patterns, and of these the one that says more. */
export function closerFirst(a: Redirect, b: Redirect): number {
	const openness = ({ from }: Redirect) => partsOf(from).filter(isOpen).length;
	const length = ({ from }: Redirect) => partsOf(from).length;
	return openness(a) - openness(b) || length(b) - length(a) || (a.from < b.from ? -1 : 1);
}

/**
 * Reads lines of two addresses, parted by spaces, a comma, a semicolon or a tab, as Netlify’s `_redirects` and tables have them,
 * or as Apache’s `Redirect 301 /a /b`. Empty lines, comments and a line of headings are none.
 */
export function readLines(text: string): { line: number; from: string; to: string }[] {
	return text
		.replace(/^\u{FEFF}/u, '')
		.split(/\r\n?|\n/)
		.flatMap((raw, at) => {
			const bare = raw
				.replace(/(^|\s)#.*$/, '')
				.trim()
				.replace(APACHE, '');
			const [from = '', to = ''] = bare.split(/\s*[,;\t]\s*|\s+/).map(unquoted);
			const isHeading = at === 0 && !/^(\/|https?:)/i.test(from);
			return /^[\s,;]*$/.test(bare) || isHeading ? [] : [{ line: at + 1, from, to }];
		});
}

const APACHE =
	/^redirect(?:permanent|temp)?\s+(?:(?:30[1278]|permanent|temp|seeother)\s+)?(?=["/])/i;
const unquoted = (text: string) => text.replace(/^"(.*)"$/, '$1');
