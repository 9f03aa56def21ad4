import type { Config } from '@netlify/functions';
import { getFreshDb } from '#db/client.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { COMMENTS_PAGE, placeAfter, type CommentView } from '#src/features/comments/comment.ts';
import { pageComments } from '#src/features/comments/comments.server.ts';
import { longDate } from '#src/lib/dates.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { PAGE_HEADERS, renderPage } from './lib/form-page.ts';
import { cacheHeaders, ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.listOlderComments,
		async ({ id, before }) => {
			const page = { limit: COMMENTS_PAGE, before };
			const list = await pageComments(getFreshDb(), id, page, new Date());
			const place = list.length === COMMENTS_PAGE ? placeAfter(list) : undefined;
			const more = place && `<p><a href="${paths.olderComments(id, place)}">Older comments</a></p>`;
			const content = list.map(renderComment).join('\n') || '<p>There are no older comments.</p>';
			return new ResponseWith(renderPage('Older comments', `${content}\n${more ?? ''}`), {
				...PAGE_HEADERS,
				...cacheHeaders([`comments-${id}`, 'posts']),
			});
		},
		{ open: false },
	),
);

export const config: Config = { path: '/blog/:id/comments' };

function renderComment({ id, author, content, createdAt, byOwner }: CommentView): string {
	const who = `<strong>${escapeHtml(author)}</strong>${byOwner ? ' (Author)' : ''}`;
	const when = `<time datetime="${createdAt}">${longDate(createdAt)}</time>`;
	const words = escapeHtml(content).replaceAll('\n', '<br>');
	return `<article id="comment-${escapeHtml(id)}" dir="auto"><p>${who}, ${when}</p><p>${words}</p></article>`;
}
