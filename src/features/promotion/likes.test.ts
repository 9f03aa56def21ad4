import { expect, test } from 'vitest';
import { seedLikes } from './likes.ts';

test.each([
	[0, 50],
	[0.00199, 50],
	[0.002, 51],
	[0.998, 549],
	[1 - Number.EPSILON, 549],
])('a draw of %s invents %s likes', (random, likes) => {
	expect(seedLikes(() => random)).toBe(likes);
});
