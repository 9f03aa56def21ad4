import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import opentype, { type Font, type PathCommand } from 'opentype.js';
import { at } from '#src/lib/pen.ts';

/** Sets text as vector paths, so that a picture needs no font on the machine that draws it. */
export type Lettering = {
	width: (text: string, size: number) => number;
	/** Returns a text without the characters that the font has not, or nothing where it lacks half of the letters. */
	drawable: (text: string) => string;
	/** Returns a text as paths in the current fill, starting at the left end of its baseline. */
	set: (text: string, x: number, y: number, size: number) => string;
	/**
	 * Returns a text's lines in the largest of `sizes` at which they fit: at most `lines(size)` lines, none
	 * wider than `maxWidth`. At the smallest size, words that are too long are broken and the rest is cut with
	 * an ellipsis.
	 */
	fit: (
		text: string,
		maxWidth: number,
		sizes: readonly number[],
		lines: (size: number) => number,
	) => { size: number; lines: string[] };
};

const require = createRequire(import.meta.url);
/** In the order in which a character is looked up. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'];
const ELLIPSIS = '…';

type Glyph = { data: string; advance: number; font: Font; index: number };

/** Loads a weight of the font. `tracking` is added to each advance, in ems. */
export async function loadLettering(weight: number, tracking = 0): Promise<Lettering> {
	const fonts = await Promise.all(
		SUBSETS.map(async (subset) => {
			const name = `bricolage-grotesque-${subset}-${weight}-normal.woff`;
			const bytes = await readFile(
				require.resolve(`@fontsource/bricolage-grotesque/files/${name}`),
			);
			return opentype.parse(
				bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
			);
		}),
	);
	const known = new Map<string, Glyph | undefined>();
	const glyphOf = (character: string) => {
		if (known.has(character)) return known.get(character);
		const font = fonts.find((font) => font.charToGlyphIndex(character) > 0);
		let glyph: Glyph | undefined;
		if (font) {
			const drawn = font.charToGlyph(character);
			glyph = {
				// In thousandths of an em, so that whole numbers are precise enough.
				data: drawn.getPath(0, 0, 1000).commands.map(dataOf).join(''),
				advance: ((drawn.advanceWidth ?? 0) * 1000) / font.unitsPerEm + tracking * 1000,
				font,
				index: drawn.index,
			};
		}
		known.set(character, glyph);
		return glyph;
	};
	const kerns = new Map<string, number>();
	const kern = (left: string, right: string, a: Glyph, b: Glyph) => {
		if (a.font !== b.font) return 0;
		const pair = left + right;
		let value = kerns.get(pair);
		if (value === undefined) {
			value =
				(a.font.getKerningValue(a.font.glyphs.get(a.index), b.font.glyphs.get(b.index)) * 1000) /
				a.font.unitsPerEm;
			kerns.set(pair, value);
		}
		return value;
	};
	/** Visits the glyphs of a text with their positions. Returns where the text ends. */
	const layOut = (text: string, visit?: (glyph: Glyph, x: number) => void) => {
		let x = 0;
		let before: { character: string; glyph: Glyph } | undefined;
		for (const character of text.normalize('NFC')) {
			// A character that no subset has is skipped instead of drawn as a box.
			const glyph = glyphOf(character);
			if (!glyph) continue;
			if (before) x += kern(before.character, character, before.glyph, glyph);
			visit?.(glyph, x);
			x += glyph.advance;
			before = { character, glyph };
		}
		return x;
	};
	const width = (text: string, size: number) => (layOut(text) * size) / 1000;

	/** Returns words in lines that are as long as fits. */
	const wrap = (words: string[], maxWidth: number, size: number) => {
		const lines: string[] = [];
		for (const word of words) {
			const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
			if (lines.length > 0 && width(longer, size) <= maxWidth) lines[lines.length - 1] = longer;
			else lines.push(word);
		}
		return lines;
	};
	const isWithin = (lines: string[], maxWidth: number, size: number) =>
		lines.every((line) => width(line, size) <= maxWidth);
	/** Returns the same number of lines with widths as even as possible. */
	const balance = (words: string[], maxWidth: number, size: number, count: number) => {
		let [low, high] = [maxWidth * 0.5, maxWidth];
		while (high - low > 8) {
			const middle = (low + high) / 2;
			const lines = wrap(words, middle, size);
			if (lines.length <= count && isWithin(lines, middle, size)) high = middle;
			else low = middle;
		}
		return wrap(words, high, size);
	};
	const breakWord = (word: string, maxWidth: number, size: number) => {
		const parts = [''];
		for (const character of word) {
			if (width(parts.at(-1)! + character, size) > maxWidth) parts.push(character);
			else parts[parts.length - 1] += character;
		}
		return parts;
	};

	return {
		width,
		drawable: (text) => {
			const has = (character: string) => glyphOf(character) !== undefined;
			const characters = [...text.normalize('NFC')];
			const letters = characters.filter((character) => /[\p{L}\p{N}]/u.test(character));
			const isMost = letters.filter(has).length * 2 > letters.length;
			const kept = characters.filter((character) => /\s/.test(character) || has(character));
			return isMost ? kept.join('').replace(/\s+/g, ' ').trim() : '';
		},
		set: (text, x, y, size) => {
			let data = '';
			layOut(text, (glyph, left) => {
				if (glyph.data)
					data += `<path transform="translate(${left.toFixed(1)})" d="${glyph.data}"/>`;
			});
			return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)})scale(${size / 1000})">${data}</g>`;
		},
		fit: (text, maxWidth, sizes, maxLines) => {
			const words = text.split(/\s+/).filter(Boolean);
			for (const size of sizes) {
				const lines = wrap(words, maxWidth, size);
				if (lines.length <= maxLines(size) && isWithin(lines, maxWidth, size)) {
					return { size, lines: balance(words, maxWidth, size, lines.length) };
				}
			}
			const size = sizes.at(-1)!;
			const lines = wrap(
				words.flatMap((word) => breakWord(word, maxWidth, size)),
				maxWidth,
				size,
			);
			const kept = lines.slice(0, maxLines(size));
			if (kept.length < lines.length) {
				let last = kept.at(-1)!;
				while (width(last + ELLIPSIS, size) > maxWidth) last = last.slice(0, -1);
				kept[kept.length - 1] = last.trimEnd() + ELLIPSIS;
			}
			return { size, lines: kept };
		},
	};
}

function dataOf(command: PathCommand): string {
	switch (command.type) {
		case 'M':
		case 'L':
			return at(command.type, command.x, command.y);
		case 'Q':
			return at('Q', command.x1, command.y1, command.x, command.y);
		case 'C':
			return at('C', command.x1, command.y1, command.x2, command.y2, command.x, command.y);
		case 'Z':
			return 'Z';
	}
}
