import { expect, test } from 'vitest';
import { changedChecks, gridOf, readChecks, runCheck, slugOf, statedGrid } from './claims.ts';
import { readArticles } from './article.ts';

const checks = await readChecks();
/** In `npm test`, those that have changed; where nobody says, and each night, all. */
const due = process.env['TESTS'] === 'daily' ? changedChecks(checks) : checks;

/** Articles in which nothing can be varied, each with the reason that its page gives. */
const NOTHING_VARIED: Record<string, string> = {};

test('each article has a check of its claims, or says why nothing can be varied', async () => {
	const articles = await readArticles();
	const unchecked = articles.filter(({ slug }) => !checks.map(slugOf).includes(slug));
	expect(unchecked.map(({ slug }) => slug)).toEqual(Object.keys(NOTHING_VARIED));
	for (const { slug, markdown } of unchecked) expect(markdown).toContain(NOTHING_VARIED[slug]);
});

test('each check belongs to an article that prints its grid, and each such article has a check', async () => {
	const withGrid = (await readArticles())
		.filter(({ markdown }) => gridOf(markdown) !== undefined)
		.map(({ slug }) => slug);
	expect(checks.map(slugOf).sort()).toEqual(withGrid);
});

test.skipIf(due.length === 0).each(due)('%s prints the grid of its article, and its sentences hold', { timeout: 300_000 }, async (name) => {
	const { grid, holds } = await runCheck(name);
	expect(holds).not.toEqual([]);
	expect(grid).toBe(await statedGrid(name));
});
