/** Shorter words are not corrected, because too many others are one letter away. */
const MIN_TYPO_LENGTH = 4;

/** Returns how many letters of a word may be wrong. */
export function maxTypos(word: string): number {
	// Another digit is another thing.
	if (word.length < MIN_TYPO_LENGTH || !/^\p{L}+$/u.test(word)) return 0;
	return word.length < 8 ? 1 : 2;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbors between two words (optimal
 * string alignment). `open` compares with the nearest prefix of `meant`, for a word that is still being typed.
 */
export function editDistance(typed: string, meant: string, open = false): number {
	let before: number[] = [];
	let row = Array.from({ length: meant.length + 1 }, (_, index) => index);
	for (let i = 1; i <= typed.length; i++) {
		const next = [i];
		for (let j = 1; j <= meant.length; j++) {
			const same = typed[i - 1] === meant[j - 1] ? 0 : 1;
			let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
			const swapped = typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
			if (i > 1 && j > 1 && swapped) least = Math.min(least, before[j - 2]! + 1);
			next.push(least);
		}
		[before, row] = [row, next];
	}
	if (!open) return row.at(-1)!;
	// What comes after the last letter is not known yet, but that letter is.
	const last = typed.at(-1);
	return Math.min(row.at(-1)!, ...row.filter((_, at) => at > 0 && meant[at - 1] === last));
}

/** Returns the similar words that may be meant, nearest first; the same first letter breaks ties. */
export function likelyWords(typed: string, words: readonly string[], open: boolean): string[] {
	const allowed = maxTypos(typed);
	return words
		.map((word) => ({
			word,
			off: editDistance(typed, word, open),
			whole: editDistance(typed, word),
			start: word[0] === typed[0] ? 0 : 1,
		}))
		.filter(({ word, off }) => off <= allowed && word !== typed && !/\d/.test(word))
		.sort((a, b) => a.off - b.off || a.start - b.start || a.whole - b.whole)
		.map(({ word }) => word);
}
