import * as z from 'zod/mini';
import { changeNotice } from './changes.ts';
import type { Heading } from '#src/core/articles/render.ts';
import type { PostState } from '#src/core/posts/post-state.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import type { WordChange } from '#src/lib/word-change.ts';
import { pagedInput, type Paged } from '#src/lib/paging.ts';
import {
	changeForm,
	draftForm,
	POST_SORTS,
	postFilter,
	postForm,
	type EditedPost,
	type PostForm,
} from './editing.ts';
import type { ShownName } from './fields.ts';
import type { CategoryRef, Post, StoredTag } from './post.ts';

export type { EditedPost };

/** A post in the admin's list. */
export type AdminPost = Pick<
	Post,
	| 'id'
	| 'slug'
	| 'title'
	| 'author'
	| 'published'
	| 'featured'
	| 'readTime'
	| 'publishedAt'
	| 'updatedAt'
> & {
	state: PostState;
	version: number;
	category: CategoryRef & { color: string };
	/** The plot that its cover shows, as of the last build, or nothing. */
	cover: string;
	/** Address of a small picture, or null where its cover is shown. */
	picture: string | null;
	/** The day after which something in it may no longer be true, and what that is. */
	staleAfter: string | null;
	/** True while the post is due for review. */
	isDue: boolean;
	/** Whether it has unsaved changes. */
	hasDraft: boolean;
	/** Whether a newer file says something else. */
	offered: boolean;
	deletedAt: string | null;
	/** The program that began it, or null. */
	program: string | null;
	/** Why the last build could not show it as it is, in sentences, or null. */
	problem: string | null;
};

/** Number of posts by state; `all` are those that are not deleted. */
export type PostCounts = Record<PostState | 'all', number>;
export type AdminPosts = Paged<AdminPost> & {
	/** Numbers of all posts, regardless of the query. */
	counts: PostCounts & { due: number; offered: number };
};

const count = (max: number, fallback: number) =>
	z.pipe(
		z.transform((value) => {
			const number = Math.floor(Number(value));
			return number >= 1 ? Math.min(number, max) : fallback;
		}),
		z.number(),
	);

/** All posts including drafts; deleted ones only if `state` asks for them. */
export const listAdminPosts = endpoint<AdminPosts>()(
	'GET /api/admin/posts',
	z.extend(postFilter, {
		/** By default, last changed first. */
		sort: z.optional(pagedInput(POST_SORTS, '-updated').sort),
		page: z.optional(count(1_000_000, 1)),
		pageSize: z.optional(count(100, 50)),
	}),
);

const id = z.string();

export const getEditedPost = endpoint<EditedPost>()('GET /api/admin/posts/:id', z.object({ id }));

/** With an `id` (a UUID, otherwise ignored) the call can be repeated: an existing post is returned as it is. */
export const createPost = endpoint<EditedPost>()(
	'POST /api/admin/posts',
	z.extend(postForm, { id: z.catch(z.optional(z.uuid()), undefined) }),
);

/**
 * Missing fields keep their values. An outdated `version` is a `conflict`; without one the save wins.
 * `draftVersion` is the draft's last known version, null for none: a newer draft becomes a revision. Unless `change`
 * says that readers are told, no date that they see moves.
 */
export const updatePost = endpoint<EditedPost>()(
	'PUT /api/admin/posts/:id',
	z.extend(z.partial(changeForm), {
		id,
		version: z.optional(z.coerce.number()),
		draftVersion: z.optional(z.nullable(z.int())),
		change: z.optional(changeNotice),
	}),
);

/** Begins a draft with what an article has. */
export const copyPost = endpoint<EditedPost>()('POST /api/admin/posts/:id/copy', z.object({ id }));

/** The post can be restored for 30 days. */
export const deletePost = endpoint<{ id: string; deletedAt: string }>()(
	'DELETE /api/admin/posts/:id',
	z.object({ id }),
);

/** Restores a deleted post to its previous state. */
export const restorePost = endpoint<EditedPost>()(
	'POST /api/admin/posts/:id/restore',
	z.object({ id }),
);

/** Records that a public post is still true as it is, which counts as fresh. */
export const recordReview = endpoint<{ id: string; reviewedAt: string }>()(
	'POST /api/admin/posts/:id/reviewed',
	z.object({ id }),
);

/** The newer file of a post has been looked at, and is offered no longer. */
export const settleOffer = endpoint<{ undo: string | null }>()(
	'DELETE /api/admin/posts/:id/offer',
	z.object({ id }),
);

/** Autosave. `version` is the draft's last known version, null for the first; any other is a `conflict`. */
export const saveDraft = endpoint<{ version: number; updatedAt: string }>()(
	'PUT /api/admin/posts/:id/draft',
	z.object({
		id,
		form: draftForm,
		version: z.nullable(z.int()),
		baseVersion: z.int(),
	}),
);

/** Discards unsaved work; a revision keeps it. */
export const discardDraft = endpoint<{ id: string }>()(
	'DELETE /api/admin/posts/:id/draft',
	z.object({ id }),
);

export type Revision = {
	id: string;
	reason: 'publish' | 'pause' | 'restore' | 'import';
	title: string;
	createdAt: string;
};

/** A revision, and how its words differ from those of the one before it. */
export type ListedRevision = Revision & WordChange;

/** Newest first. */
export const listRevisions = endpoint<ListedRevision[]>()(
	'GET /api/admin/posts/:id/revisions',
	z.object({ id }),
);

export const getRevision = endpoint<Revision & { form: PostForm }>()(
	'GET /api/admin/posts/:id/revisions/:revision',
	z.object({ id, revision: id }),
);

/** Makes a revision the working draft; the previous draft becomes a revision. Publishes nothing. */
export const restoreRevision = endpoint<EditedPost>()(
	'POST /api/admin/posts/:id/revisions/:revision/restore',
	z.object({ id, revision: id }),
);

/** Creates a link that shows the current draft to anyone who has it, for seven days. */
export const createPreview = endpoint<{ url: string; expiresAt: string }>()(
	'POST /api/admin/posts/:id/preview',
	z.object({ id }),
);

/** Content of a preview: an article as a build would render it. */
export type Preview = Pick<PostForm, ShownName> & {
	/** Null if none is chosen yet. */
	category: (CategoryRef & { color: string }) | null;
	tags: string[];
	readTime: number;
	/** Null if it would be now. */
	publishedAt: string | null;
	html: string;
	headings: Heading[];
	/** Why it is shown as plain text, or null. */
	problem: string | null;
	/** Path of the page that says how articles are checked, or an empty text. */
	checkedPath: string;
	state: PostState;
	updatedAt: string;
	expiresAt: string;
};

/** A text as a build would show it. */
export type Rendered = Pick<Preview, 'html' | 'headings' | 'problem' | 'checkedPath'>;

/** Renders an article's text, or with `isPage` a page's, as a build would, and stores nothing. */
export const renderContent = endpoint<Rendered>()(
	'POST /api/admin/rendering',
	z.extend(z.pick(draftForm, { content: true }), { isPage: z.optional(z.boolean()) }),
);

/** Finds the public article, if any, that says nearly what a text says. `id` is the article that the text is of. */
/** The chosen articles that exist, with what was asked: `given` is the slug as it was given, `slug` the one of now. */
export type ChosenPosts = {
	asked: string;
	posts: { given: string; slug: string; title: string; state: PostState }[];
};

/** Describes articles by their slugs, current or former, separated by commas. Unknown ones are left out. */
export const listChosen = endpoint<ChosenPosts>()(
	'GET /api/admin/chosen',
	z.object({ slugs: z.string().check(z.maxLength(2000)) }),
);

export const findAlike = endpoint<{ alike: Pick<Post, 'title' | 'slug'> | null }>()(
	'POST /api/admin/alike',
	z.extend(z.pick(draftForm, { content: true }), { id: z.optional(id) }),
);

/** `forbidden` once expired; `not_found` for an invalid link or a missing post. */
export const getPreview = endpoint<Preview>()(
	'GET /api/preview/:token',
	z.object({ token: z.string().check(z.maxLength(500)) }),
);

/** Tags whose name begins with or contains `q`, most used first; without `q`, all of them by name. */
export const completeTags = endpoint<StoredTag[]>()(
	'GET /api/admin/tags',
	z.pick(postFilter, { q: true }),
);
