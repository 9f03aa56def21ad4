import { expect, test } from 'vitest';
import { between } from './LivePreview.tsx';

test.each([
	[0, 100],
	[5, 110],
	[10, 120],
	[15, 160],
	[20, 200],
	// Beside the points one goes on as far as the other.
	[-5, 95],
	[30, 210],
])('%i is at %i', (at, expected) => {
	expect(
		between(
			[
				[0, 100],
				[10, 120],
				[20, 200],
			],
			at,
		),
	).toBe(expected);
});
