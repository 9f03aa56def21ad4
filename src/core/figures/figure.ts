import { asciiSlug } from '#src/lib/slug.ts';
import { formatCount } from '#src/lib/text.ts';
import { FigureError } from './figure-error.ts';
import { readNotes } from './notes.ts';
import { readPlot, type Plot, type Row } from './plots/plot.ts';

/** Languages of code blocks that are drawn as a figure. */
export const LANGUAGES = ['vega-lite', 'mermaid'] as const;
export type FigureLanguage = (typeof LANGUAGES)[number];

/** A block of code as a figure. */
export type Figure = {
	title: string;
	/** A sentence below the title; may be empty. */
	description: string;
	/** Start of its id, which is unique in its article only with a number. */
	slug: string;
} & ({ plot: Plot } | { diagram: string });

/** Limits of a diagram: the time to lay it out grows fast with its lines. */
const DIAGRAM_LIMITS = { characters: 4000, lines: 60, lineLength: 200, arrows: 100 };
/** Characters of its source, with blank lines and notes. */
const MAX_SOURCE = 10_000;

/** Reads a block of code as a figure. Throws a `FigureError` that says what is wrong. */
export function readFigure(
	language: FigureLanguage,
	source: string,
	tables?: () => Row[][],
): Figure {
	if (language === 'vega-lite') {
		const plot = readPlot(source, tables);
		return withSlug({ title: plot.title, description: plot.description, plot });
	}
	if (source.length > MAX_SOURCE)
		throw new FigureError(
			`it has more than ${formatCount(MAX_SOURCE)} characters, blank lines counted`,
		);
	const { title = '', description = '' } = readNotes(source);
	const diagram = source
		.split('\n')
		.filter((line) => !/^\s*(%%|$)/.test(line))
		.join('\n');
	const lines = diagram.split('\n');
	if (diagram === '') throw new FigureError('it is empty');
	if (diagram.length > DIAGRAM_LIMITS.characters)
		throw new FigureError(`it has more than ${formatCount(DIAGRAM_LIMITS.characters)} characters`);
	if (lines.length > DIAGRAM_LIMITS.lines)
		throw new FigureError(`it has more than ${DIAGRAM_LIMITS.lines} lines`);
	if (lines.some((line) => line.length > DIAGRAM_LIMITS.lineLength))
		throw new FigureError(`a line has more than ${DIAGRAM_LIMITS.lineLength} characters`);
	if ((diagram.match(/--|==|-\.|->|~~|\.\./g) ?? []).length > DIAGRAM_LIMITS.arrows)
		throw new FigureError(`it has more than ${DIAGRAM_LIMITS.arrows} arrows`);
	if (/&(?!#?\w+;)/.test(diagram))
		throw new FigureError('“&” joins several arrows: write each on a line of its own');
	return withSlug({ title, description, diagram });
}

function withSlug<Part extends { title: string }>(part: Part): Part & { slug: string } {
	return { ...part, slug: asciiSlug(part.title) || 'figure' };
}
