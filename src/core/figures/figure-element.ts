import type { Element } from 'hast';
import { digest } from '#src/lib/digest.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { element, text } from '#src/lib/hast.ts';
import { WIDTHS, type PlotSize } from './plots/looks.ts';
import type { Cell, Row } from './plots/plot.ts';
import { withIds } from './svg.ts';

/** A drawn figure. */
export type Drawing = {
	title: string;
	description: string;
	slug: string;
	/**
	 * One SVG, or one for each width. The widest is only for a plot that asks for it; a diagram that runs across has an
	 * upright one for phones.
	 */
	pictures: { width?: PlotSize; svg: Element }[];
	/** The data as a table and as CSV, or the source as text. */
	data: { rows: Row[]; columns: string[]; csv: string } | { source: string };
};

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
	// A plot's caption says its point. What its description recites is read out, and stands with the data.
	const said = title && !isDiagram ? '' : description;
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
		// Each has ids of its own: browsers ignore the arrowheads that a hidden drawing defines.
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
					...(title && description ? [element('p', {}, [text(curlQuotes(description))])] : []),
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
			text(` ${curlQuotes([title && endSentence(title), said].filter(Boolean).join(' '))}`),
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
