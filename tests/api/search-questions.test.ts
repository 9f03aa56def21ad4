import { beforeAll, expect, test } from 'vitest';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { EXAMPLES } from '#src/features/search/examples.ts';
import * as api from '#src/features/search/search.api.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { ASKED, HELD_OUT, QUESTIONS, THREADS } from '#tests/support/questions.ts';
import { copyContent } from '#tests/support/seed.ts';

const found = new Map<string, string[]>();
beforeAll(async () => {
	const db = await useTestDb();
	await copyContent(db);
	await readSiteSettings(db);
	await indexEntries(db, { site: await readSite(db, new Date()), issues: [] });
	await updateVectors(db);
	for (const [query] of QUESTIONS) {
		const results = await call(api.searchPosts, { q: query }, fetchApi());
		found.set(
			query,
			results.map(({ slug }) => slug),
		);
	}
}, 120_000);

/** Questions of these that have no right answer among so many first ones. */
const missed = (questions: typeof QUESTIONS, first: number) =>
	questions.filter(
		([query, ...slugs]) =>
			!found
				.get(query)!
				.slice(0, first)
				.some((slug) => slugs.includes(slug)),
	);

test('no question finds nothing', () => {
	expect(QUESTIONS.filter(([query]) => found.get(query)!.length === 0)).toEqual([]);
});

test.each([
	['tuned for', 0],
	['kept aside', 1],
])('the questions %s have a right answer among the first three', (name, half) => {
	const questions = QUESTIONS.filter((_, index) => index % 2 === half);
	const share = (first: number) => questions.length - missed(questions, first).length;
	console.log(
		`Of ${questions.length} questions ${name}, ${share(3)} have a right answer among the first three, ${share(1)} as the first.`,
	);
	expect(missed(questions, 3)).toEqual([]);
	// What was reached is not to be lost.
	expect(share(1)).toBeGreaterThanOrEqual(29);
});

test('what the search page offers to ask is answered first', () => {
	const asked = QUESTIONS.filter(([query]) =>
		EXAMPLES.some((example) => example.replace('?', '').toLowerCase() === query.toLowerCase()),
	);
	expect(asked).toHaveLength(EXAMPLES.length);
	expect(missed(asked, 1)).toEqual([]);
});

test('a question of several words is not answered by a list of what is unrelated', () => {
	const long = QUESTIONS.map(([query]) => query).filter((query) => query.includes(' '));
	const most = long.map((query) => found.get(query)!.length);
	expect(Math.max(...most)).toBeLessThan(20);
	expect(most.reduce((sum, count) => sum + count, 0) / most.length).toBeLessThan(6);
});

const GROUPS = { ...ASKED, 'held out': HELD_OUT };
/** Minimum share of questions with an expected page among the first three. */
const SHARES: Record<keyof typeof GROUPS, number> = {
	words: 0.95,
	misspelled: 0.95,
	paraphrased: 0.8,
	'held out': 0.77,
	states: 0.95,
	names: 0.95,
};

test.each(Object.keys(SHARES) as (keyof typeof SHARES)[])(
	'questions to everything, %s, have an expected page among the first three',
	async (group) => {
		let right = 0;
		for (const [query, ...wanted] of GROUPS[group]) {
			const { results } = await call(api.searchEverything, { q: query, limit: 3 }, fetchApi());
			const paths: readonly string[] = wanted;
			if (results.some(({ url }) => paths.includes(url.replace(/#.*/, '')))) right++;
		}
		console.log(`${group}: ${right} of ${GROUPS[group].length}`);
		expect(right / GROUPS[group].length).toBeGreaterThanOrEqual(SHARES[group]);
	},
);

test.each([
	['in view', 0],
	['kept aside', 1],
])('questions of threads, %s, have the right page first', async (name, half) => {
	const questions = THREADS.filter((_, index) => index % 2 === half);
	const wrong: string[] = [];
	for (const [query, ...wanted] of questions) {
		const { results } = await call(api.searchEverything, { q: query, limit: 1 }, fetchApi());
		const found = results[0]?.url.replace(/#.*/, '') ?? 'nothing';
		if (!wanted.includes(found)) wrong.push(`${query}: ${found}`);
	}
	console.log(`threads, ${name}: ${questions.length - wrong.length} of ${questions.length}`);
	expect(wrong.length / questions.length, wrong.join('\n')).toBeLessThanOrEqual(0.1);
});
