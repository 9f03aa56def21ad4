import type { Element, Root } from 'hast';
import type { Drawings } from '#src/core/figures/blocks.ts';
import { fileOf } from '#src/core/figures/svg.ts';
import { drawFigures, plainRendering } from '#src/core/articles/render.ts';
import { parseHtml, writeArticle } from '#src/core/articles/sanitize.ts';
import {
	documentArguments,
	type Files,
	openTypesetter,
	type Typesetter,
} from './compile.server.ts';
import { call, quoted, rgb, toTypst } from './to-typst.ts';
import { corners, drawArt, HEIGHT, WIDTH } from '#src/features/covers/cover.ts';
import { HUE } from '#src/lib/pen.ts';

export type Chapter = {
	/** The name of its place in the document, and its path on the site if it has one. */
	id: string;
	/** Above its title. */
	kind: string;
	title: string;
	summary: string;
	color: string;
	art?: { slug: string; cover: string };
	/** An article as it is stored. */
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
	art: { slug: string; cover: string };
	/** The last lines of the title page. */
	imprint: string[];
	parts: Part[];
};

/** A chapter that could not be set as it is, and why: it is plain text now, or left out. */
export type Problem = { title: string; isPlain: boolean; reason: string };

/**
 * Sets a book: title page, contents, chapters that run on, with outline, links and page references. A chapter that
 * Typst refuses is set as plain text, and one that it refuses even so is left out: `report` is told of both.
 */
export async function makeBook(
	book: Book,
	report: (problem: Problem) => void = () => undefined,
	drawings?: Drawings,
): Promise<Uint8Array> {
	const typesetter = await openTypesetter();
	const all = book.parts.flatMap(({ chapters }) => chapters);
	await Promise.all(all.map(({ tree }) => drawFigures(tree, drawings)));
	const set = (parts: Part[]) => {
		const { source, files } = write({ ...book, parts }, typesetter);
		return typesetter.pdf(source, files);
	};
	try {
		return await set(book.parts);
	} catch (error) {
		const reasonOf = (chapter: Chapter) =>
			set([{ title: null, chapters: [chapter] }]).then(
				() => null,
				(own: unknown) => (own as Error).message,
			);
		const problems: Problem[] = [];
		const parts: Part[] = [];
		for (const { title, chapters } of book.parts) {
			const kept: Chapter[] = [];
			for (const chapter of chapters) {
				const reason = await reasonOf(chapter);
				if (reason === null) {
					kept.push(chapter);
					continue;
				}
				const plain = { ...chapter, tree: plainText(chapter.tree) };
				const isPlain = (await reasonOf(plain)) === null;
				if (isPlain) kept.push(plain);
				problems.push({ title: chapter.title, isPlain, reason });
			}
			if (kept.length > 0) parts.push({ title, chapters: kept });
		}
		if (problems.length === 0) throw error;
		problems.forEach(report);
		return set(parts);
	}
}

const plainText = (tree: Root): Root => parseHtml(plainRendering(writeArticle(tree)).html);

/** Sizes of a cover, in points. */
const COVER = { width: 504, height: 318 };
const PICTURE = { width: 104, height: 68 };

/** Returns a book as a document of Typst, with its pictures. */
function write(book: Book, typesetter: Typesetter): { source: string; files: Files } {
	const { siteUrl, parts } = book;
	const { toFormula, printable } = typesetter;
	const files = new Map([
		['cover.svg', coverPicture({ ...book.art, color: book.color }, COVER, true)],
	]);
	const places = new Set(parts.flatMap(({ chapters }) => chapters.map(({ id }) => id)));
	const shown = (text: string) => quoted(printable(text));
	const text = parts.flatMap(({ title, chapters }) => {
		const level = title === null ? 1 : 2;
		const set = chapters.map((chapter, index) => {
			const { id, color, art, tree } = chapter;
			const picture = `chapter-${files.size}.svg`;
			const toPicture = (svg: Element) => {
				const name = `figure-${files.size}.svg`;
				files.set(name, fileOf(svg));
				return name;
			};
			if (art) files.set(picture, coverPicture({ ...art, color }, PICTURE, false));
			return call('chapter', {
				'opens-part': String(title !== null && index === 0),
				level: String(level),
				place: quoted(id),
				kind: shown(chapter.kind),
				title: shown(chapter.title),
				summary: shown(chapter.summary),
				color: rgb(color),
				picture: art ? quoted(picture) : 'none',
				body: toTypst(tree, {
					...{ level, id, color, siteUrl, places },
					...{ toFormula, toPicture, printable },
				}),
			});
		});
		return title === null ? set : [`part(${shown(title)})`, ...set];
	});
	const head = call('book.with', {
		title: shown(book.title),
		subtitle: shown(book.subtitle),
		kind: shown(book.kind),
		author: shown(book.author),
		...documentArguments(book),
		color: rgb(book.color),
		picture: quoted('cover.svg'),
		imprint: `(${book.imprint.map(shown).join(', ')},)`,
	});
	return { source: `#import "template.typ": *\n#show: ${head}\n#{${text.join('\n')}}`, files };
}

type Subject = { slug: string; cover: string; color: string };

const INK = '#10161d';

/** Returns a post's cover as an SVG file of this shape. */
function coverPicture(
	{ slug, cover, color }: Subject,
	shape: { width: number; height: number },
	isFine: boolean,
): string {
	const weight = isFine ? 2.4 : 6;
	const width = Math.round((HEIGHT * shape.width) / shape.height);
	const { layers, focus } = drawArt(slug, cover, isFine ? 'page' : 'row', { weight, width });
	const left = Math.round((WIDTH - width) / 2);
	const drawn = (layers + (focus ? corners(focus, 2 * weight) : ''))
		.replaceAll(HUE, color)
		.replaceAll('currentColor', INK);
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="${left} 0 ${width} ${HEIGHT}">` +
		`<path fill="#ffffff" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><path fill="${color}" fill-opacity=".09" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>` +
		`<g fill="none" stroke="${INK}" stroke-linecap="round">${drawn}</g></svg>`
	);
}
