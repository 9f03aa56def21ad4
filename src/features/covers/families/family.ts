import { dot, type Point, type Random } from '#src/features/covers/pen.ts';

/** The size of the plate: that of a social picture. */
export const WIDTH = 1200;
export const HEIGHT = 630;

/** How an art is drawn: what is small on the page has heavier lines and fewer of them. */
export type Brush = { weight: number; fine: boolean };

/** A drawing without its annotation: `focus` is what the frame goes around, `label` a true statement about it. */
export type Art = {
	layers: string;
	focus: { x: number; y: number; width: number; height: number };
	label: string;
	/** The middle of the part to show where there is no room for the whole width, if not the focus. */
	middle?: number;
};

/** Draws one plate. Chance is drawn in the same order whatever the brush, so that it is the same art at every size. */
export type Composition = (random: Random, brush: Brush) => Art;

export const around = ([x, y]: Point, width: number, height = width) => ({
	x: x - width / 2,
	y: y - height / 2,
	width,
	height,
});

export const dots = (points: readonly Point[]) => points.map(([x, y]) => dot(x, y)).join('');

export const range = (count: number) => Array.from({ length: count }, (_, index) => index);
