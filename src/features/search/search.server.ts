import { and, eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { dated, isPublic, summaryColumns } from '#src/features/posts/posts.server.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { readAbbreviations } from '#src/core/settings/abbreviations.ts';
import { partsOf, type Part } from './question.ts';
import { rank, type Form } from './ranking.ts';
import type { SearchResult } from './search.api.ts';
import { finderOf, passageOf, SEARCH_LIMIT, SEARCH_MINIMUM } from './search.ts';
import { wordsOf } from '#src/lib/stems.ts';
import { formsOf, matchOf } from './vocabulary.server.ts';

/** Of posts that hold a word so many are looked at, the newest: in title, tags or excerpt, and anywhere. */
const MOST = 2000;
const MOST_TEXTS = 500;
/** The best of them are read whole and ranked by all that they say. */
const READ = 30;
/** Ranked posts are looked up in portions, until enough of them are public and of the category. */
const PORTION = 60;
/** What a word counts before a post is read, by where it stands. */
const PLACES = [
	{ columns: '{title} :', worth: 3, most: MOST },
	{ columns: '{title tags excerpt} :', worth: 1.5, most: MOST },
	{ columns: '', worth: 0.6, most: MOST_TEXTS },
];
/** What weighs less is looked for by itself: it would drown the rest. */
const LOOSE = 0.55;
/** A question of several words is answered by what has at least this share of the best one's score. */
const WORTH_SHOWING = 0.25;

type Search = { q?: string | undefined; category?: string | undefined };

/**
 * Public posts that say what a question asks for, best first: by how much of it they have, where, and how rare that
 * is. No word must be there.
 */
export async function searchPosts(
	db: Db,
	{ q = '', category }: Search,
	now: Date,
): Promise<SearchResult[]> {
	if (q.length < SEARCH_MINIMUM || wordsOf(q).length === 0) return [];
	const { abbreviations } = await getSettings(db);
	const parts = partsOf(q, readAbbreviations(abbreviations));
	const forms = await formsOf(db, parts);
	const { ids, rarity } = await candidates(db, forms);
	const rows: Awaited<ReturnType<typeof readPortion>> = [];
	for (let start = 0; start < ids.length && rows.length < READ; start += PORTION) {
		rows.push(...(await readPortion(db, ids.slice(start, start + PORTION), category, now)));
	}
	const hitsOf = remembered(finderOf(forms.flat().map(({ text }) => text)));
	const asked = forms.map((list, part) => ({ forms: list, rarity: rarity[part]! }));
	const ranked = rank(rows.slice(0, READ), asked, hitsOf);
	const least = parts.length > 1 ? (ranked[0]?.score ?? 0) * WORTH_SHOWING : 0;
	const shown = ranked.filter(({ score }) => score >= least).slice(0, SEARCH_LIMIT);
	const corrected = correctionOf(parts, forms, shown);
	const partial = !shown.some(({ whole }) => whole);
	return shown.map(
		({ article: { body, headings: _headings, tags: _tags, author: _author, ...post } }) => {
			const passage = passageOf([post.excerpt ?? '', body], hitsOf);
			const marks = [post.title, passage]
				.flatMap(hitsOf)
				.map(({ found }) => wordsOf(found).join(' '));
			return {
				...dated(post),
				passage,
				marks: [...new Set(marks)],
				...(corrected !== undefined && { corrected }),
				...(partial && { partial: true as const }),
			};
		},
	);
}

/** The same, reading each text once. */
function remembered<Out>(read: (text: string) => Out): (text: string) => Out {
	const known = new Map<string, Out>();
	return (text) => {
		const answer = known.get(text) ?? read(text);
		known.set(text, answer);
		return answer;
	};
}

/** The question with its misspelt words corrected, if what is shown was found by a correction. */
function correctionOf(
	parts: Part[],
	forms: Form[][],
	shown: { found: ReadonlySet<string> }[],
): string | undefined {
	const corrections = forms.map(
		(list) =>
			list.find(({ corrects, text }) => corrects && shown.some(({ found }) => found.has(text)))
				?.corrects,
	);
	if (corrections.every((one) => one === undefined)) return undefined;
	return parts.map(({ words }, at) => corrections[at] ?? words.join(' ')).join(' ');
}

/** Posts that say any part of the question, the likeliest first, and how rare each part is. */
async function candidates(db: Db, forms: Form[][]): Promise<{ ids: number[]; rarity: number[] }> {
	const asked = forms.flatMap((list, part) =>
		[false, true].flatMap((loose) => {
			const some = list.filter(({ weight }) => weight < LOOSE === loose);
			if (some.length === 0) return [];
			const match = some.map(matchOf).join(' OR ');
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
			asked.map(
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
		const { part, anywhere, most } = asked[at]!;
		if (anywhere) {
			// The newest tell how many there are.
			const span = ids[0]! - ids.at(-1)! + 1;
			const count = ids.length < most ? ids.length : Math.max(ids.length, (total * most) / span);
			holding[part] = Math.max(holding[part]!, Math.min(total, count));
		}
		return { ...asked[at]!, ids };
	});
	const rarity = holding.map((count) => Math.log(1 + (total - count + 0.5) / (count + 0.5)));
	const best = forms.map(() => new Map<number, number>());
	for (const { part, weight, ids } of found) {
		for (const id of ids) {
			best[part]!.set(id, Math.max(best[part]!.get(id) ?? 0, weight));
		}
	}
	const scores = new Map<number, { sum: number; has: number }>();
	best.forEach((one, part) => {
		for (const [id, weight] of one) {
			const so = scores.get(id) ?? { sum: 0, has: 0 };
			so.sum += rarity[part]! * weight;
			so.has += rarity[part]!;
			scores.set(id, so);
		}
	});
	const ids = [...scores]
		.map(([id, { sum, has }]) => ({ id, score: sum * has }))
		.sort((a, b) => b.score - a.score || b.id - a.id)
		.map(({ id }) => id);
	return { ids, rarity };
}

type List = { at: number; ids: string; posts: number };

const portion = prepared((db) => {
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
		.limit(READ)
		.prepare();
});

function readPortion(db: Db, ids: number[], category: string | undefined, now: Date) {
	return portion(db).all({
		ids: JSON.stringify(ids),
		category: category ?? null,
		now: now.getTime(),
	});
}
