import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** Fields before a text, by names in lower case without hyphens, and the text. */
export type FrontMatter = { data: ReadonlyMap<string, unknown>; body: string };

/** Reads a file's front matter: YAML between lines of hyphens, TOML between lines of plus signs, or JSON. */
export function readFrontMatter(file: string): FrontMatter {
	const source = file.replace(/\r\n?/g, '\n');
	const [all, sign, front = ''] =
		/^(---|\+\+\+)[ \t]*\n([^]*?)(?:^|\n)\1[ \t]*(?:\n|$)/.exec(source) ?? [];
	if (all !== undefined) {
		const parsed: unknown =
			sign === '---' ? parseYaml(front, { maxAliasCount: 10 }) : parseToml(front);
		return { data: named(parsed), body: source.slice(all.length) };
	}
	// Hexo takes it without a line before it.
	const [open, fields = ''] =
		/^((?:[a-z][\w-]*:(?: .*)?\n)(?:(?:[a-z][\w-]*:|[ \t]|-).*\n|\n)*?)---[ \t]*(?:\n|$)/i.exec(
			source,
		) ?? [];
	if (open !== undefined) {
		return {
			data: named(parseYaml(fields, { maxAliasCount: 10 })),
			body: source.slice(open.length),
		};
	}
	const [json] = /^\{\n[^]*?\n\}(?=\n)/.exec(source) ?? [];
	return json === undefined
		? { data: new Map(), body: source }
		: { data: named(JSON.parse(json)), body: source.slice(json.length) };
}

/** Fields by name; those of a table “extra” or “params” count where there is none of their name. */
function named(parsed: unknown): Map<string, unknown> {
	const fields = entries(parsed);
	const more = fields.flatMap(([key, value]) =>
		['extra', 'params', 'taxonomies'].includes(key) ? entries(value) : [],
	);
	return new Map([...more, ...fields]);
}

function entries(value: unknown): [string, unknown][] {
	const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
	return Object.entries(isTable ? value : {}).map(([key, one]) => [
		key.toLowerCase().replaceAll(/[_-]/g, ''),
		one,
	]);
}

/** A value as one word in lower case; empty where it is a list or a table. */
const wordOf = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? `${value}`.trim().toLowerCase() : '';

/** Returns a flag in the words of any program; "doubt" where nobody can tell. */
export function flagOf(value: unknown): boolean | 'doubt' | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'boolean') return value;
	const word = wordOf(value);
	if (/^(true|yes|y|on|1)$/.test(word)) return true;
	return /^(false|no|n|off|0)$/.test(word) ? false : 'doubt';
}

/** Why a post is not to be read by everybody, or undefined: in doubt it is not. */
export function whyDraft(
	get: (...names: string[]) => unknown,
	path: string,
	isDate: (value: unknown) => boolean,
): string | undefined {
	const says = (name: string, value: unknown) =>
		`Its “${name}” says ${JSON.stringify(value)}, which can be read in two ways`;
	for (const name of ['draft', 'private', 'hidden', 'unlisted']) {
		const value = get(name);
		const flag = flagOf(value);
		if (flag === true)
			return name === 'draft' ? 'It was a draft' : 'It was private or had a password';
		if (flag === 'doubt') return says(name, value);
	}
	for (const name of ['published', 'publish', 'public']) {
		const value = get(name);
		const flag = flagOf(value);
		if (flag === false) return 'It was a draft';
		if (flag === 'doubt' && !isDate(value)) return says(name, value);
	}
	for (const name of ['status', 'visibility']) {
		const value = get(name);
		if (value === undefined) continue;
		const word = wordOf(value);
		if (/^(private|hidden|unlisted|protected|members?|paid|password)$/.test(word))
			return 'It was private or had a password';
		if (
			/^(draft|unpublished|pending|idea|in progress|todo|not started|archived?|trash)$/.test(word)
		)
			return 'It was a draft';
		if (!/^(publish(ed)?|public|live|done|complete[d]?|final|scheduled|future)$/.test(word))
			return says(name, value);
	}
	if (get('password') !== undefined) return 'It was private or had a password';
	const expiry = get('expirydate', 'expires');
	if (expiry !== undefined) return 'It was to be seen for a time only';
	return /(^|\/)_?drafts\//i.test(path) ? 'It was in a folder of drafts' : undefined;
}
