import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { renderPreview } from '#src/core/articles/rendering.server.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Preview } from './editing.api.ts';
import { minutesOf, UNTITLED } from './editing.ts';
import { getEditedPost } from './editing.server.ts';
import { record, SHOWN } from './fields.ts';
import { readPreviewToken } from './preview-links.server.ts';
import { site } from '#src/site.ts';

const INVALID = 'This preview link is not valid. Ask for a new one.';
const EXPIRED = 'This preview link has expired. Ask for a new one.';

/** Returns the content of a preview link: the current draft, or the post if there is none, rendered as in a build. */
export async function getPreview(
	db: Db,
	token: string,
	secret: string,
	now: Date,
): Promise<Preview> {
	const link = readPreviewToken(token, secret);
	if (!link) throw new AppError('not_found', INVALID);
	if (link.expiresAt <= now) throw new AppError('forbidden', EXPIRED);
	const post = await getEditedPost(db, link.postId, now);
	if (!post || post.deletedAt) throw new AppError('not_found', INVALID);
	const form = post.draft?.form ?? post.form;
	const [[category], { html, headings, problem }] = await Promise.all([
		db
			.select(tolerant({ name: categories.name, slug: categories.slug, color: categories.color }))
			.from(categories)
			.where(eq(categories.id, form.categoryId)),
		readDrawings(db, [form.content]).then((drawings) => renderPreview(form.content, drawings)),
	]);
	return {
		...record(SHOWN, (name) => form[name]),
		title: form.title || UNTITLED,
		author: form.author || post.author,
		category: category ?? null,
		tags: form.tags,
		readTime: minutesOf(form),
		publishedAt: form.publishedAt || post.publishedAt,
		html,
		headings,
		problem: problem ?? null,
		checkedPath: site.words.checkedPath,
		state: post.state,
		updatedAt: post.draft?.updatedAt ?? post.updatedAt,
		expiresAt: link.expiresAt.toISOString(),
	};
}
