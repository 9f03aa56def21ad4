import { and, asc, eq, gt, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { meaningWords, meanings, renderedPosts, searchEntries } from '#db/schema.ts';
import { isWritten, type Writes } from '#src/core/builds/writes.server.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { learnWords } from './model.ts';
import { countTerms, vectorOfText, headOf, type Text } from './meaning.ts';
import { readModel, readWords, type Model } from './meaning.server.ts';

/** Changes whenever the same texts would give other vectors. */
const VERSION = 3;
/** Fewer texts have too little to learn from. */
const MIN_TEXTS = 20;
/** New texts, and their share of all, from which on what was learned is old. */
const MIN_CHANGED = 20;
const CHANGED_SHARE = 0.2;
/** At most so many texts are read to learn, evenly over all, and so many passages of each. */
const MAX_TEXTS = 5000;
const MAX_PASSAGES = 12;
/** Letters after which a passage ends with its line. */
const PASSAGE_LENGTH = 1200;
/** Texts that are read at once, and rows of words in one statement. */
const CHUNK = 100;

/**
 * Keeps what texts mean: new ones by what is known of their words, all of them once that is old. Where it `canWait`, only many
 * new texts are learned from at once; a later call learns from those that changed. Given the posts that were written to since
 * this was done, no other article is looked at. Returns whether anything changed.
 */
export async function updateVectors(db: Db, writes?: Writes, canWait = false): Promise<boolean> {
	const known = await readModel(db);
	const texts = (await db.$count(renderedPosts)) + (await db.$count(searchEntries));
	if (texts < MIN_TEXTS) return false;
	if (known?.version === VERSION && (await hasWords(db, known.basis))) {
		const missing = await countMissing(db, known.basis, writes);
		const changed = known.changed + Math.max(0, missing - known.unknown);
		const much = Math.max(MIN_CHANGED, known.texts * CHANGED_SHARE);
		// Texts that are there already, as after a tag for all, have nearly the words that were learned.
		if (changed < much || (canWait && texts - known.texts < much)) {
			if (missing <= (writes ? 0 : known.unknown)) return false;
			const vectors = await readWords(db, known.basis);
			const found = await project(db, known.basis, vectors, writes);
			const unknown = writes ? known.unknown : missing - found;
			await setMeta(db, 'meaning_basis', JSON.stringify({ ...known, changed, unknown }));
			return true;
		}
	}
	await renew(db, texts);
	return true;
}

/** Returns whether the words of a basis are still stored. */
async function hasWords(db: Db, basis: number): Promise<boolean> {
	const [word] = await db
		.select({ word: meaningWords.word })
		.from(meaningWords)
		.where(eq(meaningWords.basis, basis))
		.limit(1);
	return word !== undefined;
}

/** Learns anew from all texts. Until it is done readers find by what was learned before. */
async function renew(db: Db, texts: number): Promise<void> {
	const [last] = await db
		.select({ basis: sql<number>`coalesce(max(basis), 0)` })
		.from(meaningWords);
	const basis = last!.basis + 1;
	const vectors = learnWords(await readPassages(db, Math.ceil(texts / MAX_TEXTS)));
	const words = [...vectors].map(([word, vector]) => ({ basis, word, vector }));
	for (let start = 0; start < words.length; start += CHUNK * 10) {
		const some = words.slice(start, start + CHUNK * 10);
		const lots = Array.from({ length: Math.ceil(some.length / CHUNK) }, (_, lot) =>
			some.slice(lot * CHUNK, (lot + 1) * CHUNK),
		);
		await batch(
			db,
			lots.map((lot) => db.insert(meaningWords).values(lot)),
		);
	}
	await project(db, basis, vectors);
	const unknown = await countMissing(db, basis);
	const made: Model = { basis, version: VERSION, texts, changed: 0, unknown };
	await db.batch([
		setMeta(db, 'meaning_basis', JSON.stringify(made)),
		db.delete(meanings).where(ne(meanings.basis, basis)),
		db.delete(meaningWords).where(ne(meaningWords.basis, basis)),
	]);
}

/** Returns the words of each passage of each text, or of each so-many-th text. */
async function readPassages(db: Db, step: number): Promise<Map<string, number>[]> {
	const passages: Map<string, number>[] = [];
	for (const source of SOURCES) {
		for await (const { id, ...text } of readTexts(db, source)) {
			if (id % step === 0) passages.push(...passagesOf(text));
		}
	}
	return passages;
}

/** Returns the words of a text's head and of each of its passages, which end with a section or after some lines. */
function passagesOf(text: Text): Map<string, number>[] {
	const { title, headings, body } = text;
	const names = new Set(headings.map(({ text }) => text.trim()));
	const passages = [headOf(text)];
	let lines: string[] = [];
	let length = 0;
	for (const line of body.split('\n')) {
		if (names.has(line.trim()) || length > PASSAGE_LENGTH) {
			passages.push([title, ...lines].join('\n'));
			[lines, length] = [[], 0];
		}
		lines.push(line);
		length += line.length;
	}
	if (length > 0) passages.push([title, ...lines].join('\n'));
	return passages.slice(0, MAX_PASSAGES).map((passage) => countTerms(passage));
}

/** Stores what texts mean that have no vector of this basis. Returns of how many a word is known. */
async function project(
	db: Db,
	basis: number,
	vectors: ReadonlyMap<string, Float32Array>,
	writes?: Writes,
): Promise<number> {
	let count = 0;
	for (const source of SOURCES) {
		let statements: Statement[] = [];
		for await (const { id, ...text } of readTexts(db, source, { basis, writes })) {
			const vector = vectorOfText(text, vectors);
			if (!vector) continue;
			count++;
			statements.push(
				db
					.insert(meanings)
					.select(
						// A text that changed or went meanwhile is left for the next time.
						sql`select null, ${basis}, ${source === ARTICLES ? sql`id, null` : sql`null, id`}, ${new Uint8Array(vector.buffer)}
							from ${source.table} where ${source.table.id} = ${id} and digest <> ''`,
					)
					.onConflictDoNothing(),
			);
			if (statements.length === CHUNK) {
				await batch(db, statements);
				statements = [];
			}
		}
		await batch(db, statements);
	}
	return count;
}

async function batch(db: Db, statements: Statement[]): Promise<void> {
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}

const ARTICLES = {
	table: renderedPosts,
	textId: meanings.articleId,
	postId: renderedPosts.postId,
	searchedAs: sql<string>`${renderedPosts.searchedAs}`,
};
const ENTRIES = {
	table: searchEntries,
	textId: meanings.entryId,
	postId: undefined,
	searchedAs: sql<string>`''`,
};
const SOURCES = [ARTICLES, ENTRIES];
type Source = (typeof SOURCES)[number];

/** Texts that have no vector of a basis, of articles perhaps only those that were written to. */
type Missing = { basis: number; writes: Writes | undefined };

const lacks = ({ table, textId, postId }: Source, { basis, writes }: Missing): SQL =>
	and(
		ne(table.digest, ''),
		postId && isWritten(postId, writes),
		sql`not exists (select 1 from ${meanings} where ${textId} = ${table.id} and ${meanings.basis} = ${basis})`,
	)!;

async function countMissing(db: Db, basis: number, writes?: Writes): Promise<number> {
	const counts = await Promise.all(
		SOURCES.map((source) => db.$count(source.table, lacks(source, { basis, writes }))),
	);
	return counts.reduce((sum, count) => sum + count, 0);
}

/** Yields all texts, or the missing ones, a hundred at a time. */
async function* readTexts(
	db: Db,
	source: Source,
	missing?: Missing,
): AsyncGenerator<Text & { id: number }> {
	const { id, title, tags, excerpt, headings, body } = source.table;
	// Found by the index alone: to look through the texts for them takes ten times as long.
	const wanted =
		missing && inArray(id, db.select({ id }).from(source.table).where(lacks(source, missing)));
	for (let after = 0; ;) {
		const rows = await db
			.select({ id, title, tags, excerpt, headings, body, searchedAs: source.searchedAs })
			.from(source.table)
			.where(and(gt(id, after), wanted))
			.orderBy(asc(id))
			.limit(CHUNK);
		yield* rows;
		if (rows.length < CHUNK) return;
		after = rows.at(-1)!.id;
	}
}
