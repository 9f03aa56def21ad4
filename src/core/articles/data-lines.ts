/** Languages whose lines are read for data, each with what a text of several lines begins and ends with. */
const [PYTHON, SCRIPT, PLAIN] = [/"""|'''/g, /`/g, /(?!)/g];
const TEXTS: Record<string, RegExp> = {
	...{ python: PYTHON, py: PYTHON },
	...{ javascript: SCRIPT, js: SCRIPT, typescript: SCRIPT, ts: SCRIPT },
	...{ json: PLAIN, csv: PLAIN, yaml: PLAIN, yml: PLAIN },
};
/** A number, a text, a bracket, a name of a key: read one after another, so that no line takes long. */
const TOKEN =
	/\s+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?[\d.][\w.+-]*%?|[A-Za-z_]\w*(?=\s*:)|(?:[Tt]rue|[Ff]alse|null|None)\b|[[\](){},:;]/y;
/** Lines of data in a row that are folded, and how many of them stay in view. */
const LEAST = 12;
const SHOWN = 3;

/** A program of so many lines is folded below a part of it that ends between these. */
const LONG = 44;
const [SHORT, HEAD] = [14, 30];

/** A part of a block of code: lines from one to before another. */
type Part = { from: number; to: number; isFolded: boolean; isData?: true };

/**
 * Splits a block of code where long data begins and ends: a table in a text, a list of numbers. A long program without any is
 * split between two of its parts. Otherwise it is one.
 */
export function partsOf(lines: string[], language: string): Part[] {
	const text = TEXTS[language];
	const parts: Part[] = [];
	let isText = false;
	let first = 0;
	const isData = text
		? lines.map((line) => {
				const ends = line.match(text)?.length ?? 0;
				const before = isText;
				if (ends % 2 === 1) isText = !isText;
				return before && ends === 0 ? line.trim() !== '' : language === 'csv' || isLiteral(line);
			})
		: [];
	for (let from = isData.indexOf(true); from >= 0; from = isData.indexOf(true, first)) {
		const end = isData.indexOf(false, from);
		const to = end < 0 ? isData.length : end;
		if (to - from >= LEAST) {
			parts.push({ from: parts.at(-1)?.to ?? 0, to: from + SHOWN, isFolded: false });
			parts.push({ from: from + SHOWN, to, isFolded: true, isData: true });
		}
		first = to;
	}
	if (parts.length === 0 && text && lines.length >= LONG) {
		const isBreak = (line: string, at: number) => at < HEAD && line === '';
		const isEnd = (line: string, at: number) =>
			isBreak(line, at) && at >= SHORT && /^[^\s)}\]]/.test(lines[at + 1]!);
		const end = lines.findLastIndex(isEnd);
		const to = (end > 0 ? end : lines.findLastIndex(isBreak)) + 1;
		if (to > SHORT)
			return [
				{ from: 0, to, isFolded: false },
				{ from: to, to: lines.length, isFolded: true },
			];
	}
	const from = parts.at(-1)?.to ?? 0;
	return from < lines.length || parts.length === 0
		? [...parts, { from, to: lines.length, isFolded: false }]
		: parts;
}

function isLiteral(line: string): boolean {
	if (line.trim() === '') return false;
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < line.length) if (!TOKEN.test(line)) return false;
	return true;
}
