/** Returns "1,234,567" for a whole number. A browser takes about 15 ms to load `toLocaleString` while a page starts. */
export function formatCount(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns "1 Article", "2 Articles". */
export function plural(count: number, one: string, many = `${one}s`): string {
	return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Made by the first use: the first formatter of a page takes longer than all else that its scripts do as it starts. */
let and: Intl.ListFormat | undefined;

/** Returns "a", "a and b", "a, b, and c", as in "lowercase, and numbers" (product.md section 5). */
export const joinWithAnd = (items: string[]): string =>
	(and ??= new Intl.ListFormat('en')).format(items);

/** Returns "812 B", "4.2 KB", "3 MB", in units of 1,024. */
export function byteSize(bytes: number): string {
	const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2;
	const value = bytes / 1024 ** power;
	return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${['B', 'KB', 'MB'][power]}`;
}

/** Returns minutes to read: words/200 rounded up, at least 1 (product.md section 9). */
export function readTime(text: string): number {
	return Math.max(1, Math.ceil(wordCount(text) / 200));
}

/** Returns how many words a text has. */
export function wordCount(text: string): number {
	return text.split(/\s+/).filter(Boolean).length;
}

/** Returns the start of a text, without half of a sign that the cut would divide. */
export function cut(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Shortens a text: whole sentences if they fill a third, or else whole words. */
export function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const start = cut(text, maxLength);
	const sentences = /^.*[.!?](?= )/s.exec(start)?.[0] ?? '';
	return sentences.length > maxLength / 3 ? sentences : `${start.replace(/\s+\S*$/, '')}…`;
}

/** Returns the whole sentences that fit, or else the first one; only one that is far longer is cut. */
export function wholeSentences(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const start = cut(text, maxLength);
	const fitting = /^.*[.!?](?= )/s.exec(start)?.[0];
	const first = /^.*?[.!?](?= |$)/s.exec(text)?.[0] ?? text;
	return fitting ?? shorten(first, 2 * maxLength);
}

/** Letters that show nothing, such as a filler of Hangul, marks without a letter, and an empty cell of Braille. */
const BLANK = /^[\p{Default_Ignorable_Code_Point}\p{M}\u2800\s]*$/u;
/** Letters of a hidden text, but for those that make a flag of a region; selectors behind a selector. */
const HIDDEN =
	/(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,5})[\u{E0000}-\u{E007F}]|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+/gu;
/** Marks of one letter that would run over the lines around: no script needs as many. */
const PILED = /(?<=\p{M}{8})\p{M}+/gu;

/** Returns a text without what hides in it or runs over other lines. One of which nothing would be seen is empty. */
function seen(text: string): string {
	const shown = text.replace(HIDDEN, '').replace(PILED, '');
	return BLANK.test(shown) ? '' : shown;
}

/**
 * Returns what somebody wrote in lines, each line break as one character: a plain form post sends two, which would exceed
 * the length that was typed.
 */
export function severalLines(text: string): string {
	return seen(text.replaceAll('\r\n', '\n'));
}

/**
 * Returns a name or a label on one line, without invisible characters that would reorder the surrounding text.
 * Joiners in letters and emoji stay.
 */
export function singleLine(text: string): string {
	return seen(
		text
			.replace(/[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]+/gu, '')
			.replace(/[\s\p{Cc}]+/gu, ' ')
			.trim(),
	);
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll("'", '&#39;');
}
