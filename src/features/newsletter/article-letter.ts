import { escapeHtml } from '#src/lib/text.ts';

/** Longer articles are not sent whole: with the email's own frame a client would cut them off. */
const MAX_WHOLE = 40_000;

type Article = { title: string; excerpt: string; content: string };

/** Returns an article as a letter of its own: whole with a link to its page, or what lists show of it where it is long. */
export function articleLetter({ title, excerpt, content }: Article, url: string) {
	const isWhole = content.length <= MAX_WHOLE;
	const link = `<p><a href="${escapeHtml(url)}">${isWhole ? 'Read it on the site' : 'Read on'}</a></p>`;
	return {
		subject: title.slice(0, 150),
		preview: excerpt.slice(0, 200),
		content: (isWhole ? content : `<p>${escapeHtml(excerpt)}</p>`) + link,
	};
}
