import { POST_STATES, type PostState } from '#src/core/posts/post-state.ts';
import type { Sort } from '#src/lib/paging.ts';
import * as z from 'zod/mini';
import { cutSlug, slugify } from '#src/lib/slug.ts';
import { formatCount, readTime } from '#src/lib/text.ts';
import { textLength } from '#src/lib/text-length.ts';
import {
	FIELD_NAMES,
	LIMITED as FIELD_LIMITS,
	POST_FIELDS,
	record,
	type FieldName,
	type PostField,
	type PostForm,
} from './fields.ts';
import { FIRST_FIGURE } from './picture.ts';
import type { Post } from './post.ts';
import { questionsIn } from './asked.ts';
import { chosenSlugs, MAX_CHOSEN } from './related.ts';

/** Maximum characters of a post's fields (product.md section 5); of the content without markup. */
export const POST_LIMITS = {
	...record(['title', 'excerpt', 'content', 'slug'] as const, (name) => POST_FIELDS[name].limit),
	tag: 100,
};
/** Allowed growth per save of a field that already exceeds its limit, so that it can be corrected. */
const GROWTH_FACTOR = 1.1;
/** Days during which a deleted post can be restored. */
export const RESTORE_DAYS = 30;
/** Title of a draft until it has one. */
export const UNTITLED = 'Untitled';
/** The default of product.md section 3, without text to count. */
const DEFAULT_READ_TIME = 5;
export const MAX_TAGS = 20;

const text = z.pipe(z.transform(toText), z.string());
const flag = z.pipe(
	z.transform((value) => [true, 'true', 'on', '1', 1].includes(value as never)),
	z.boolean(),
);
/** Minutes; null for anything but a positive number, so that the text decides. */
const minutes = z.pipe(
	z.transform((value) => {
		const number = Number.parseInt(toText(value), 10);
		return number >= 1 && Number.isSafeInteger(number) ? number : null;
	}),
	z.nullable(z.number()),
);
/** Unique names in the post's own order. */
const tagNames = z.pipe(z.transform(toNames), z.array(z.string()));

const DRAFT = {
	line: text,
	text,
	image: text,
	slugs: text,
	asked: text,
	due: text,
	id: text,
	time: text,
	flag,
	minutes,
	names: tagNames,
};

/** An unfinished form. Accepts anything, so that an autosave is never refused. */
export const draftForm = formSchema((_name, { kind }) => DRAFT[kind]);

/** Returns a stored form. One of an earlier version lacks the fields added since, which are then empty. */
export function readForm(stored: unknown): PostForm {
	return draftForm.parse(stored);
}

export function readFields(stored: Record<string, unknown>): Partial<PostForm> {
	const form = readForm(stored);
	const names = FIELD_NAMES.filter((name) => name in stored);
	return Object.fromEntries(names.map((name) => [name, form[name]]));
}

/** Fields that only a draft may lack, with the messages for publishing without them. */
export const MISSING = {
	title: 'Please enter a title.',
	categoryId: 'Please choose a category.',
} as const;

/** Address of a featured image, or empty. */
export const imageAddress = z.refine<string>(
	isImageAddress,
	'The address of an image starts with / or https://',
);

/** Questions of readers, each on a line with its answer, or empty. */
export const askedText = line(
	z.maxLength(3000, tooLong(3000)),
	z.refine(
		(value) => questionsIn(value).length === value.split('\n').filter((one) => one.trim()).length,
		'Write each question on a line of its own, with its answer after the question mark',
	),
);

/** The day after which something is no longer true, and what that is, or empty. */
export const dueText = oneLine(
	z.maxLength(200, tooLong(200)),
	z.refine(
		(value) =>
			value === '' || !Number.isNaN(Date.parse(/^\d{4}-\d\d-\d\d(?= |$)/.exec(value)?.[0] ?? '')),
		'Begin with a day, such as 2027-03-01',
	),
);

const CHANGE = {
	...DRAFT,
	line: oneLine(),
	text: line(),
	image: line(z.maxLength(2000, tooLong(2000)), imageAddress),
	asked: askedText,
	due: dueText,
	slugs: line(
		z.maxLength(500, tooLong(500)),
		z.refine(
			(value) => chosenSlugs(value).length <= MAX_CHOSEN,
			`Choose ${MAX_CHOSEN} articles or fewer`,
		),
	),
	id: line(z.maxLength(100, tooLong(100))),
	time: line(
		z.maxLength(40, tooLong(40)),
		z.refine((value) => value === '' || !Number.isNaN(Date.parse(value)), 'Use a date and a time'),
	),
};

/** A saved change of a post. The length limits of its fields depend on what is stored: see `lengthErrors`. */
export const changeForm = formSchema((_name, { kind }) => CHANGE[kind]);

const WHOLE = {
	...CHANGE,
	names: z.pipe(
		tagNames,
		z
			.array(z.string().check(z.maxLength(POST_LIMITS.tag, tooLong(POST_LIMITS.tag))))
			.check(z.maxLength(MAX_TAGS, tooMany(MAX_TAGS))),
	),
};

/** The admin's post form (product.md section 3). Unknown keys are ignored; the server completes empty fields. */
export const postForm = formSchema((name, { kind, limit }) =>
	limit === undefined
		? WHOLE[kind]
		: (kind === 'line' ? oneLine : line)(
				z.refine((value) => lengthOf(name, value) <= limit, tooLong(limit)),
			),
);
export type { PostForm };

/** The form of a new post. */
export const emptyForm: PostForm = readForm({});

/** Keys by which the admin's list of posts can be sorted. */
export const POST_SORTS = ['updated', 'published', 'created', 'title'] as const;
export type PostSort = Sort<(typeof POST_SORTS)[number]>;

const word = z.optional(z.string().check(z.maxLength(200)));

/** Which posts the admin's list shows: deleted ones only if `state` asks for them. */
export const postFilter = z.object({
	/** Text in title, excerpt or slug. */
	q: word,
	state: z.optional(z.enum(POST_STATES)),
	/** Slugs. */
	category: word,
	tag: word,
	/** Only what waits for a review: public posts that have neither changed nor been reviewed for 90 days. */
	due: z.optional(flag),
	/** Only what a newer file says something else of. */
	offered: z.optional(flag),
});
export type PostFilter = z.infer<typeof postFilter>;

/** Unsaved work on a post, which changes no page. */
type Draft = {
	form: PostForm;
	/** Counts autosaves. */
	version: number;
	/** The post's version that it was started from: lower than the current one if the post was saved since. */
	baseVersion: number;
	updatedAt: string;
};

/** A post as the editor sees it: the article's fields, and everything that editing needs. */
export type EditedPost = Post & {
	state: PostState;
	savedAt: string;
	/** Counts saves. Sent with the next one, it reveals a stale editor. */
	version: number;
	/** The saved post as a form. */
	form: PostForm;
	draft: Draft | null;
	/** Fields as a newer file has them, until that is settled. */
	offer: Partial<PostForm> | null;
	deletedAt: string | null;
	path: string;
	/** The `data-digest` of the page's `<article>` once this version is live. */
	digest: string;
	/** The program that began it, or null. */
	program: string | null;
};

/** Slugs that addresses below /blog and /api/posts use. */
const RESERVED_SLUGS = new Set(['page', 'featured', 'trending', 'most-shared', 'search']);

/** Returns the slug of a form: its own or the title's, at most 100 characters, never empty (product.md section 5). */
export function slugOf({ slug, title }: Pick<PostForm, 'slug' | 'title'>): string {
	return cutSlug(slugify(slug) || slugify(title) || 'post', POST_LIMITS.slug);
}

/** Returns the first of `slug`, `slug-2`, `slug-3` and so on that is neither reserved nor taken. */
export function freeSlug(slug: string, taken: (slug: string) => boolean): string {
	if (!RESERVED_SLUGS.has(slug) && !taken(slug)) return slug;
	for (let number = 2; ; number++) {
		const ending = `-${number}`;
		const next = cutSlug(slug, POST_LIMITS.slug - ending.length) + ending;
		if (!taken(next)) return next;
	}
}

/**
 * Returns the meta title to store: without the suffix that pages add, and empty if it equals the title, or the one before:
 * programs that send back what they got send the default of the title that they change.
 */
export function metaTitleOf(
	{ title, metaTitle }: Pick<PostForm, 'title' | 'metaTitle'>,
	before?: Pick<PostForm, 'title'>,
): string {
	const bare = metaTitle.replace(/\s+-\s+Complete Guide \d{4}$/, '');
	return bare === title || bare === before?.title ? '' : bare;
}

/** Returns minutes to read: the form's value, or words/200 rounded up, or 5 (product.md sections 5 and 9). */
export function minutesOf({ readTime: given, content }: PostForm): number {
	if (given !== null) return given;
	// An unclosed tag counts as one, because searching the end of each would take seconds.
	const words = content.replace(/<[^>]*(?:>|$)/g, ' ').trim();
	return words === '' ? DEFAULT_READ_TIME : readTime(words);
}

/** Returns a key that equal tags share, ignoring case, spaces and hyphens. */
export function tagKey(name: string): string {
	return name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s_-]+/g, ' ')
		.trim();
}

/** Returns whether an image may have this address: empty, the first figure, a path of ours, or a web address. */
export function isImageAddress(address: string): boolean {
	return address === FIRST_FIGURE || /^($|\/(?![/\\])|https?:\/\/.)\P{Cc}*$/u.test(address);
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

/** As `line`, for what no line may break. */
function oneLine(...checks: z.core.$ZodCheck<string>[]) {
	const joined = z.transform((value: string) => value.replace(/\p{Cc}+/gu, ' '));
	return z.pipe(z.pipe(text, joined), z.string().check(z.trim(), ...checks));
}

/** A schema of all fields, each as `schemaOf` has it. */
function formSchema(schemaOf: (name: FieldName, field: PostField) => z.ZodMiniType) {
	type Shape = { [Name in FieldName]: z.ZodMiniType<PostForm[Name]> };
	return z.object(record(FIELD_NAMES, (name) => schemaOf(name, POST_FIELDS[name])) as Shape);
}

/** Counts the characters of a field; of the content without markup. */
export function lengthOf(field: string, value: string): number {
	return field === 'content' ? textLength(value) : value.length;
}

/**
 * Returns a message for each changed field that is too long. An imported field that exceeds its limit may stay
 * and grow a little.
 */
export function lengthErrors(form: PostForm, stored: PostForm): Record<string, string> {
	const errors: Record<string, string> = {};
	for (const field of FIELD_LIMITS) {
		if (form[field] === stored[field]) continue;
		const most = limitOf(POST_FIELDS[field].limit, lengthOf(field, stored[field]));
		if (lengthOf(field, form[field]) > most) errors[field] = tooLong(most);
	}
	const mostTags = Math.max(MAX_TAGS, stored.tags.length);
	const isNew = (tag: string) => !stored.tags.includes(tag);
	if (form.tags.length > mostTags) errors['tags'] = tooMany(mostTags);
	else if (form.tags.some((tag) => tag.length > POST_LIMITS.tag && isNew(tag)))
		errors['tags'] = tooLong(POST_LIMITS.tag);
	return errors;
}

/** Returns the limit of a field whose stored length is `stored`. */
export function limitOf(limit: number, stored: number): number {
	return stored > limit ? Math.floor(stored * GROWTH_FACTOR) : limit;
}

function tooLong(max: number): string {
	return `Use ${formatCount(max)} characters or fewer`;
}

function tooMany(max: number): string {
	return `Use ${max} tags or fewer`;
}
