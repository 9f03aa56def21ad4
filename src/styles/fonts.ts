import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { digest } from '../lib/digest.ts';

const FOLDER = 'node_modules/.cache/fonts';

/** Latin with its accents, and the signs that articles use. */
const CHARACTERS =
	[...range(0x20, 0x7e), ...range(0xa0, 0xff)].map((code) => String.fromCodePoint(code)).join('') +
	'ŒœŠšŽžŸ–—‘’‚“”„†‡•…‰‹›€™−×÷≈≠≤≥±√∞∑∂∆←→↑↓';

/**
 * Makes a smaller copy of a variable font of @fontsource-variable: our characters only, and the weights in use.
 * Made once and kept. Answers its path.
 */
export async function subset(
	path: string,
	weights: number | { min: number; max: number },
): Promise<string> {
	const source = readFileSync(join('node_modules/@fontsource-variable', path));
	const name = digest(source.toString('base64'), CHARACTERS, JSON.stringify(weights)).slice(0, 16);
	const file = join(FOLDER, `${name}.woff2`);
	if (!existsSync(file)) {
		mkdirSync(FOLDER, { recursive: true });
		const options = { targetFormat: 'woff2' as const, variationAxes: { wght: weights } };
		writeFileSync(file, await subsetFont(source, CHARACTERS, options));
	}
	return `./${file}`;
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
