import { join } from 'node:path';
import type { NodeCompiler, NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import opentype from 'opentype.js';
import { tex2typst } from 'tex2typst';
import { printFont, printMathFont } from '#src/styles/fonts.ts';
import { compactPdf } from './compact-pdf.ts';
import { quoted } from './to-typst.ts';

const SERIF = 'source-serif-4/files/source-serif-4';
const GROTESQUE = 'bricolage-grotesque/files/bricolage-grotesque';
const MONO = 'geist-mono/files/geist-mono';

type Source = [path: string, axes: Record<string, number>];

const SOURCES: Source[] = [
	...['normal', 'italic'].flatMap((slant) =>
		[400, 650].flatMap((wght) =>
			['latin', 'latin-ext', 'greek', 'cyrillic'].map((script): Source => [
				`${SERIF}-${script}-opsz-${slant}.woff2`,
				{ wght, opsz: 10 },
			]),
		),
	),
	...[430, 660].flatMap((wght) =>
		['latin', 'latin-ext'].map((script): Source => [
			`${GROTESQUE}-${script}-wght-normal.woff2`,
			{ wght },
		]),
	),
	...['normal', 'italic'].flatMap((slant) =>
		['latin', 'latin-ext', 'symbols2', 'cyrillic'].map((script): Source => [
			`${MONO}-${script}-wght-${slant}.woff2`,
			{ wght: 420 },
		]),
	),
];

/** The folder of the templates: nothing else can be read by a document. */
const WORKSPACE = import.meta.dirname;

/** Pictures by the name that a document uses. */
export type Files = ReadonlyMap<string, string>;

let opening: Promise<Typesetter> | undefined;

/** Returns the typesetter with the site's fonts, loaded once in a process. */
export function openTypesetter(): Promise<Typesetter> {
	return (opening ??= load());
}

async function load(): Promise<Typesetter> {
	const fonts = await Promise.all(SOURCES.map(([path, axes]) => printFont(path, axes)));
	fonts.push(await printMathFont('stix-two-math/files/stix-two-math-latin-400-normal.woff2'));
	const { NodeCompiler: compiler } = await import('@myriaddreamin/typst-ts-node-compiler').catch(
		(cause: unknown) => {
			throw new Error(`Typst cannot be run on ${process.platform} ${process.arch}`, { cause });
		},
	);
	return new Typesetter(
		compiler.create({ workspace: WORKSPACE, fontArgs: [{ fontBlobs: fonts }] }),
		fonts,
	);
}

/** A font's glyphs: their numbers by the character's code point. */
type CharacterMap = { glyphIndexMap: Record<string, number> };

/** Typst, with nothing but the site's fonts and templates. */
export class Typesetter {
	readonly #compiler: NodeCompiler;
	readonly #characters = new Set<number>();
	readonly #formulas = new Map<string, string | null>();

	constructor(compiler: NodeCompiler, fonts: Buffer[]) {
		this.#compiler = compiler;
		for (const { buffer, byteOffset, byteLength } of fonts) {
			const font = opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength), {
				lowMemory: true,
			});
			const map: unknown = font.tables['cmap'];
			for (const code of Object.keys((map as CharacterMap).glyphIndexMap)) {
				this.#characters.add(Number(code));
			}
		}
	}

	/** Returns a document as PDF/UA-1, or throws what keeps it from being one. */
	async pdf(source: string, files?: Files): Promise<Uint8Array> {
		const bytes = this.#compiled(source, files, (document) =>
			this.#compiler.pdf(document, { pdfStandard: 'ua-1' }),
		);
		this.#compiler.evictCache(0);
		return compactPdf(bytes);
	}

	countPages(source: string, files?: Files): number {
		return this.#compiled(source, files, ({ numOfPages }) => numOfPages);
	}

	/** Returns TeX in Typst's notation, or null for what it cannot set. */
	toFormula = (latex: string): string | null => {
		let formula = this.#formulas.get(latex);
		if (formula === undefined) {
			formula = this.#convert(latex);
			this.#formulas.set(latex, formula);
		}
		return formula;
	};

	/** Returns a text in which a character that no font has is named by its code point. */
	printable = (text: string): string =>
		text
			.replace(/[\p{Cf}\p{Variation_Selector}]|(?!\n)\p{Cc}/gu, '')
			.replace(/[^\n -~]/gu, (sign) => {
				const code = sign.codePointAt(0)!;
				if (this.#characters.has(code)) return sign;
				return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
			});

	#convert(latex: string): string | null {
		if (latex.length > LONGEST || UNSAFE.test(latex)) return null;
		try {
			const formula = tex2typst(latex, { fracToSlash: false });
			if (this.printable(formula) !== formula || depthOf(formula) > DEEPEST) return null;
			this.countPages(`#math.equation(eval(${quoted(formula)}, mode: "math"))`);
			return formula;
		} catch {
			return null;
		}
	}

	#compiled<Result>(
		source: string,
		files: Files = new Map(),
		use: (document: NodeTypstDocument) => Result,
	): Result {
		for (const [name, content] of files) {
			this.#compiler.mapShadow(join(WORKSPACE, name), Buffer.from(content));
		}
		try {
			const compiled = this.#compiler.compile({ mainFileContent: source });
			const error = compiled.takeError();
			if (error) throw new Error(this.#compiler.fetchDiagnostics(error).map(messageOf).join('; '));
			return use(compiled.result!);
		} finally {
			this.#compiler.resetShadow();
		}
	}
}

/** Returns the arguments that say in which language a document is, and of which day: it has the same bytes each time. */
export function documentArguments({
	language,
	date,
}: {
	language: string;
	date: Date;
}): Record<string, string> {
	const [name = 'en', region] = language.split('-');
	const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
	return {
		language: quoted(name),
		region: region ? quoted(region) : 'none',
		date: `datetime(year: ${year}, month: ${month}, day: ${day})`,
	};
}

const messageOf = (diagnostic: { message: string }) => diagnostic.message;

/** Characters of a formula, and brackets that stand within each other: the compiler calls itself for each. */
const LONGEST = 5000;
const DEEPEST = 40;
/** Characters that would end a text of a formula, or begin code. */
const UNSAFE = /["#`]/;

function depthOf(formula: string): number {
	let depth = 0;
	let deepest = 0;
	for (const sign of formula) {
		if (/[([{]/.test(sign)) deepest = Math.max(deepest, ++depth);
		else if (/[)\]}]/.test(sign)) depth--;
	}
	return deepest;
}
