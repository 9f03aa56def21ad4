import {
	AlignmentType,
	BorderStyle,
	Document,
	ExternalHyperlink,
	Footer,
	HeadingLevel,
	LineRuleType,
	Packer,
	PageNumber,
	Paragraph,
	ShadingType,
	Table,
	TableCell,
	TableRow,
	TextRun,
	WidthType,
} from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import type { Element, ElementContent, Root } from 'hast';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { site } from '#src/site.ts';
import { readTemplate } from './guide.server.ts';

const NAME = 'project-template';
/** A US Letter page within margins of 0.9 inch, in twentieths of a point. */
const PAGE = { width: 12_240, height: 15_840, margin: 1300 };
const WIDTH = PAGE.width - 2 * PAGE.margin;

/** Makes the template as Markdown and as a Word document, in an archive. */
export async function makeTemplate(siteUrl: string): Promise<Uint8Array> {
	const { title, summary, updated, text } = await readTemplate();
	const date = new Date(updated);
	const absolute = text.replace(/\]\(\//g, `](${siteUrl}/`);
	const markdown = `# ${title}\n\n${absolute}\n`;
	const tree = parseHtml(await markdownToHtml(absolute));
	curlQuotesIn(tree);
	const docx = await documentOf(title, summary, tree, date);
	return zipped({ [`${NAME}.md`]: strToU8(markdown), [`${NAME}.docx`]: docx }, date);
}

/** Returns files as an archive; the same files give the same bytes. */
function zipped(files: Zippable, date: Date): Uint8Array {
	// Archives know no time before 1980.
	const mtime = Math.max(date.getTime(), Date.UTC(1980, 0, 2));
	return zipSync(files, { level: 9, mtime });
}

async function documentOf(
	title: string,
	description: string,
	tree: Root,
	date: Date,
): Promise<Uint8Array> {
	const made = new Document({
		title,
		description,
		creator: site.author,
		styles: {
			default: {
				document: {
					run: { font: 'Georgia', size: 21, color: '10161D', language: { value: site.language } },
					paragraph: { spacing: { after: 120, line: 288, lineRule: LineRuleType.AUTO } },
				},
				title: {
					run: { font: 'Arial', size: 52, bold: true },
					paragraph: { spacing: { after: 80 } },
				},
				heading1: {
					run: { font: 'Arial', size: 29, bold: true },
					paragraph: { spacing: { before: 400, after: 120 }, keepNext: true },
				},
				heading2: {
					run: { font: 'Arial', size: 23, bold: true },
					paragraph: { spacing: { before: 260, after: 80 }, keepNext: true },
				},
			},
		},
		sections: [
			{
				properties: {
					page: {
						size: { width: PAGE.width, height: PAGE.height },
						margin: { top: 1200, bottom: 1200, left: PAGE.margin, right: PAGE.margin },
					},
				},
				footers: { default: footer(title) },
				children: [
					new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(title)] }),
					...tree.children.flatMap((node) => (node.type === 'element' ? blockOf(node) : [])),
				],
			},
		],
	});
	return normalizeZip(await Packer.toBuffer(made), date);
}

/** Returns a document without what differs from run to run: dates, and the random names of links. */
function normalizeZip(docx: Uint8Array, date: Date): Uint8Array {
	const files = Object.entries(unzipSync(docx)).sort(([a], [b]) => (a < b ? -1 : 1));
	const names = new Map<string, string>();
	const texts = files.map(([name, bytes]) => {
		const text = strFromU8(bytes)
			.replace(/(<dcterms:\w+[^>]*>)[^<]*/g, `$1${date.toISOString()}`)
			.replace(/"(rId[\w-]{10,})"/g, (_, id: string) => {
				if (!names.has(id)) names.set(id, `link${names.size + 1}`);
				return `"${names.get(id)!}"`;
			});
		return [name, strToU8(text)] as const;
	});
	return zipped(Object.fromEntries(texts), date);
}

function footer(title: string): Footer {
	const run = { font: 'Arial', size: 16, color: '56616B' };
	return new Footer({
		children: [
			new Paragraph({
				alignment: AlignmentType.RIGHT,
				children: [
					new TextRun({ ...run, text: `${site.name}: ${title} · ` }),
					new TextRun({ ...run, children: [PageNumber.CURRENT] }),
				],
			}),
		],
	});
}

function blockOf(node: Element): (Paragraph | Table)[] {
	switch (node.tagName) {
		case 'h2':
			return [new Paragraph({ heading: HeadingLevel.HEADING_1, children: runsOf(node.children) })];
		case 'h3':
			return [new Paragraph({ heading: HeadingLevel.HEADING_2, children: runsOf(node.children) })];
		case 'p':
			return [new Paragraph({ children: runsOf(node.children), keepLines: true })];
		case 'blockquote':
			return elementsOf(node).map(
				(child) =>
					new Paragraph({
						indent: { left: 200 },
						border: { left: { style: BorderStyle.SINGLE, size: 12, color: '0E7490', space: 10 } },
						keepNext: true,
						children: runsOf(child.children, { italics: true, color: '56616B', size: 19 }),
					}),
			);
		case 'ul':
			return elementsOf(node).map(
				(item) =>
					new Paragraph({
						indent: { left: 360, hanging: 360 },
						spacing: { after: 60 },
						children: runsOf(item.children),
					}),
			);
		case 'table':
			return [tableOf(node), new Paragraph({ spacing: { after: 60 }, children: [] })];
		default:
			return elementsOf(node).flatMap(blockOf);
	}
}

type Look = { italics?: boolean; bold?: boolean; color?: string; size?: number; font?: string };

function runsOf(nodes: ElementContent[], look: Look = {}): (TextRun | ExternalHyperlink)[] {
	return nodes.flatMap((node): (TextRun | ExternalHyperlink)[] => {
		if (node.type === 'text') {
			const text = node.value.replace(/\s+/g, ' ');
			return text === '' ? [] : [new TextRun({ ...look, text })];
		}
		if (node.type !== 'element') return [];
		if (node.tagName === 'input')
			return [new TextRun({ ...look, text: '☐', font: 'Segoe UI Symbol' })];
		if (node.tagName === 'a') {
			const children = runsOf(node.children, { ...look, color: '0E7490' });
			return [new ExternalHyperlink({ link: String(node.properties['href']), children })];
		}
		const more =
			node.tagName === 'strong' ? { bold: true } : node.tagName === 'em' ? { italics: true } : {};
		return runsOf(node.children, { ...look, ...more });
	});
}

function tableOf(node: Element): Table {
	const rows = elementsOf(node).flatMap(elementsOf);
	const columns = Math.max(...rows.map((row) => elementsOf(row).length));
	// A table of two columns asks on the left and is answered on the right.
	const widths =
		columns === 2
			? [WIDTH * 0.38, WIDTH * 0.62]
			: Array.from({ length: columns }, () => WIDTH / columns);
	const line = { style: BorderStyle.SINGLE, size: 4, color: 'C9D0D0' };
	const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };
	return new Table({
		width: { size: WIDTH, type: WidthType.DXA },
		columnWidths: widths.map(Math.round),
		borders: {
			top: { ...line, size: 10, color: '10161D' },
			bottom: { ...line, size: 10, color: '10161D' },
			left: none,
			right: none,
			insideHorizontal: line,
			insideVertical: line,
		},
		rows: rows.map(
			(row, index) =>
				new TableRow({
					tableHeader: index === 0,
					cantSplit: true,
					height: { value: index === 0 ? 300 : 460, rule: 'atLeast' },
					children: elementsOf(row).map((cell, column) =>
						cellOf(cell, widths[column]!, index === 0),
					),
				}),
		),
	});
}

function cellOf(cell: Element, width: number, isHead: boolean): TableCell {
	return new TableCell({
		width: { size: Math.round(width), type: WidthType.DXA },
		margins: { top: 60, bottom: 60, left: 90, right: 90 },
		...(isHead && { shading: { type: ShadingType.CLEAR, fill: 'F3F5F2', color: 'auto' } }),
		children: [
			new Paragraph({
				spacing: { after: 0, line: 250 },
				children: runsOf(
					cell.children,
					isHead ? { bold: true, size: 17, font: 'Arial' } : { size: 19 },
				),
			}),
		],
	});
}

const elementsOf = (node: Element) =>
	node.children.filter((child): child is Element => child.type === 'element');
