import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { digest } from '../lib/digest.ts';
import { withKerningOf } from './kerning.ts';

const FOLDER = 'node_modules/.cache/fonts';

/**
 * Characters of texts in two files: what nearly every page has, and what few have. The first has those of lists and explainers too,
 * which work offline, and letters of names on the home page and the newsletter's: a file that comes later lays the whole page out
 * anew. Each item is a range [first, last] or characters.
 */
const TEXTS: Characters[] = [
	[[0x20, 0x7e], '\u00a0©°±²³·¹×áéø–—‘’“”•…←→−√≈≠≤≥∞∑'],
	// Accented letters, the capitals that begin names, and rare symbols.
	[[0xdf, 0xe0], [0xe2, 0xe8], [0xea, 0xf7], [0xf9, 0xff], '½§«»¿¡ÀÁÄÅÇÉÎÓÖØÚÜœšžŽŠ†€™∂∆↑↓'],
];

/** OpenType features that browsers use unasked, and figures of one width. */
const FEATURES = 'ccmp locl rlig liga clig calt kern mark mkmk tnum'.split(' ');

/** To how many thousandths of an em kerning is rounded: at most an eighth of a pixel in the largest headline, for a twentieth of a file. */
const KERNING_STEP = 4;

/** All characters that a file of these families may contain. */
const ALL = [...range(0x20, 0x24f), ...range(0x2b0, 0x4ff), ...range(0x1e00, 0x27ff)]
	.map((code) => String.fromCodePoint(code))
	.join('');

/**
 * Characters of formulas, most common first: a page loads the files of the characters it has. Upright letters
 * come from the text's own font.
 */
const FORMULAS: Characters[] = [
	// Digits, brackets, operators, the italic letters of variables and the most common Greek ones. A space makes this
	// the file with the font metrics.
	[
		[0x20, 0x40],
		'[\\]^_{|}~\u00a0±·×ˆ˙¯‾‖…′\u2061',
		'←→∈−∘√∑∞≈≠≤≥⊤⋅⋯ℎ',
		[0x1d434, 0x1d467],
		'Δδεθκλμπρσ',
		'𝛿𝜀𝜃𝜅𝜆𝜇𝜋𝜌𝜎𝛥𝜖',
	],
	// All Greek, and symbols of sets, logic and analysis.
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

type Characters = (string | [from: number, to: number])[];
type Range = { min: number; max: number };
/** A file of a font, as Astro takes it. */
type Face = { src: [string]; unicodeRange: [string, ...string[]] };
type Options = {
	targetFormat: 'woff2' | 'truetype';
	variationAxes?: Record<string, number | Range>;
	keepFeatures?: string[];
	noLayoutClosure?: boolean;
	noHinting?: boolean;
	/** The weight whose kerning all weights have: how it changes with the weight is up to a fifth of a file. */
	kerning?: number | undefined;
};

/**
 * Makes smaller copies of a variable font of @fontsource-variable with our weights and features only, each with its characters,
 * so that a browser loads only what a page needs. A font of several weights has the kerning of one.
 */
export async function textSubsets(
	path: string,
	weights: number | Range,
	kerning?: number,
): Promise<Face[]> {
	const options: Options = {
		targetFormat: 'woff2',
		variationAxes: { wght: weights },
		keepFeatures: FEATURES,
		kerning,
	};
	return subsets(`@fontsource-variable/${path}`, TEXTS, options);
}

/** Makes copies of a formula font of @fontsource, each with its characters. */
export async function mathSubsets(path: string): Promise<Face[]> {
	const options: Options = {
		targetFormat: 'woff2',
		keepFeatures: [],
		noLayoutClosure: true,
		noHinting: true,
	};
	const files = await subsets(`@fontsource/${path}`, FORMULAS, options);
	// If two files have a character, a browser takes the one declared last.
	return files.reverse();
}

async function subsets(path: string, parts: Characters[], options: Options): Promise<Face[]> {
	return Promise.all(
		parts.map(async (part): Promise<Face> => {
			const codes = part.flatMap((item) =>
				typeof item === 'string' ? [...item].map((sign) => sign.codePointAt(0)!) : range(...item),
			);
			const file = await made(path, String.fromCodePoint(...codes), options);
			return { src: [`./${file}`], unicodeRange: rangesOf(codes) };
		}),
	);
}

/** Returns code points as the shortest `unicode-range`. */
function rangesOf(codes: number[]): [string, ...string[]] {
	const sorted = codes.toSorted((a, b) => a - b);
	const first = sorted.filter((code, at) => sorted[at - 1] !== code - 1);
	const last = sorted.filter((code, at) => sorted[at + 1] !== code + 1);
	const names = first.map((code, at) =>
		code === last[at] ? hex(code) : `${hex(code)}-${hex(last[at]!).slice(2)}`,
	);
	return names as [string, ...string[]];
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
		writeFileSync(`${file}.${process.pid}`, await subsetOf(source, characters, options));
		renameSync(`${file}.${process.pid}`, file);
	}
	return file;
}

/** Returns a subset of a font; if `kerning` names a weight, all weights have the kerning of that one. */
async function subsetOf(
	source: Buffer,
	characters: string,
	{ kerning, ...options }: Options,
): Promise<Buffer> {
	if (kerning === undefined) return subsetFont(source, characters, options);
	const { variationAxes, ...others } = options;
	const asTrueType = (axes: Options['variationAxes'] = {}) =>
		subsetFont(source, characters, { ...others, targetFormat: 'truetype', variationAxes: axes });
	const font = await asTrueType(variationAxes);
	const kerned = await asTrueType({ ...variationAxes, wght: kerning });
	return subsetFont(withKerningOf(font, kerned, KERNING_STEP), characters, others);
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
