import { strToU8 } from 'fflate';
import type { Element, ElementContent } from 'hast';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { site } from '#src/site.ts';
import { readTemplate } from './guide.server.ts';
import { Links, paragraph, run, table, WIDTH, wordFile, zipped, type Look } from './word.ts';

const NAME = 'project-template';

/** Makes the template as Markdown and as a Word document, in an archive. */
export async function makeTemplate(siteUrl: string): Promise<Uint8Array> {
	const { title, summary, updated, text } = await readTemplate();
	const date = new Date(updated);
	const absolute = text.replace(/\]\(\//g, `](${siteUrl}/`);
	const markdown = `# ${title}\n\n${absolute}\n`;
	const tree = parseHtml(await markdownToHtml(absolute));
	curlQuotesIn(tree);
	const links = new Links();
	const blocks = tree.children.map((node) => (node.type === 'element' ? blockOf(node, links) : ''));
	const docx = wordFile({
		title,
		description: summary,
		author: site.author,
		language: site.language,
		date,
		footer: `${site.name}: ${title}`,
		body: paragraph(run(title), 'Title') + blocks.join(''),
		links,
	});
	return zipped({ [`${NAME}.md`]: strToU8(markdown), [`${NAME}.docx`]: docx }, date);
}

function blockOf(node: Element, links: Links): string {
	const paragraphs = (style: 'Quote' | 'Item') =>
		elementsOf(node)
			.map((child) => paragraph(runsOf(child.children, links), style))
			.join('');
	switch (node.tagName) {
		case 'h2':
			return paragraph(runsOf(node.children, links), 'Heading1');
		case 'h3':
			return paragraph(runsOf(node.children, links), 'Heading2');
		case 'p':
			return paragraph(runsOf(node.children, links));
		case 'blockquote':
			return paragraphs('Quote');
		case 'ul':
			return paragraphs('Item');
		case 'table':
			return tableOf(node, links) + paragraph('', 'Gap');
		default:
			return elementsOf(node)
				.map((child) => blockOf(child, links))
				.join('');
	}
}

function runsOf(nodes: ElementContent[], links: Links, look: Look = {}): string {
	return nodes.map((node) => runOf(node, links, look)).join('');
}

function runOf(node: ElementContent, links: Links, look: Look): string {
	if (node.type === 'text') {
		const text = node.value.replace(/\s+/g, ' ');
		return text === '' ? '' : run(text, look);
	}
	if (node.type !== 'element') return '';
	const inside = (more: Look) => runsOf(node.children, links, { ...look, ...more });
	switch (node.tagName) {
		case 'input':
			return run('☐', { ...look, font: 'Segoe UI Symbol' });
		case 'a':
			return links.to(String(node.properties['href']), inside({ isLink: true }));
		case 'strong':
			return inside({ isBold: true });
		case 'em':
			return inside({ isItalic: true });
		default:
			return inside({});
	}
}

function tableOf(node: Element, links: Links): string {
	const rows = elementsOf(node)
		.flatMap(elementsOf)
		.map((row) => elementsOf(row).map((cell) => runsOf(cell.children, links)));
	const columns = Math.max(...rows.map((row) => row.length));
	// A table of two columns asks on the left and is answered on the right.
	const shares = columns === 2 ? [0.38, 0.62] : Array.from({ length: columns }, () => 1 / columns);
	return table(
		rows,
		shares.map((share) => Math.round(WIDTH * share)),
	);
}

const elementsOf = (node: Element) =>
	node.children.filter((child): child is Element => child.type === 'element');
