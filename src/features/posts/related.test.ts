import { expect, test } from 'vitest';
import { relatedPosts } from './related.ts';

test('most shared tags come first, then the same category, then the newest', () => {
	const related = relatedPosts(6, 5);
	related.offer(0, 0, true);
	related.offer(1, 1, false);
	related.offer(2, 1, true);
	related.offer(3, 1, true);
	related.offer(4, 3, false);
	related.offer(5, 0, true);
	expect(related.best()).toEqual([4, 2, 3, 1, 0]);
});

test('of more candidates than fit, the best stay, in whatever order they come, each once', () => {
	const ages = [4, 0, 3, 1, 2, 0, 1];
	const related = relatedPosts(5, 3);
	for (const age of ages) related.offer(age, 1, false);
	expect(related.best()).toEqual([0, 1, 2]);
	expect(relatedPosts(0, 3).best()).toEqual([]);
});
