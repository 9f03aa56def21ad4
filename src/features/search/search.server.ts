import { and, eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { withIsoDate, isPublic, summaryColumns } from '#src/features/posts/posts.server.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { parseAbbreviations } from '#src/core/settings/abbreviations.ts';
import { parseQuestion, type Part } from './question.ts';
import { rank, type Form } from './ranking.ts';
import type { SearchResult } from './search.api.ts';
import { createFinder, bestPassage, SEARCH_LIMIT, SEARCH_MINIMUM } from './search.ts';
import { wordsOf } from '#src/lib/stems.ts';
import { findForms, toMatchQuery } from './vocabulary.server.ts';

/** Maximum number of newest matches to consider: in title, tags or excerpt, and anywhere. */
const MAX_MATCHES = 2000;
const MAX_TEXT_MATCHES = 500;
/** The best of them are read in full and ranked. */
const MAX_RANKED = 30;
/** Ranked posts are read in batches until enough of them are public and in the category. */
const BATCH_SIZE = 60;
/** Weight of a word before the post is read, by place. */
const PLACES = [
	{ columns: '{title} :', worth: 3, most: MAX_MATCHES },
	{ columns: '{title tags excerpt} :', worth: 1.5, most: MAX_MATCHES },
	{ columns: '', worth: 0.6, most: MAX_TEXT_MATCHES },
];
/** Forms with a lower weight are queried separately, because they would crowd out the others. */
const LOOSE_WEIGHT = 0.55;
/** Minimum share of the best score, for questions of several words. */
const MIN_SCORE_SHARE = 0.25;

type Search = { q?: string | undefined; category?: string | undefined };

/**
 * Returns public posts that match a question, best first: by how much of it they contain, where, and how rare
 * that is. No word is required.
 */
export async function searchPosts(
	db: Db,
	{ q = '', category }: Search,
	now: Date,
): Promise<SearchResult[]> {
	if (q.length < SEARCH_MINIMUM || wordsOf(q).length === 0) return [];
	const { abbreviations } = await getSettings(db);
	const parts = parseQuestion(q, parseAbbreviations(abbreviations));
	const forms = await findForms(db, parts);
	const { ids, rarity } = await findCandidates(db, forms);
	const rows: Awaited<ReturnType<typeof readBatch>> = [];
	for (let start = 0; start < ids.length && rows.length < MAX_RANKED; start += BATCH_SIZE) {
		rows.push(...(await readBatch(db, ids.slice(start, start + BATCH_SIZE), category, now)));
	}
	const hitsOf = memoize(createFinder(forms.flat().map(({ text }) => text)));
	const weightedParts = forms.map((list, part) => ({ forms: list, rarity: rarity[part]! }));
	const ranked = rank(rows.slice(0, MAX_RANKED), weightedParts, hitsOf);
	const least = parts.length > 1 ? (ranked[0]?.score ?? 0) * MIN_SCORE_SHARE : 0;
	const shown = ranked.filter(({ score }) => score >= least).slice(0, SEARCH_LIMIT);
	const corrected = correctQuestion(parts, forms, shown);
	const partial = !shown.some(({ whole }) => whole);
	return shown.map(
		({ article: { body, headings: _headings, tags: _tags, author: _author, ...post } }) => {
			const passage = bestPassage([post.excerpt ?? '', body], hitsOf);
			const marks = [post.title, passage]
				.flatMap(hitsOf)
				.map(({ found }) => wordsOf(found).join(' '));
			return {
				...withIsoDate(post),
				passage,
				marks: [...new Set(marks)],
				...(corrected !== undefined && { corrected }),
				...(partial && { partial: true as const }),
			};
		},
	);
}

/** Returns a function that reads each text only once. */
function memoize<Out>(read: (text: string) => Out): (text: string) => Out {
	const known = new Map<string, Out>();
	return (text) => {
		const answer = known.get(text) ?? read(text);
		known.set(text, answer);
		return answer;
	};
}

/** Returns the question with misspelled words corrected, if a result was found by a correction. */
function correctQuestion(
	parts: Part[],
	forms: Form[][],
	shown: { found: ReadonlySet<string> }[],
): string | undefined {
	const corrections = forms.map(
		(list) =>
			list.find(({ corrects, text }) => corrects && shown.some(({ found }) => found.has(text)))
				?.corrects,
	);
	if (corrections.every((correction) => correction === undefined)) return undefined;
	return parts.map(({ words }, at) => corrections[at] ?? words.join(' ')).join(' ');
}

/** Returns the posts that contain any part of the question, likeliest first, and the rarity of each part. */
async function findCandidates(
	db: Db,
	forms: Form[][],
): Promise<{ ids: number[]; rarity: number[] }> {
	const queries = forms.flatMap((list, part) =>
		[false, true].flatMap((loose) => {
			const some = list.filter(({ weight }) => weight < LOOSE_WEIGHT === loose);
			if (some.length === 0) return [];
			const match = some.map(toMatchQuery).join(' OR ');
			const factor = Math.max(...some.map(({ weight }) => weight));
			return PLACES.map(({ columns, worth, most }) => ({
				part,
				most,
				anywhere: columns === '',
				weight: worth * factor,
				match: `${columns} (${match})`,
			}));
		}),
	);
	const [{ posts: total }, ...lists] = (await db.all(
		sql`select 0 as at, '[]' as ids, (select count(*) from rendered_posts) as posts union all ${sql.join(
			queries.map(
				({ match, most }, at) => sql`select ${at} as at, (select json_group_array(id) from (
					select rowid as id from search_index where search_index match ${match}
					order by rowid desc limit ${most})) as ids, 0 as posts`,
			),
			sql` union all `,
		)}`,
	)) as [List, ...List[]];
	const holding = forms.map(() => 0);
	const found = lists.map(({ at, ids: json }) => {
		const ids = JSON.parse(json) as number[];
		const { part, anywhere, most } = queries[at]!;
		if (anywhere) {
			// Extrapolate the number from the newest ones.
			const span = ids[0]! - ids.at(-1)! + 1;
			const count = ids.length < most ? ids.length : Math.max(ids.length, (total * most) / span);
			holding[part] = Math.max(holding[part]!, Math.min(total, count));
		}
		return { ...queries[at]!, ids };
	});
	const rarity = holding.map((count) => Math.log(1 + (total - count + 0.5) / (count + 0.5)));
	const best = forms.map(() => new Map<number, number>());
	for (const { part, weight, ids } of found) {
		for (const id of ids) {
			best[part]!.set(id, Math.max(best[part]!.get(id) ?? 0, weight));
		}
	}
	const scores = new Map<number, { sum: number; has: number }>();
	best.forEach((weights, part) => {
		for (const [id, weight] of weights) {
			const score = scores.get(id) ?? { sum: 0, has: 0 };
			score.sum += rarity[part]! * weight;
			score.has += rarity[part]!;
			scores.set(id, score);
		}
	});
	const ids = [...scores]
		.map(([id, { sum, has }]) => ({ id, score: sum * has }))
		.sort((a, b) => b.score - a.score || b.id - a.id)
		.map(({ id }) => id);
	return { ids, rarity };
}

type List = { at: number; ids: string; posts: number };

const selectBatch = prepared((db) => {
	const given = sql.placeholder;
	return db
		.select({
			...summaryColumns,
			tags: renderedPosts.tags,
			headings: renderedPosts.headings,
			body: renderedPosts.body,
		})
		.from(sql`json_each(${given('ids')}) as ranked`)
		.innerJoin(renderedPosts, sql`${renderedPosts.id} = ranked.value`)
		.innerJoin(posts, eq(posts.id, renderedPosts.postId))
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(
			and(
				isPublic(given('now')),
				sql`(${given('category')} is null or ${categories.slug} = ${given('category')})`,
			),
		)
		.orderBy(sql`ranked.key`)
		.limit(MAX_RANKED)
		.prepare();
});

function readBatch(db: Db, ids: number[], category: string | undefined, now: Date) {
	return selectBatch(db).all({
		ids: JSON.stringify(ids),
		category: category ?? null,
		now: now.getTime(),
	});
}
