/** A Word document (Office Open XML, ECMA-376) of paragraphs, lists and tables. */
import { strToU8, zipSync, type Zippable } from 'fflate';
import { escapeHtml } from '#src/lib/text.ts';

/** A US Letter page within margins of 0.9 inch, in twentieths of a point. */
const PAGE = { width: 12_240, height: 15_840, margin: 1300 };
/** Width of what stands on a page. */
export const WIDTH = PAGE.width - 2 * PAGE.margin;

const SCHEMAS = 'http://schemas.openxmlformats.org';
const OFFICE = `${SCHEMAS}/officeDocument/2006`;
const W = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main" xmlns:r="${OFFICE}/relationships"`;
const PART = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const fonts = (name: string) =>
	`<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}" w:eastAsia="${name}"/>`;
/** A size in half points. */
const size = (value: number) => `<w:sz w:val="${value}"/><w:szCs w:val="${value}"/>`;
const bold = '<w:b/><w:bCs/>';
const italic = '<w:i/><w:iCs/>';
const color = (value: string) => `<w:color w:val="${value}"/>`;

/** Styles of paragraphs: properties of the paragraph, and of its text. */
const STYLES = {
	Title: ['<w:spacing w:after="80"/>', fonts('Arial') + bold + size(52)],
	Heading1: [
		'<w:keepNext/><w:spacing w:before="400" w:after="120"/><w:outlineLvl w:val="0"/>',
		fonts('Arial') + bold + size(29),
	],
	Heading2: [
		'<w:keepNext/><w:spacing w:before="260" w:after="80"/><w:outlineLvl w:val="1"/>',
		fonts('Arial') + bold + size(23),
	],
	Quote: [
		'<w:keepNext/><w:pBdr><w:left w:val="single" w:sz="12" w:space="10" w:color="0E7490"/></w:pBdr><w:ind w:left="200"/>',
		italic + color('56616B') + size(19),
	],
	Item: ['<w:spacing w:after="60"/><w:ind w:left="360" w:hanging="360"/>', ''],
	Gap: ['<w:spacing w:after="60"/>', ''],
	Head: ['<w:spacing w:after="0" w:line="250"/>', fonts('Arial') + bold + size(17)],
	Cell: ['<w:spacing w:after="0" w:line="250"/>', size(19)],
	Footer: ['<w:jc w:val="right"/>', fonts('Arial') + color('56616B') + size(16)],
} as const;

export type Look = { isBold?: boolean; isItalic?: boolean; isLink?: boolean; font?: string };

/** Returns a piece of text. */
export function run(text: string, { isBold, isItalic, isLink, font }: Look = {}): string {
	const properties = [
		font && fonts(font),
		isBold && bold,
		isItalic && italic,
		isLink && color('0E7490'),
	];
	return `<w:r><w:rPr>${properties.filter(Boolean).join('')}</w:rPr><w:t xml:space="preserve">${escapeHtml(text)}</w:t></w:r>`;
}

/** Returns a paragraph of pieces. */
export function paragraph(runs: string, style?: keyof typeof STYLES): string {
	return `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}${runs}</w:p>`;
}

/** Returns a table whose first row names its columns; each cell is pieces of text. */
export function table(rows: string[][], widths: number[]): string {
	const line = (edge: string, value = 'w:val="single" w:sz="4" w:color="C9D0D0"') =>
		`<w:${edge} ${value}/>`;
	const rule = 'w:val="single" w:sz="10" w:color="10161D"';
	const borders = line('top', rule) + line('bottom', rule) + line('insideH') + line('insideV');
	const margins = [60, 90, 60, 90]
		.map(
			(width, edge) =>
				`<w:${['top', 'left', 'bottom', 'right'][edge]} w:w="${width}" w:type="dxa"/>`,
		)
		.join('');
	const made = rows.map((row, index) => {
		const isHead = index === 0;
		const cells = row.map(
			(cell, column) =>
				`<w:tc><w:tcPr><w:tcW w:w="${widths[column]}" w:type="dxa"/>${isHead ? '<w:shd w:val="clear" w:color="auto" w:fill="F3F5F2"/>' : ''}</w:tcPr>${paragraph(cell, isHead ? 'Head' : 'Cell')}</w:tc>`,
		);
		const height = `<w:trHeight w:val="${isHead ? 300 : 460}" w:hRule="atLeast"/>`;
		return `<w:tr><w:trPr><w:cantSplit/>${height}${isHead ? '<w:tblHeader/>' : ''}</w:trPr>${cells.join('')}</w:tr>`;
	});
	const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
	return `<w:tbl><w:tblPr><w:tblW w:w="${WIDTH}" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders><w:tblCellMar>${margins}</w:tblCellMar></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${made.join('')}</w:tbl>`;
}

/** Addresses that a document leads to. */
export class Links {
	readonly #addresses: string[] = [];

	/** Returns pieces of text that lead to an address. */
	to(address: string, runs: string): string {
		return `<w:hyperlink r:id="link${this.#addresses.push(address)}">${runs}</w:hyperlink>`;
	}

	/** Returns what the document needs besides its own text. */
	relationships(): string {
		return this.#addresses
			.map(
				(address, index) =>
					`<Relationship Id="link${index + 1}" Type="${OFFICE}/relationships/hyperlink" Target="${escapeHtml(address)}" TargetMode="External"/>`,
			)
			.join('');
	}
}

type Document = {
	title: string;
	description: string;
	author: string;
	language: string;
	date: Date;
	/** Text beside the number of each page. */
	footer: string;
	/** Paragraphs and tables. */
	body: string;
	links: Links;
};

/** Returns the file of a document; the same document has the same bytes. */
export function wordFile(document: Document): Uint8Array {
	const { title, description, author, language, date, footer, body, links } = document;
	const styles = Object.entries(STYLES).map(
		([name, [between, inside]]) =>
			`<w:style w:type="paragraph" w:styleId="${name}"><w:name w:val="${name.replace('Heading', 'heading ')}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr>${between}</w:pPr><w:rPr>${inside}</w:rPr></w:style>`,
	);
	const relationship = (id: string, type: string, target: string) =>
		`<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
	const relationships = (inner: string) =>
		`<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${inner}</Relationships>`;
	const override = (path: string, type: string) =>
		`<Override PartName="/${path}" ContentType="${type}"/>`;
	const parts = {
		'[Content_Types].xml': `<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml')}${override('word/document.xml', `${PART}.document.main+xml`)}${['footer', 'settings', 'styles'].map((name) => override(`word/${name}.xml`, `${PART}.${name}+xml`)).join('')}</Types>`,
		'_rels/.rels': relationships(
			relationship('document', `${OFFICE}/relationships/officeDocument`, 'word/document.xml') +
				relationship(
					'core',
					`${SCHEMAS}/package/2006/relationships/metadata/core-properties`,
					'docProps/core.xml',
				),
		),
		'docProps/core.xml': `<cp:coreProperties xmlns:cp="${SCHEMAS}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeHtml(title)}</dc:title><dc:creator>${escapeHtml(author)}</dc:creator><dc:description>${escapeHtml(description)}</dc:description><dc:language>${language}</dc:language>${['created', 'modified'].map((event) => `<dcterms:${event} xsi:type="dcterms:W3CDTF">${date.toISOString()}</dcterms:${event}>`).join('')}</cp:coreProperties>`,
		'word/_rels/document.xml.rels': relationships(
			['footer', 'settings', 'styles']
				.map((name) => relationship(name, `${OFFICE}/relationships/${name}`, `${name}.xml`))
				.join('') + links.relationships(),
		),
		'word/document.xml': `<w:document ${W}><w:body>${body}<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="${PAGE.width}" w:h="${PAGE.height}"/><w:pgMar w:top="1200" w:right="${PAGE.margin}" w:bottom="1200" w:left="${PAGE.margin}" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
		'word/footer.xml': `<w:ftr ${W}>${paragraph(`${run(`${footer} · `)}<w:fldSimple w:instr="PAGE">${run('1')}</w:fldSimple>`, 'Footer')}</w:ftr>`,
		// As of Word 2013: without it Word says that it opens an old document.
		'word/settings.xml': `<w:settings ${W}><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
		'word/styles.xml': `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr>${fonts('Georgia')}${color('10161D')}${size(21)}<w:lang w:val="${language}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:keepLines/><w:spacing w:after="120" w:line="288" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${styles.join('')}</w:styles>`,
	};
	const files = Object.entries(parts).map(([path, xml]) => [
		path,
		strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`),
	]);
	return zipped(Object.fromEntries(files) as Zippable, date);
}

/** Returns files as an archive; the same files give the same bytes. */
export function zipped(files: Zippable, date: Date): Uint8Array {
	// Archives know no time before 1980.
	const mtime = Math.max(date.getTime(), Date.UTC(1980, 0, 2));
	return zipSync(files, { level: 9, mtime });
}
