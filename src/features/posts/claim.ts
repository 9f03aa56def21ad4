import { wholeSentences } from '#src/lib/text.ts';

/** Shares, as "79%, 96% and 100%". */
const SHARE = /(?<![\w.-])\d[\d,.]*%(?:(?:,? (?:and|to|or)|,) \d[\d,.]*%)*/gu;
/** Other numbers, as "$0.40", "671 billion", "98 times in 100", "24 of 66" and "0.8 MB". A year is none. */
const NUMBER =
	/(?<![\w.-])(?:none of |\$)?(?!(?:19|20)\d\d\b)\d(?:[\d,.]*\d)?(?: (?:[mb]illion|[MGT]B|cm|points|turns|minutes)\b|(?: times in| in| of) \d[\d,]*\b)?(?!-|[,.]?\w)/gu;
/** Words before a number that says under which condition something was found. */
const CONDITION = /\b(?:at|on|to|with|on an? \w+ of|\w+s of) $/iu;
const MAX_LENGTH = 180;

/** A piece of what an article claims; its numbers are what to see first. */
type Piece = { text: string; isNumber: boolean };

/** Returns what an excerpt claims, in about `maxLength` characters: its beginning, or the part from its first number on if the beginning has none. */
export function claimOf(excerpt: string, maxLength = MAX_LENGTH): Piece[] {
	const [number] = numbersOf(excerpt);
	const beginning = wholeSentences(excerpt, maxLength);
	const isFar = number !== undefined && number.index >= beginning.length;
	const sentence = excerpt.slice(0, number?.index).search(/[^.!?]*$/);
	const claim = isFar ? wholeSentences(excerpt.slice(sentence).trim(), maxLength) : beginning;
	const pieces: Piece[] = [];
	let end = 0;
	for (const { 0: number, index } of numbersOf(claim)) {
		pieces.push(
			{ text: claim.slice(end, index), isNumber: false },
			{ text: number, isNumber: true },
		);
		end = index + number.length;
	}
	pieces.push({ text: claim.slice(end), isNumber: false });
	return pieces.filter(({ text }) => text !== '');
}

/** Returns the shares that a text found, or else its other numbers: of many, the first and the last. */
function numbersOf(text: string): RegExpExecArray[] {
	const found = (pattern: RegExp) =>
		[...text.matchAll(pattern)].filter(({ index }) => !CONDITION.test(text.slice(0, index)));
	const shares = found(SHARE);
	const numbers = shares.length > 0 ? shares : found(NUMBER);
	return numbers.length > 2 ? [numbers[0]!, numbers.at(-1)!] : numbers;
}
