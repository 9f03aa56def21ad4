import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { parseArticle } from '#src/core/articles/sanitize.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { paths, site } from '#src/site.ts';
import { documentArguments, openTypesetter } from './compile.server.ts';
import { readSheet } from './guide.server.ts';
import { call, listed, quoted, toTypst } from './to-typst.ts';

const PAGES = 2;

/** Largest size of the text, in twentieths of a point. */
const LARGEST = 9.6 * 20;
const SMALLEST = 5.5 * 20;

/** `## Title`, the slugs of the articles that it is from, and what is to be known. */
type Section = { title: string; slugs: string[]; tree: Root };

/** Makes the cheat sheet: exactly two pages, as large as its sections can be set on them. Sources are the articles that are public. */
export async function makeCheatsheet(
	siteUrl: string,
	posts: readonly { slug: string; title: string }[],
): Promise<Uint8Array> {
	const titles = new Map(posts.map(({ slug, title }) => [slug, curlQuotes(title)]));
	const typesetter = await openTypesetter();
	const { title, summary, updated, text } = await readSheet();
	const tree = parseArticle(await markdownToHtml(text));
	curlQuotesIn(tree);
	const sections = sectionsOf(tree).map((section) => {
		const sources = section.slugs.flatMap((slug) => {
			const title = titles.get(slug);
			return title ? `(${quoted(title)}, ${quoted(siteUrl + paths.post(slug))})` : [];
		});
		const body = toTypst(section.tree, {
			level: 2,
			id: section.title,
			color: '#0e7490',
			siteUrl,
			places: new Set(),
			toFormula: typesetter.toFormula,
			printable: typesetter.printable,
		});
		return `sheet-section(${quoted(section.title)}, ${listed(sources)}, ${body})`;
	});
	const sourceIn = (size: number) => {
		const sheet = call('cheatsheet', {
			size: `${size / 20}pt`,
			title: quoted(title),
			summary: quoted(summary),
			author: quoted(site.author),
			...documentArguments({ language: site.language, date: new Date(updated) }),
			host: quoted(new URL(siteUrl).host),
			body: listed(sections),
		});
		return `#import "template.typ": *\n#${sheet}`;
	};
	const fits = (size: number) => typesetter.countPages(sourceIn(size)) <= PAGES;
	if (!fits(SMALLEST)) throw new Error(`The cheat sheet has more than fits on ${PAGES} pages.`);
	// The largest size that fits is between these.
	let [low, high] = [SMALLEST, LARGEST + 1];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (fits(middle)) low = middle;
		else high = middle;
	}
	return typesetter.pdf(sourceIn(low));
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
