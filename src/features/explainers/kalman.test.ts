import { expect, test } from 'vitest';
import { account, follow } from './kalman.ts';

test.each([
	['correct', { q: 1, r: 1, bias: 0 }, [0.603, 0.6, 1.01]],
	['q / 100', { q: 0.01, r: 1, bias: 0 }, [1.801, 0.363, 4.57]],
	['q × 100', { q: 100, r: 1, bias: 0 }, [0.816, 0.866, 0.67]],
	['r / 25', { q: 1, r: 0.04, bias: 0 }, [0.735, 0.159, 19.29]],
	['r × 25', { q: 1, r: 25, bias: 0 }, [1.096, 2.128, 0.09]],
	['both / 25', { q: 0.04, r: 0.04, bias: 0 }, [0.603, 0.12, 25.17]],
	['both × 25', { q: 25, r: 25, bias: 0 }, [0.603, 3, 0.04]],
	['bias', { q: 1, r: 1, bias: 2 }, [2.088, 0.6, 1.01]],
])('%s: the computed account is the one that the article drew', (_, knobs, drawn) => {
	const { actual, claimed, nis } = account(knobs);
	const [error, claim, surprise] = drawn as [number, number, number];
	expect(Math.abs(actual / error - 1)).toBeLessThan(0.02);
	expect(claimed).toBeCloseTo(claim, 3);
	expect(Math.abs(nis - surprise)).toBeLessThan(0.02 * surprise + 0.005);
});

test('the track depends on the ratio of the two alone, what is claimed on both', () => {
	const right = follow({ q: 1, r: 1, bias: 0 }, 200);
	const timid = follow({ q: 25, r: 25, bias: 0 }, 200);
	expect(timid.at(-1)!.estimate).toBeCloseTo(right.at(-1)!.estimate, 3);
	expect(timid.at(-1)!.claimed).toBeCloseTo(5 * right.at(-1)!.claimed, 3);
	expect(right.map(({ reading }) => reading)).toEqual(timid.map(({ reading }) => reading));
});
