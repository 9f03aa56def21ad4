/** A block of code that is no figure. Its message says what is wrong, as the rest of a sentence for the writer. */
export class FigureError extends Error {
	override name = 'FigureError';
}
