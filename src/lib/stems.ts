/** Longer words are cut off. */
export const MAX_WORD_LENGTH = 64;

/** Returns a visitor's words: letters and digits only, so that nothing typed is syntax. */
export function wordsOf(text: string): string[] {
	const words = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.slice(0, 16).map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** Converts British spellings to American ones, and unifies words whose two spellings follow no rule. */
function toAmerican(word: string): string {
	return word
		.replace(/(?<=aly)s(?:is$|(?=e$|es$|ed$|ers?$|ing$))/, 'z')
		.replace(/(?<=[a-z]{3}i)s(?=e$|es$|ed$|ers?$|ing$|ations?$)/, 'z')
		.replace(/(?<=[a-z]{3})our(?=$|s$|ed$|ing$|al$|ful$|able$|ite$)/, 'or')
		.replace(/(?<=cent|met|lit|fib|theat)re(?=s?$)/, 'er')
		.replace(/(?<=(?:defen|licen|offen|preten))c(?=es?$|ed$|ing$)/, 's')
		.replace(/ogue(?=s?$)/, 'og')
		.replace(/^artefact/, 'artifact')
		.replace(/^programme(?=s?$)/, 'program')
		.replace(/^grey/, 'gray');
}

/**
 * Returns the stem that all inflections and both spellings of a lower-case word share: "modelled" and "models"
 * have "model".
 */
export function stemOf(word: string): string {
	if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
	const bare = toAmerican(word)
		.replace(/(?<=[a-z]{2})i(?:es|ed)$/, 'y')
		.replace(/(?<=sh|ch|[sxz])es$/, '')
		.replace(/(?<=[a-z]{2}[^su])s$/, '')
		.replace(/(?<=[aeiouy][a-z]*[a-z])(?:ed|ing)$/, '')
		.replace(/(?<=[a-z]{2})([bdfgmnprt])\1$/, '$1')
		.replace(/(?<=[a-z]{4})ll$/, 'l');
	return bare.replace(/(?<=[a-z]{3})e$/, '');
}

/** Returns the root that a word shares with its derivations: "quantizer" and "quantization" have "quant". */
export function rootOf(word: string): string {
	let root = stemOf(word);
	for (let times = 0; times < 2; times++) {
		root = root.replace(
			/(?<=[a-z]{4})(?:i[sz](?:ation|er)?|at(?:ion|or|iv)?|ion|[eo]r|ment|ness|[ai]bl|[ai]bility|ity|ist|ism|ive?|ical|ic|al|ly)$/,
			'',
		);
	}
	return root;
}

/** Returns the letters with which every form of a word begins. */
export function beginningOf(word: string): string {
	const root = rootOf(word);
	let same = 0;
	while (same < root.length && root[same] === word[same]) same++;
	// Endings that differ in the other spelling or in the plural.
	const other = /[eo]r$/.test(root) ? 2 : /[szy]$/.test(root) ? 1 : 0;
	return word.slice(0, Math.max(3, Math.min(same, root.length - other)));
}

/** Words without meaning for a search. */
const STOP_WORDS = new Set(
	`a about all am an and any anyone are as at be been being best better between but by can could did difference do does doing
	don done each else every explain explained find for from get gets getting give good had happen happens has have help how i if in into
	is it its just know let like make makes many may me mean means might more most much must my need no not of off on one or
	our out over own please possible really s same shall should show so some somebody someone something such t than that the their them
	then there these they thing things this those to too understand up us use used useful using versus very vs want was way ways we were what when where
	whether which while who whom whose why will with without work working works would yet you your`.split(
		/\s+/,
	),
);

/** Returns whether a word has no meaning for a search. */
export const isStopWord = (word: string) => STOP_WORDS.has(word);
