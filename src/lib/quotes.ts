/** Quotation marks and apostrophes: straight ones, as they are typed, and curly ones, as they are printed. */

/** Returns the text with straight quotation marks and apostrophes. Every character keeps its position. */
export function straightenQuotes(text: string): string {
	return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
}

/** Stands in a text for what is a word of it but no text: code, a formula, a picture. */
export const OBJECT = '\ufffc';

type Kind = '"' | "'";
const CURLY = { '"': ['“', '”'], "'": ['‘', '’'] } as const;

const SPACE = /\s/;
const WORD = /[\p{L}\p{N}\p{M}\p{Cs}\ufffc]/u;
const LETTER = /[\p{L}\p{Cs}]/u;
const DIGIT = /[\p{N}]/u;
const QUOTE = /["'“”‘’]/;
/** A quotation begins behind these and never ends there. */
const OPENING = /[([{<¿¡“‘]/;

/** Something is left out: `'90s`, `'em`, `rock 'n' roll`. The same in quotation marks is a quotation. */
const ELISION =
	/^'(?:(?:\d\ds?|bout|cause|em|neath|sup|til|till|tis|twas|twere|twill|twixt|twould)(?![\p{L}\p{N}'’])|n['’]?(?![\p{L}\p{N}]))/iu;
/** Feet or minutes, and the number of inches or seconds. */
const MEASURE = /\d'\s?\d+(?:[.,]\d+)?$/;
/** Addresses, in which an apostrophe is part of the address. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\w[\w.+-]*'[\w.'+-]*@\w/g;

/**
 * Returns the text with curly quotation marks and apostrophes. Every character keeps its position. What has no side stays
 * straight, as do signs of feet and inches, minutes and seconds.
 */
export function curlQuotes(text: string): string {
	if (!/["']/.test(text)) return text;
	const letters = text.replace(ADDRESS, (address) => address.replace(/'(?=\w)/g, OBJECT)).split('');
	const last = letters.findLastIndex((_, at) => mayEnd(letters, at));
	const open = { '"': 0, "'": 0 };
	letters.forEach((mark, at) => {
		if (!QUOTE.test(mark)) return;
		const kind = straightenQuotes(mark) as Kind;
		if (mark === '"') letters[at] = doubleAt(letters, at, open['"'] > 0);
		else if (mark === "'") letters[at] = singleAt(letters, at, open["'"] > 0, at < last);
		const [opening, closing] = CURLY[kind];
		if (letters[at] === opening) open[kind]++;
		else if (letters[at] === closing && (kind === '"' || mayEnd(letters, at)))
			open[kind] = Math.max(0, open[kind] - 1);
	});
	return letters.map((letter, at) => (letter === OBJECT ? text[at] : letter)).join('');
}

/** Returns a copy of data whose texts have curly quotation marks and apostrophes. */
export function curlTexts<Data>(data: Data): Data {
	if (typeof data === 'string') return curlQuotes(data) as Data;
	if (Array.isArray(data)) return data.map((one: unknown) => curlTexts(one)) as Data;
	if (typeof data !== 'object' || data === null || data instanceof Date) return data;
	return Object.fromEntries(
		Object.entries(data).map(([name, value]: [string, unknown]) => [name, curlTexts(value)]),
	) as Data;
}

/** Returns whether a single quotation may end here: otherwise it is an apostrophe. */
function mayEnd(letters: readonly string[], at: number): boolean {
	const mark = letters[at]!;
	if (mark !== "'" && mark !== '’') return false;
	const before = letters[at - 1] ?? ' ';
	return !SPACE.test(before) && !OPENING.test(before) && !WORD.test(letters[at + 1] ?? ' ');
}

/** No more marks than these end or begin quotations in each other at one place. */
const MAX_RUN = 8;

/** Returns what stands before a mark, and behind it and the marks that follow. */
function around(letters: readonly string[], at: number): [before: string, after: string] {
	let end = at + 1;
	while (end < at + MAX_RUN && QUOTE.test(letters[end] ?? ' ')) end++;
	return [letters[at - 1] ?? ' ', letters[end] ?? ' '];
}

function doubleAt(letters: readonly string[], at: number, isOpen: boolean): string {
	const [opening, closing] = CURLY['"'];
	const [before, after] = around(letters, at);
	if (before === '"') return before;
	const mayOpen = !SPACE.test(after) && !WORD.test(before);
	const mayClose = !SPACE.test(before) && !OPENING.test(before);
	if (mayOpen && mayClose) return isOpen ? closing : opening;
	if (mayOpen) return opening;
	if (!mayClose) return '"';
	if (DIGIT.test(before) && (!isOpen || isMeasure(letters, at))) return '"';
	return isOpen || !WORD.test(after) ? closing : '"';
}

function singleAt(
	letters: readonly string[],
	at: number,
	isOpen: boolean,
	mayBeClosed: boolean,
): string {
	const [opening, closing] = CURLY["'"];
	const [before, after] = around(letters, at);
	if (before === "'") return before;
	if (DIGIT.test(before) && !LETTER.test(letters[at + 1] ?? ' ')) {
		return isOpen && !DIGIT.test(after) ? closing : "'";
	}
	if (WORD.test(before)) return closing;
	const mayClose = !SPACE.test(before) && !OPENING.test(before);
	if (SPACE.test(after)) return mayClose ? closing : "'";
	const isElision = ELISION.test(letters.slice(at, at + 10).join(''));
	if (isElision || before === opening || !mayBeClosed || (mayClose && isOpen)) return closing;
	return opening;
}

const isMeasure = (letters: readonly string[], at: number) =>
	MEASURE.test(letters.slice(Math.max(0, at - 12), at).join(''));
