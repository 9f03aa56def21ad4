import { longDate } from '#src/lib/dates.ts';
import { asciiSlug } from '#src/lib/slug.ts';

/** The facts of an article that a citation gives. */
export type Cited = {
	title: string;
	/** The byline: one name or several. */
	author: string;
	/** Name of the site. */
	site: string;
	url: string;
	/** ISO day of the version that is cited: its last change that readers were told of, or its publication. */
	date: string;
};

export type CiteFormat = 'text' | 'bibtex' | 'ris';

/** Returns the names of a byline. */
export const authorsOf = (byline: string): string[] =>
	byline.split(/\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+/).filter(Boolean);

/** Returns an article as a line of a list of references. */
export function citeText({ title, author, site, url, date }: Cited): string {
	const where = author === site ? '' : ` ${site}.`;
	const end = /[.?!]$/.test(title) ? '' : '.';
	return `${author} (${date.slice(0, 4)}). ${title}${end}${where} Version of ${longDate(date)}. ${url}`;
}

/** Returns an article as an entry of BibTeX, which BibLaTeX reads as well. */
export function citeBibtex(cited: Cited): string {
	const { title, author, site, url, date } = cited;
	const [year, month] = date.split('-');
	// A name in braces of its own is an organization's: it is not turned around.
	const names =
		author === site ? `{${escapeTex(author)}}` : authorsOf(author).map(escapeTex).join(' and ');
	const lastName = authorsOf(author)[0]?.split(' ').at(-1) ?? '';
	const key = [lastName, year, title.split(/\s/).find((word) => word.length > 3) ?? '']
		.map((part) => asciiSlug(part!).replaceAll('-', ''))
		.join('');
	const fields = [
		['author', names],
		// In braces of its own, so that no style changes its capitals.
		['title', `{${escapeTex(title)}}`],
		['howpublished', escapeTex(site)],
		['year', year],
		['month', String(Number(month))],
		['note', `Version of ${longDate(date)}`],
		['url', url],
	];
	const lines = fields.map(([name, value]) => `  ${name} = {${value}}`);
	return `@misc{${key || 'article'},\n${lines.join(',\n')}\n}\n`;
}

/** Returns an article in the format that EndNote, Mendeley and Zotero import. */
export function citeRis({ title, author, site, url, date }: Cited): string {
	const names = author === site ? [author] : authorsOf(author);
	const lines = [
		['TY', 'BLOG'],
		['TI', title],
		...names.map((name) => ['AU', author === site ? `${name},` : turnedAround(name)]),
		['T2', site],
		['PY', date.slice(0, 4)],
		['DA', date.replaceAll('-', '/')],
		['ET', `Version of ${longDate(date)}`],
		['UR', url],
		['ER', ''],
	];
	return lines.map(([tag, value]) => `${tag}  - ${value}\r\n`).join('');
}

/** Returns a name with its last word first, as RIS wants it. */
function turnedAround(name: string): string {
	const [, first, last] = /^(.+) (\S+)$/.exec(name) ?? [];
	return last ? `${last}, ${first}` : name;
}

const TEX: Record<string, string> = {
	'\\': '\\textbackslash{}',
	'~': '\\textasciitilde{}',
	'^': '\\textasciicircum{}',
};
const escapeTex = (text: string) =>
	text.replace(/[\\~^&%$#_{}]/g, (sign) => TEX[sign] ?? `\\${sign}`);
