import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Part } from './question.ts';
import type { Form } from './ranking.ts';
import { beginningOf, isStopWord, rootOf, stemOf } from '#src/lib/stems.ts';
import { asIndexed, isStarred, unspacedRuns } from '#src/lib/folding.ts';
import { likelyWords, maxTypos } from './typos.ts';

/** Words of the vocabulary compared with a misspelled one. */
const MAX_LOOKALIKES = 100;
/** Maximum number of corrections per word. */
const MAX_CORRECTIONS = 3;
/** Maximum number of words read with the same beginning, and of forms per word. */
const MAX_SAME_START = 1500;
const MAX_FORMS = 16;

/** Weights of the ways to express a word. */
const DERIVED_WEIGHT = 0.6;
const PREFIX_WEIGHT = 0.5;
const MISSPELLED_WEIGHT = 0.8;
const PART_WEIGHT = 0.4;
const NEAR_WEIGHT = 0.4;

/** Returns the forms of each part of a question. */
export async function findForms(db: Db, parts: Part[]): Promise<Form[][]> {
	const words = parts.map(({ words }) => words);
	// Adjacent words may be written as one, and the reverse.
	const pairs = parts.map((part, at) => {
		const next = parts[at + 1];
		return part.words.length === 1 && next?.words.length === 1
			? part.words[0]! + next.words[0]!
			: '';
	});
	const split = words.map((list) => (list.length === 1 ? splitsOf(list[0]!) : []));
	const [alike, known] = await Promise.all([
		wordsStartingLike(db, words.flat()),
		filterKnown(db, [...pairs, ...split.flat(2)]),
	]);
	return Promise.all(
		parts.map(async (part, at) => {
			if (part.quoted) return [{ text: part.words.join(' '), weight: 1 }];
			const joined = [pairs[at - 1], pairs[at]].filter((pair) => pair && known.has(pair));
			const forms = [
				...phraseForms(part.words).map((text) => ({ text, weight: 1 })),
				...joined.map((text) => ({ text: text!, weight: 1 })),
				...part.same
					.flatMap((name) => phraseForms(name.split(' ')))
					.map((text) => ({ text, weight: 1 })),
				...part.near
					.flatMap((name) => phraseForms(name.split(' ')))
					.map((text) => ({ text, weight: NEAR_WEIGHT, near: true as const })),
			];
			if (part.words.length > 1) {
				forms.push({ text: part.words.join(''), weight: 1 });
				for (const word of part.words.filter((other) => other.length > 3 && !isStopWord(other))) {
					forms.push(...inflectionsOf(word, alike).map((text) => ({ text, weight: PART_WEIGHT })));
				}
				return bestForms(forms);
			}
			const [word] = part.words as [string];
			forms.push(...partedForms(word).map((text) => ({ text, weight: 1 })));
			forms.push(
				...inflectionsOf(word, alike).map((text) => ({ text, weight: 1 })),
				...derivationsOf(word, alike).map((text) => ({ text, weight: DERIVED_WEIGHT })),
			);
			const begun = alike.filter((other) => other.startsWith(word));
			const isWhole = begun.length > 0 && begun.every((other) => rootOf(other) === rootOf(word));
			if (part.open && !isWhole && (word.length > 2 || !/^[a-z0-9]+$/.test(word))) {
				forms.push({ text: `${word}*`, weight: PREFIX_WEIGHT });
			}
			const isKnown =
				part.same.length > 0 ||
				(part.open ? begun.length > 0 : alike.some((other) => rootOf(other) === rootOf(word))) ||
				(await anyFound(db, forms));
			if (isKnown) return bestForms(forms);
			const halves = split[at]!.filter((pair) => pair.every((half) => known.has(half)));
			const written = halves.map((pair) => ({ text: pair.join(' '), weight: 1 }));
			if (written.length > 0 && (await anyFound(db, written))) return written;
			const meant = likelyWords(word, await findLookalikes(db, word), part.open).slice(
				0,
				MAX_CORRECTIONS,
			);
			const readings = meant.map((text, nth) => ({
				text,
				weight: MISSPELLED_WEIGHT - nth / 10,
				corrects: text,
			}));
			return bestForms([...forms, ...readings]);
		}),
	);
}

/** Returns a form in FTS5 syntax. */
export function toMatchQuery({ text }: Form): string {
	const isOpen = text.endsWith('*') && !isStarred(text);
	const words = isOpen ? text.slice(0, -1) : text;
	const indexed = asIndexed(words);
	// The index has pairs of letters of scripts without spaces: a single letter finds those that begin with it.
	const isLetter = [...words].length === 1 && unspacedRuns(words)[0] === words;
	return `"${indexed}"${isLetter || (isOpen && indexed === words) ? '*' : ''}`;
}

/** Returns a phrase with its last word in the singular and in the plural. */
function phraseForms(words: readonly string[]): string[] {
	const text = words.join(' ');
	if (!/[a-z]{2}$/.test(text)) return [text];
	return text.endsWith('s') && !text.endsWith('ss')
		? [text, text.slice(0, -1)]
		: [text, `${text}s`];
}

/** Returns a word of letters and digits as it is written in parts: "gpt4o" as "gpt 4o", "10000" as "10,000". */
function partedForms(word: string): string[] {
	if (/^\d{4,}$/.test(word)) return [word.replace(/\B(?=(?:\d{3})+$)/g, ' ')];
	const parts = word.split(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/);
	if (parts.length === 1) return [];
	const inTwo = parts
		.slice(1)
		.map((_, at) => `${parts.slice(0, at + 1).join('')} ${parts.slice(at + 1).join('')}`);
	return [...new Set([parts.join(' '), ...inTwo])];
}

const inflectionsOf = (word: string, alike: string[]) =>
	alike.filter((other) => stemOf(other) === stemOf(word)).slice(0, MAX_FORMS);

function derivationsOf(word: string, alike: string[]): string[] {
	const [stem, root] = [stemOf(word), rootOf(word)];
	return alike
		.filter((other) => rootOf(other) === root && stemOf(other) !== stem)
		.slice(0, MAX_FORMS);
}

/** Returns each form once, with its highest weight. */
function bestForms(forms: Form[]): Form[] {
	const best = new Map<string, Form>();
	for (const form of forms) {
		const other = best.get(form.text);
		if (!other || other.weight < form.weight) best.set(form.text, form);
	}
	return [...best.values()];
}

/** Returns words of the vocabulary that begin like one of these. */
async function wordsStartingLike(db: Db, words: string[]): Promise<string[]> {
	const beginnings = words.filter((word) => /^[a-z]{3,}$/.test(word)).map(beginningOf);
	if (beginnings.length === 0) return [];
	const rows = await db.all<{ word: string }>(
		sql`select word from json_each(${JSON.stringify([...new Set(beginnings)])}) as begun
			join search_words on word >= begun.value and word < begun.value || '{' limit ${MAX_SAME_START}`,
	);
	return [...new Set(rows.map(({ word }) => word))];
}

/** Returns those words that the vocabulary contains. */
async function filterKnown(db: Db, words: string[]): Promise<Set<string>> {
	const wanted = [...new Set(words)].filter(Boolean);
	if (wanted.length === 0) return new Set();
	const rows = await db.all<{ word: string }>(
		sql`select word from search_words where word in (select value from json_each(${JSON.stringify(wanted)}))`,
	);
	return new Set(rows.map(({ word }) => word));
}

/** Returns the ways to split a word in two, of at least four letters each. */
function splitsOf(word: string): [string, string][] {
	if (!/^[a-z]{8,32}$/.test(word)) return [];
	return Array.from({ length: word.length - 7 }, (_, at) => [
		word.slice(0, at + 4),
		word.slice(at + 4),
	]);
}

async function anyFound(db: Db, forms: Form[]): Promise<boolean> {
	const match = forms.map(toMatchQuery).join(' OR ');
	const rows = await db.all(
		sql`select 1 where exists (select 1 from search_index where search_index match ${match})
			or exists (select 1 from search_entry_index where search_entry_index match ${match})`,
	);
	return rows.length > 0;
}

/** Returns words of the vocabulary that share trigrams with this one, including its beginning and end. */
async function findLookalikes(db: Db, word: string): Promise<string[]> {
	if (maxTypos(word) === 0) return [];
	const bounded = `^${word}$`;
	const trigrams = Array.from(
		{ length: bounded.length - 2 },
		(_, at) => `"${bounded.slice(at, at + 3)}"`,
	);
	const rows = await db.all<{ word: string }>(
		sql`select search_words.word from (
			select rowid as id from search_trigrams where search_trigrams match ${trigrams.join(' OR ')}
			order by rank limit ${MAX_LOOKALIKES}) as found join search_words on search_words.id = found.id`,
	);
	return rows.map((row) => row.word);
}
