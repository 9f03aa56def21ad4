import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts, postTags, tags } from '#db/schema.ts';
import { seed } from '#db/seed.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { aiWork, FIGURE_KINDS } from '#src/features/states/figures.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { slugify } from '#src/lib/slug.ts';
import { readTime } from '#src/lib/text.ts';
import { isFreeSlug, site } from '#src/site.ts';

const START = Date.UTC(2024, 0, 1);
/** Between two posts: of 100,000 the last is of November 7, 2026, and none is scheduled. */
const SPACING = 15 * MINUTE;
/** Posts inserted in one go. */
const CHUNK = 200;

/**
 * Makes a migrated database with the real categories and states and `count` generated posts of about 1,100
 * words, five headings and two code blocks. A post's text depends on its number only.
 */
export async function makeDatabase(url: string, count: number): Promise<Db> {
	const db = await openDb(url);
	await migrateDb(db);
	await seed(db, {
		toArticle: async (markdown) => sanitizeArticle(await markdownToHtml(markdown)),
		slugify,
		readTime,
		aiWork,
		figureKinds: FIGURE_KINDS,
		isFreeSlug,
		author: site.author,
		uncategorized: UNCATEGORIZED,
	});
	await db.delete(posts);
	await db.delete(tags);
	await db
		.insert(tags)
		.values(TAGS.map((name, index) => ({ id: idOf(index), name, slug: slugify(name) })));
	const categoryIds = (await db.select({ id: categories.id }).from(categories)).map(({ id }) => id);
	for (let start = 0; start < count; start += CHUNK) {
		const numbers = Array.from(
			{ length: Math.min(CHUNK, count - start) },
			(_, index) => start + index,
		);
		await db.batch([
			db.insert(posts).values(numbers.map((number) => makePost(number, categoryIds))),
			db.insert(postTags).values(numbers.flatMap(tagsOf)),
		]);
	}
	return db;
}

/** The address part of a generated post. */
export const slugOf = (number: number) => `generated-article-${number}`;

/** The id of a generated post, or of a tag. */
export const idOf = (number: number) =>
	`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function makePost(number: number, categoryIds: string[]): typeof posts.$inferInsert {
	const random = randomFrom(number);
	const content = articleOf(random);
	const publishedAt = new Date(START + number * SPACING);
	return {
		id: idOf(number),
		slug: slugOf(number),
		title: `${capital(phrase(random, 5))}, part ${number}`,
		excerpt: sentence(random),
		content,
		metaDescription: sentence(random),
		author: site.author,
		categoryId: categoryIds[number % categoryIds.length]!,
		published: true,
		featured: number < 3,
		readTime: readTime(content),
		publishedAt,
		createdAt: publishedAt,
		updatedAt: publishedAt,
	};
}

function tagsOf(number: number): (typeof postTags.$inferInsert)[] {
	const random = randomFrom(-number - 1);
	const chosen = new Set<number>();
	while (chosen.size < 3 + (number % 2)) chosen.add(random(TAGS.length));
	return [...chosen].map((tag, position) => ({ postId: idOf(number), tagId: idOf(tag), position }));
}

function articleOf(random: Random): string {
	const sections = Array.from({ length: 5 }, (_, index) => {
		const paragraphs = Array.from({ length: 3 }, () => `<p>${paragraph(random)}</p>`).join('\n');
		const code = index === 1 ? python(random) : index === 3 ? typescript(random) : '';
		return `<h2>${capital(phrase(random, 4))}</h2>\n${paragraphs}\n${code}`;
	});
	return sections.join('\n');
}

function paragraph(random: Random): string {
	const sentences = Array.from({ length: 5 }, () => sentence(random));
	sentences[1] = `<strong>${sentences[1]}</strong>`;
	sentences[3] += ` See <a href="/blog/${slugOf(0)}">${phrase(random, 3)}</a> and <code>${word(random)}()</code>.`;
	return sentences.join(' ');
}

function sentence(random: Random): string {
	return `${capital(phrase(random, 8 + random(8)))}.`;
}

function python(random: Random): string {
	const [name, item, total] = [word(random), word(random), word(random)];
	return codeBlock(
		'python',
		`from collections import Counter

def ${name}_of(rows: list[str], limit: int = ${random(90) + 10}) -> dict[str, float]:
    """${sentence(random)}"""
    ${total} = Counter()
    for ${item}_row in rows:
        if not ${item}_row.strip():  # ${phrase(random, 4)}
            continue
        ${total}[${item}_row.lower()] += 1
    size = sum(${total}.values()) or 1
    return {key: count / size for key, count in ${total}.most_common(limit)}

print(${name}_of(["${phrase(random, 2)}", "${phrase(random, 2)}"]))`,
	);
}

function typescript(random: Random): string {
	const [name, item] = [word(random), word(random)];
	return codeBlock(
		'ts',
		`type Sample = { ${item}: number; label: string };

/** ${sentence(random)} */
export function ${name}Of(samples: Sample[], threshold = 0.${random(9) + 1}): Sample[] {
	const mean = samples.reduce((sum, one) => sum + one.${item}, 0) / Math.max(1, samples.length);
	return samples
		.filter((one) => Math.abs(one.${item} - mean) > threshold)
		.map((one) => ({ ...one, label: \`\${one.label}: ${phrase(random, 2)}\` }));
}

console.log(${name}Of([{ ${item}: ${random(100)}, label: '${word(random)}' }]));`,
	);
}

function codeBlock(language: string, code: string): string {
	const text = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return `<pre><code class="language-${language}">${text}\n</code></pre>`;
}

/** A whole number from 0 up to, not including, `below`. */
type Random = (below: number) => number;

/** The same numbers for the same seed (Mulberry32). */
export function randomFrom(seed: number): Random {
	let state = Math.imul(seed + 1, 0x9e3779b1);
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const word = (random: Random) => WORDS[random(WORDS.length)]!;
const phrase = (random: Random, length: number) =>
	Array.from({ length }, () => word(random)).join(' ');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const TAGS = ['Sparse', 'Dense', 'Online', 'Robust', 'Causal', 'Federated'].flatMap((kind) =>
	['retrieval', 'attention', 'training', 'evaluation', 'sampling', 'serving'].map(
		(field) => `${kind} ${field}`,
	),
);

const WORDS =
	`a about above after again against agent all along also always among an and answer any archive
	around at attention average away baseline batch be because before belief below beside better between bias
	both bound branch bridge budget by careful change channel choice clear close cluster code column common
	compare context corner cost count curve data day decay deep degree delay dense depth design detail digit
	distance document double draft drift each early edge effort either encoder end engine error even event every
	exact example fact factor false far feature few field figure filter final first flat fold for form fraction
	frame from full gain gap gate gradient graph grid ground group half hand heavy held hidden high however if
	image in index inner input into is item just kernel key kind label language large last later layer lean
	learned least left length less level light limit line linear list little local long loss low machine main
	many map margin mask matrix mean measure memory merge metric middle might mind mix model more most move much
	name near need network never new next node noise normal not note now number object often old on once one
	only open operator or order other out outer over own pair part past path pattern people phase place plain
	plan point policy pool poor prior process proof pure query quick random range rank rare rate reader reason
	record region result right river robot root rough row rule same sample scale score search second seed sense
	sensor set shape share sharp short side sign signal simple single size slow small smooth so some sound
	source space sparse split stable stage start state step still strong style such sum table target task test
	text than that the then theory there these thin third this time to token too tool total trace track train
	tree trial true truth turn under unit until up upper use usual value vector very view vision wait warm watch
	weak weight well when where which while wide window with within without word work world worth year yet`.split(
		/\s+/,
	);
