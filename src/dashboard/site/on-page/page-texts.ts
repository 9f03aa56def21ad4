import { type TextKey, textOf, withTimes } from '#src/texts.ts';

/** A place of a page that says a text of the site. */
export type Place = {
	key: TextKey;
	/** Says it: for lists of lines one of its rows, or the menu that offers them. */
	at: HTMLElement;
	/** Has its words alone, where it is edited; of a menu, what stands beside it. */
	home: HTMLElement;
};

/** Elements whose words are for programs, and those that were found already. */
const SILENT = 'script, style, svg, template, [data-words], select';
const CADENCES = ['weekly', 'fortnightly', 'monthly'] as const;
/** Stands for a day of the week. */
const ANY_DAY = 'Anyday';
/** A part of a sentence is taken for a text of the site only if it is as long as this. */
const LEAST = 12;
/** No text is longer, with all that its tokens stand for. */
const MOST = 1500;

/** Returns a page as it was sent, without what runs and what its policy forbids here, and its styles. */
export function stillPage(html: string): { html: string; styles: string[] } {
	const styles: string[] = [];
	// The desk's policy would refuse them as soon as they are parsed.
	const unstyled = html.replace(/<style\b[^>]*>([^]*?)<\/style>/gi, (_, style: string) => {
		styles.push(style);
		return '';
	});
	const page = new DOMParser().parseFromString(unstyled, 'text/html');
	const dropped = 'script, noscript, iframe, meta[http-equiv], link:not([rel="stylesheet"])';
	for (const one of page.querySelectorAll(dropped)) one.remove();
	// Only what is edited here is reached by Tab.
	const reached = 'a[href], button, input, select, textarea, summary, [tabindex]';
	for (const one of page.querySelectorAll(reached)) one.setAttribute('tabindex', '-1');
	return { html: `<!doctype html>${page.documentElement.outerHTML}`, styles };
}

/**
 * Finds texts of the site in a page by their words, and marks where they are: a page that readers get says of none which it is.
 * `said` has what each may have been when the page was made, with its tokens.
 */
export function findTexts(
	body: HTMLElement,
	said: ReadonlyMap<TextKey, Iterable<string>>,
): Place[] {
	const words = new Map(
		[...body.querySelectorAll<HTMLElement>('*')]
			.filter((one) => !one.closest(SILENT) && one.textContent.length < MOST)
			.map((one) => [one, one.textContent]),
	);
	// A longer text may hold a shorter one.
	const texts = [...said].map(([key, texts]) => [key, [...texts].filter(Boolean)] as const);
	const ordered = texts.toSorted(([, a], [, b]) => longest(b) - longest(a));
	return ordered.flatMap(([key, texts]) => {
		if (texts.length === 0) return [];
		const { rule } = textOf(key);
		if (rule === 'path') return [];
		if (rule === 'topics') return findMenu(body, key, texts);
		const lines = rule ? texts.flatMap((text) => text.split('\n')) : texts;
		const patterns = lines.map(rule === 'promises' ? promisePattern : patternOf);
		const whole = new RegExp(`^\\s*(?:${patterns.join('|')})\\s*$`);
		const all = [...words].filter(
			([one, text]) => whole.test(text) && !one.closest('[data-words]'),
		);
		const deepest = all.filter(
			([one]) => !all.some(([other]) => other !== one && one.contains(other)),
		);
		const found = deepest.map(([one]) => mark(key, one, wordsOf(rule ? lastOf(one) : one)));
		return found.length > 0 || rule ? found : findParts(body, key, lines);
	});
}

/** Puts words where a text is said. What holds each line of a list grows and shrinks with it. */
export function sayText(places: readonly Place[], text: string): void {
	const [first] = places;
	if (!first) return;
	const { rule } = textOf(first.key);
	if (rule === 'topics') return offer(first.at as HTMLSelectElement, text.split('\n'));
	if (!rule) {
		// A place that says so already keeps its elements: some of them are for other widths.
		const other = places.filter(({ home }) => flat(home.textContent) !== flat(text));
		return other.forEach(({ home }) => home.replaceChildren(text));
	}
	text.split('\n').forEach((line, index) => {
		const row = places[index]?.at;
		if (!row) return;
		const [term = '', ...rest] = line.split(':');
		row.firstElementChild!.replaceChildren(term.trim());
		places[index]!.home.replaceChildren(rest.join(':').trim());
	});
}

/** Sees to it that a list has a row for each line of a text. Returns its places. */
export function withRows(places: readonly Place[], text: string): Place[] {
	const [first] = places;
	if (!first || textOf(first.key).rule !== 'promises') return [...places];
	const count = text.split('\n').length;
	for (const { at } of places.slice(count)) at.remove();
	const rows = places.slice(0, count);
	while (rows.length < count) {
		const { at } = rows.at(-1)!;
		const row = at.cloneNode(true) as HTMLElement;
		at.after(row);
		lastOf(row).replaceChildren();
		rows.push({ key: first.key, at: row, home: wordsOf(lastOf(row)) });
	}
	return rows;
}

const flat = (text: string) => text.trim().replace(/\s+/g, ' ');
const lastOf = (one: HTMLElement) => (one.lastElementChild as HTMLElement | null) ?? one;
const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));

function mark(key: TextKey, at: HTMLElement, home: HTMLElement): Place {
	at.dataset['words'] = key;
	return { key, at, home };
}

/** Puts all that an element holds into one of its own, and returns that. */
function wordsOf(one: HTMLElement): HTMLElement {
	const words = one.ownerDocument.createElement('span');
	words.append(...one.childNodes);
	one.append(words);
	return words;
}

/** Returns the pattern of words: spaces as they come. */
const wordsPattern = (words: string) =>
	words
		.trim()
		.split(/\s+/)
		.map((one) => RegExp.escape(one))
		.join('\\s+');

/** Returns the pattern of what a token stands for: the schedule in any of its words, or a name. */
function tokenPattern(token: string): string {
	const any = CADENCES.map((cadence) => withTimes(token, { cadence, day: ANY_DAY }));
	if (any.includes(token)) return '[^]{1,60}?';
	return `(?:${any.map((one) => wordsPattern(one).replace(RegExp.escape(ANY_DAY), () => '[A-Z]\\w+?day')).join('|')})`;
}

/** Returns the pattern of a text on a page. */
function patternOf(text: string): string {
	return text
		.trim()
		.split(/(%[A-Z_]+%|\s+)/)
		.map((part) =>
			/^%[A-Z_]+%$/.test(part)
				? tokenPattern(part)
				: /^\s/.test(part)
					? '\\s+'
					: RegExp.escape(part),
		)
		.join('');
}

function promisePattern(line: string): string {
	const [term = '', ...rest] = line.split(':');
	return `${patternOf(term)}\\s*${patternOf(rest.join(':'))}`;
}

/** Finds the menu that offers these lines. */
function findMenu(body: HTMLElement, key: TextKey, texts: readonly string[]): Place[] {
	const menus = [...body.querySelectorAll('select')].filter(({ options }) =>
		texts.some((text) => {
			const offered = new Set([...options].map((one) => one.text.trim()));
			return text.split('\n').every((line) => offered.has(line.trim()));
		}),
	);
	return menus.slice(0, 1).map((menu) => {
		const home = body.ownerDocument.createElement('span');
		menu.after(home);
		return mark(key, menu, home);
	});
}

function offer(menu: HTMLSelectElement, topics: readonly string[]): void {
	const kept = [...menu.options].filter(({ value }) => value === '');
	menu.replaceChildren(...kept);
	for (const topic of topics) menu.add(new Option(topic, topic));
}

/** Finds a text among other words, and gives it an element of its own. */
function findParts(body: HTMLElement, key: TextKey, texts: readonly string[]): Place[] {
	const patterns = texts.filter(({ length }) => length >= LEAST).map(patternOf);
	if (patterns.length === 0) return [];
	const part = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'u');
	const { ownerDocument: page } = body;
	const walker = page.createTreeWalker(body, NodeFilter.SHOW_TEXT);
	const found: [Text, number, number][] = [];
	while (walker.nextNode()) {
		const node = walker.currentNode as Text;
		const match = part.exec(node.data);
		if (match && !node.parentElement!.closest(SILENT))
			found.push([node, match.index, match.index + match[0].length]);
	}
	return found.map(([node, from, to]) => {
		const range = page.createRange();
		range.setStart(node, from);
		range.setEnd(node, to);
		const at = page.createElement('span');
		range.surroundContents(at);
		return mark(key, at, at);
	});
}
