/** Begins a CSV file, so that spreadsheets on Windows read its letters as they are. */
export const CSV_MARK = '\uFEFF';

/** Returns one row of a CSV file (RFC 4180). Texts are quoted, and spreadsheets do not take them for formulas. */
export function csvRow(values: readonly (string | number | boolean | null)[]): string {
	return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
	return typeof value === 'string'
		? `"${escapeFormulas(value).replaceAll('"', '""')}"`
		: String(value ?? '');
}

/**
 * Where a spreadsheet may start a formula: at the start of a cell, and after characters that some of them take
 * for its end even inside of quotes. Full-width characters count as their narrow versions.
 */
const START = String.raw`(?<=^|[;\t\r\n])`;
const FORMULA = String.raw`(?='*[^\S\t\r\n]*[=+\-@|＝＋－＠｜])`;
const BREAK = String.raw`(?='*[\t\r\n])`;
const UNSAFE = new RegExp(`${START}${FORMULA}|^${BREAK}`, 'g');
const GUARD = new RegExp(`${START}'${FORMULA}|^'${BREAK}`, 'g');

/** Returns a text that no spreadsheet takes for a formula. */
export function escapeFormulas(text: string): string {
	return text.replace(UNSAFE, "'");
}

/** Returns a value as it was before it was escaped. */
export function unescapeFormula(value: string): string {
	return value.replace(GUARD, '');
}

/** A row of a CSV file and the line on which it starts. */
export type CsvLine = { line: number; values: string[] };

/** Returns a sheet's text: UTF-8, UTF-16 of either order, or the encoding that some programs on Windows write. */
export function textOfSheet(bytes: ArrayBuffer): string {
	try {
		return new TextDecoder(encodingOf(new Uint8Array(bytes)), { fatal: true }).decode(bytes);
	} catch {
		return new TextDecoder('windows-1252').decode(bytes);
	}
}

/** Looks for the mark of UTF-16, or for the half of its characters that is zero in a header of Latin letters. */
function encodingOf(bytes: Uint8Array): string {
	const start = [...bytes.subarray(0, 64)];
	const isZeroAt = (rest: number) =>
		start.length >= 4 && start.every((byte, at) => at % 2 !== rest || byte === 0);
	if ((bytes[0] === 0xff && bytes[1] === 0xfe) || isZeroAt(1)) return 'utf-16le';
	if ((bytes[0] === 0xfe && bytes[1] === 0xff) || isZeroAt(0)) return 'utf-16be';
	return 'utf-8';
}

/** The first line by which spreadsheets say what separates the cells: `sep=;`. */
const SAID = /^"?sep=([^"\r\n])"?[^\r\n]*(?:\r\n?|\n|$)/i;

/**
 * Parses a CSV file: separated as its first line says (`sep=;`), or else by the comma, semicolon or tab that its header has
 * most of; with quotes, line breaks in quotes, line ends of all systems, and a byte order mark. Empty lines are skipped. An
 * unclosed quote ends at the end of the file.
 */
export function parseCsv(text: string): CsvLine[] {
	const marked = text.replace(/^\uFEFF/, '');
	const said = SAID.exec(marked);
	const source = said ? marked.slice(said[0].length) : marked;
	const separator = said?.[1] ?? separatorOf(source);
	const end = new RegExp(`[${separator.replace(/[\\\]^-]/, String.raw`\$&`)}\r\n]|$`, 'g');
	const lines: CsvLine[] = [];
	let values: string[] = [];
	let line = said ? 2 : 1;
	let start = line;
	for (let at = 0; at < source.length || values.length > 0;) {
		let value = '';
		const quote = quoteAt(source, at, separator);
		if (quote !== -1) {
			const close = closingOf(source, quote + 1);
			value = source.slice(quote + 1, close).replaceAll('""', '"');
			line += value.match(/\r\n?|\n/g)?.length ?? 0;
			at = Math.min(close + 1, source.length);
		}
		end.lastIndex = at;
		const stop = end.exec(source)!.index;
		values.push(value + source.slice(at, stop));
		at = stop + 1;
		if (source[stop] === separator) continue;
		if (source[stop] === '\r' && source[at] === '\n') at++;
		if (values.length > 1 || values[0]!.trim() !== '') lines.push({ line: start, values });
		values = [];
		start = ++line;
	}
	return lines;
}

/** Returns where a cell's opening quote is, after spaces, or -1. */
function quoteAt(source: string, at: number, separator: string): number {
	let first = at;
	while (source[first] !== separator && /[^\S\r\n]/.test(source[first] ?? '')) first++;
	return source[first] === '"' ? first : -1;
}

/** Returns where a quoted text ends. */
function closingOf(source: string, from: number): number {
	for (let at = from; ; at += 2) {
		at = source.indexOf('"', at);
		if (at === -1) return source.length;
		if (source[at + 1] !== '"') return at;
	}
}

function separatorOf(source: string): string {
	// Up to the first line end outside of quotes, and without what is inside of them.
	const first = /^(?:"(?:[^"]|"")*(?:"|$)|[^"\r\n])*/.exec(source)![0];
	const header = first.replaceAll(/"(?:[^"]|"")*"/g, '');
	const count = (separator: string) => header.split(separator).length;
	return [',', ';', '\t'].reduce((best, separator) =>
		count(separator) > count(best) ? separator : best,
	);
}
