import { expect, test } from 'vitest';
import { drawArt } from '#src/core/figures/draw.ts';
import { readPlot } from './plot.ts';

type Row = Record<string, string | number>;

/** Draws a plot of rows of `n` and `share` as a cover. Returns its parts. */
async function art(
	rows: Row[],
	words: { title?: string; description?: string },
	more = {},
	article = '',
) {
	const plot = {
		title: '',
		description: '',
		...words,
		mark: { type: 'line', point: true },
		encoding: {
			x: { field: 'n', type: 'quantitative', title: 'Rows' },
			y: { field: 'share', type: 'quantitative', axis: { format: '%' } },
		},
		data: { values: rows },
		...more,
	};
	const drawn = await drawArt(readPlot(JSON.stringify(plot)), article);
	const [black, lines, areas, dots, spot, label] = drawn.split('\n');
	return { black, lines, areas, dots, spot, label, drawn };
}

const rows = [
	{ n: 1, share: 0.2 },
	{ n: 2, share: 0.5 },
	{ n: 3, share: 0.9 },
];

test('a line is drawn along the whole plate, without axes and words', async () => {
	const { black, lines, drawn } = await art(rows, { title: 'A title', description: 'It rises.' });
	expect(black).toMatch(/^M80 \d+l520-\d+l520-\d+$/);
	expect(lines).toBe('');
	expect(drawn).not.toMatch(/[^\d\sMLlhvz-]/);
});

test('the point is where the value stands that the plot’s title says', async () => {
	const { black, spot, label } = await art(rows, { title: 'Half a chance: 50%' });
	const y = Number(/^M80 (\d+)l520(-\d+)/.exec(black!)![1]) + Number(/l520(-\d+)/.exec(black!)![1]);
	expect([spot, label]).toEqual([`600 ${y}`, '50%']);
});

test('the number that the article begins with goes first, then the one that changed most', async () => {
	const description = 'From 20% to 50% and 90%.';
	expect(await art(rows, { description })).toMatchObject({ label: '90%' });
	expect(await art(rows, { description }, {}, 'Guessing is right 50% of the time')).toMatchObject({
		label: '50%',
	});
});

test.each([
	['Error, cm', 0.9, '0.9', '0.9 cm'],
	['Share, %', 0.9, '0.9', '0.9%'],
	['GB', 0.9, '0.9', '0.9 GB'],
	['Jobs', 217_890, '217,890', '217,890 jobs'],
	['Wait, in days of review time', 0.9, '0.9', '0.9 days'],
	['Kept, of 10', 4, '4', '4 of 10'],
	['Cells expanded in all', 199, '199', '199 cells'],
	['Cost', 4, '$4', '$4'],
	['Variance', 0.9, '0.9', ''],
	['Count', 5752, '5,752', ''],
	['', 0.9, '0.9', ''],
])('of an axis “%s” a cover says of %d, written %s: “%s”', async (title, share, words, label) => {
	const encoding = {
		x: { field: 'n', type: 'quantitative' },
		y: { field: 'share', type: 'quantitative', title },
	};
	const drawn = await art(
		[...rows.slice(0, 2), { n: 3, share }],
		{ description: `It ends at ${words}.` },
		{ encoding },
	);
	expect([drawn.spot === '', drawn.label]).toEqual([false, label]);
});

test.each([
	['that no value is', '0.7 of all'],
	['of which there are several', '0.4 of all'],
	['that is also a place', 'After 3 rows'],
	['within a word', 'GPT-0.9 and v0.9b'],
])('a number %s marks nothing', async (_, description) => {
	const more = [...rows, { n: 4, share: 0.4 }, { n: 5, share: 0.4 }, { n: 6, share: 3 }];
	expect(await art(more, { description })).toMatchObject({ spot: '', label: '' });
});

test('of several lines the one that the text is about is black, and of bars the one', async () => {
	const series = ['a', 'b'].flatMap((name) =>
		rows.map(({ n, share }) => ({ n, name, share: name === 'a' ? share : share / 2 })),
	);
	const encoding = {
		x: { field: 'n', type: 'quantitative' },
		y: { field: 'share', type: 'quantitative' },
		color: { field: 'name', type: 'nominal' },
	};
	const lines = await art(series, { description: 'b ends at 0.45.' }, { encoding });
	expect(lines.spot).toMatch(/^1120 /);
	expect(lines.black!.split('l')).toHaveLength(3);
	expect(lines.lines!.split('l')).toHaveLength(3);
	expect(Number(lines.spot!.split(' ')[1])).toBeGreaterThan(200);
	const bars = {
		mark: 'bar',
		encoding: {
			x: { field: 'share', type: 'quantitative' },
			y: { field: 'n', type: 'nominal', sort: null },
		},
	};
	const drawn = await art(rows, { description: 'The second has 0.5.' }, bars);
	expect(drawn.black!.match(/z/g)).toHaveLength(1);
	expect(drawn.areas!.match(/z/g)).toHaveLength(2);
});

test('layers of words and legends are left out', async () => {
	const layer = [{ mark: 'point' }, { mark: 'text', encoding: { text: { field: 'n' } } }];
	const { dots, drawn } = await art(rows, {}, { mark: undefined, layer });
	expect(dots!.match(/h0/g)).toHaveLength(3);
	expect(drawn).not.toMatch(/[^\d\sMLlhvz-]/);
});
