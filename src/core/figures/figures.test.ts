import { afterEach, expect, test, vi } from 'vitest';
import { visit } from 'unist-util-visit';
import { renderArticle } from '#src/core/articles/render.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { PLOT_LIMITS } from './plots/plot.ts';

const block = (language: string, source: string) =>
	`<pre><code class="language-${language}">${escapeHtml(source)}</code></pre>`;
const plot = (spec: unknown) => block('vega-lite', JSON.stringify(spec));
const render = async (html: string) => (await renderArticle(html)).html;

/** Returns the names of all elements and attributes. */
function namesIn(html: string): string[] {
	const names: string[] = [];
	visit(parseHtml(html), 'element', ({ tagName, properties }) => {
		names.push(tagName, ...Object.keys(properties));
	});
	return names;
}

const DATA = {
	values: [
		{ x: 1, y: 2, who: 'train' },
		{ x: 2, y: 3, who: 'test' },
	],
};
const ENCODING = {
	x: { field: 'x', type: 'quantitative' },
	y: { field: 'y', type: 'quantitative' },
	color: { field: 'who', type: 'nominal' },
};
const LINE = {
	title: 'Two points',
	description: 'One is higher.',
	data: DATA,
	mark: 'line',
	encoding: ENCODING,
};

afterEach(() => vi.unstubAllGlobals());

test('a plot is a figure with a number, a name, a caption, its data and no script', async () => {
	const html = await render(plot(LINE) + plot(LINE));
	expect(html).toContain('<figure id="fig-two-points" class="drawn">');
	expect(html).toContain('<figure id="fig-two-points-2" class="drawn">');
	expect(html).toContain('role="img" aria-label="Two points. One is higher."');
	expect(html).toContain('<strong>Figure 2.</strong> Two points.</figcaption>');
	expect(html).toContain('<summary>Data</summary><p>One is higher.</p><table>');
	expect(html).toContain('<td>train</td>');
	expect(html).toContain(
		`data:text/csv;charset=utf-8,${encodeURIComponent('\uFEFF"x","y","who"\r\n1,2,"train"')}`,
	);
	expect(html).toContain('stroke="var(--plot-1)"');
	expect(html).not.toMatch(/<script|<style| style=|href="(?!#|data:)|#[0-9a-f]{6}"/);
});

const lines = (ends: Record<string, number>, shortest = 10) => ({
	...LINE,
	data: {
		values: Object.entries(ends).flatMap(([who, y]) => [
			{ x: 0, y: 0, who },
			{ x: who === 'train' ? shortest : 10, y, who },
		]),
	},
});

test('lines are named where they end, and by a legend where names would lie on each other', async () => {
	const named = await render(plot(lines({ train: 40, test: 90 })));
	const wide = /<svg[^>]*drawn-wide.*?<\/svg>/s.exec(named)![0];
	for (const [name, color] of [
		['train', 1],
		['test', 2],
	])
		expect(wide).toMatch(
			new RegExp(`<text [^>]*fill="var\\(--plot-${color}\\)"[^>]*>${name}</text>`),
		);
	const legend = 'fill="var(--color-muted)">train</text>';
	expect(named).not.toContain(legend);
	for (const other of [
		lines(Object.fromEntries(['train', 'b', 'c', 'd', 'e', 'f', 'g'].map((who) => [who, 90]))),
		lines({ train: 40, test: 90 }, 5),
		lines({ train: 40, ['a name that is too long for '.repeat(9)]: 90, test: 3 }),
	])
		expect(await render(plot(other))).toContain('>train</text>');
	expect(await render(plot(lines({ train: 40, test: 90 }, 5)))).toContain(legend);
	// What does not fit beside a phone's plot in one line stands in two.
	const long = await render(plot(lines({ 'a longer name of it': 40, test: 90 })));
	expect(long).toMatch(/<tspan[^>]*>a longer<\/tspan>/);
	// Names of lines that meet stand apart, and a thin line leads to each.
	const meeting = await render(plot(lines({ train: 90, test: 90, third: 90 })));
	expect(meeting).not.toContain(legend);
	expect(meeting.match(/<line [^>]*stroke="var\(--plot-/g)).toHaveLength(6);
});

test('no spreadsheet takes a cell of the data for a formula', async () => {
	const html = await render(
		plot({
			title: 'Bars',
			mark: 'bar',
			data: { values: [{ name: '=HYPERLINK("//evil.example")', share: 1 }] },
			encoding: {
				x: { field: 'share', type: 'quantitative' },
				y: { field: 'name', type: 'nominal' },
			},
		}),
	);
	const [, csv = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(html)!;
	expect(decodeURIComponent(csv.replaceAll('&#x27;', "'"))).toBe(
		'\uFEFF"name","share"\r\n"\'=HYPERLINK(""//evil.example"")",1\r\n',
	);
});

test('names at the ends of lines stand within the picture, wherever the last value is', async () => {
	for (const scale of [{}, { type: 'log' }, { domain: [1, 1050] }]) {
		const values = ['one', 'without any sign of it'].flatMap((who, index) => [
			{ x: 1, y: 1, who },
			{ x: 1000, y: 5 + 4 * index, who },
		]);
		const html = await render(
			plot({
				title: 'Ends',
				mark: 'line',
				data: { values },
				encoding: {
					x: { field: 'x', type: 'quantitative', scale },
					y: { field: 'y', type: 'quantitative' },
					color: { field: 'who', type: 'nominal' },
				},
			}),
		);
		const wide = /<svg[^>]*drawn-wide.*?<\/svg>/s.exec(html)![0];
		const [, left] = /<g [^>]*transform="translate\((\d+),/.exec(wide)!;
		const [, x] = /translate\(([\d.]+),[^>]*>without any sign of it</.exec(wide)!;
		expect(Number(left) + Number(x) + 22 * 7.2).toBeLessThanOrEqual(704);
	}
});

test('names keep the order of the data, and logarithmic axes count by 1, 2 and 5', async () => {
	const words = (html: string) => {
		const wide = /<svg[^>]*drawn-wide.*?<\/svg>/s.exec(html)![0];
		return [...wide.matchAll(/>([^<>]+)<\/text>/g)].map(([, word]) => word);
	};
	const bars = plot({
		title: 'Bars',
		mark: 'bar',
		data: { values: ['slow', 'fast', 'both'].map((name, share) => ({ name, share })) },
		encoding: {
			x: { field: 'share', type: 'quantitative' },
			y: { field: 'name', type: 'nominal' },
		},
	});
	const names = words(await render(bars)).filter((word) => /^(slow|fast|both)$/.test(word!));
	expect(names).toEqual(['slow', 'fast', 'both']);
	const curve = (most: number, base: number) =>
		plot({
			title: 'Curve',
			mark: 'line',
			data: { values: [1, most].map((x) => ({ x, y: 3 * x })) },
			encoding: {
				x: { field: 'x', type: 'quantitative', scale: { type: 'log', base } },
				y: { field: 'y', type: 'quantitative', scale: { type: 'log' } },
			},
		});
	const numbers = async (most: number, base = 10) =>
		words(await render(curve(most, base))).filter((word) => /\d/.test(word!));
	expect(await numbers(60)).toEqual([
		'1',
		'2',
		'5',
		'10',
		'20',
		'50',
		'2',
		'5',
		'10',
		'20',
		'50',
		'100',
		'200',
	]);
	expect(await numbers(5000)).toEqual(['1', '10', '100', '1,000', '10', '100', '1,000', '10,000']);
	expect(await numbers(8, 2)).toEqual(['1', '2', '4', '8', '2', '5', '10', '20', '50']);
	for (const base of [1 + 1e-9, 0.5, -2, 1e300])
		expect(await render(curve(1e300, base))).toMatch(/<svg|, not drawn:/);
});

test('long names on the left stand in lines, and take no more room than is shown of them', async () => {
	const bars = (...names: string[]) =>
		plot({
			title: 'Bars',
			mark: 'bar',
			data: { values: names.map((name, share) => ({ name, share: share + 1 })) },
			encoding: {
				x: { field: 'share', type: 'quantitative' },
				y: { field: 'name', type: 'nominal', sort: names },
			},
		});
	const narrow = (html: string) => /<svg[^>]*drawn-narrow.*?<\/svg>/s.exec(html)![0];
	const long = 'New prohibitions, marking by older systems';
	const html = await render(bars(long, 'Short'));
	expect(narrow(html)).toMatch(/<tspan[^>]*>New<\/tspan>|<tspan[^>]*>New prohibitions,<\/tspan>/);
	expect(html).toContain(`<td>${long}</td>`);
	const one = narrow(await render(bars('word'.repeat(20), 'Short')));
	expect(one).toMatch(/>(word)+\w*…</);
	expect(Number(/translate\(([\d.]+),/.exec(one)![1])).toBeLessThan(160);
});

test('a plot that asks for it has a drawing wider than the text as well', async () => {
	const widths = (html: string) =>
		[...html.matchAll(/<svg[^>]* width="(\d+)"[^>]*class="drawn-(\w+)/g)].map(([, width, name]) => [
			name,
			Number(width),
		]);
	const usual = widths(await render(plot({ ...LINE, width: 900 })));
	expect(usual.map(([name]) => name)).toEqual(['wide', 'narrow']);
	const wide = await render(plot({ ...LINE, width: 'wide' }));
	expect(widths(wide)).toEqual([...usual, ['full', 912]]);
	expect(wide.match(/<figcaption>/g)).toHaveLength(1);
});

test('what draws leaves nothing behind in other objects', async () => {
	await render(plot(LINE) + block('mermaid', 'graph LR\nA --> B'));
	for (const name in new Set()) expect(name).toBe('');
	for (const name in {}) expect(name).toBe('');
});

test('the same source is drawn the same', async () => {
	expect(await render(plot(LINE))).toBe(await render(plot(LINE)));
});

test('what is searched and counted is the caption of a figure, not its source or data', async () => {
	const { text } = await renderArticle(`<p>Before</p>${plot(LINE)}`);
	expect(text).toBe('Before\nFigure 1. Two points.');
});

test('blank lines of a diagram cost no more than others, and are counted', async () => {
	const lines = (count: number) => `graph TD\n${'\n'.repeat(count)}A --> B\n%% title: Late`;
	expect(await render(block('mermaid', lines(9000)))).toContain('</strong> Late');
	const { user } = process.cpuUsage();
	expect(await render(block('mermaid', lines(50_000)))).toContain(
		'not drawn: it has more than 10,000 characters',
	);
	// Each blank line was the start of a title that was looked for in all that follow: 5 s.
	expect(process.cpuUsage().user - user).toBeLessThan(2e6);
});

test.each([
	['a flow', 'graph LR\nA[One] --> B[Two]', 'Two'],
	['a sequence', 'sequenceDiagram\nA->>B: Hello', 'Hello'],
	['states', 'stateDiagram-v2\n[*] --> idle\nidle --> busy', 'busy'],
	['classes', 'classDiagram\nAnimal <|-- Dog', 'Animal'],
	['entities', 'erDiagram\nPOST ||--o{ COMMENT : has', 'COMMENT'],
])('%s are drawn, with their source as text', async (_what, source, word) => {
	const html = await render(
		block('mermaid', `%% title: A diagram\n%% description: Of words\n${source}`),
	);
	expect(html).toMatch(/<figure id="fig-a-diagram" class="drawn">.*<svg [^>]*role="img"/s);
	expect(html).toContain(`>${word}</text>`);
	expect(html).toContain('<strong>Figure 1.</strong> A diagram. Of words</figcaption>');
	expect(html).toContain('<summary>Text</summary>');
	expect(html).not.toMatch(/<style| style=|@import|googleapis|url\((?!#fig-a-diagram-)/);
});

test('a flow that runs across stands upright on a phone where it is narrower so', async () => {
	const widths = async (source: string) =>
		[
			...(await render(block('mermaid', source))).matchAll(
				/<svg [^>]*width="(\d+)"[^>]*class="([^"]*)"/g,
			),
		].map(([, width, name]) => [name, Number(width)]);
	const steps = 'A[One step] --> B[Another step] --> C[A third step] --> D[The last step]';
	const [across, upright, ...more] = await widths(`flowchart LR\n${steps}`);
	expect([across![0], upright![0], more]).toEqual([
		'drawn-wide drawn-diagram',
		'drawn-narrow drawn-diagram',
		[],
	]);
	expect(Number(upright![1])).toBeLessThan(Number(across![1]) / 2);
	for (const source of [`flowchart TD\n${steps}`, 'graph LR\nA --> B\nA --> C\nA --> D\nA --> E'])
		expect(await widths(source)).toEqual([['drawn-diagram', expect.any(Number)]]);
});

const HOSTILE: [what: string, spec: unknown, reason: RegExp][] = [
	['remote data', { ...LINE, data: { url: 'http://127.0.0.1:1/a.csv' } }, /data is not inline/],
	['a file', { ...LINE, data: { url: 'file:///etc/passwd' } }, /data is not inline/],
	[
		'an expression',
		{ ...LINE, transform: [{ calculate: 'while(1){}', as: 'z' }] },
		/“transform” is not known/,
	],
	[
		'a signal',
		{ ...LINE, mark: { type: 'line', size: { expr: 'constructor' } } },
		/“expr” is not known/,
	],
	['a parameter', { ...LINE, params: [{ name: 'a', expr: '1' }] }, /“params” is not known/],
	['an image', { ...LINE, mark: { type: 'image', url: 'http://x' } }, /its mark is none of/],
	[
		'a link',
		{ ...LINE, encoding: { ...ENCODING, href: { value: 'javascript:alert(1)' } } },
		/“href” is no channel/,
	],
	[
		'tiny bins',
		{ ...LINE, encoding: { x: { field: 'x', bin: { step: 1e-12 } } } },
		/“step” is not known/,
	],
	[
		'many ticks',
		{ ...LINE, encoding: { x: { field: 'x', axis: { tickCount: 1e9 } } } },
		/more than 60/,
	],
	[
		'many bins',
		{ ...LINE, encoding: { x: { field: 'x', bin: { maxbins: 1e9 } } } },
		/more than 60/,
	],
	[
		'a column with code',
		{ ...LINE, data: { values: [{ "x']+alert(1)+['": 1 }] } },
		/is no name of a column/,
	],
	[
		'a column of a name that every object has',
		{ ...LINE, data: { values: [JSON.parse('{"__proto__": 1}')] } },
		/is no name of a column/,
	],
	[
		'many stacked areas',
		{
			data: { values: Array.from({ length: 500 }, (_, x) => ({ x, y: 1, who: `k${x % 50}` })) },
			layer: Array.from({ length: 8 }, () => ({ mark: 'area', encoding: ENCODING })),
		},
		/more than 5,000 points/,
	],
	['no such column', { ...LINE, encoding: { x: { field: 'z' } } }, /no column “z”/],
	[
		'a color with more',
		{ ...LINE, mark: { type: 'line', color: 'url(http://x)' } },
		/a color is one of/,
	],
	['its own looks', { ...LINE, config: { font: 'url(http://x)' } }, /“config” is not known/],
	[
		'a table in a cell',
		{ ...LINE, data: { values: [{ x: { y: 1 } }] } },
		/is no number and no short text/,
	],
	[
		'deep layers',
		{ ...LINE, mark: undefined, layer: [{ layer: [{ layer: [{ layer: [{ mark: 'bar' }] }] }] }] },
		/nested too deep/,
	],
	['no data', { ...LINE, data: { values: [] } }, /no rows/],
	['a list', [], /it is no object/],
];

test.each(HOSTILE)(
	'a plot with %s says why it is not drawn, in place',
	async (_what, spec, reason) => {
		const fetched = vi.fn();
		vi.stubGlobal('fetch', fetched);
		const html = await render(plot(spec));
		expect(html).toMatch(/<figure class="code"><figcaption>Vega-Lite, not drawn: /);
		expect(html).toMatch(reason);
		expect(fetched).not.toHaveBeenCalled();
	},
);

test('text that is no JSON, is too long, or has too many rows is not drawn', async () => {
	expect(await render(block('vega-lite', '{"mark"'))).toContain('not drawn: it is no JSON');
	const long = JSON.stringify({ ...LINE, title: 'x'.repeat(PLOT_LIMITS.characters) });
	expect(await render(block('vega-lite', long))).toContain('more than 64,000 characters');
	const values = Array.from({ length: PLOT_LIMITS.rows + 1 }, (_, x) => ({ x }));
	expect(await render(plot({ ...LINE, data: { values } }))).toContain('more than 500 rows');
});

test('a picture of too many shapes is not drawn', async () => {
	const values = Array.from({ length: 500 }, (_, x) => ({ x, k: `k${x % 60}` }));
	const encoding = { x: { field: 'k', type: 'nominal' }, y: { field: 'x', type: 'quantitative' } };
	const layer = Array.from({ length: 8 }, () => ({ mark: 'boxplot', encoding }));
	const html = await render(plot({ data: { values }, layer }));
	expect(html).toContain('not drawn: it has more than 1,500 shapes');
});

test('words of a plot are words, whatever they look like', async () => {
	const nasty = '<img src=x onerror=alert(1)>';
	const values = [{ x: nasty, y: 1 }];
	const encoding = {
		x: { field: 'x', type: 'nominal' },
		y: { field: 'y', type: 'quantitative', title: nasty },
	};
	const html = await render(
		plot({ title: nasty, description: nasty, data: { values }, mark: 'bar', encoding }),
	);
	expect(html).toContain('class="drawn"');
	expect(namesIn(html)).not.toContain('img');
});

test.each([
	['a click', 'graph LR\nA --> B\nclick A href "javascript:alert(1)"'],
	[
		'HTML in a label',
		'graph LR\nA["<img src=x onerror=alert(1)>"] --> B["<script>alert(1)</script>"]',
	],
	['a style', 'graph LR\nA --> B\nstyle A fill:url(http://x),stroke:red'],
	[
		'a class with a style',
		'graph LR\nA --> B\nclassDef x fill:red;background:url(http://x)\nclass A x',
	],
	['a directive', '%%{init: {"securityLevel": "loose"}}%%\ngraph LR\nA --> B'],
	['front matter', '---\nconfig:\n  htmlLabels: true\n---\ngraph LR\nA --> B'],
	['a kind that there is not', 'gitGraph\ncommit'],
	['an arrow to itself first', 'stateDiagram-v2\ns0 --> s0\ns5 --> s5\ns1 --> s3'],
	['nothing', '%% title: x'],
	['many arrows in a line', `graph LR\n${'A & '.repeat(30)}B --> ${'C & '.repeat(30)}D`],
	['many arrows in many lines', `graph LR\n${'A --> B --> C --> A\n'.repeat(50)}`],
	['many lines', `graph LR\n${'A --> B\n'.repeat(100)}`],
	['a long line', `graph LR\nA["${'x'.repeat(500)}"] --> B`],
	['brackets', `graph LR\n${'['.repeat(150)}\n${'('.repeat(150)}\n${'{'.repeat(150)}`],
	[
		'subgraphs in subgraphs',
		`graph LR\n${'subgraph a\n'.repeat(25)}A --> B\n${'end\n'.repeat(25)}`,
	],
])('a diagram with %s is a harmless picture, or says why it is none', async (_what, source) => {
	const fetched = vi.fn();
	vi.stubGlobal('fetch', fetched);
	const html = await render(block('mermaid', source));
	expect(html).toMatch(/class="drawn"|Mermaid, not drawn: \S/);
	const found = namesIn(html).filter((name) =>
		/^(script|img|image|foreignobject|style|use|on\w+)$/i.test(name),
	);
	expect(found).toEqual([]);
	expect(html).not.toMatch(/(href|fill|stroke)="[^"]*(javascript:|http)/);
	expect(fetched).not.toHaveBeenCalled();
});
