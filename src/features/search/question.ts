import {
	abbreviationKey,
	type Abbreviations,
	type Names,
} from '#src/core/settings/abbreviations.ts';
import { fold, namesIn, unspacedRuns } from '#src/lib/folding.ts';
import { isStopWord, MAX_WORD_LENGTH } from '#src/lib/stems.ts';

/** Maximum number of words read from a question, and of parts searched. */
const MAX_WORDS = 40;
const MAX_PARTS = 8;
/** Maximum number of words in a name of the list. */
const MAX_NAME_WORDS = 6;

/** A part of a question: one word, or several that belong together. */
export type Part = {
	/** Lower case. */
	words: string[];
	/** Names of the same thing, and of related things. */
	same: string[];
	near: string[];
	/** It may be the beginning of a word that is still being typed. */
	open: boolean;
	/** It stood in quotation marks: these words, in this order. */
	quoted?: true;
};

/** Splits a question into parts, without stop words unless there is nothing else. */
export function parseQuestion(question: string, abbreviations: Abbreviations): Part[] {
	const quoted: Part[] = [];
	const others = question.replace(/"([^"]+)"|[“„«]([^”“»]+)[”“»]/gu, (_, ...said: string[]) => {
		const words = tokenize(said[0] ?? said[1] ?? '').map(({ word }) => word);
		if (words.length < 2) return ` ${words.join(' ')} `;
		quoted.push({ words, same: [], near: [], open: false, quoted: true });
		return ' ';
	});
	return [...quoted, ...parseWords(others, abbreviations, quoted.length > 0)].slice(0, MAX_PARTS);
}

/** Splits what is not in quotation marks. Of stop words alone nothing is looked for beside what is. */
function parseWords(question: string, abbreviations: Abbreviations, isBeside: boolean): Part[] {
	const tokens = tokenize(question);
	const partOf = (at: number, length: number, names?: Names): Part => ({
		words: tokens.slice(at, at + length).map(({ word }) => word),
		same: names?.same ?? [],
		near: names?.near ?? [],
		open:
			length === 1 &&
			isOpenName(tokens[at]!.word, names) &&
			isBeginning(tokens[at]!.word) &&
			(at === tokens.length - 1 || !/^[a-z0-9]+$/.test(tokens[at]!.word)),
	});
	const parts: Part[] = [];
	let named = findNameAt(tokens, 0, abbreviations);
	let nameEnds = named?.length ?? 0;
	for (let at = 0; at < tokens.length;) {
		if (at >= nameEnds) {
			named = findNameAt(tokens, at, abbreviations);
			nameEnds = at + (named?.length ?? 0);
		}
		// A name with only related names is still split into words.
		// A number written to a name is part of it: "GPT-5" is not all that is called GPT.
		const isOne = named && named.names.same.length > 0 && !isNumbered(tokens, at + named.length);
		const part = partOf(at, isOne ? named!.length : compoundLengthAt(tokens, at), named?.names);
		if (isOne || part.words.length > 1 || !isStopWord(part.words[0]!)) parts.push(part);
		at += part.words.length;
	}
	if (parts.length === 0 && !isBeside) parts.push(...tokens.map((_, at) => partOf(at, 1)));
	return [...new Map(parts.map((part) => [part.words.join(' '), part])).values()].slice(
		0,
		MAX_PARTS,
	);
}

/** Whether a name may go on: it has no other one, or begins it, as "eval" does "evaluation". */
const isOpenName = (word: string, names?: Names) =>
	!names?.same.length || names.same.some((name) => name.startsWith(word));

/** Whether a word may go on: not the name of a model or a language, nor a word of a script that has no spaces. */
const isBeginning = (word: string) =>
	!/[+#*.]|[a-z]\d|\d[a-z]/.test(word) && unspacedRuns(word).length === 0;

type Token = { word: string; chunk: string };

/** Returns the words of a question. Words written together, as in "a/b" and "fine-tuning", share a chunk. */
function tokenize(question: string): Token[] {
	return fold(question.normalize('NFKC'))
		.replace(/['’](?:s|t|re|ve|d|ll|m)?(?![\p{L}\p{N}])/gu, ' ')
		.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
		.replace(NUMBERED, '$1-$2')
		.split(/[^\p{L}\p{M}\p{N}\-‐‑–/_.+#*]+/u)
		.flatMap((text, chunk) =>
			namesIn(text).flatMap((name) =>
				wordsInRuns(name).map((word, nth, { length }) => ({
					word: word.slice(0, MAX_WORD_LENGTH),
					// Words of one run of letters are words of their own.
					chunk: length > 1 ? `${chunk}.${nth}` : String(chunk),
				})),
			),
		)
		.slice(0, MAX_WORDS);
}

/** A short name and its number, as in "GPT 5", are one thing. */
const NUMBERED = /(?<![\p{L}\p{N}-])([b-hj-z]|[a-z]{2,5}) (\d{1,3})(?![\p{L}\p{N}.-])/gu;

const segmenters = new Intl.Segmenter('zh', { granularity: 'word' });

/** Returns the words of what is written without spaces, and what stands beside them. */
function wordsInRuns(text: string): string[] {
	const runs = unspacedRuns(text);
	if (runs.length === 0) return [text];
	const parts = [...segmenters.segment(text)].flatMap(({ segment, isWordLike }) =>
		isWordLike ? [segment] : [],
	);
	const long = parts.filter((word) => [...word].length > 1);
	return long.length > 0 ? long : parts;
}

/** Returns the longest name of the list that begins here. */
function findNameAt(tokens: Token[], at: number, abbreviations: Abbreviations) {
	for (let length = Math.min(MAX_NAME_WORDS, tokens.length - at); length > 0; length--) {
		const words = tokens.slice(at, at + length).map(({ word }) => word);
		const names = abbreviations.get(abbreviationKey(words));
		if (names) return { length, names };
	}
	return undefined;
}

/** Whether this word is a number that is written together with the one before. */
function isNumbered(tokens: Token[], at: number): boolean {
	const token = tokens[at];
	return /^\d+$/.test(token?.word ?? '') && token!.chunk === tokens[at - 1]?.chunk;
}

/**
 * Returns the number of words that form one part: for "top-p" and "over-fitting", whose words say little alone,
 * but not for "loss/accuracy".
 */
function compoundLengthAt(tokens: Token[], at: number): number {
	const { chunk } = tokens[at]!;
	if (tokens[at - 1]?.chunk === chunk) return 1;
	let end = at;
	while (tokens[end]?.chunk === chunk) end++;
	const words = tokens.slice(at, end).map(({ word }) => word);
	const isOne = words.length <= 3 && words.some((word) => word.length < 4 || isStopWord(word));
	return isOne ? words.length : 1;
}
