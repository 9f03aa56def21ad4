import { expect, test } from 'vitest';
import { NEARNESS_STEPS, relatedPosts } from './related.ts';

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

test('of those that share as much the nearest in meaning come first, then the newest', () => {
	const related = relatedPosts(7, 6);
	related.offer(0, 1, false, () => 0);
	related.offer(1, 1, false, () => 300);
	related.offer(2, 1, false, () => NEARNESS_STEPS);
	related.offer(3, 1, false, () => 300);
	related.offer(4, 0, true, () => NEARNESS_STEPS);
	related.offer(5, 1, true, () => 0);
	expect(related.best()).toEqual([5, 2, 1, 3, 0, 4]);
});

test('how near a post is stays unasked where it cannot matter', () => {
	const related = relatedPosts(3, 1);
	related.offer(0, 2, false, () => 10);
	related.offer(1, 1, true, () => {
		throw new Error('Asked');
	});
	expect(related.best()).toEqual([0]);
});
