import { expect, test } from 'vitest';
import { randomBy } from '#tests/support/random.ts';
import { RelatedIndex, type Relatable } from './related-index.ts';
import { MAX_OF_CATEGORY } from './related.ts';

const LIMIT = 3;

function articleOf(id: string, any: (below: number) => number): Relatable {
	const tagIds = [0, 1, 2, 3].filter(() => any(3) === 0).map((tag) => `t${tag}`);
	const meaning = new Float32Array(64);
	meaning[any(3)] = 1;
	return {
		...{ id, tagIds, publishedAt: any(500), categoryId: `c${any(2)}` },
		chosen: any(8) === 0 ? [`a${any(90)}`] : [],
		meaning: any(6) === 0 ? undefined : meaning,
	};
}

/** Newest first; only articles that are there can be chosen. Takes the last ones where nothing changed. */
function inOrder(articles: Map<string, Relatable>, last: Map<Relatable, Relatable>): Relatable[] {
	return [...articles.values()]
		.sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1))
		.map((article) => {
			const chosen = article.chosen.filter((id) => id !== article.id && articles.has(id));
			const known = last.get(article);
			if (known?.chosen.join() === chosen.join()) return known;
			const made = { ...article, chosen };
			last.set(article, made);
			return made;
		});
}

test('after any change related articles are those that are found anew', () => {
	const random = randomBy(7);
	const any = (below: number) => Math.floor(random() * below);
	const articles = new Map<string, Relatable>();
	// More than are compared in a category, and few enough that some move in and out of these.
	for (let n = 0; n < 2 * MAX_OF_CATEGORY + 8; n++) articles.set(`a${n}`, articleOf(`a${n}`, any));
	const index = new RelatedIndex(LIMIT);
	const made = new Map<Relatable, Relatable>();
	let before = new Map<string, Relatable[]>();
	let moved = 0;
	let untouched = 0;
	let last = '';
	for (let round = 0; round < 400; round++) {
		for (let writes = any(3); writes > 0; writes--) {
			const id = `a${any(120)}`;
			const known = articles.get(id);
			// Another object that says the same.
			if (known && any(4) === 0) articles.set(id, { ...known });
			else if (any(4) === 0) articles.delete(id);
			else articles.set(id, articleOf(id, any));
		}
		const list = inOrder(articles, made);
		const anew = new RelatedIndex(LIMIT);
		const touched = index.update(list);
		anew.update(list);
		const related = new Map(list.map(({ id }, at) => [id, index.at(at)]));
		list.forEach(({ id }, at) => {
			if (touched.has(at)) return;
			untouched++;
			const same = related.get(id)!.every((one, rank) => one === before.get(id)?.[rank]);
			expect(same && related.get(id)!.length === before.get(id)?.length, `${id} ${round}`).toBe(
				true,
			);
		});
		before = related;
		const all = (from: RelatedIndex) =>
			list.map(({ id }, at) => [id, ...from.at(at).map((one) => one.id)].join(' '));
		expect(all(index), `round ${round}`).toEqual(all(anew));
		const now = all(index).join();
		if (now !== last) moved++;
		last = now;
	}
	expect(moved).toBeGreaterThan(200);
	expect(untouched).toBeGreaterThan(10_000);
});
