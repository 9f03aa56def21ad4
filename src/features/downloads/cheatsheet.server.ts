import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { paths, site } from '#src/site.ts';
import { setArticle, type Line, type Scene } from './galley.server.ts';
import { readSheet } from './guide.server.ts';
import { setParagraph } from './paragraph.server.ts';
import { CYAN, INK, LINE, MUTED, Press } from './press.server.ts';

/** US Letter. */
const PAGE: [number, number] = [612, 792];
const MARGIN = 27;
const GAP = 15;
const COLUMNS = 3;
const WIDTH = (PAGE[0] - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS;
const TOP = 66;
const BOTTOM = PAGE[1] - 36;
const PAGES = 2;

const LARGEST = 9.6;
const SMALLEST = 5.5;

/** `## Title`, the slugs of the articles that it is from, and what is to be known. */
type Section = { title: string; slugs: string[]; tree: Root };
type Block = { section: Section; sources: Source[]; head: number; lines: Line[]; height: number };
/** A slug and where it stands below the title. */
type Source = { slug: string; x: number; y: number; width: number };

/** The cheat sheet: exactly two pages, as large as its sections can be set on them. */
export async function makeCheatsheet(siteUrl: string): Promise<Buffer> {
	const { title, summary, updated, text } = await readSheet();
	const sections = sectionsOf(parseHtml((await renderArticle(await markdownToHtml(text))).html));
	const press = await Press.open({
		title: `${site.name}: ${title}`,
		author: site.author,
		subject: summary,
		language: site.language,
		date: new Date(updated),
		page: PAGE,
	});
	const columns = largest(press, sections, siteUrl);
	const { doc } = press;
	for (let page = 0; page < PAGES; page++) {
		doc.addPage();
		heading(press, title, summary, siteUrl, page + 1);
		for (let column = 0; column < COLUMNS; column++) {
			const x = MARGIN + column * (WIDTH + GAP);
			if (column > 0) {
				press.artifact(() =>
					doc
						.moveTo(x - GAP / 2, TOP)
						.lineTo(x - GAP / 2, BOTTOM)
						.lineWidth(0.4)
						.stroke(LINE),
				);
			}
			place(press, columns[page * COLUMNS + column] ?? [], x, siteUrl);
		}
	}
	return press.bytes();
}

function sectionsOf(tree: Root): Section[] {
	const sections: Section[] = [];
	for (const node of tree.children) {
		if (node.type !== 'element') continue;
		const last = sections.at(-1);
		if (node.tagName === 'h2') {
			sections.push({
				title: toString(node).trim(),
				slugs: [],
				tree: { type: 'root', children: [] },
			});
		} else if (last && last.slugs.length === 0) last.slugs = toString(node).trim().split(/,\s*/);
		else last?.tree.children.push(node satisfies Element);
	}
	return sections;
}

/** Everything in columns, in the largest size in which it has room. */
function largest(press: Press, sections: Section[], siteUrl: string): Block[][] {
	for (let size = LARGEST; size >= SMALLEST; size -= 0.05) {
		const blocks = sections.map((section) => blockOf(press, section, size, siteUrl));
		const columns = pack(blocks, size);
		if (columns) return columns;
	}
	throw new Error(`The cheat sheet has more than fits on ${PAGES} pages.`);
}

function blockOf(press: Press, section: Section, size: number, siteUrl: string): Block {
	const scene: Scene = {
		press,
		width: WIDTH,
		size,
		grid: size * 1.26,
		step: 0.5,
		align: 'left',
		resolve: (href) => ({ to: href.startsWith('/') ? siteUrl + href : href }),
		prefix: '',
		color: CYAN,
	};
	const lines = setArticle(scene, section.tree);
	const sources: Source[] = [];
	let [x, y] = [0, 18.5];
	for (const slug of section.slugs) {
		const width = press.width(slug, SLUG.face, SLUG.size);
		if (x > 0 && x + width > WIDTH) [x, y] = [0, y + 6.5];
		sources.push({ slug, x, y, width });
		x += width + 6;
	}
	const head = y + 5.5;
	const height = lines.reduce((sum, line) => sum + line.before + line.height, head);
	return { section, sources, head, lines, height };
}

const SLUG = { face: 'code', size: 4.9, color: CYAN } as const;

/** Sections in their order, in columns as even as can be, or nothing where they do not fit. */
function pack(blocks: Block[], size: number): Block[][] | undefined {
	const room = BOTTOM - TOP;
	const least = size * 0.9;
	const count = PAGES * COLUMNS;
	const heightOf = (part: Block[]) =>
		part.reduce((sum, { height }) => sum + height, (part.length - 1) * least);
	// The lowest height at which a greedy filling needs no more columns.
	for (let height = room * 0.8; height <= room; height += 2) {
		const columns: Block[][] = [[]];
		for (const block of blocks) {
			if (heightOf([...columns.at(-1)!, block]) > height) columns.push([]);
			columns.at(-1)!.push(block);
		}
		if (columns.length <= count && columns.every((one) => heightOf(one) <= room)) return columns;
	}
	return undefined;
}

function place(press: Press, blocks: Block[], x: number, siteUrl: string): void {
	const { doc } = press;
	const used = blocks.reduce((sum, { height }) => sum + height, 0);
	const gap = Math.min(30, (BOTTOM - TOP - used) / Math.max(1, blocks.length - 1));
	let y = TOP;
	for (const { section, sources, head, lines, height } of blocks) {
		const element = doc.struct('Sect');
		doc.addStructure(element);
		const tagged = (tag: string, draw: () => void) => element.add(press.tagged(tag, draw));
		const top = y;
		tagged('H2', () => {
			press.rule(x, top, WIDTH, 0.9, INK);
			press.show(section.title, x, top + 11, { face: 'display', size: 9.2 });
		});
		tagged('P', () => {
			for (const source of sources) {
				press.show(source.slug, x + source.x, top + source.y, SLUG);
				const address = siteUrl + paths.post(source.slug);
				press.link(x + source.x, top + source.y - 5, source.width, 7, address);
			}
		});
		let bottom = top + head;
		for (const line of lines) {
			bottom += line.before;
			const lineTop = bottom;
			tagged(line.block.tag === 'Formula' ? 'Formula' : 'P', () => line.draw(x, lineTop));
			bottom += line.height;
		}
		element.end();
		y += height + gap;
	}
}

function heading(
	press: Press,
	title: string,
	summary: string,
	siteUrl: string,
	page: number,
): void {
	const { doc } = press;
	const right = PAGE[0] - MARGIN;
	const draw = () => {
		press.frame(MARGIN, 25, 20, 20, { mark: 6, weight: 1.7, color: CYAN });
		doc.circle(MARGIN + 10, 35, 3).fill(CYAN);
		press.show(title, MARGIN + 30, 42, { face: 'display', size: 21 });
		const style = { face: 'sans', size: 7.6, color: MUTED } as const;
		const lines = setParagraph(press, [{ text: summary, style }], { width: 286, align: 'left' });
		lines.forEach((line, index) => line.draw(right - 286, 31 + index * 10));
	};
	if (page === 1) {
		const element = press.tagged('H1', draw);
		doc.addStructure(element);
		element.end();
	} else press.artifact(draw);
	press.artifact(() => {
		const foot = PAGE[1] - 20;
		const style = { face: 'code', size: 6.2, color: MUTED } as const;
		press.show(new URL(siteUrl).host, MARGIN, foot, style);
		press.label(`${page} of ${PAGES}`, right, foot, style, 'right');
	});
}
