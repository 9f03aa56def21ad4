import type { Element, ElementContent } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import type { View } from 'vega';
import { curlQuotes } from '#src/lib/quotes.ts';
import { digest } from '#src/lib/digest.ts';
import { withAxes } from './axes.ts';
import { FigureError } from './figure-error.ts';
import { readFigure } from './figure.ts';
import type { FigureLanguage } from './blocks.ts';
import { breakNames, LETTER, namedLines, nameLayers, namesBeside } from './labels.ts';
import { PLOT_COLORS, type Cell, type Plot, type Row } from './plot.ts';
import { cleanSvg, withIds } from './svg.ts';

/** Widths of a plot in pixels: for the column of text, for a phone, and for the text and its margin. CSS shows one of them. */
const WIDTHS = { wide: 704, narrow: 330, full: 912 };
/** Room for numbers and words at the axes. */
const ROOM = {
	wide: { x: 10, y: 7, letters: 66 },
	narrow: { x: 5, y: 7, letters: 30 },
	full: { x: 13, y: 7, letters: 85 },
};
/** Pixels of names on the left. */
const NAMES = { wide: 260, narrow: 130, full: 400 };
const SIZES = ['wide', 'narrow', 'full'] as const;
const HEIGHT = 300;

/** A drawn figure. */
export type Drawing = {
	title: string;
	description: string;
	slug: string;
	/**
	 * One SVG, or one for each width. The widest is only for a plot that asks for it; a diagram that runs across has an
	 * upright one for phones.
	 */
	pictures: { width?: keyof typeof WIDTHS; svg: Element }[];
	/** The data as a table and as CSV, or the source as text. */
	data: { rows: Row[]; columns: string[]; csv: string } | { source: string };
};

/** Draws a block of code. Throws a `FigureError` that says why that is not possible. */
export async function drawFigure(
	language: FigureLanguage,
	source: string,
	tables?: () => Row[][],
): Promise<Drawing> {
	const figure = readFigure(language, source, tables);
	const { title, description, slug } = figure;
	if ('diagram' in figure) {
		const pictures = await drawDiagrams(figure.diagram);
		return { title, description, slug, pictures, data: { source } };
	}
	const { plot } = figure;
	const columns = [...new Set(plot.rows.flatMap((row) => Object.keys(row)))];
	const pictures = await Promise.all(
		(plot.isWide ? SIZES : SIZES.slice(0, 2)).map(async (width) => ({
			width,
			svg: await drawPlot(plot, width),
		})),
	);
	return {
		title,
		description,
		slug,
		pictures,
		data: { rows: plot.rows, columns, csv: csvOf(plot.rows, columns) },
	};
}

async function drawPlot(plot: Plot, size: keyof typeof WIDTHS): Promise<Element> {
	const vega = await loadVega();
	const names = { width: NAMES[size], height: plot.height ?? HEIGHT };
	const broken = withAxes(breakNames(plot, names), ROOM[size]);
	try {
		return (await drawNamed(vega, broken, size)) ?? (await drawView(vega, broken, size, picture));
	} catch (error) {
		if (error instanceof FigureError) throw error;
		throw new FigureError(reasonOf(error));
	}
}

/** Draws lines with their names at their ends instead of in a legend. Returns null where that does not fit. */
async function drawNamed(
	vega: Vega,
	plot: Plot,
	size: keyof typeof WIDTHS,
): Promise<Element | null> {
	const lines = namedLines(plot);
	const names = lines && namesBeside(lines, WIDTHS[size]);
	if (!lines || !names) return null;
	const bare = {
		mark: plot.spec['mark'],
		encoding: {
			x: { ...lines.x, scale: { nice: false, ...lines.x.scale } },
			y: lines.y,
			color: { ...lines.color, legend: null },
		},
	};
	const layers = await drawView(vega, { ...plot, spec: bare }, size, async (view) => {
		await view.runAsync();
		const scale = (name: string) => view.scale(name) as (value: unknown) => unknown;
		const scales = { x: scale('x'), y: scale('y'), color: scale('color') };
		return nameLayers(lines, names, scales, { width: view.width(), height: view.height() });
	});
	return layers && drawView(vega, { ...plot, spec: { layer: [bare, ...layers] } }, size, picture);
}

const picture = async (view: View) => cleanSvg(treeOf(await view.toSVG()));

/** Returns what is made of a plot's view. */
async function drawView<Out>(
	{ View, parse, loader, Error: ERRORS, compile }: Vega,
	plot: Plot,
	size: keyof typeof WIDTHS,
	use: (view: View) => Promise<Out>,
): Promise<Out> {
	const closed = () => Promise.reject(new FigureError('it loads something'));
	const spec = {
		...withThemeColors(plot.spec),
		data: { values: plot.rows },
		width: WIDTHS[size],
		height: plot.height ?? HEIGHT,
		background: null,
		padding: 2,
		autosize: { type: 'fit', contains: 'padding' },
		config: config(size),
	};
	const silent = {
		level: () => silent,
		error: () => silent,
		warn: () => silent,
		info: () => silent,
		debug: () => silent,
	};
	const compiled = compile(spec as unknown as Parameters<typeof compile>[0], { logger: silent });
	const view = new View(parse(compiled.spec), {
		renderer: 'none',
		logLevel: ERRORS,
		loader: { ...loader(), load: closed, http: closed, file: closed, sanitize: closed },
	});
	try {
		return await use(view);
	} finally {
		view.finalize();
	}
}

type Vega = Awaited<ReturnType<typeof loadVega>>;

/** Loads what draws plots: slow, and few articles have one. */
async function loadVega() {
	const [{ View, parse, loader, Error, textMetrics }, { compile }] = await Promise.all([
		import('vega'),
		import('vega-lite'),
	]);
	// There is no canvas to measure with, and all letters of the labels' font are as wide.
	textMetrics.width = (item, text) =>
		Math.min(
			LETTER * (item.fontSize ?? 11) * String(text ?? item.text ?? '').length,
			item.limit || Infinity,
		);
	// It gives all sets this method, which a `for … in` over one would meet: Astro's build has such.
	Object.defineProperty(Set.prototype, 'toJSON', { enumerable: false });
	return { View, parse, loader, Error, compile };
}

/** The first line of a flow that runs across. */
const ACROSS = /^(\s*(?:flowchart|graph)\s+)(?:LR|RL)\b/;
/** Share of its width that an upright diagram has at most. */
const UPRIGHT = 0.75;

/** Returns a diagram as it is written, and from top to bottom where a phone shows more of it so. */
async function drawDiagrams(source: string): Promise<Drawing['pictures']> {
	const svg = await drawDiagram(source);
	const narrow = ACROSS.test(source) && (await drawDiagram(source.replace(ACROSS, '$1TD')));
	const isNarrower =
		narrow && Number(narrow.properties.width) <= UPRIGHT * Number(svg.properties.width);
	if (!isNarrower) return [{ svg }];
	return [
		{ width: 'wide', svg },
		{ width: 'narrow', svg: narrow },
	];
}

async function drawDiagram(source: string): Promise<Element> {
	const { renderMermaidSVG } = await import('beautiful-mermaid');
	try {
		const drawn = treeOf(renderMermaidSVG(source, { padding: 12 }));
		if (String(drawn.properties.viewBox).includes('NaN'))
			throw new FigureError(
				'it has no layout: try an arrow that leads from a part to itself after all other arrows',
			);
		return cleanSvg(drawn);
	} catch (error) {
		if (error instanceof FigureError) throw error;
		throw new FigureError(reasonOf(error));
	}
}

const reasonOf = (error: unknown) =>
	(error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!.slice(0, 200);

/** Parses a picture. */
export function treeOf(svg: string): Element {
	const { children } = unified().use(rehypeParse, { fragment: true }).parse(svg);
	const found = children.find(
		(node): node is Element => node.type === 'element' && node.tagName === 'svg',
	);
	if (!found) throw new FigureError('nothing was drawn');
	return found;
}

/** Returns a specification in which the names of colors are the site's variables. */
function withThemeColors(value: unknown): Record<string, unknown> {
	const convert = (part: unknown, key: string): unknown => {
		if (Array.isArray(part)) return part.map((one) => convert(one, key));
		if (typeof part === 'object' && part !== null)
			return Object.fromEntries(
				Object.entries(part).map(([name, one]) => [name, convert(one, name)]),
			);
		const isColor =
			['color', 'stroke', 'value', 'range'].includes(key) &&
			PLOT_COLORS.some((color) => color === part);
		return isColor ? `var(--color-${String(part)})` : part;
	};
	return convert(value, '') as Record<string, unknown>;
}

/** Returns the looks of a plot: labels in the margin's hand, a quiet grid, the site's colors. */
function config(size: keyof typeof WIDTHS) {
	const label = {
		labelColor: 'var(--color-muted)',
		labelFontSize: 12,
		titleColor: 'var(--color-ink)',
		titleFontSize: 12,
		titleFontWeight: 'normal',
	};
	const accent = 'var(--plot-1)';
	return {
		font: 'var(--font-label)',
		lineBreak: '\n',
		aria: false,
		view: { stroke: null },
		axis: {
			...label,
			gridColor: 'var(--color-line)',
			domainColor: 'var(--color-edge)',
			tickColor: 'var(--color-edge)',
			titlePadding: 8,
		},
		axisX: {
			grid: false,
			labelFlush: false,
			labelSeparation: 6,
			// A long title reaches below the names on the left.
			titleAnchor: size === 'narrow' ? 'end' : null,
			labelOverlap: true,
			tickCount: size === 'narrow' ? 5 : 9,
		},
		axisY: {
			labelLimit: NAMES[size],
			domain: false,
			ticks: false,
			labelPadding: 8,
			tickCount: 5,
			titleAngle: 0,
			titleAlign: 'left',
			titleAnchor: 'end',
			titleBaseline: 'bottom',
			titleX: 0,
			titleY: -10,
			labelOverlap: true,
		},
		legend: {
			...label,
			orient: 'top',
			direction: 'horizontal',
			columns: size === 'narrow' ? 2 : 4,
			symbolStrokeWidth: 2,
			title: null,
			offset: 26,
			labelLimit: 300,
			// Beside names on the left there is no room on a phone.
			...(size === 'narrow' && { layout: { top: { frame: 'bounds' } } }),
		},
		range: {
			category: [1, 2, 3, 4, 5, 6].map((number) => `var(--plot-${number})`),
			ordinal: [1, 2, 3, 4, 5, 6].map((number) => `var(--plot-${number})`),
		},
		mark: { color: accent },
		line: { strokeWidth: 2.25, color: accent },
		point: { filled: true, size: 48, color: accent },
		circle: { size: 48 },
		bar: { color: accent },
		area: { fillOpacity: 0.25, line: true, color: accent },
		rule: { color: 'var(--color-muted)', strokeDash: [4, 4] },
		text: { color: 'var(--color-ink)', fontSize: 12 },
		tick: { color: accent },
	};
}

function csvOf(rows: Row[], columns: string[]): string {
	const cellOf = (cell: Cell | undefined) => {
		const text = String(cell ?? '');
		return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
		.map((line) => line.map(cellOf).join(','))
		.join('\r\n');
}

/** Part of the names of PNG files: raised when the same drawing makes another file. */
const PICTURE_VERSION = '1';

/** Returns the path of a drawing's PNG, which feeds and email show: named by what it shows. */
export const pictureOf = (svg: Element) =>
	`/media/figure-${digest(PICTURE_VERSION, JSON.stringify(svg)).slice(0, 24)}.png`;

/** Returns the element of a drawn figure. `id` is unique in its article, `number` counts its figures. */
export function figureElement(drawing: Drawing, id: string, number: number): Element {
	const { title, description, pictures, data } = drawing;
	const name = title || `Figure ${number}`;
	const ariaLabel = description ? `${name}. ${description}` : name;
	const isDiagram = 'source' in data;
	const drawings = pictures.map(({ width, svg }) => {
		// A diagram is as wide as it was laid out.
		const isOut = width === 'full' || (isDiagram && Number(svg.properties.width) > WIDTHS.wide);
		const className = [
			...(width ? [`drawn-${width}`] : []),
			...(isDiagram ? ['drawn-diagram'] : []),
			...(isOut ? ['drawn-out'] : []),
		];
		const dataPicture = pictureOf(svg);
		const properties = { ...svg.properties, className, role: 'img', ariaLabel, dataPicture };
		// What an undisplayed drawing defines is not drawn in another one.
		return { ...withIds(svg, width ? `${id}-${width}` : id), properties };
	});
	// Its words keep their size on a phone.
	const scroll = {
		className: ['drawn-scroll'],
		tabIndex: 0,
		role: 'group',
		ariaLabel: 'Diagram',
	};
	return element('figure', { id, className: ['drawn'] }, [
		...(isDiagram ? [element('div', scroll, drawings)] : drawings),
		isDiagram
			? element('details', { className: ['drawn-data'] }, [
					element('summary', {}, [text('Text')]),
					element('pre', { tabIndex: 0 }, [element('code', {}, [text(data.source)])]),
				])
			: element('details', { className: ['drawn-data'] }, [
					element('summary', {}, [text('Data')]),
					tableOf(data),
					element('p', {}, [
						element(
							'a',
							{
								href: `data:text/csv;charset=utf-8,${encodeURIComponent(data.csv)}`,
								download: `${id}.csv`,
							},
							[text('Download as CSV')],
						),
					]),
				]),
		element('figcaption', {}, [
			element('strong', {}, [text(`Figure ${number}.`)]),
			text(` ${curlQuotes([title && endSentence(title), description].filter(Boolean).join(' '))}`),
		]),
	]);
}

function tableOf({ rows, columns }: { rows: Row[]; columns: string[] }): Element {
	const row = (tag: 'th' | 'td', cells: (Cell | undefined)[]) =>
		element(
			'tr',
			{},
			cells.map((cell) =>
				element(tag, tag === 'th' ? { scope: 'col' } : {}, [text(String(cell ?? ''))]),
			),
		);
	return element('table', {}, [
		element('thead', {}, [row('th', columns)]),
		element(
			'tbody',
			{},
			rows.map((one) =>
				row(
					'td',
					columns.map((name) => one[name]),
				),
			),
		),
	]);
}

const endSentence = (sentence: string) => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`);
const text = (value: string): ElementContent => ({ type: 'text', value });

function element(
	tagName: string,
	properties: Element['properties'],
	children: ElementContent[],
): Element {
	return { type: 'element', tagName, properties, children };
}
