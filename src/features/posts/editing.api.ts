import * as z from 'zod/mini';
import type { Heading } from '#src/core/articles/render.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import {
	changeForm,
	draftForm,
	POST_STATES,
	postForm,
	type EditedPost,
	type PostForm,
	type PostState,
} from './editing.ts';
import type { CategoryRef, Post, TagRef } from './post.ts';

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
	category: CategoryRef;
	/** Whether there are changes that are not saved to the post. */
	hasDraft: boolean;
	deletedAt: string | null;
	/** Why the last build left its text as it was, or null. */
	problem: string | null;
};

/** Counts of a state; `all` is every post that is not deleted. */
export type PostCounts = Record<PostState | 'all', number>;
export type AdminPosts = {
	posts: AdminPost[];
	/** How many the query finds. */
	total: number;
	page: number;
	pages: number;
	/** Of all posts, whatever the query. */
	counts: PostCounts;
};

const count = (max: number, fallback: number) =>
	z.pipe(
		z.transform((value) => {
			const number = Math.floor(Number(value));
			return number >= 1 ? Math.min(number, max) : fallback;
		}),
		z.number(),
	);
const word = z.optional(z.string().check(z.maxLength(200)));

/** All posts, drafts included; deleted ones only where `state` asks for them. */
export const listAdminPosts = endpoint<AdminPosts>()({
	method: 'GET',
	path: '/api/admin/posts',
	input: z.object({
		/** Text of title, excerpt or slug. */
		q: word,
		state: z.optional(z.enum(POST_STATES)),
		/** Slugs. */
		category: word,
		tag: word,
		/** Last changed first without it. */
		sort: z.optional(z.enum(['updated', 'published', 'created', 'title'])),
		order: z.optional(z.enum(['asc', 'desc'])),
		page: z.optional(count(1_000_000, 1)),
		perPage: z.optional(count(100, 50)),
	}),
});

const id = z.string();

export const getEditedPost = endpoint<EditedPost>()({
	method: 'GET',
	path: '/api/admin/posts/:id',
	input: z.object({ id }),
});

/** With an `id` (a UUID, else it is ignored) the call can be repeated: where that post is there, it is answered as it is. */
export const createPost = endpoint<EditedPost>()({
	method: 'POST',
	path: '/api/admin/posts',
	input: z.extend(postForm, { id: z.catch(z.optional(z.uuid()), undefined) }),
});

/**
 * Fields that are not sent keep what they have. An old `version` is a `conflict`; without one the save wins. `draftVersion`
 * is the draft's as last seen, null for none: another draft there becomes a revision.
 */
export const updatePost = endpoint<EditedPost>()({
	method: 'PUT',
	path: '/api/admin/posts/:id',
	input: z.extend(z.partial(changeForm), {
		id,
		version: z.optional(z.coerce.number()),
		draftVersion: z.optional(z.nullable(z.number())),
	}),
});

/** Can be restored for 30 days. */
export const deletePost = endpoint<{ id: string; deletedAt: string }>()({
	method: 'DELETE',
	path: '/api/admin/posts/:id',
	input: z.object({ id }),
});

/** Gives a deleted post back its state. */
export const restorePost = endpoint<EditedPost>()({
	method: 'POST',
	path: '/api/admin/posts/:id/restore',
	input: z.object({ id }),
});

/** Autosave. `version` is the draft's as last seen, null for its first; another one there is a `conflict`. */
export const saveDraft = endpoint<{ version: number; updatedAt: string }>()({
	method: 'PUT',
	path: '/api/admin/posts/:id/draft',
	input: z.object({
		id,
		form: draftForm,
		version: z.nullable(z.number()),
		baseVersion: z.number(),
	}),
});

/** Forgets what was not saved; a revision keeps it. */
export const discardDraft = endpoint<{ id: string }>()({
	method: 'DELETE',
	path: '/api/admin/posts/:id/draft',
	input: z.object({ id }),
});

export type Revision = {
	id: string;
	reason: 'publish' | 'pause' | 'restore' | 'import';
	title: string;
	createdAt: string;
};

/** Newest first. */
export const listRevisions = endpoint<Revision[]>()({
	method: 'GET',
	path: '/api/admin/posts/:id/revisions',
	input: z.object({ id }),
});

export const getRevision = endpoint<Revision & { form: PostForm }>()({
	method: 'GET',
	path: '/api/admin/posts/:id/revisions/:revision',
	input: z.object({ id, revision: id }),
});

/** Makes a revision the working draft; what was there becomes a revision. Nothing goes live by it. */
export const restoreRevision = endpoint<EditedPost>()({
	method: 'POST',
	path: '/api/admin/posts/:id/revisions/:revision/restore',
	input: z.object({ id, revision: id }),
});

/** A link that shows the draft as it is, to anybody who has it, for seven days. */
export const createPreview = endpoint<{ url: string; expiresAt: string }>()({
	method: 'POST',
	path: '/api/admin/posts/:id/preview',
	input: z.object({ id }),
});

/** What a preview shows: an article as the build would render it. */
export type Preview = {
	title: string;
	excerpt: string;
	author: string;
	/** Null where none is chosen yet. */
	category: (CategoryRef & { color: string }) | null;
	tags: string[];
	readTime: number;
	featuredImage: string;
	/** Null where it would be "now". */
	publishedAt: string | null;
	html: string;
	headings: Heading[];
	state: PostState;
	updatedAt: string;
	expiresAt: string;
};

/** `forbidden` once it has expired, `not_found` where it never was or its post is gone. */
export const getPreview = endpoint<Preview>()({
	method: 'GET',
	path: '/api/preview/:token',
	input: z.object({ token: z.string().check(z.maxLength(500)) }),
});

/** Tags whose name begins with or contains `q`, the most used first. */
export const completeTags = endpoint<(TagRef & { posts: number })[]>()({
	method: 'GET',
	path: '/api/admin/tags',
	input: z.object({ q: word }),
});
