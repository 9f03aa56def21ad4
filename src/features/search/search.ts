import { fold, isStarred, namesIn, UNSEEN, unspacedRuns } from '#src/lib/folding.ts';
import { stemOf, wordsOf } from '#src/lib/stems.ts';
import { plural } from '#src/lib/text.ts';

/** Minimum length of a query (product.md section 9). */
export const SEARCH_MINIMUM = 3;
/**
 * Returns whether a query is too short to be looked for: not the name of a language, such as C#, nor a word of a script without
 * spaces, which may be one letter.
 */
export const isTooShort = (query: string): boolean =>
	query.length < SEARCH_MINIMUM &&
	!namesIn(fold(query)).some((name) => /[+#*.]/.test(name) || unspacedRuns(name).length > 0);
/** Maximum length of a query. */
export const QUERY_MAX = 200;
export const SEARCH_LIMIT = 20;
/** Approximate length of a passage. */
const PASSAGE_LENGTH = 180;
/** Maximum number of characters before the first found word. */
const PASSAGE_LEAD = 50;

/** The kinds of things that are found, as their groups are named. */
export const KINDS = {
	article: 'Articles',
	state: 'State guides',
	series: 'Series',
	author: 'Authors',
	category: 'Categories',
	tag: 'Tags',
	page: 'Pages',
	issue: 'Newsletter issues',
	lesson: 'Lessons of the email course',
	download: 'Downloads',
} as const;
export type Kind = keyof typeof KINDS;
export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

/** Returns results in groups, each under its name: those that are close by their kinds, then the others. */
export const groupFound = <One extends { kind: Kind; less?: true }>(results: readonly One[]) => [
	...Map.groupBy(results, ({ kind, less }) => (less ? 'Less close' : KINDS[kind])),
];

/** Returns the line below a result: whether only its meaning is near, and what is noted of it. */
export const noteOf = ({ by, note }: { by: 'words' | 'meaning'; note: string }) =>
	[by === 'meaning' && 'Near in meaning', note].filter(Boolean).join(' · ');

const NEAR_ONLY = 'Nothing has these words. These are near in meaning:';

/** Returns how much was found, or that nothing contains everything. */
export function foundText(
	query: string,
	{
		results,
		total,
		partial,
		more,
	}: {
		results: readonly {
			kind: Kind;
			by: 'words' | 'meaning';
			marks: readonly string[];
			less?: true;
		}[];
		total: number;
		partial?: true;
		more?: true;
	},
): string {
	if (results.every(({ by, marks }) => by === 'meaning' && marks.length === 0)) return NEAR_ONLY;
	const further = results.filter(({ less }) => less).length;
	const isArticles = results.every(({ kind, less }) => less || kind === 'article');
	if (!partial) {
		const count = plural(total, isArticles ? 'article' : 'result');
		return `${more ? 'The best ' : ''}${count}${further > 0 ? `, ${further} less close` : ''}`;
	}
	const nothing = isArticles ? 'No article' : 'Nothing';
	return wordsOf(query).length > 1
		? `${nothing} has all of these words. These have most of them:`
		: `${nothing} has this word. These are near it:`;
}

/** Position of a match, and its text in lower case without accents. */
export type Hit = { start: number; end: number; found: string };

/** Returns a function that finds words and phrases in a text, longest first. A trailing `*` makes a prefix. */
export function createFinder(marks: readonly string[]): (text: string) => Hit[] {
	const names = [...new Set(marks)].flatMap((mark) => {
		const open = mark.endsWith('*') && !isStarred(mark);
		const words = namesIn(fold(mark));
		const [first] = words;
		if (first === undefined) return [];
		// Where words have no spaces between them, one begins and ends anywhere.
		const isFree = unspacedRuns(first)[0] === first;
		const isRun = (words.length > 1 || !open) && /^[a-z\d]+$/.test(first);
		return { words, first, open, isFree, isRun };
	});
	// Searching each one separately is several times faster than one pattern for all.
	return (text) => {
		const { folded, placeOf, runs } = foldedOf(text);
		const hits: Hit[] = [];
		for (const { words, first, open, isFree, isRun } of names) {
			if (isRun && runs?.has(first) === false) continue;
			let start = folded.indexOf(first);
			while (start !== -1) {
				const isInside = !isFree && isJoined(folded, start - 1);
				const end = isInside ? -1 : phraseEnd(folded, start, words, open, isFree);
				if (end !== -1)
					hits.push({ start: placeOf(start), end: placeOf(end), found: folded.slice(start, end) });
				start = folded.indexOf(first, end === -1 ? start + 1 : end);
			}
		}
		hits.sort((a, b) => a.start - b.start || b.end - a.end);
		let last = 0;
		return hits.filter(({ start, end }) => {
			if (start < last) return false;
			last = end;
			return true;
		});
	};
}

type Folded = {
	folded: string;
	placeOf: (at: number) => number;
	/** Runs between the breaks of a long text: most words that are looked for are not among them. */
	runs?: ReadonlySet<string>;
};

/** Long texts, which question after question is looked for in, the last one last: so many letters of them at most. */
const long = new Map<string, Folded>();
const LONG = 2000;
const MAX_LETTERS = 3_000_000;
let letters = 0;

function foldedOf(text: string): Folded {
	let known = long.get(text);
	if (!known) {
		const folded = fold(text);
		known = { folded, placeOf: placesIn(text, folded) };
		if (text.length < LONG) return known;
		known.runs = runsIn(folded);
		letters += text.length;
	}
	long.delete(text);
	long.set(text, known);
	for (const [oldest] of long) {
		if (letters <= MAX_LETTERS) break;
		long.delete(oldest);
		letters -= oldest.length;
	}
	return known;
}

/** Returns the runs of what belongs together in a folded text, with and without an accent that follows a letter. */
function runsIn(folded: string): Set<string> {
	const runs = new Set<string>();
	for (let start = 0, at = 0; at <= folded.length; at++) {
		if (isJoined(folded, at)) continue;
		const run = folded.slice(start, at);
		runs.add(run).add(run.split(/\p{M}/u, 1)[0]!);
		start = at + 1;
	}
	return runs;
}

/** Returns a function from places in a folded text to those in the text itself. */
function placesIn(text: string, folded: string): (at: number) => number {
	if (folded.length === text.length && !UNSEEN.test(text)) return (at) => at;
	const places: number[] = [];
	let at = 0;
	for (const character of text) {
		places.push(...Array<number>(fold(character).length).fill(at));
		at += character.length;
	}
	return (place) => places[place] ?? at;
}

/** Returns where a phrase that begins here ends, or -1. */
function phraseEnd(
	text: string,
	start: number,
	words: readonly string[],
	open: boolean,
	isFree: boolean,
): number {
	let at = start;
	for (const [index, word] of words.entries()) {
		if (index > 0) {
			const gap = words.length > LONG_PHRASE ? LOOSE_GAP : WORD_GAP;
			gap.lastIndex = at;
			if (!gap.test(text)) return -1;
			at = gap.lastIndex;
		}
		if (!text.startsWith(word, at)) return -1;
		at += word.length;
	}
	if (open) while (isInWord(text, at)) at++;
	// A combining accent belongs to the letter before it.
	else while (isInWord(text, at) && /\p{M}/u.test(text[at]!)) at++;
	return isJoined(text, at) && !isFree ? -1 : at;
}

/** Matches the gap between the words of a phrase. In code, a comma, a bracket or an operator separates them. */
const WORD_GAP = /\p{M}*(?:\s{1,3}|[-‐‑–/_.,’'])|\p{M}+/uy;
/** In a phrase of more words, whoever quotes it may have left signs out. */
const LOOSE_GAP = /[^\p{L}\p{N}]{1,4}/uy;
const LONG_PHRASE = 3;

function isInWord(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code < 128) return (code > 96 && code < 123) || (code > 47 && code < 58);
	// Surrogate pairs count as letters.
	return code >= 128 && /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(text[at]!);
}

/** Whether what stands here belongs to the word beside it. Of scripts without spaces nothing does. */
const isJoined = (text: string, at: number) =>
	isInWord(text, at) && unspacedRuns(text[at]!).length === 0;

/** Splits a text at matches, to mark them. */
export function splitMarks(
	text: string,
	marks: readonly string[],
): { text: string; hit: boolean }[] {
	const parts = [];
	let at = 0;
	for (const { start, end } of createFinder(marks)(text)) {
		if (start > at) parts.push({ text: text.slice(at, start), hit: false });
		parts.push({ text: text.slice(start, end), hit: true });
		at = end;
	}
	if (at < text.length) parts.push({ text: text.slice(at), hit: false });
	return parts;
}

/** A passage, and where its first found word stands in which of the texts. */
type Passage = { passage: string; text: string; start: number };

/**
 * Returns the passage with the most different words, or the first text's beginning if there are none. Where sentences
 * have them, rows of tables and lines of code are passed over.
 */
export function bestPassage(texts: readonly string[], hitsOf: (text: string) => Hit[]): Passage {
	const nowhere = { text: texts.find(Boolean) ?? '', start: 0, count: 0, line: null };
	let best: Omit<Passage, 'passage'> & { count: number; line: Line | null } = nowhere;
	for (const isProse of [true, false]) {
		for (const text of texts) {
			const hits = hitsOf(text).slice(0, 400);
			hits.forEach(({ start }, first) => {
				const line = isProse ? proseAt(text, start) : null;
				if (isProse && !line) return;
				const different = new Set<string>();
				const end = Math.min(start + PASSAGE_LENGTH - PASSAGE_LEAD, line?.end ?? Infinity);
				for (let next = first; (hits[next]?.end ?? Infinity) <= end; next++)
					different.add(stemOf(hits[next]!.found));
				if (different.size > best.count) best = { text, start, count: different.size, line };
			});
		}
		if (best.count > 0) break;
	}
	const { text, line } = best;
	const [first, last] = [line?.start ?? 0, line?.end ?? text.length];
	const from = Math.max(first, Math.min(best.start - PASSAGE_LEAD, last - PASSAGE_LENGTH));
	const start = from === first ? first : from + text.slice(from, best.start).search(/(?<=\s)/);
	const whole = start + PASSAGE_LENGTH >= last;
	const rest = text.slice(start, Math.min(start + PASSAGE_LENGTH, last));
	const cut = whole ? rest : rest.replace(/\s+\S*$/, '');
	const isEnd = whole && last === text.length;
	const passage = `${start > 0 ? '… ' : ''}${cut.trim()}${isEnd ? '' : ' …'}`;
	return { passage, text, start: best.start };
}

type Line = { start: number; end: number };

/** Returns the line at a place, if it is of sentences: long, ended as they are, and of few signs. */
function proseAt(text: string, at: number): Line | null {
	const start = text.lastIndexOf('\n', at) + 1;
	const next = text.indexOf('\n', at);
	const end = next === -1 ? text.length : next;
	const line = text.slice(start, end);
	const signs = line.match(/[=_{}[\]<>|;\\*/"`]/g)?.length ?? 0;
	const isProse =
		line.length > 60 && /[.!?…:。！？][”"’)]*$/.test(line) && signs < line.length / 30;
	return isProse ? { start, end } : null;
}

/** Maximum length of a text fragment. */
const FRAGMENT_LENGTH = 60;

/**
 * Returns what leads to a place in a page's text: the id of the heading above it, and a text fragment, which browsers
 * that know it scroll to and mark. Headings have lines of their own, in their order.
 */
export function placeIn(
	text: string,
	start: number,
	headings: readonly { slug: string; text: string }[],
): string {
	let above = '';
	let from = 0;
	for (const heading of headings) {
		const at = `\n${text}\n`.indexOf(`\n${heading.text.replace(/\s+/g, ' ').trim()}\n`, from);
		if (at === -1) continue;
		if (at > start) break;
		above = heading.slug;
		from = at + 1;
	}
	const [line = ''] = text.slice(start).split('\n', 1);
	const words =
		line.length > FRAGMENT_LENGTH
			? line.slice(0, FRAGMENT_LENGTH + 1).replace(/\s+\S*$/, '')
			: line;
	// A dash separates the parts of a fragment.
	const fragment = encodeURIComponent(words.toWellFormed().trim()).replaceAll('-', '%2D');
	return `#${above}:~:text=${fragment}`;
}
