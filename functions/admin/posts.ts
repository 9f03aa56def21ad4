import { getDb } from '#db/client.ts';
import { ADMIN_BODY_BYTES, on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { renderPreview } from '#src/core/articles/rendering.server.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { filledContent } from '#src/features/pages/pages.server.ts';
import { findAlike } from '#src/features/posts/alike.server.ts';
import * as bulk from '#src/features/posts/bulk.api.ts';
import { bulkPosts } from '#src/features/posts/bulk.server.ts';
import { describeChosen } from '#src/features/posts/chosen.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { listAdminPosts, getEditedPost, listPostIds } from '#src/features/posts/editing.server.ts';
import { settleOffer } from '#src/features/posts/offers.server.ts';
import { createPreviewLink } from '#src/features/posts/preview-links.server.ts';
import {
	discardDraft,
	saveDraft,
	listRevisions,
	getRevision,
	restoreRevision,
} from '#src/features/posts/revisions.server.ts';
import {
	copyPost,
	createPost,
	deletePost,
	updatePost,
	restorePost,
	recordReview,
} from '#src/features/posts/saving.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { site } from '#src/site.ts';

export const postsRoutes = [
	on(api.listAdminPosts, (query) => listAdminPosts(getDb(), query, new Date())),
	on(
		api.createPost,
		async (form, request, context) =>
			afterChange(['posts'], context, await createPost(getDb(), form, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.getEditedPost, ({ id }) => getEditedPost(getDb(), id, new Date())),
	on(
		api.updatePost,
		async ({ id, ...change }, request, context) =>
			afterChange(['posts'], context, await updatePost(getDb(), id, change, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.copyPost, async ({ id }, request, context) =>
		afterChange(['posts'], context, await copyPost(getDb(), id, actorOf(request))),
	),
	on(api.deletePost, async ({ id }, request, context) =>
		afterChange(['posts'], context, await deletePost(getDb(), id, actorOf(request))),
	),
	on(
		bulk.bulkPosts,
		async (input, request, context) =>
			afterChange(['posts'], context, await bulkPosts(getDb(), input, actorOf(request))),
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
	on(bulk.listPostIds, (query) => listPostIds(getDb(), query, new Date())),
	on(api.saveDraft, ({ id, ...draft }) => saveDraft(getDb(), id, draft, new Date()), {
		maxBody: ADMIN_BODY_BYTES,
	}),
	on(api.discardDraft, ({ id }) => discardDraft(getDb(), id, new Date())),
	on(api.settleOffer, ({ id }, request) => settleOffer(getDb(), id, actorOf(request))),
	on(api.createPreview, ({ id }) =>
		createPreviewLink(getDb(), id, {
			secret: getSecret(),
			site: getEnv().SITE_URL,
			now: new Date(),
		}),
	),
	on(
		api.restorePost,
		async ({ id }, request, context) =>
			afterChange(['posts'], context, await restorePost(getDb(), id, actorOf(request))),
		{ status: 200 },
	),
	on(
		api.recordReview,
		async ({ id }, request, context) =>
			afterChange(['posts'], context, await recordReview(getDb(), id, actorOf(request))),
		{ status: 200 },
	),
	on(api.listRevisions, ({ id }) => listRevisions(getDb(), id)),
	on(api.getRevision, ({ id, revision }) => getRevision(getDb(), id, revision)),
	on(
		api.restoreRevision,
		({ id, revision }, request) => restoreRevision(getDb(), id, revision, actorOf(request)),
		{ status: 200 },
	),
	on(api.findAlike, async (input) => ({ alike: await findAlike(getDb(), input, new Date()) }), {
		status: 200,
	}),
	on(api.listChosen, ({ slugs }) => describeChosen(getDb(), slugs, new Date())),
	on(
		api.renderContent,
		async ({ content, isPage }) => {
			const { html, headings, problem } = await renderPreview(
				isPage ? filled(content) : content,
				await readDrawings(getDb(), [content]),
			);
			const { checkedPath } = site.words;
			return { html, headings, problem: problem ?? null, checkedPath };
		},
		{ status: 200 },
	),
];

/** Returns a page's text with the site's names filled in. One that cannot be read is shown as it is. */
function filled(content: string): string {
	try {
		return filledContent(content);
	} catch {
		return content;
	}
}
