/** PNG files of drawn figures, where drawings cannot be shown: in feeds, in email, and as a post's picture. */
import { eq, sql } from 'drizzle-orm';
import type { Element } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import type { Db } from '#db/client.ts';
import { contentProblems, renderedPosts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isClassed } from '#src/lib/hast.ts';

/** Pixels of a file for each of the drawing's, and what is left free around it. */
const DENSITY = 2;
export const MARGIN = 20;
/** Pixels of a file's width, at most. */
const MAX_PIXELS = 1_600;

export type Size = { width: number; height: number };

/** Returns the pixels of the file of a drawing of this size. */
export function pngSize({ width, height }: Size): Size {
	const wider = width + 2 * MARGIN;
	const pixels = Math.min(MAX_PIXELS, Math.round(wider * DENSITY));
	return { width: pixels, height: Math.round(((height + 2 * MARGIN) * pixels) / wider) };
}

/** Returns the drawings of an article that have a file, in order. */
export function drawingsOf(html: string): Element[] {
	const found: Element[] = [];
	visit(unified().use(rehypeParse, { fragment: true }).parse(html), 'element', (node) => {
		if (node.tagName !== 'svg' || !node.properties.dataPicture) return undefined;
		found.push(node);
		return SKIP;
	});
	return found;
}

/** Returns the file of an article's first plot with its caption, unless that has no words or the file cannot be made. */
export function plotIn(
	html: string,
	undrawn: ReadonlySet<string>,
): (Size & { src: string; alt: string; caption: string }) | undefined {
	for (const [figure] of html.matchAll(/<figure id="fig-[^"]*" class="drawn">[^]*?<\/figure>/g)) {
		// The one for phones, whose words stay readable.
		const [drawing] = drawingsOf(figure).sort(
			(a, b) => Number(a.properties.width) - Number(b.properties.width),
		);
		const [, caption = ''] = /<figcaption><strong>[^<]*<\/strong>([^<]*)</.exec(figure) ?? [];
		if (!drawing || isClassed(drawing, 'drawn-diagram')) continue;
		const { width, height, ariaLabel } = drawing.properties;
		const words = toString(unified().use(rehypeParse, { fragment: true }).parse(caption)).trim();
		if (words === '' || undrawn.has(pathOf(drawing))) return undefined;
		return {
			...pngSize({ width: Number(width), height: Number(height) }),
			...{ src: pathOf(drawing), alt: String(ariaLabel ?? ''), caption: words },
		};
	}
	return undefined;
}

/** Returns the path of a drawing's file. */
export const pathOf = (drawing: Element) => String(drawing.properties.dataPicture);

/** Returns the paths of the files that cannot be made. */
export async function undrawnFigures(db: Db): Promise<Set<string>> {
	const rows = await db
		.select(tolerant({ path: contentProblems.subjectId }))
		.from(contentProblems)
		.where(eq(contentProblems.kind, 'figure'));
	return new Set(rows.map(({ path }) => path));
}

/** Returns those paths by the post that would show them. */
export async function undrawnByPost(db: Db): Promise<Map<string, string[]>> {
	const rows = await db
		.select(tolerant({ postId: renderedPosts.postId, path: contentProblems.subjectId }))
		.from(contentProblems)
		.innerJoin(renderedPosts, sql`instr(${renderedPosts.html}, ${contentProblems.subjectId}) > 0`)
		.where(eq(contentProblems.kind, 'figure'))
		.orderBy(contentProblems.subjectId);
	return new Map(
		[...Map.groupBy(rows, ({ postId }) => postId)].map(([id, group]) => [
			id,
			group.map(({ path }) => path),
		]),
	);
}

/** Returns an article whose drawings name no file that cannot be made: what shows pictures leaves them out. */
export function withoutPictures(html: string, paths: readonly string[]): string {
	return paths.reduce((text, path) => text.replaceAll(` data-picture="${path}"`, ''), html);
}
