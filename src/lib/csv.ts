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

/**
 * Parses a CSV file: separated by commas, or by semicolons or tabs if the first line has more of them; with
 * quotes, line breaks in quotes, and a byte order mark. Empty lines are skipped. An unclosed quote ends at the
 * end of the file.
 */
export function parseCsv(text: string): CsvLine[] {
	const source = text.replace(/^\uFEFF/, '');
	const separator = separatorOf(source.slice(0, source.search(/\r?\n|$/)));
	const lines: CsvLine[] = [];
	let values: string[] = [];
	let value = '';
	let quoted = false;
	let line = 1;
	let start = 1;
	const endRow = () => {
		values.push(value);
		if (values.length > 1 || values[0]!.trim() !== '') lines.push({ line: start, values });
		values = [];
		value = '';
	};
	for (let at = 0; at < source.length; at++) {
		const char = source[at]!;
		if (char === '\n') line++;
		if (quoted) {
			if (char !== '"') value += char;
			else if (source[at + 1] === '"') {
				value += '"';
				at++;
			} else quoted = false;
		} else if (char === '"' && value.trim() === '') {
			value = '';
			quoted = true;
		} else if (char === separator) {
			values.push(value);
			value = '';
		} else if (char === '\n') {
			endRow();
			start = line;
		} else if (char !== '\r') value += char;
	}
	if (value !== '' || values.length > 0) endRow();
	return lines;
}

function separatorOf(header: string): string {
	const count = (separator: string) => header.split(separator).length;
	return [',', ';', '\t'].reduce((best, separator) =>
		count(separator) > count(best) ? separator : best,
	);
}
