import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { digest } from '../lib/digest.ts';

const FOLDER = 'node_modules/.cache/fonts';

/** Latin with its small accented letters and the capitals that begin names, and the signs that articles use. */
const CHARACTERS =
	[...range(0x20, 0x7e), ...range(0xdf, 0xff)].map((code) => String.fromCodePoint(code)).join('') +
	'\u00a0°·×±²³½§©«»¿¡ÀÁÄÅÇÉÎÓÖØÚÜœšžŽŠ–—‘’“”†•…€™−≈≠≤≥√∞∑∂∆←→↑↓';

/** All that a file of these families may hold. */
const ALL = [...range(0x20, 0x24f), ...range(0x2b0, 0x4ff), ...range(0x1e00, 0x27ff)]
	.map((code) => String.fromCodePoint(code))
	.join('');

type Axes = Record<string, number | { min: number; max: number }>;

/**
 * Makes a smaller copy of a variable font of @fontsource-variable: our characters only, and the weights in use.
 * Made once and kept. Answers its path.
 */
export async function subset(
	path: string,
	weights: number | { min: number; max: number },
): Promise<string> {
	return `./${await made(path, CHARACTERS, { wght: weights }, 'woff2')}`;
}

/** One style of a variable font of @fontsource-variable as TrueType, which is what can be embedded in a document. */
export async function printFont(path: string, axes: Record<string, number>): Promise<Buffer> {
	return readFileSync(await made(path, ALL, axes, 'truetype'));
}

async function made(
	path: string,
	characters: string,
	axes: Axes,
	format: 'woff2' | 'truetype',
): Promise<string> {
	const source = readFileSync(join('node_modules/@fontsource-variable', path));
	const name = digest(source.toString('base64'), characters, JSON.stringify(axes), format);
	const file = join(FOLDER, `${name.slice(0, 16)}.${format === 'woff2' ? 'woff2' : 'ttf'}`);
	if (!existsSync(file)) {
		mkdirSync(FOLDER, { recursive: true });
		const options = { targetFormat: format, variationAxes: axes };
		// Two processes may make the same one.
		writeFileSync(`${file}.${process.pid}`, await subsetFont(source, characters, options));
		renameSync(`${file}.${process.pid}`, file);
	}
	return file;
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
