import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { printFont } from '#src/styles/fonts.ts';

/** What text is set in. */
export type Face =
	'text' | 'italic' | 'bold' | 'boldItalic' | 'display' | 'sans' | 'code' | 'codeItalic';

export type Style = {
	face: Face;
	/** In points, like every length here. */
	size: number;
	color?: string;
	/** How far above the baseline. */
	rise?: number;
	/** An address, or `#` and the name of a place in the document. */
	link?: string;
};

export const INK = '#10161d';
export const CYAN = '#0e7490';
export const MUTED = '#56616b';
export const LINE = '#c9d0d0';
export const TINT = '#f3f5f2';

const SERIF = 'source-serif-4/files/source-serif-4';
const GROTESQUE = 'bricolage-grotesque/files/bricolage-grotesque';
const MONO = 'geist-mono/files/geist-mono';

type Source = { path: string; axes: Record<string, number> };
const serif = (script: string, slant: string, wght: number): Source => ({
	path: `${SERIF}-${script}-opsz-${slant}.woff2`,
	axes: { wght, opsz: 10 },
});
const scripts = (slant: string, wght: number) =>
	['latin', 'latin-ext', 'greek', 'cyrillic'].map((script) => serif(script, slant, wght));
const grotesque = (wght: number) =>
	['latin', 'latin-ext'].map((script) => ({
		path: `${GROTESQUE}-${script}-wght-normal.woff2`,
		axes: { wght },
	}));
const mono = (slant: string) =>
	['latin', 'latin-ext', 'symbols2', 'cyrillic'].map((script) => ({
		path: `${MONO}-${script}-wght-${slant}.woff2`,
		axes: { wght: 420 },
	}));

const SOURCES: Record<Face, Source[]> = {
	text: scripts('normal', 400),
	italic: scripts('italic', 400),
	bold: scripts('normal', 650),
	boldItalic: scripts('italic', 650),
	display: grotesque(660),
	sans: grotesque(430),
	code: mono('normal'),
	codeItalic: mono('italic'),
};
/** Signs that the families lack, in the order in which they are looked for. */
const SIGNS = ['KaTeX_Main-Regular', 'KaTeX_AMS-Regular', 'KaTeX_Size1-Regular'];

/** What of the library's font and page is used that its types leave out. */
type Font = {
	id: string;
	ref: () => unknown;
	encode: (text: string) => [string[], { xAdvance: number; advanceWidth: number }[]];
	font: { hasGlyphForCodePoint: (code: number) => boolean };
};
type Inner = {
	_font: Font;
	page: { fonts: Record<string, unknown> };
	addContent: (operators: string) => void;
};

let loading: Promise<Map<string, Buffer>> | undefined;

/** All fonts by name, read once in a process. */
function loadFonts(): Promise<Map<string, Buffer>> {
	return (loading ??= readFonts());
}

async function readFonts(): Promise<Map<string, Buffer>> {
	const require = createRequire(import.meta.url);
	const fonts = new Map<string, Buffer>();
	for (const [face, sources] of Object.entries(SOURCES)) {
		for (const [index, { path, axes }] of sources.entries()) {
			fonts.set(`${face}-${index}`, await printFont(path, axes));
		}
	}
	for (const name of SIGNS) {
		fonts.set(name, readFileSync(require.resolve(`katex/dist/fonts/${name}.ttf`)));
	}
	return fonts;
}

export type About = {
	title: string;
	author: string;
	subject: string;
	language: string;
	/** Of the newest thing in it: a document of the same content has the same bytes. */
	date: Date;
	/** Width and height. */
	page: [number, number];
};

/** A document, and text set in it: measured, with signs taken from the first font that has them, and shown. */
export class Press {
	readonly doc: PDFKit.PDFDocument;
	readonly #names = new Map<Face, string[]>();
	readonly #fonts = new Map<string, Font>();
	readonly #widths = new Map<string, number>();
	readonly #fontOf = new Map<string, Font | undefined>();

	static async open(about: About): Promise<Press> {
		return new Press(await loadFonts(), about);
	}

	private constructor(fonts: Map<string, Buffer>, about: About) {
		this.doc = new PDFDocument({
			size: about.page,
			margin: 0,
			autoFirstPage: false,
			pdfVersion: '1.7',
			lang: about.language,
			tagged: true,
			displayTitle: true,
			info: {
				Title: about.title,
				Author: about.author,
				Subject: about.subject,
				Creator: about.author,
				CreationDate: about.date,
				ModDate: about.date,
			},
		});
		for (const [name, bytes] of fonts) this.doc.registerFont(name, bytes);
		const signs = SIGNS.concat(SOURCES.text.map((_, index) => `text-${index}`));
		for (const [face, sources] of Object.entries(SOURCES)) {
			const own = sources.map((_, index) => `${face}-${index}`);
			this.#names.set(face as Face, [...own, ...signs]);
		}
	}

	get #inner(): Inner {
		return this.doc as unknown as Inner;
	}

	#font(name: string): Font {
		let font = this.#fonts.get(name);
		if (!font) {
			this.doc.font(name);
			font = this.#inner._font;
			this.#fonts.set(name, font);
		}
		return font;
	}

	#fontFor(face: Face, character: string): Font | undefined {
		const key = face + character;
		if (!this.#fontOf.has(key)) {
			const code = character.codePointAt(0)!;
			const found = this.#names
				.get(face)!
				.map((name) => this.#font(name))
				.find(({ font }) => font.hasGlyphForCodePoint(code));
			this.#fontOf.set(key, found);
		}
		return this.#fontOf.get(key);
	}

	/** A text in pieces of one font each. A sign that no font has is named by its code point. */
	#pieces(text: string, face: Face): { font: Font; text: string }[] {
		const pieces: { font: Font; text: string }[] = [];
		for (const character of text) {
			const font = this.#fontFor(face, character);
			const last = pieces.at(-1);
			const shown = font ? character : `[U+${hex(character.codePointAt(0)!)}]`;
			const shownIn = font ?? this.#fontFor(face, 'U')!;
			if (last && (last.font === shownIn || character === ' ')) last.text += shown;
			else pieces.push({ font: shownIn, text: shown });
		}
		return pieces;
	}

	width(text: string, face: Face, size: number): number {
		const key = `${face} ${text}`;
		let width = this.#widths.get(key);
		if (width === undefined) {
			width = 0;
			for (const piece of this.#pieces(text, face)) {
				for (const { xAdvance } of piece.font.encode(piece.text)[1]) width += xAdvance;
			}
			this.#widths.set(key, width);
		}
		return (width * size) / 1000;
	}

	/** Shows a text from its baseline's left end; `loose` is added to every space. */
	show(text: string, x: number, y: number, style: Style, loose = 0): void {
		const { face, size, color = INK, rise = 0 } = style;
		this.doc.fillColor(color);
		const { page } = this.#inner;
		const more = (-loose * 1000) / size;
		let at = x;
		for (const { font, text: part } of this.#pieces(text, face)) {
			page.fonts[font.id] ??= font.ref();
			const [glyphs, positions] = font.encode(part);
			const space = loose === 0 ? undefined : font.encode(' ')[0][0];
			let shown = '';
			let open = '';
			let end = at;
			glyphs.forEach((glyph, index) => {
				const { xAdvance, advanceWidth } = positions[index]!;
				const isSpace = glyph === space;
				const gap = advanceWidth - xAdvance + (isSpace ? more : 0);
				open += glyph;
				end += (xAdvance * size) / 1000 + (isSpace ? loose : 0);
				if (Math.abs(gap) < 0.05) return;
				shown += `<${open}>${short(gap)}`;
				open = '';
			});
			if (open) shown += `<${open}>`;
			this.#inner.addContent(
				`BT /${font.id} ${short(size)} Tf 1 0 0 -1 ${short(at)} ${short(y - rise)} Tm [${shown}] TJ ET`,
			);
			at = end;
		}
	}

	/** A line of text by its left, middle or right end. */
	label(
		text: string,
		x: number,
		y: number,
		style: Style,
		align: 'left' | 'center' | 'right' = 'left',
	): number {
		const width = this.width(text, style.face, style.size);
		const share = { left: 0, center: 0.5, right: 1 }[align];
		this.show(text, x - width * share, y, style);
		return width;
	}

	rule(x: number, y: number, width: number, weight = 0.5, color = LINE): void {
		this.doc
			.moveTo(x, y)
			.lineTo(x + width, y)
			.lineWidth(weight)
			.stroke(color);
	}

	/** The annotation frame: four corner marks. */
	frame(
		x: number,
		y: number,
		width: number,
		height: number,
		{ mark = 9, weight = 1.2, color = INK } = {},
	): void {
		const [right, bottom] = [x + width, y + height];
		this.doc
			.moveTo(x, y + mark)
			.lineTo(x, y)
			.lineTo(x + mark, y)
			.moveTo(right - mark, y)
			.lineTo(right, y)
			.lineTo(right, y + mark)
			.moveTo(right, bottom - mark)
			.lineTo(right, bottom)
			.lineTo(right - mark, bottom)
			.moveTo(x + mark, bottom)
			.lineTo(x, bottom)
			.lineTo(x, bottom - mark)
			.lineWidth(weight)
			.lineCap('butt')
			.stroke(color);
	}

	link(x: number, y: number, width: number, height: number, to: string): void {
		if (to.startsWith('#')) this.doc.goTo(x, y, width, height, to.slice(1));
		else this.doc.link(x, y, width, height, to);
	}

	/** Ornaments and running heads: nothing to be read aloud. */
	artifact(draw: () => void): void {
		this.doc.markContent('Artifact');
		draw();
		this.doc.endMarkedContent();
	}

	/** What is drawn as an element of the document's structure. */
	tagged(tag: string, draw: () => void): PDFKit.PDFStructureElement {
		const content = this.doc.markStructureContent(tag);
		draw();
		this.doc.endMarkedContent();
		return this.doc.struct(tag).add(content);
	}

	async bytes(): Promise<Buffer> {
		const chunks: Buffer[] = [];
		this.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
		const ended = new Promise((resolve) => this.doc.on('end', resolve));
		this.doc.end();
		await ended;
		return Buffer.concat(chunks);
	}
}

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, '0');
const short = (value: number) => String(Math.round(value * 100) / 100);
