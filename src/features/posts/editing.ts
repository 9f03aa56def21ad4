import * as z from 'zod/mini';
import { slugify } from '#src/lib/slug.ts';
import { grouped, readTime, textLength } from '#src/lib/text.ts';
import type { Post } from './post.ts';

/** Characters that a post's fields may have (specification section 5); of the content, as it is read. */
export const POST_LIMITS = { title: 200, excerpt: 500, content: 50_000, slug: 100, tag: 100 };
/** Fields that an imported post may have longer. */
const LIMITED = {
	title: POST_LIMITS.title,
	slug: POST_LIMITS.slug,
	excerpt: POST_LIMITS.excerpt,
	content: POST_LIMITS.content,
	metaTitle: POST_LIMITS.title,
	metaDescription: POST_LIMITS.excerpt,
	author: 100,
};
type Limited = keyof typeof LIMITED;
/** What is over a limit already may grow by a tenth with each save: a correction needs letters. */
const ROOM = 1.1;
/** Days that a deleted post can be restored. */
export const RESTORE_DAYS = 30;
/** What a draft is called until it has a title. */
export const UNTITLED = 'Untitled';
/** Section 3's default, where there is no text to count. */
const DEFAULT_READ_TIME = 5;
const MAX_TAGS = 20;

const text = z.pipe(z.transform(toText), z.string());
const flag = z.pipe(
	z.transform((value) => [true, 'true', 'on', '1', 1].includes(value as never)),
	z.boolean(),
);
/** Minutes; null where the text decides: anything that is no positive number. */
const minutes = z.pipe(
	z.transform((value) => {
		const number = Number.parseInt(toText(value), 10);
		return number >= 1 && Number.isSafeInteger(number) ? number : null;
	}),
	z.nullable(z.number()),
);
/** Names in the post's own order, each once. */
const tagNames = z.pipe(z.transform(toNames), z.array(z.string()));

/** What is being written: anything goes, so that an autosave is never refused. */
export const draftForm = z.object({
	title: text,
	slug: text,
	excerpt: text,
	content: text,
	featuredImage: text,
	metaTitle: text,
	metaDescription: text,
	author: text,
	categoryId: text,
	published: flag,
	featured: flag,
	readTime: minutes,
	tags: tagNames,
	/** ISO time; empty for "when it is published". One in the future schedules a published post. */
	publishedAt: text,
});

/** What only a draft may lack, and what is said where somebody publishes without it. */
export const MISSING = {
	title: 'Please enter a title.',
	categoryId: 'Please choose a category.',
} as const;

/** The address of a featured image, or nothing. */
export const imageAddress = z.refine<string>(
	isImageAddress,
	'The address of an image starts with / or https://',
);

/** A saved change of a post. How long its fields may be depends on what is stored: see `lengthFaults`. */
export const changeForm = z.extend(draftForm, {
	title: line(),
	slug: line(),
	excerpt: line(),
	content: line(),
	featuredImage: line(z.maxLength(2000, tooLong(2000)), imageAddress),
	metaTitle: line(),
	metaDescription: line(),
	author: line(),
	categoryId: line(z.maxLength(100, tooLong(100))),
	publishedAt: line(
		z.maxLength(40, tooLong(40)),
		z.refine((value) => value === '' || !Number.isNaN(Date.parse(value)), 'Use a date and a time'),
	),
});

/** The admin post form (specification section 3). Unknown keys are ignored; empty fields are completed by the server. */
export const postForm = z.extend(changeForm, {
	title: limited('title'),
	slug: limited('slug'),
	excerpt: limited('excerpt'),
	content: limited('content'),
	metaTitle: limited('metaTitle'),
	metaDescription: limited('metaDescription'),
	author: limited('author'),
	tags: z.pipe(
		tagNames,
		z
			.array(z.string().check(z.maxLength(POST_LIMITS.tag, tooLong(POST_LIMITS.tag))))
			.check(z.maxLength(MAX_TAGS, tooMany(MAX_TAGS))),
	),
});
export type PostForm = z.infer<typeof postForm>;

/** A form with nothing in it: where a new post starts. */
export const emptyForm: PostForm = {
	title: '',
	slug: '',
	excerpt: '',
	content: '',
	featuredImage: '',
	metaTitle: '',
	metaDescription: '',
	author: '',
	categoryId: '',
	published: false,
	featured: false,
	readTime: null,
	tags: [],
	publishedAt: '',
};

export const POST_STATES = ['draft', 'scheduled', 'published', 'unpublished', 'deleted'] as const;
export type PostState = (typeof POST_STATES)[number];

/** What is being written on a post and not saved to it: no page changes by it. */
type Draft = {
	form: PostForm;
	/** Counts autosaves. */
	version: number;
	/** The post's version that it was started from: lower than the post's where that was saved meanwhile. */
	baseVersion: number;
	updatedAt: string;
};

/** A post as the editor sees it: the article's fields, and all that editing needs. */
export type EditedPost = Post & {
	state: PostState;
	/** Counts saves; sent with the next one, it makes a stale editor notice. */
	version: number;
	/** The saved post as a form. */
	form: PostForm;
	draft: Draft | null;
	deletedAt: string | null;
	path: string;
	/** What `<article data-digest>` of the page says once this version is live. */
	digest: string;
};

/** Where a post stands. An unpublished post has been public before; a draft has not. */
export function stateOf(
	post: { published: boolean; publishedAt: Date | null; deletedAt: Date | null },
	now: Date,
): PostState {
	if (post.deletedAt) return 'deleted';
	if (!post.published) return post.publishedAt ? 'unpublished' : 'draft';
	return post.publishedAt && post.publishedAt > now ? 'scheduled' : 'published';
}

/** Words that addresses below /blog and /api/posts use themselves. */
const RESERVED = new Set(['page', 'featured', 'trending', 'most-shared', 'search']);

/** The slug that a form asks for: its own, else its title's, at most 100 characters, never empty (section 5). */
export function slugOf({ slug, title }: Pick<PostForm, 'slug' | 'title'>): string {
	return cut(slugify(slug) || slugify(title) || 'post', POST_LIMITS.slug);
}

/** The first of `slug`, `slug-2`, `slug-3` and so on that is neither reserved nor taken. */
export function freeSlug(slug: string, taken: (slug: string) => boolean): string {
	if (!RESERVED.has(slug) && !taken(slug)) return slug;
	for (let number = 2; ; number++) {
		const ending = `-${number}`;
		const next = cut(slug, POST_LIMITS.slug - ending.length) + ending;
		if (!taken(next)) return next;
	}
}

/** The meta title as it is stored: without the ending that pages add, and empty where it is the title's own. */
export function metaTitleOf({ title, metaTitle }: Pick<PostForm, 'title' | 'metaTitle'>): string {
	const bare = metaTitle.replace(/\s+-\s+Complete Guide \d{4}$/, '');
	return bare === title ? '' : bare;
}

/** Minutes to read: what the form says, else words/200 rounded up, else 5 (sections 5 and 9). */
export function minutesOf({ readTime: given, content }: PostForm): number {
	if (given !== null) return given;
	// A tag without an end is one as well: looking for the end of each anew would take seconds.
	const words = content.replace(/<[^>]*(?:>|$)/g, ' ').trim();
	return words === '' ? DEFAULT_READ_TIME : readTime(words);
}

/** Tells equal tags from different ones: case, spaces and hyphens do not count, other signs do. */
export function tagKey(name: string): string {
	return name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s_-]+/g, ' ')
		.trim();
}

/** Whether an image may have this address: a path of ours or one on the web. None is one as well. */
export function isImageAddress(address: string): boolean {
	return /^($|\/(?![/\\])|https?:\/\/.)\P{Cc}*$/u.test(address);
}

function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function toNames(value: unknown): string[] {
	const names = (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [])
		.map((name) => toText(name).replace(/\s+/g, ' ').trim())
		.filter(Boolean);
	return [...Map.groupBy(names, tagKey).values()].map(([first]) => first!);
}

function line(...checks: z.core.$ZodCheck<string>[]) {
	return z.pipe(text, z.string().check(z.trim(), ...checks));
}

function limited(field: Limited, ...checks: z.core.$ZodCheck<string>[]) {
	const limit = LIMITED[field];
	return line(
		z.refine((value) => lengthOf(field, value) <= limit, tooLong(limit)),
		...checks,
	);
}

/** Characters of a field: of the content those that are read, and not the markup. */
export function lengthOf(field: string, value: string): number {
	return field === 'content' ? textLength(value) : value.length;
}

/**
 * A message for each field of a change that is too long. What is longer already, because it was imported, may stay so and
 * grow a little.
 */
export function lengthFaults(form: PostForm, stored: PostForm): Record<string, string> {
	const faults: Record<string, string> = {};
	for (const field of Object.keys(LIMITED) as Limited[]) {
		if (form[field] === stored[field]) continue;
		const most = limitOf(LIMITED[field], lengthOf(field, stored[field]));
		if (lengthOf(field, form[field]) > most) faults[field] = tooLong(most);
	}
	const mostTags = Math.max(MAX_TAGS, stored.tags.length);
	const isNew = (tag: string) => !stored.tags.includes(tag);
	if (form.tags.length > mostTags) faults['tags'] = tooMany(mostTags);
	else if (form.tags.some((tag) => tag.length > POST_LIMITS.tag && isNew(tag)))
		faults['tags'] = tooLong(POST_LIMITS.tag);
	return faults;
}

/** What a field may have that has `stored` already. */
export function limitOf(limit: number, stored: number): number {
	return stored > limit ? Math.floor(stored * ROOM) : limit;
}

function tooLong(max: number): string {
	return `Use ${grouped(max)} characters or fewer`;
}

function tooMany(max: number): string {
	return `Use ${max} tags or fewer`;
}

function cut(slug: string, max: number): string {
	return slug.slice(0, max).replace(/-+$/, '');
}
