import type { Drawings } from '#src/core/figures/blocks.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { coverOf, renderArticle, type Rendering } from './render.ts';
import { problemOf } from './sanitize.ts';

/** A rendering with the article's Markdown and the plot of its cover. */
export type StoredRendering = Rendering & { markdown: string; cover: string };

/** Renders an article with its Markdown and, where its `beginning` is given, its cover, whose point that may name. Returns the reason where that is not possible. Called in threads as well. */
export async function renderToStore({
	content,
	beginning,
	drawings,
}: {
	content: string;
	beginning?: string;
	drawings: Drawings;
}): Promise<StoredRendering | { problem: string }> {
	try {
		const [rendering, cover] = await Promise.all([
			renderArticle(content, drawings),
			beginning === undefined ? '' : coverOf(content, beginning),
		]);
		return { ...rendering, markdown: htmlToMarkdown(content), cover };
	} catch (error) {
		return { problem: problemOf(error) };
	}
}
