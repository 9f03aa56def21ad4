import type { Element } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import type { View } from 'vega';
import { CSV_MARK, csvRow } from '#src/lib/csv.ts';
import type { Drawing } from './figure-element.ts';
import { FigureError } from './figure-error.ts';
import { readFigure } from './figure.ts';
import type { FigureLanguage } from './figure.ts';
import { withAxes } from './plots/axes.ts';
import { breakNames, LETTER, namedLines, nameLayers, fitLineLabels } from './plots/labels.ts';
import {
	config,
	HEIGHT,
	NAMES,
	ROOM,
	SIZES,
	WIDTHS,
	withThemeColors,
	type PlotSize,
} from './plots/looks.ts';
import type { Plot, Row } from './plots/plot.ts';
import { artOf, ART_LOOK, bareSpec } from './plots/art.ts';
import { cleanSvg } from './svg.ts';

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

const csvOf = (rows: Row[], columns: string[]) =>
	CSV_MARK +
	[columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))].map(csvRow).join('');

async function drawPlot(plot: Plot, size: PlotSize): Promise<Element> {
	const vega = await loadVega();
	const names = { width: NAMES[size], height: plot.height ?? HEIGHT };
	const broken = withAxes(breakNames(plot, names), ROOM[size]);
	const look = {
		width: WIDTHS[size],
		height: plot.height ?? HEIGHT,
		padding: 2,
		autosize: { type: 'fit', contains: 'padding' },
		config: config(size),
	};
	try {
		return (
			(await drawNamed(vega, broken, size, look)) ?? (await drawView(vega, broken, look, picture))
		);
	} catch (error) {
		if (error instanceof FigureError) throw error;
		throw new FigureError(reasonOf(error));
	}
}

/** Draws a plot without axes and words, as a cover shows it. `article` is what its article begins with. */
export async function drawArt(plot: Plot, article: string): Promise<string> {
	const vega = await loadVega();
	const spec = bareSpec(plot.spec);
	try {
		return await drawView(vega, { ...plot, spec }, ART_LOOK, async (view) => {
			await view.runAsync();
			return artOf((view.scenegraph() as unknown as { root: unknown }).root, plot, article);
		});
	} catch (error) {
		throw new FigureError(reasonOf(error));
	}
}

/** Draws lines with their names at their ends instead of in a legend. Returns null where that does not fit. */
async function drawNamed(
	vega: Vega,
	plot: Plot,
	size: PlotSize,
	look: Look,
): Promise<Element | null> {
	const lines = namedLines(plot);
	const names = lines && fitLineLabels(lines, WIDTHS[size]);
	if (!lines || !names) return null;
	const bare = {
		mark: plot.spec['mark'],
		encoding: {
			x: { ...lines.x, scale: { nice: false, ...lines.x.scale } },
			y: lines.y,
			color: { ...lines.color, legend: null },
		},
	};
	const layers = await drawView(vega, { ...plot, spec: bare }, look, async (view) => {
		await view.runAsync();
		const scale = (name: string) => view.scale(name) as (value: unknown) => unknown;
		const scales = { x: scale('x'), y: scale('y'), color: scale('color') };
		return nameLayers(lines, names, scales, { width: view.width(), height: view.height() });
	});
	return layers && drawView(vega, { ...plot, spec: { layer: [bare, ...layers] } }, look, picture);
}

const picture = async (view: View) => cleanSvg(treeOf(await view.toSVG()));

type Look = { width: number; height: number; config: object };

/** Returns what is made of a plot's view. */
async function drawView<Out>(
	{ View, parse, loader, Error: ERRORS, compile }: Vega,
	plot: Pick<Plot, 'spec' | 'rows'>,
	look: Look,
	use: (view: View) => Promise<Out>,
): Promise<Out> {
	const closed = () => Promise.reject(new FigureError('it loads something'));
	const spec = {
		...withThemeColors(plot.spec),
		data: { values: plot.rows },
		background: null,
		...look,
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
	const width = Number(svg.properties.width);
	if (width <= WIDTHS.narrow || !ACROSS.test(source)) return [{ svg }];
	const narrow = await drawDiagram(source.replace(ACROSS, '$1TD'));
	if (Number(narrow.properties.width) > UPRIGHT * width) return [{ svg }];
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

/** Parses an SVG picture into a tree. */
export function treeOf(svg: string): Element {
	const { children } = unified().use(rehypeParse, { fragment: true }).parse(svg);
	const found = children.find(
		(node): node is Element => node.type === 'element' && node.tagName === 'svg',
	);
	if (!found) throw new FigureError('nothing was drawn');
	return found;
}
