import type { Drawings } from '#src/core/figures/blocks.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { renderArticle, type Rendering } from './render.ts';
import { problemOf } from './sanitize.ts';

/** A rendering with the article's Markdown. */
export type StoredRendering = Rendering & { markdown: string };

/** Renders an article with its Markdown. Returns the reason where that is not possible. Called in threads as well. */
export async function renderToStore({
	content,
	drawings,
}: {
	content: string;
	drawings: Drawings;
}): Promise<StoredRendering | { problem: string }> {
	try {
		return { ...(await renderArticle(content, drawings)), markdown: htmlToMarkdown(content) };
	} catch (error) {
		return { problem: problemOf(error) };
	}
}
