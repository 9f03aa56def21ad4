/** Letters that are no other letter with a mark, as people without their keyboard write them. */
const PLAIN: Readonly<Record<string, string>> = {
	...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', þ: 'th' },
	...{ ŋ: 'ng', ŧ: 't', ĸ: 'k', ƒ: 'f', ɓ: 'b', ɗ: 'd', ƙ: 'k', ɨ: 'i', ʉ: 'u', ə: 'e' },
	...{ ŀ: 'l', ſ: 's' },
};

/** Replaces the lower-case Latin letters of a text that are no letter with a mark. */
export const plainLetters = (text: string): string =>
	text.replace(/[^\0-\x7f]/gu, (letter) => PLAIN[letter] ?? letter);

/** Signs within words that nobody sees: places where a word may be broken or joined. */
export const UNSEEN = /[\u00AD\u200B-\u200D\u2060\uFEFF]/u;

/** Returns a text in lower case, without marks on its letters and what nobody sees in its words. */
export function fold(text: string): string {
	return text.replace(/[^\0-\x7f]/gu, foldLetter).toLowerCase();
}

/** Returns a letter small and without marks, and no longer than it was: the small "İ" is an "i" and a dot. */
function foldLetter(letter: string): string {
	if (UNSEEN.test(letter)) return '';
	const bare = letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
	// The other form of sigma ends words.
	const plain = PLAIN[bare] ?? (bare === 'ς' ? 'σ' : bare);
	return plain.length >= letter.length ? plain : letter.toLowerCase().slice(0, letter.length);
}

/** Scripts that write words without spaces between them, and Korean, which puts particles to its words. */
const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Returns the runs of letters of scripts in which a word may begin and end anywhere. */
export const unspacedRuns = (text: string): string[] => text.match(UNSPACED) ?? [];

/** Returns each two letters that stand side by side in a run, in their order; one letter alone is itself. */
function bigrams(run: string): string[] {
	const letters = [...run];
	return letters.length < 2
		? letters
		: letters.slice(1).map((letter, at) => `${letters[at]!}${letter}`);
}

/** Words, with the signs of names such as C++, C#, A* and .NET. */
const WORD =
	/(?<![\p{L}\p{N}*])\p{L}\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}.])\.(?=\p{L})[\p{L}\p{N}]+|[\p{L}\p{N}]+(?:\+\+(?!\+)|#(?![\p{L}\p{N}#]))?/gu;

/** Returns the words of a text, as search reads them. */
export const namesIn = (text: string): string[] => text.match(WORD) ?? [];

/** Whether a text is a name that ends with a star, such as A*, and no beginning of a word. */
export const isStarred = (text: string): boolean => /(?:^| )[a-z]\*$/.test(text);

/** Returns a name with signs as one word of letters, which an index can hold. */
function spelledOut(name: string): string {
	return name
		.replace('++', 'plusplus')
		.replace('#', 'sharp')
		.replace('*', 'star')
		.replace(/^\./, 'dot');
}

/** Returns what a full-text index must hold to find a folded word or phrase. */
export function asIndexed(text: string): string {
	return namesIn(text)
		.map((word) => {
			const isRun = unspacedRuns(word)[0] === word;
			return isRun ? bigrams(word).join(' ') : spelledOut(word);
		})
		.join(' ');
}

/**
 * Returns what a full-text index of words must hold besides a text: words whose letters it does not fold as people type
 * them, names with signs, and pairs of letters of scripts without spaces.
 */
export function indexedBesides(text: string): string {
	const besides = new Set<string>();
	/** Letters that begin no pair. One letter is looked for as the beginning of something. */
	const last = new Set<string>();
	for (const word of text.match(BROKEN) ?? []) besides.add(fold(word));
	for (const name of namesIn(text)) {
		if (/[+#*.]/.test(name)) besides.add(spelledOut(fold(name)));
		else if (/[^\0-\x7f]/.test(name)) {
			const folded = fold(name);
			const runs = unspacedRuns(folded);
			for (const run of runs) {
				besides.add(bigrams(run).join(' '));
				last.add([...run].at(-1)!);
			}
			const others = runs.reduce((rest, run) => rest.replaceAll(run, ' '), folded).trim();
			if (runs.length > 0 ? others !== '' : folded !== bareOf(name)) besides.add(others);
		}
	}
	return [...besides, ...last].join(' ');
}

const BROKEN = new RegExp(`[\\p{L}\\p{N}]+(?:${UNSEEN.source}+[\\p{L}\\p{N}]+)+`, 'gu');

const bareOf = (word: string) => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
