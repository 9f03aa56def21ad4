import { expect, test } from 'vitest';
import { controlled, draw, LONG_TAIL, TAIL, temper, TEN, topP, type Token } from './sampler.ts';

const mass = (tokens: readonly Token[]) =>
	tokens.reduce((sum, { probability, count }) => sum + probability * count, 0);
const kept = (tokens: readonly Token[]) => tokens.reduce((sum, { count }) => sum + count, 0);
const rounded = (tokens: readonly Token[]) =>
	tokens.map(({ probability }) => probability.toFixed(3));

test('the ten tokens have the probabilities of the article at each of its temperatures', () => {
	expect(rounded(temper(TEN, 0.25)).slice(0, 4)).toEqual(['0.956', '0.039', '0.004', '0.002']);
	expect(rounded(TEN)).toEqual(
		'0.465 0.209 0.115 0.094 0.063 0.023 0.016 0.010 0.005 0.001'.split(' '),
	);
	expect(rounded(temper(TEN, 2))).toEqual(
		'0.271 0.181 0.134 0.122 0.100 0.060 0.049 0.040 0.029 0.013'.split(' '),
	);
});

test.each([0.1, 0.5, 1, 2])('probabilities sum to 1 at temperature %f', (temperature) => {
	for (const tokens of [TEN, LONG_TAIL]) {
		expect(mass(temper(tokens, temperature))).toBeCloseTo(1, 12);
		expect(mass(controlled(tokens, temperature, 0.9, 'temperature-first'))).toBeCloseTo(1, 12);
		expect(mass(controlled(tokens, temperature, 0.9, 'top-p-first'))).toBeCloseTo(1, 12);
	}
});

test('top-p keeps the smallest set that reaches p, and scales up what is kept', () => {
	const halves = [0.5, 0.25, 0.25].map((probability, i) => ({
		label: String(i),
		probability,
		count: 1,
	}));
	expect(topP(halves, 0.5).map(({ count }) => count)).toEqual([1, 0, 0]);
	expect(topP(halves, 0.51).map(({ count }) => count)).toEqual([1, 1, 0]);
	expect(topP(halves, 0.75).map(({ count }) => count)).toEqual([1, 1, 0]);
	expect(topP(halves, 0.75)[0]!.probability).toBeCloseTo(2 / 3, 12);
	expect(topP(halves, 0.76).map(({ count }) => count)).toEqual([1, 1, 1]);
	expect(topP(halves, 0.01).map(({ count }) => count)).toEqual([1, 0, 0]);
	expect(kept(topP(TEN, 0.9))).toBe(5);
});

test('a top-p of 1 leaves nothing out, however cold it is', () => {
	expect(kept(topP(temper(TEN, 0.1), 1))).toBe(10);
	expect(kept(topP(temper(LONG_TAIL, 0.1), 1))).toBe(50_000);
});

test.each([
	[0.7, 9, 0],
	[1, 14, 0],
	[1.2, 31_708, 0.0912],
	[1.5, 45_405, 0.5198],
])('heated first to %f, the nucleus of the long tail holds %i tokens', (temperature, size, bad) => {
	const first = controlled(LONG_TAIL, temperature, 0.95, 'temperature-first');
	expect(kept(first)).toBe(size);
	expect(first.at(-1)!.probability * first.at(-1)!.count).toBeCloseTo(bad, 4);
	const last = controlled(LONG_TAIL, temperature, 0.95, 'top-p-first');
	expect(kept(last)).toBe(14);
	expect(last.at(-1)!.count).toBe(0);
});

test('a draw takes the token whose share the number falls in, and never one that was left out', () => {
	const left = topP(TEN, 0.5);
	const [the] = left;
	expect(draw(left, 0)).toBe('the');
	expect(draw(left, the!.probability - 1e-9)).toBe('the');
	expect(draw(left, the!.probability + 1e-9)).toBe('a');
	expect(draw(left, 1 - 1e-17)).toBe('a');
	expect(draw(LONG_TAIL, 0.979)).not.toBe(TAIL);
	expect(draw(LONG_TAIL, 0.981)).toBe(TAIL);
});
