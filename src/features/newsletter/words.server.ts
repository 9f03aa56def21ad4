import type { Db } from '#db/client.ts';
import { htmlToMarkdown } from '#src/core/articles/html-to-markdown.ts';
import { renderOrPlain } from '#src/core/articles/render.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { drawingsOf, pathOf, withoutPictures } from '#src/core/figures/pictures.server.ts';
import { emailHtml } from '#src/core/outbox/email-html.server.ts';
import { plainText } from '#src/core/outbox/plain-text.ts';
import { getEnv } from '#src/lib/env.ts';
import { CAMPAIGN, type Words } from './issue.ts';

/**
 * Returns the words of an editor cleaned, and ready for email. Rendering is heavy, so they are rendered when they are
 * saved and not where emails are sent. Builds draw the pictures of articles alone: here a figure is its caption and its table,
 * and a drawing of the library its caption.
 */
export async function prepareWords(db: Db, content: string): Promise<Words & { content: string }> {
	const clean = sanitizeArticle(content);
	const { html } = await renderOrPlain(clean, await readDrawings(db, [clean]));
	const sender = { siteUrl: getEnv().SITE_URL, campaign: CAMPAIGN };
	const undrawn = drawingsOf(html).map(pathOf);
	return {
		content: clean,
		html: await emailHtml(withoutPictures(html, undrawn), sender),
		text: plainText(htmlToMarkdown(clean), sender),
	};
}
