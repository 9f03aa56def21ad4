import { expect, test } from 'vitest';
import { countedFigures } from './trust.ts';

const counted = { articles: 63, states: 50, running: 55 };

test.each([
	[1234, ['1,234', 'readers a day']],
	[500, ['500', 'readers a day']],
	[499, ['63', 'articles']],
	[0, ['63', 'articles']],
])('of %i readers a day the first figure is %j', (readers, first) => {
	const figures = countedFigures({ ...counted, readers });
	expect(figures[0]).toEqual(first);
	expect(figures).toHaveLength(4);
});
