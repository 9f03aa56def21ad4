import * as z from 'zod/mini';
import { draftForm, POST_LIMITS } from '#src/features/posts/editing.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';
import { grouped } from '#src/lib/text.ts';

/** Characters of a text that an import may have: far beyond a post's limit, which is reported and not enforced. */
const MAX_TEXT = 2_000_000;
const line = z._default(z.string().check(z.maxLength(2000)), '');
const time = z._default(z.nullable(z.iso.datetime()), null);

/** A post as any source gives it. */
export const importedPost = z.object({
	/** Names it in the report and to its comments: a file, or an id of where it comes from. */
	key: z.string().check(z.minLength(1), z.maxLength(500)),
	/** Of our own archives, so that it stays the same post. */
	id: z.optional(z.uuid()),
	title: line,
	slug: line,
	excerpt: z._default(z.string().check(z.maxLength(MAX_TEXT)), ''),
	/** HTML; sanitised when it is stored. */
	content: z._default(z.string().check(z.maxLength(MAX_TEXT)), ''),
	featuredImage: line,
	metaTitle: line,
	metaDescription: line,
	author: line,
	/** Name or slug; empty for the category that the admin chooses. */
	category: line,
	tags: z._default(z.array(z.string().check(z.maxLength(500))).check(z.maxLength(100)), []),
	published: z._default(z.boolean(), false),
	featured: z._default(z.boolean(), false),
	/** Minutes; null where the words decide. */
	readTime: z._default(z.nullable(z.int().check(z.gte(1))), null),
	publishedAt: time,
	createdAt: time,
	updatedAt: time,
	/** What was being written on it, in our own archives. */
	draft: z._default(z.nullable(draftForm), null),
	/** Earlier slugs that lead to it. */
	redirects: z._default(z.array(z.string().check(z.maxLength(2000))), []),
});
export type ImportedPost = z.infer<typeof importedPost>;

export const importedCategory = z.object({
	name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
	slug: z.string().check(z.minLength(1), z.maxLength(100)),
	description: z._default(z.nullable(z.string().check(z.maxLength(500))), null),
	color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i))),
	position: z._default(z.nullable(z.int()), null),
});
export type ImportedCategory = z.infer<typeof importedCategory>;

export const importedComment = z.object({
	id: z.optional(z.uuid()),
	/** The post's key in the bundle; its id once that is stored. */
	post: z.string().check(z.maxLength(500)),
	author: z.string().check(z.maxLength(100)),
	email: z.string().check(z.maxLength(255)),
	content: z.string().check(z.minLength(1), z.maxLength(20_000)),
	approved: z.boolean(),
	reviewedAt: time,
	createdAt: z.iso.datetime(),
});
export type ImportedComment = z.infer<typeof importedComment>;

export const importedMedia = z.object({
	id: z.uuid(),
	name: z.string().check(z.maxLength(500)),
	alt: z._default(z.string().check(z.maxLength(500)), ''),
	createdAt: z.iso.datetime(),
});
type ImportedMedia = z.infer<typeof importedMedia>;

export type Problem = {
	/** The file, line or title that it is about. */
	where: string;
	what: string;
};

/** Everything that was read from a file, before anything is stored. */
export type Bundle = {
	kind: 'Groundtruth archive' | 'Markdown folder' | 'Ghost export' | 'WordPress export';
	categories: ImportedCategory[];
	posts: ImportedPost[];
	comments: ImportedComment[];
	subscribers: ImportRow[];
	media: (ImportedMedia & { bytes: Uint8Array })[];
	problems: Problem[];
};

export function emptyBundle(kind: Bundle['kind']): Bundle {
	return {
		kind,
		categories: [],
		posts: [],
		comments: [],
		subscribers: [],
		media: [],
		problems: [],
	};
}

/** Limits that a post is over. It is imported whole; the editor asks to shorten it at the next save. */
export function overLimits(post: ImportedPost): string[] {
	const fields = ['title', 'excerpt', 'content', 'slug'] as const;
	return fields
		.filter((field) => post[field].length > POST_LIMITS[field])
		.map(
			(field) =>
				`${field} has ${grouped(post[field].length)} characters, ${grouped(POST_LIMITS[field])} are the limit`,
		);
}

/** Addresses of images that stay where they are. */
export function imagesOf(html: string): string[] {
	const found = Array.from(html.matchAll(/<img\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/gi), ([, src]) =>
		src!.replaceAll('&amp;', '&'),
	);
	return [...new Set(found)].filter((src) => !src.startsWith('/api/media/'));
}

/** What happened to one post, or would. */
export type PostResult = {
	key: string;
	/** Where it is stored; null where it was only looked at. */
	id: string | null;
	outcome: 'added' | 'known';
	/** The address that it gets. */
	slug: string;
	notes: string[];
};

export const importInput = z.object({
	/** Only tell what would happen. */
	preview: z.boolean(),
	/** Whether posts that were public come in as drafts. */
	asDrafts: z._default(z.boolean(), false),
	/** Id of the category of posts that name none. */
	categoryId: z.string().check(z.maxLength(100)),
	categories: z._default(z.array(importedCategory).check(z.maxLength(500)), []),
	posts: z._default(z.array(importedPost).check(z.maxLength(200)), []),
	comments: z._default(z.array(importedComment).check(z.maxLength(1000)), []),
	/** One image, with its bytes as base64. */
	media: z.optional(z.extend(importedMedia, { data: z.string().check(z.minLength(1)) })),
});
export type ImportInput = z.infer<typeof importInput>;

export type ImportAnswer = {
	categories: number;
	posts: PostResult[];
	comments: number;
	/** The image's id here: another one where the same bytes were there already. */
	mediaId: string | null;
};
