import {
	abbreviationKey,
	type Abbreviations,
	type Names,
} from '#src/core/settings/abbreviations.ts';
import { fold } from './search.ts';
import { MAX_WORD_LENGTH } from '#src/lib/stems.ts';

/** So many words of a question are read, and so many of them looked for. */
const MAX_WORDS = 40;
const MAX_PARTS = 8;
/** Names of the list have no more words. */
const MAX_NAME_WORDS = 6;

/** What a question looks for: a word, or several that are one. */
export type Part = {
	/** In small letters. */
	words: string[];
	/** Names of the same thing, and of what is near it. */
	same: string[];
	near: string[];
	/** It may be the beginning of a word that is still being typed. */
	open: boolean;
};

/** Words that say nothing about what is asked. */
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

/** What a question looks for: without the words that say nothing, unless it has no others. */
export function parseQuestion(question: string, abbreviations: Abbreviations): Part[] {
	const tokens = tokenize(question);
	const partOf = (at: number, length: number, names?: Names): Part => ({
		words: tokens.slice(at, at + length).map(({ word }) => word),
		same: names?.same ?? [],
		near: names?.near ?? [],
		open:
			length === 1 &&
			!names?.same.length &&
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
		// What has only names near it is still made of its words.
		const isOne = named && named.names.same.length > 0;
		const part = partOf(at, isOne ? named!.length : compoundLengthAt(tokens, at), named?.names);
		if (isOne || part.words.length > 1 || !STOP_WORDS.has(part.words[0]!)) parts.push(part);
		at += part.words.length;
	}
	if (parts.length === 0) parts.push(...tokens.map((_, at) => partOf(at, 1)));
	return [...new Map(parts.map((part) => [part.words.join(' '), part])).values()].slice(
		0,
		MAX_PARTS,
	);
}

/** Whether a word says nothing about what is asked. */
export const isStopWord = (word: string) => STOP_WORDS.has(word);

type Token = { word: string; chunk: number };

/** The words of a question, and which of them are written as one: "a/b", "fine-tuning". */
function tokenize(question: string): Token[] {
	return fold(question.normalize('NFKC'))
		.replace(/['’](?:s|t|re|ve|d|ll|m)?(?![\p{L}\p{N}])/gu, ' ')
		.split(/[^\p{L}\p{N}\-‐‑–/_.]+/u)
		.flatMap((text, chunk) =>
			(text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({
				word: word.slice(0, MAX_WORD_LENGTH),
				chunk,
			})),
		)
		.slice(0, MAX_WORDS);
}

/** The longest name of the list that begins here. */
function findNameAt(tokens: Token[], at: number, abbreviations: Abbreviations) {
	for (let length = Math.min(MAX_NAME_WORDS, tokens.length - at); length > 0; length--) {
		const words = tokens.slice(at, at + length).map(({ word }) => word);
		const names = abbreviations.get(abbreviationKey(words));
		if (names) return { length, names };
	}
	return undefined;
}

/** How many words from here are one: those of "top-p" and "over-fitting", which say little alone, not of "loss/accuracy". */
function compoundLengthAt(tokens: Token[], at: number): number {
	const { chunk } = tokens[at]!;
	if (tokens[at - 1]?.chunk === chunk) return 1;
	let end = at;
	while (tokens[end]?.chunk === chunk) end++;
	const words = tokens.slice(at, end).map(({ word }) => word);
	const isOne = words.length <= 3 && words.some((word) => word.length < 4 || STOP_WORDS.has(word));
	return isOne ? words.length : 1;
}
