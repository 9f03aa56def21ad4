import { PLOT_COLORS } from './plot.ts';

/** Widths of a plot in pixels: for the column of text, for a phone, and for the text and its margin. CSS shows one of them. */
export const WIDTHS = { wide: 704, narrow: 330, full: 912 };
/** Room for numbers and words at the axes. */
export const ROOM = {
	wide: { x: 10, y: 7, letters: 66 },
	narrow: { x: 5, y: 7, letters: 30 },
	full: { x: 13, y: 7, letters: 85 },
};
/** Pixels of names on the left. */
export const NAMES = { wide: 260, narrow: 130, full: 400 };
export const SIZES = ['wide', 'narrow', 'full'] as const;
export type PlotSize = (typeof SIZES)[number];
export const HEIGHT = 300;

/** Returns a specification in which the names of colors are the site's variables. */
export function withThemeColors(value: unknown): Record<string, unknown> {
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

/** Returns Vega's configuration of a plot: labels in the margin's hand, a quiet grid, the site's colors. */
export function config(size: PlotSize) {
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
