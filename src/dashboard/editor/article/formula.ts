/** Returns what draws formulas, or null where its file cannot be loaded: the line is gone, or a new version is out. */
const loadTemml = () =>
	import('temml').then(
		({ default: temml }) => temml,
		() => null,
	);

/** Returns the error in a formula as text, or null: also where that cannot be told now. */
export async function problemOf(latex: string): Promise<string | null> {
	return (await loadTemml()) && drawFormula(latex, null, false);
}

/** Draws a formula into an element. Returns why that cannot be, or null. */
export async function drawFormula(
	latex: string,
	into: HTMLElement | null,
	displayMode: boolean,
): Promise<string | null> {
	const temml = await loadTemml();
	if (!temml) return 'Kept as it is; it could not be drawn now';
	try {
		const mathml = temml.renderToString(latex, { displayMode, throwOnError: true });
		if (into) into.innerHTML = mathml;
		return null;
	} catch (error) {
		return reasonOf(error);
	}
}

/** The first sentence of what the library says; the rest repeats the formula. */
function reasonOf(error: unknown): string {
	const isTold = error instanceof Error && error.name === 'ParseError';
	const [reason] = isTold ? error.message.trim().split(/ at (?:position \d+|end of input): /) : [];
	return reason ?? 'It is not complete';
}
