import { describe, expect, test } from 'vitest';
import { renderArticle } from '#src/core/articles/render.ts';
import { escapeHtml } from '#src/lib/text.ts';
import {
	composePlot,
	firstChoice,
	marksFor,
	PLOT_MARKS,
	reopenPlot,
	type PlotMark,
} from './compose.ts';
import { columnsOf, parseTable } from './table.ts';

const SPREADSHEET = 'Year\tTrain\tTest\n2023\t1,200\t35%\n2024\t1,350\t−4%\n2025\t2,001\tn/a';
const MARKDOWN = '| Model | Score |\n| :--- | ---: |\n| a \\| b | $3.50 |\n| c | 1e3 |';

test('a plot that shall be wide says so in its block', () => {
	const rows = parseTable('Model\tScore\na\t1\nb\t2');
	const columns = columnsOf(rows);
	const choice = firstChoice(rows, columns);
	const sourceOf = (isWide: boolean) => composePlot(rows, columns, { ...choice, isWide });
	expect(sourceOf(true)).toMatchObject({ source: expect.stringContaining('"width": "wide"') });
	expect(sourceOf(false)).not.toMatchObject({ source: expect.stringContaining('width') });
});

describe('a pasted table', () => {
	test('is read from a spreadsheet, a CSV file and Markdown, with its numbers as numbers', () => {
		expect(parseTable(SPREADSHEET)).toEqual([
			{ Year: 2023, Train: 1200, Test: 35 },
			{ Year: 2024, Train: 1350, Test: -4 },
			{ Year: 2025, Train: 2001, Test: null },
		]);
		expect(parseTable(MARKDOWN)).toEqual([
			{ Model: 'a | b', Score: 3.5 },
			{ Model: 'c', Score: 1000 },
		]);
		expect(parseTable('a;b\n"x;y";2')).toEqual([{ a: 'x;y', b: 2 }]);
		expect(parseTable('1,234\n5,678')).toEqual([{ '1': 5, '234': 678 }]);
	});

	test.each(['', '\n\n', '|', 'a', '"', '---|---', '\u0000\t\u0000\n\u0000\t1'])(
		'that is none (%j) is no reason to fail',
		(text) => {
			const rows = parseTable(text);
			const columns = columnsOf(rows);
			const plot = composePlot(rows, columns, firstChoice(rows, columns));
			expect('missing' in plot || 'source' in plot).toBe(true);
		},
	);

	test('has names that a plot may use, each once', () => {
		const [row] = parseTable("x']\tx']\t\t<b>\n1\t2\t3\t4");
		expect(Object.keys(row!)).toEqual(['x', 'x 2', 'Column 3', 'b']);
	});

	test('has columns of numbers, dates and names', () => {
		const rows = parseTable('when,what,much\n2026-01,a,1\n2026-02,b,2');
		expect(columnsOf(rows).map(({ kind }) => kind)).toEqual(['date', 'name', 'number']);
	});
});

test.each([
	'Step\tA\tB\n1\t2\t3\n2\t3\t4',
	'Name,A\nx,1\ny,2',
	'when,who,n\n2026-01,a,1\n2026-01,b,2',
])('each mark that is offered for %j can be drawn', async (text) => {
	const rows = parseTable(text);
	const columns = columnsOf(rows);
	const first = firstChoice(rows, columns);
	const marks = marksFor(columns.find(({ name }) => name === first.along));
	expect(marks[0]).toBe(first.mark);
	for (const mark of marks.length > 0 ? marks : (Object.keys(PLOT_MARKS) as PlotMark[])) {
		const plot = composePlot(rows, columns, { ...first, mark, title: 'It "grows" \\ 2' });
		const source = 'source' in plot ? plot.source : '';
		const { html } = await renderArticle(
			`<pre><code class="language-vega-lite">${escapeHtml(source)}</code></pre>`,
		);
		expect(html).not.toContain('not drawn');
		expect(html).toContain('<figure id="fig-it-grows-2" class="drawn">');
	}
});

test('years are written as years, at the ones that there are', async () => {
	const rows = parseTable(SPREADSHEET);
	const plot = composePlot(rows, columnsOf(rows), firstChoice(rows, columnsOf(rows)));
	const source = 'source' in plot ? plot.source : '';
	const { html } = await renderArticle(
		`<pre><code class="language-vega-lite">${escapeHtml(source)}</code></pre>`,
	);
	const words = [...html.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
	expect(words).toEqual(expect.arrayContaining(['2023', '2024', '2025', 'Train', 'Test']));
	expect(words.filter((word) => /2,02|2023\.5/.test(word!))).toEqual([]);
});

test('what is missing is said', () => {
	const rows = parseTable('a,b\nx,y');
	const plot = composePlot(rows, columnsOf(rows), firstChoice(rows, columnsOf(rows)));
	expect(plot).toEqual({ missing: 'Choose a column of numbers to draw.' });
});

test('a block may draw a table of its article', async () => {
	const table = `<table><thead><tr><th>x</th><th>y</th></tr></thead><tbody>${[1, 2, 3].map((x) => `<tr><td>${x}</td><td>${x},000</td></tr>`).join('')}</tbody></table>`;
	const block = (number: unknown) =>
		`<pre><code class="language-vega-lite">${JSON.stringify({ title: 'T', data: { table: number }, mark: 'line', encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'y', type: 'quantitative' } } })}</code></pre>`;
	const { html } = await renderArticle(block(2) + table + table);
	expect(html).toContain('class="drawn"');
	expect(html).toContain(encodeURIComponent('3,3000'));
	for (const wrong of [0, 3, 'x', null, 1.5])
		expect((await renderArticle(block(wrong) + table + table)).html).toContain(
			'“table” is the number of a table of the article, from 1 to 2',
		);
});

describe('a plot that was composed', () => {
	test.each([
		'Step\tA\tB\n1\t2\t3\n2\t3\t',
		'Name,A\n"x, ""y""",1\nz,2',
		'when,who,n\n2026-01,a,1\n2026-01,b,2',
		'series\tvalue\na\t1\nb\t-2.5',
		'Year\tTrain\tTest\n2023\t1,200\t35%\n2024\t1,350\tn/a',
		'| Model | Score | Size |\n| :- | -: | -: |\n| a \\| b | $3.50 | 1 |\n| c | 1e3 | 2 |',
	])('of %j is read back for each mark, with all that was chosen', (text) => {
		const rows = parseTable(text);
		const columns = columnsOf(rows);
		const first = firstChoice(rows, columns);
		for (const mark of marksFor(columns.find(({ name }) => name === first.along)))
			for (const isWide of [true, false]) {
				const said = { title: 'A "title"', description: 'In words' };
				const choice = { ...first, ...said, mark, isWide };
				const made = composePlot(rows, columns, choice);
				if (!('source' in made)) throw new Error(made.missing);
				const read = reopenPlot(made.source)!;
				expect(read.choice).toMatchObject({ ...said, mark, isWide, along: choice.along });
				const parsed = parseTable(read.table);
				expect(composePlot(parsed, columnsOf(parsed), read.choice)).toEqual(made);
			}
	});

	test('is read with a number that somebody corrected, and not with what the dialog has no field for', () => {
		const rows = parseTable('a,b\nx,1\ny,2');
		const columns = columnsOf(rows);
		const made = composePlot(rows, columns, firstChoice(rows, columns));
		if (!('source' in made)) throw new Error(made.missing);
		expect(reopenPlot(made.source.replace('"b":2', '"b": 3'))!.table).toBe('a\tb\nx\t1\ny\t3');
		expect(reopenPlot(made.source.replace('"mark": "bar"', '"mark": {"type": "bar"}'))).toBeNull();
		expect(reopenPlot(made.source.replace('"title":null', '"title":"Axis"'))).toBeNull();
		for (const other of [
			'',
			'{',
			'null',
			'[]',
			'{"mark":"bar","encoding":{"x":{"field":["a"]},"y":{"field":"b"}},"data":{"values":[{}]}}',
			'{"mark":"bar","encoding":{"x":{"field":"a"},"y":{"field":"b"}},"data":{"values":[null]}}',
			'{"mark":"bar","encoding":{},"data":{"table":2}}',
		])
			expect(reopenPlot(other)).toBeNull();
	});
});
