import { expect, test } from 'vitest';
import { randomBy } from '#tests/support/random.ts';
import { ArticleLists, isNewer } from './article-lists.ts';
import type { Article } from './site.ts';

/** Returns an article as far as lists look at it. */
function articleOf(id: string, random: () => number): Article {
	const any = (below: number) => Math.floor(random() * below);
	const tags = [0, 1, 2, 3].filter(() => any(3) === 0).map((n) => ({ slug: `t${n}` }));
	const day = String(1 + any(28)).padStart(2, '0');
	return {
		post: { id, publishedAt: any(20) === 0 ? null : `2026-01-${day}T00:00:00.000Z` },
		...{ category: { slug: `c${any(3)}` }, tags, byline: any(3) === 0 ? null : { slug: 'ada' } },
	} as unknown as Article;
}

test('after any change the lists are those that are made anew, and the same objects where nothing changed', () => {
	const random = randomBy(3);
	const articles = new Map<string, Article>();
	for (let n = 0; n < 400; n++) articles.set(`a${n}`, articleOf(`a${n}`, random));
	const lists = new ArticleLists();
	let before = new Map<string, readonly Article[]>();
	let same = 0;
	for (let round = 0; round < 300; round++) {
		// Few at once, so that most rounds change lists and do not make all of them.
		for (let writes = Math.floor(random() * 4); writes > 0; writes--) {
			const id = `a${Math.floor(random() * 420)}`;
			if (random() < 0.3) articles.delete(id);
			else articles.set(id, articleOf(id, random));
		}
		const all = [...articles.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1));
		const now = lists.update(all);
		const anew = new ArticleLists().update(all);
		expect(now, `round ${round}`).toEqual(anew);
		for (const kind of ['category', 'tag', 'author'] as const)
			expect([...now[kind].keys()]).toEqual([...anew[kind].keys()]);
		const named = new Map([...now.category, ...now.tag, ...now.author]);
		for (const [name, list] of named) {
			const last = before.get(name);
			const isAlike = last?.length === list.length && last.every((one, at) => one === list[at]);
			expect(last === list).toBe(isAlike);
			if (isAlike) same++;
		}
		before = named;
	}
	expect(same).toBeGreaterThan(100);
});
