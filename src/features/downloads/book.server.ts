import type { Root } from 'hast';
import { placeArt } from './art.server.ts';
import {
	setArticle,
	textLines,
	wordsIn,
	type Block,
	type Line,
	type Scene,
} from './galley.server.ts';
import { setParagraph } from './paragraph.server.ts';
import { CYAN, INK, MUTED, Press, type Style } from './press.server.ts';

export type Chapter = {
	/** The name of its place in the document, and its path on the site if it has one. */
	id: string;
	/** Above its title. */
	kind: string;
	title: string;
	summary: string;
	color: string;
	art?: { slug: string; category: string };
	tree: Root;
};

/** `title` is null for what comes before and after the parts. */
export type Part = { title: string | null; chapters: Chapter[] };

export type Book = {
	title: string;
	subtitle: string;
	kind: string;
	author: string;
	language: string;
	siteUrl: string;
	date: Date;
	color: string;
	art: { slug: string; category: string };
	/** The last lines of the title page. */
	imprint: string[];
	parts: Part[];
};

/** 7 by 10 inches, the size of technical books: it prints on either side's paper without scaling. */
const PAGE: [number, number] = [504, 720];
const LEFT = 54;
const TOP = 58;
const WIDTH = PAGE[0] - 2 * LEFT;
const BOTTOM = 36;

/** The distance of the text's lines. */
const GRID = 14;
/** Of a page's text. */
const HEIGHT = 44 * GRID;
/** What a page has at least, with some to spare for what counts words otherwise. */
const LEAST_WORDS = 300;

/** `isRepeated`: it was shown on an earlier page already. */
type Placed = { line: Line; y: number; isRepeated?: boolean };
type Page = { placed: Placed[]; chapter: Chapter; words: number };
type Galley = { line: Line; chapter: Chapter }[];

/** Sets a book: title page, contents, chapters that run on, with outline, links and page references. */
export async function makeBook(book: Book): Promise<Buffer> {
	const press = await Press.open({ ...book, subject: book.subtitle, page: PAGE });
	const chapters = book.parts.flatMap((part) => part.chapters);
	const front = 1 + contentsPages(press, book, new Map()).length;
	// Page references change the text, and the text the pages: until they agree.
	let references = new Map<string, number>();
	let pages: Page[] = [];
	for (let round = 0; round < 6; round++) {
		const galley = setChapters(press, book, references);
		pages = paginate(galley);
		const found = placesOf(pages, front);
		const isSettled =
			found.size === references.size && [...found].every(([key, at]) => references.get(key) === at);
		references = found;
		if (isSettled) break;
	}
	titlePage(press, book);
	const structure = new Structure(press);
	contentsPages(press, book, references).forEach((lines, index) => {
		press.doc.addPage();
		runningHead(press, 'Contents', index + 2);
		if (index === 0) press.doc.outline.addItem('Contents');
		structure.draw(lines.map((line) => ({ ...line })));
	});
	const started = new Set<Chapter>();
	let outline = press.doc.outline;
	let part: string | null = null;
	pages.forEach((page, index) => {
		press.doc.addPage();
		for (const { line, y } of page.placed) {
			if (line.place === undefined) continue;
			press.doc.addNamedDestination(line.place, 'XYZ', 0, Math.max(0, TOP + y - 20), null);
			const chapter = chapters.find(({ id }) => id === line.place);
			if (!chapter || started.has(chapter)) continue;
			started.add(chapter);
			const own = book.parts.find((one) => one.chapters.includes(chapter))!.title;
			const top = Math.max(0, TOP + y - 20);
			if (own === null) outline = press.doc.outline;
			else if (own !== part) outline = press.doc.outline.addItem(own, { top } as object);
			part = own;
			outline.addItem(chapter.title, { top } as object);
		}
		runningHead(press, page.chapter.title, index + 1 + front);
		structure.draw(page.placed);
	});
	structure.end();
	return press.bytes();
}

/** All chapters as one galley. */
function setChapters(press: Press, book: Book, references: Map<string, number>): Galley {
	return book.parts.flatMap(({ title, chapters }) =>
		chapters.flatMap((chapter, index) => {
			const resolve = (href: string) => {
				const [path, hash] = href.split('#');
				const known = references.get(path!);
				const own = path === chapter.id;
				if (known !== undefined && !own) return { to: `#${path}`, page: known };
				if (own) return { to: `#${hash ? `${chapter.id}#${hash}` : chapter.id}` };
				return { to: href.startsWith('/') ? book.siteUrl + href : href };
			};
			const scene: Scene = {
				press,
				width: WIDTH,
				size: 10.4,
				grid: GRID,
				step: GRID,
				align: 'justify',
				resolve,
				prefix: `${chapter.id}#`,
				color: chapter.color,
			};
			const head = chapterHead(press, chapter, index === 0 ? title : null);
			const text = setArticle(scene, chapter.tree);
			// A head does not stand at the foot of a page with a line or two.
			let height = 0;
			for (const line of text) {
				height += line.height;
				if (height > GRID * 4) break;
				line.isEnd = false;
			}
			return [...head, ...text].map((line) => ({ line, chapter }));
		}),
	);
}

const ART = { width: 104, height: 68 };

function chapterHead(press: Press, chapter: Chapter, part: string | null): Line[] {
	const { title, kind, summary, color, art } = chapter;
	const style: Style = { face: 'display', size: 21 };
	const room = WIDTH - (art ? ART.width + 22 : 0);
	const titleLines = setParagraph(press, [{ text: title, style }], { width: room, align: 'left' });
	const leading = 23.5;
	const lead: Style = { face: 'italic', size: 11.2, color: MUTED };
	const summaryLines = setParagraph(press, [{ text: summary, style: lead }], {
		width: WIDTH,
		align: 'left',
	});
	const own = Math.max(30 + titleLines.length * leading, art ? ART.height + 14 : 0) + 6;
	const rest = summaryLines.length * GRID;
	const total = Math.ceil((own + rest + GRID * 0.7) / GRID) * GRID;
	const head: Line = {
		before: 2 * GRID,
		height: own + (total - own - rest) * 0.35,
		snaps: true,
		isEnd: false,
		block: { tag: 'H1' },
		place: chapter.id,
		words: wordsIn(title) + wordsIn(kind),
		draw: (x, y) => {
			press.rule(x, y + 4, WIDTH, 1, INK);
			press.show(kind, x, y + 20, { face: 'code', size: 7.8, color });
			titleLines.forEach((line, index) => line.draw(x, y + 45 + index * leading));
			if (!art) return;
			const area = { x: x + WIDTH - ART.width, y: y + 12, ...ART };
			placeArt(press, { ...art, color }, area);
		},
	};
	const text = textLines(summaryLines, 0, GRID, { tag: 'P' });
	for (const line of text) line.isEnd = false;
	const last = text.at(-1) ?? head;
	last.height += (total - own - rest) * 0.65 - 0.02;
	const opening = [head, ...text];
	if (part === null) return opening;
	const plate: Line = {
		before: 2 * GRID,
		height: 2 * GRID,
		snaps: true,
		isEnd: false,
		block: { tag: 'H1' },
		words: wordsIn(part),
		draw: (x, y) => {
			const label: Style = { face: 'display', size: 10.5, color: '#ffffff' };
			const width = press.width(part, label.face, label.size) + 20;
			press.doc.rect(x, y + 4, width, 20).fill(INK);
			press.show(part, x + 10, y + 17.6, label);
		},
	};
	head.before = 0;
	return [plate, ...opening];
}

/** Cuts a galley into pages that are full, of which none has too few words: the best cuts of all, not page by page. */
function paginate(galley: Galley): Page[] {
	const count = galley.length;
	const best: { cost: number; end: number }[] = [];
	best[count] = { cost: 0, end: count };
	for (let start = count - 1; start >= 0; start--) {
		if (start > 0 && !galley[start - 1]!.line.isEnd) continue;
		let found: { cost: number; end: number } | undefined;
		for (const { end, fill, words } of endsFrom(galley, start)) {
			const rest = best[end]?.cost ?? Infinity;
			const empty = end === count ? 0 : (100 * (1 - fill)) ** 2;
			const missing = Math.max(0, LEAST_WORDS - words);
			const cost = rest + empty + 1000 * missing ** 2;
			if (!found || cost < found.cost) found = { cost, end };
		}
		best[start] = found!;
	}
	const pages: Page[] = [];
	for (let start = 0; start < count; start = best[start]!.end) {
		const { end } = best[start]!;
		const placed = place(galley, start, end);
		const words = placed.reduce((sum, { line }) => sum + line.words, 0);
		pages.push({ placed, chapter: galley[start]!.chapter, words });
	}
	return pages;
}

/** Where a page that begins with a line may end. What fits on no page is cut where the page ends. */
function endsFrom(galley: Galley, start: number): { end: number; fill: number; words: number }[] {
	const ends: { end: number; fill: number; words: number }[] = [];
	let words = 0;
	let last = start;
	let lastFill = 0;
	for (const { line, y, index } of laid(galley, start)) {
		if (y + line.height > HEIGHT + 0.5 && index > start) break;
		words += line.words;
		last = index + 1;
		lastFill = (y + line.height) / HEIGHT;
		if (line.isEnd || last === galley.length) ends.push({ end: last, fill: lastFill, words });
	}
	if (ends.length > 0) return ends;
	galley[last - 1]!.line.isEnd = true;
	return [{ end: last, fill: lastFill, words }];
}

function place(galley: Galley, start: number, end: number): Placed[] {
	const placed: Placed[] = [];
	const { header } = galley[start]!.line;
	if (header) placed.push({ line: header, y: 0, isRepeated: true });
	for (const { line, y, index } of laid(galley, start)) {
		if (index >= end) break;
		placed.push({ line, y });
	}
	return placed;
}

/** The lines from one on, with their places on a page that begins with it. */
function* laid(galley: Galley, start: number): Generator<Placed & { index: number }> {
	let bottom = galley[start]!.line.header?.height ?? 0;
	for (let index = start; index < galley.length; index++) {
		const { line } = galley[index]!;
		let y = bottom + (index === start ? 0 : line.before);
		if (line.snaps) y = Math.ceil(y / GRID - 0.01) * GRID;
		yield { line, y, index };
		bottom = y + line.height;
	}
}

function placesOf(pages: Page[], front: number): Map<string, number> {
	const places = new Map<string, number>();
	pages.forEach(({ placed }, index) => {
		for (const { line } of placed) {
			if (line.place && !line.place.includes('#')) places.set(line.place, index + 1 + front);
		}
	});
	return places;
}

function contentsPages(press: Press, book: Book, references: Map<string, number>): Placed[][] {
	const pages: Placed[][] = [[]];
	let y = 3 * GRID;
	pages[0]!.push({
		y: 0,
		line: plain({ tag: 'H1' }, 3 * GRID, (x, top) =>
			press.show('Contents', x, top + 24, { face: 'display', size: 24 }),
		),
	});
	const list: Block = { tag: 'TOC' };
	const put = (line: Line, keep = 0) => {
		if (y + line.height + keep > HEIGHT) {
			pages.push([]);
			y = 0;
		}
		pages.at(-1)!.push({ line, y });
		y += line.height;
	};
	for (const { title, chapters } of book.parts) {
		if (title !== null) {
			put(
				plain({ tag: 'H2' }, 24, (x, top) =>
					press.show(title, x, top + 18, { face: 'display', size: 10.2, color: CYAN }),
				),
				3 * 16,
			);
		} else y += 4;
		for (const chapter of chapters) {
			const at = references.get(chapter.id);
			put(
				plain({ tag: 'TOCI', parent: list }, 15, (x, top) => {
					const width = press.label(chapter.title, x, top + 12, { face: 'text', size: 10.4 });
					const number = at === undefined ? '' : String(at);
					const own = press.label(
						number,
						x + WIDTH,
						top + 12,
						{ face: 'code', size: 8.6 },
						'right',
					);
					const from = x + width + 6;
					const to = x + WIDTH - own - 6;
					press.doc
						.moveTo(from, top + 11)
						.lineTo(to, top + 11)
						.lineWidth(0.7)
						.dash(0.7, { space: 3 });
					if (to > from) press.doc.stroke('#9aa4a4');
					press.doc.undash();
					if (at !== undefined) press.link(x, top, WIDTH, 15, `#${chapter.id}`);
				}),
			);
		}
	}
	return pages;
}

const plain = (block: Block, height: number, draw: Line['draw']): Line => ({
	before: 0,
	height,
	snaps: false,
	isEnd: true,
	block,
	words: 0,
	draw,
});

function runningHead(press: Press, chapter: string, number: number): void {
	press.artifact(() => {
		const y = 34;
		const style: Style = { face: 'sans', size: 8.2, color: MUTED };
		const isLeft = number % 2 === 0;
		const label = String(number);
		const width = press.width(label, 'code', 8.4);
		const x = isLeft ? LEFT + 6 : PAGE[0] - LEFT - 6 - width;
		if (!isLeft) press.show(chapter, LEFT, y, style);
		press.show(label, x, y, { face: 'code', size: 8.4 });
		press.frame(x - 6, y - 10.5, width + 12, 15, { mark: 3.5, weight: 0.9, color: CYAN });
		if (isLeft) press.label(chapter, PAGE[0] - LEFT, y, style, 'right');
	});
}

function titlePage(press: Press, book: Book): void {
	const { doc } = press;
	doc.addPage();
	press.artifact(() => {
		const area = { x: 0, y: 0, width: PAGE[0], height: 318 };
		placeArt(press, { ...book.art, color: book.color }, area, true);
	});
	const structure = new Structure(press);
	const style: Style = { face: 'display', size: 41 };
	const title = setParagraph(press, [{ text: book.title, style }], { width: WIDTH, align: 'left' });
	const lead: Style = { face: 'text', size: 14.5, color: MUTED };
	const subtitle = setParagraph(press, [{ text: book.subtitle, style: lead }], {
		width: WIDTH * 0.86,
		align: 'left',
	});
	structure.draw([
		{
			y: 0,
			line: plain({ tag: 'H1' }, 0, (x) => {
				press.show(book.kind, x, 356, { face: 'code', size: 9, color: book.color });
				title.forEach((line, index) => line.draw(x - 1.5, 404 + index * 44));
			}),
		},
		{
			y: 0,
			line: plain({ tag: 'P' }, 0, (x) => {
				const top = 404 + title.length * 44 - 6;
				subtitle.forEach((line, index) => line.draw(x, top + index * 20));
			}),
		},
		{
			y: 0,
			line: plain({ tag: 'P' }, 0, (x) => {
				const foot = PAGE[1] - BOTTOM - 18;
				press.frame(x, foot - 16, 18, 18, { mark: 5.5, weight: 1.6, color: CYAN });
				doc.circle(x + 9, foot - 7, 2.7).fill(CYAN);
				press.show(book.author, x + 27, foot - 2.6, { face: 'display', size: 13 });
				book.imprint.forEach((text, index) => {
					const y = foot - 2.6 - (book.imprint.length - 1 - index) * 12;
					press.label(text, x + WIDTH, y, { face: 'sans', size: 8.4, color: MUTED }, 'right');
				});
			}),
		},
	]);
	structure.end();
}

/** The document's structure, for those who have it read aloud and for other programs. */
class Structure {
	readonly #press: Press;
	readonly #elements = new Map<Block, PDFKit.PDFStructureElement>();

	constructor(press: Press) {
		this.#press = press;
	}

	draw(placed: Placed[]): void {
		const { doc } = this.#press;
		for (let index = 0; index < placed.length;) {
			const { line, y, isRepeated } = placed[index]!;
			const { block } = line;
			if (block.tag === 'TR') {
				const row = isRepeated ? undefined : this.#elementOf(block);
				if (!row) this.#press.artifact(() => line.draw(LEFT, TOP + y));
				else line.draw(LEFT, TOP + y, (tag, draw) => row.add(this.#press.tagged(tag, draw)));
				index++;
				continue;
			}
			const content = doc.markStructureContent(block.tag);
			for (; index < placed.length && placed[index]!.line.block === block; index++) {
				const one = placed[index]!;
				one.line.draw(LEFT, TOP + one.y);
			}
			doc.endMarkedContent();
			this.#elementOf(block).add(content);
		}
	}

	end(): void {
		for (const element of [...this.#elements.values()].reverse()) element.end();
	}

	#elementOf(block: Block): PDFKit.PDFStructureElement {
		let element = this.#elements.get(block);
		if (!element) {
			element = this.#press.doc.struct(block.tag);
			this.#elements.set(block, element);
			if (block.parent) this.#elementOf(block.parent).add(element);
			else this.#press.doc.addStructure(element);
		}
		return element;
	}
}
