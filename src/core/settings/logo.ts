import { cleanDrawing, DRAWING_LIMITS } from '#src/core/figures/drawings/drawing.ts';
import { FigureError } from '#src/core/figures/figure-error.ts';

/** Limits of a logo. Each page shows it, and each reader's browser draws it. */
const LIMITS = {
	...DRAWING_LIMITS,
	source: 100_000,
	length: 30_000,
	elements: 2_000,
	shapes: 500,
	depth: 20,
	cost: 1_000,
};

/** Returns a logo as a drawing with nothing in it but shapes and words, or the reason why it cannot be used. */
export function cleanLogo(source: string): { svg: string } | { problem: string } {
	try {
		return { svg: cleanDrawing(source, LIMITS).svg };
	} catch (error) {
		if (!(error instanceof FigureError)) throw error;
		return { problem: `This drawing cannot be used: ${error.message}.` };
	}
}
