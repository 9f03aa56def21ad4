import { expect, test } from 'vitest';
import type { Figure } from '#db/schema.ts';
import { STATE } from './editing.ts';

const figure = (key: string, value: number, asOf = '2023-05'): Figure => ({
	...{ key, value, asOf, unit: 'jobs', label: key, source: 'A bureau' },
});
const JOBS = 'dataScientists.employment';
const ALL = 'allOccupations.employment';
const base = STATE.read({ figures: [figure(JOBS, 1), figure(ALL, 2)], capital: 'Columbus' });
const withFigures = (...figures: Figure[]) => ({ ...base, figures });

test('two who correct different figures, or add years, are asked nothing', () => {
	const mine = withFigures(figure(JOBS, 10), figure(ALL, 2), figure(ALL, 3, '2024-05'));
	const theirs = withFigures(figure(JOBS, 4, '2024-05'), figure(JOBS, 1), figure(ALL, 20));
	const { merged, disputed } = STATE.merge(base, mine, theirs);
	expect(disputed).toEqual([]);
	expect(merged.figures).toHaveLength(4);
	expect(merged.figures).toEqual(
		expect.arrayContaining([
			figure(JOBS, 10),
			figure(JOBS, 4, '2024-05'),
			figure(ALL, 20),
			figure(ALL, 3, '2024-05'),
		]),
	);
});

test('a value and a source of the same figure are not mixed', () => {
	const mine = withFigures(figure(JOBS, 10), figure(ALL, 2));
	const theirs = withFigures({ ...figure(JOBS, 1), source: 'Another' }, figure(ALL, 20));
	const { merged, disputed } = STATE.merge(base, mine, theirs);
	expect(disputed).toEqual(['figures']);
	expect(merged.figures).toEqual(expect.arrayContaining([figure(JOBS, 10), figure(ALL, 20)]));
});

test('a number that cannot be read yet stays as it is typed', () => {
	const mine = withFigures(figure(JOBS, Number.NaN), figure(ALL, 2));
	const { merged, disputed } = STATE.merge(
		base,
		mine,
		withFigures(figure(JOBS, 1), figure(ALL, 20)),
	);
	expect(disputed).toEqual(['figures']);
	expect(merged).toEqual(mine);
});
