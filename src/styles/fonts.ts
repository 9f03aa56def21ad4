import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { digest } from '../lib/digest.ts';

const FOLDER = 'node_modules/.cache/fonts';

/** Latin with small accented letters, the capitals that begin names, and the symbols in articles. */
const CHARACTERS =
	[...range(0x20, 0x7e), ...range(0xdf, 0xff)].map((code) => String.fromCodePoint(code)).join('') +
	'\u00a0°·×±²³½§©«»¿¡ÀÁÄÅÇÉÎÓÖØÚÜœšžŽŠ–—‘’“”†•…€™−≈≠≤≥√∞∑∂∆←→↑↓';

/** OpenType features that browsers use unasked, and figures of one width. */
const FEATURES = 'ccmp locl rlig liga clig calt kern mark mkmk tnum'.split(' ');

/** All characters that a file of these families may contain. */
const ALL = [...range(0x20, 0x24f), ...range(0x2b0, 0x4ff), ...range(0x1e00, 0x27ff)]
	.map((code) => String.fromCodePoint(code))
	.join('');

/**
 * Characters of formulas, most common first: a page loads the files of the characters it has. Upright letters
 * come from the text's own font. Each item is a range [first, last] or one character.
 */
const FORMULAS: (string | [from: number, to: number])[][] = [
	// Digits, brackets, operators and the italic letters of variables. A space makes this the file with the
	// font metrics.
	[[0x20, 0x40], '[\\]^_{|}~\u00a0±·×ˆ˙¯‾‖…′\u2061', '←→∈−∘√∑∞≈≠≤≥⊤⋅⋯ℎ', [0x1d434, 0x1d467]],
	// Greek, and symbols of sets, logic and analysis.
	[[0x391, 0x3a9], [0x3b1, 0x3c9], '÷˜ℓℝ↔↦⇒⇔⟹∀∂∃∇∉∏∝∣∥∧∨∩∪∫∼≡≪≫⊂⊆⊥⋆⋮⋱⌈⌉⌊⌋⟨⟩𝔼𝖳', [0x1d6e2, 0x1d71b]],
	// Bold letters, all other alphabets, all other symbols.
	[[0x1d400, 0x1d433]],
	[
		[0x2100, 0x214f],
		[0x1d468, 0x1d6e1],
		[0x1d71c, 0x1d7ff],
	],
	[
		[0x2190, 0x23ff],
		[0x27c0, 0x2aff],
	],
];

type Range = { min: number; max: number };
type MathFile = { src: [string]; unicodeRange: [string, ...string[]] };
type Options = {
	targetFormat: 'woff2' | 'truetype';
	variationAxes?: Record<string, number | Range>;
	keepFeatures?: string[];
	noLayoutClosure?: boolean;
	noHinting?: boolean;
};

/**
 * Makes a smaller copy of a variable font of @fontsource-variable with our characters, weights and features only. Cached.
 * Returns its path.
 */
export async function subset(path: string, weights: number | Range): Promise<string> {
	const options: Options = {
		targetFormat: 'woff2',
		variationAxes: { wght: weights },
		keepFeatures: FEATURES,
	};
	return `./${await made(`@fontsource-variable/${path}`, CHARACTERS, options)}`;
}

/**
 * Returns the files of a formula font of @fontsource, each with its characters, so that a browser loads only
 * what a page needs.
 */
export async function mathSubsets(path: string): Promise<MathFile[]> {
	const options: Options = {
		targetFormat: 'woff2',
		keepFeatures: [],
		noLayoutClosure: true,
		noHinting: true,
	};
	const files = await Promise.all(
		FORMULAS.map(async (parts): Promise<MathFile> => {
			const characters = parts.map((part) =>
				typeof part === 'string' ? part : String.fromCodePoint(...range(...part)),
			);
			const [first, ...others] = parts.flatMap((part) =>
				typeof part === 'string'
					? [...part].map((sign) => hex(sign.codePointAt(0)!))
					: [`${hex(part[0])}-${hex(part[1]).slice(2)}`],
			);
			const file = await made(`@fontsource/${path}`, characters.join(''), options);
			return { src: [`./${file}`], unicodeRange: [first!, ...others] };
		}),
	);
	// If two files have a character, a browser takes the one declared last.
	return files.reverse();
}

const hex = (code: number) => `U+${code.toString(16)}`;

/** Returns one style of a variable font of @fontsource-variable as TrueType, which can be embedded in a document. */
export async function printFont(path: string, axes: Record<string, number>): Promise<Buffer> {
	const options: Options = { targetFormat: 'truetype', variationAxes: axes };
	return readFileSync(await made(`@fontsource-variable/${path}`, ALL, options));
}

/** A font for formulas of @fontsource as TrueType, whole but for what no formula has. */
export async function printMathFont(path: string): Promise<Buffer> {
	const characters =
		ALL + String.fromCodePoint(...range(0x2800, 0x2bff), ...range(0x1d400, 0x1d7ff));
	return readFileSync(await made(`@fontsource/${path}`, characters, { targetFormat: 'truetype' }));
}

async function made(path: string, characters: string, options: Options): Promise<string> {
	const source = readFileSync(join('node_modules', path));
	const name = digest(source.toString('base64'), characters, JSON.stringify(options));
	const extension = options.targetFormat === 'woff2' ? 'woff2' : 'ttf';
	const file = join(FOLDER, `${name.slice(0, 16)}.${extension}`);
	if (!existsSync(file)) {
		mkdirSync(FOLDER, { recursive: true });
		// Two processes may make the same file.
		writeFileSync(`${file}.${process.pid}`, await subsetFont(source, characters, options));
		renameSync(`${file}.${process.pid}`, file);
	}
	return file;
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
