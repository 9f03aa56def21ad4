import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
	vi.doUnmock('temml');
	vi.resetModules();
});

test('what is wrong with a formula is told, and nothing of one that is right', async () => {
	const { problemOf } = await import('./formula.ts');
	expect(await problemOf('x^2')).toBeNull();
	expect(await problemOf('x^')).toBe('It is not complete');
});

test('without the file that draws formulas nothing is thrown and none is called wrong', async () => {
	vi.doMock('temml', () => {
		throw new TypeError('Failed to fetch dynamically imported module');
	});
	const { drawFormula, problemOf } = await import('./formula.ts');
	expect(await problemOf('x^')).toBeNull();
	expect(await drawFormula('x^2', null, true)).toBe('Kept as it is; it could not be drawn now');
});
