import * as z from 'zod/mini';
import { DRAWING_PREFIX } from '#src/core/figures/drawings/library.ts';
import { FOCUS } from '#src/features/media/media.ts';
import { draftForm, lengthOf, POST_LIMITS } from '#src/features/posts/editing.ts';
import { FLAGS, POST_FIELDS, record, TEXTS, type PostField } from '#src/features/posts/fields.ts';
import { importRun } from '#src/core/imports/run.ts';
import type { ImportRow } from '#src/features/newsletter/subscribers.ts';
import { cutSlug, slugify } from '#src/lib/slug.ts';
import { formatCount } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

/** Characters of a text that an import may have: far beyond a post's limit, which is reported and not enforced. */
const MAX_TEXT = 2_000_000;
const line = z._default(z.string().check(z.maxLength(2000)), '');
const longText = z._default(z.string().check(z.maxLength(MAX_TEXT)), '');
const time = z._default(z.nullable(z.iso.datetime()), null);

/** The post's texts; its content is HTML, sanitized when it is stored. */
const texts = record(TEXTS, (name) => (POST_FIELDS[name].kind === 'text' ? longText : line));
const flags = record(FLAGS, () => z._default(z.boolean(), false));

/** Texts that front matter has under names of their own: the rest is completed from elsewhere in a file. */
export const OTHER_TEXTS = TEXTS.filter(
	(name) => !['title', 'slug', 'excerpt', 'content', 'author'].includes(name),
).map((name) => {
	const { file = name, aliases = [name.toLowerCase()] }: PostField = POST_FIELDS[name];
	return { name, file, aliases };
});

/** A post as any source gives it. */
export const importedPost = z.object({
	/** Names it in the report and to its comments: a file, or an id of where it comes from. */
	key: z.string().check(z.minLength(1), z.maxLength(500)),
	/** Id of the post, only in our own archives, so that it stays the same post. */
	id: z.optional(z.uuid()),
	...texts,
	/** Name or slug; empty for the category that the admin chooses. */
	category: line,
	tags: z._default(z.array(z.string().check(z.maxLength(500))).check(z.maxLength(100)), []),
	...flags,
	/** Minutes; null where the words decide. */
	readTime: z._default(z.nullable(z.int().check(z.gte(1))), null),
	publishedAt: time,
	createdAt: time,
	updatedAt: time,
	/** The post's unpublished draft, only in our own archives. */
	draft: z._default(z.nullable(draftForm), null),
	/** Earlier slugs that lead to it, and whole paths of another site. */
	redirects: z._default(z.array(z.string().check(z.maxLength(2000))), []),
});
export type ImportedPost = z.infer<typeof importedPost>;

/** A page of another site: an article without a date, beside the others. */
export const importedPage = z.object({
	key: z.string().check(z.minLength(1), z.maxLength(500)),
	title: line,
	slug: line,
	/** HTML, sanitized when it is stored. */
	content: longText,
	published: z._default(z.boolean(), false),
	createdAt: time,
	updatedAt: time,
});
type ImportedPage = z.infer<typeof importedPage>;

export const importedCategory = z.object({
	name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
	slug: z.string().check(z.minLength(1), z.maxLength(100)),
	description: z._default(z.nullable(z.string().check(z.maxLength(500))), null),
	color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i))),
	position: z._default(z.nullable(z.int().check(z.gte(0))), null),
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
	/** The comment of the bundle that it answers. */
	parentId: z.optional(z.nullable(z.uuid())),
	byOwner: z.optional(z.boolean()),
	/** Tells whether the author wants an email when somebody answers. */
	notify: z.optional(z.boolean()),
	/** Its texts before its author changed it, only in our own archives. */
	earlier: z.optional(z.array(z.string().check(z.maxLength(20_000))).check(z.maxLength(1000))),
	pinnedAt: z.optional(z.nullable(z.iso.datetime())),
	editedAt: z.optional(z.nullable(z.iso.datetime())),
	reviewedAt: time,
	createdAt: z.iso.datetime(),
});
export type ImportedComment = z.infer<typeof importedComment>;

const uuid = z.uuid();
/** A UUID; that of a drawing says that it is one. As a template literal it would add half a kilobyte to every page. */
const isMediaId = (id: string) =>
	uuid.safeParse(id.startsWith(DRAWING_PREFIX) ? id.slice(DRAWING_PREFIX.length) : id).success;

export const importedMedia = z.object({
	id: z.string().check(z.refine(isMediaId, 'Invalid ID')),
	name: z.string().check(z.maxLength(500)),
	alt: z._default(z.string().check(z.maxLength(500)), ''),
	focus: z.optional(z.string().check(z.regex(FOCUS))),
	createdAt: z.iso.datetime(),
});
type ImportedMedia = z.infer<typeof importedMedia>;

/** A remark on an imported or skipped item. `what` is the same for all similar cases, `detail` is specific. */
export type Note = { what: string; detail?: string };

/** The result, or expected result, for similar items of a file. */
export type Item = {
	/** "post", "page", "comment": in the singular. */
	kind: string;
	outcome: 'imported' | 'changed' | 'left';
	/** How it was changed or why it was left out; none for what came in as it was. */
	notes: Note[];
	/** The title, file or line that it is about; empty where that says nothing. */
	where: string;
	/** How many at once; one, where it is not given. */
	count?: number;
};

/** Everything that was read from a file, before anything is stored. */
export type Bundle = {
	kind:
		| 'Site archive'
		| 'Markdown folder'
		| 'Ghost export'
		| 'WordPress export'
		| 'Substack export';
	categories: ImportedCategory[];
	posts: ImportedPost[];
	pages: ImportedPage[];
	comments: ImportedComment[];
	subscribers: ImportRow[];
	media: (ImportedMedia & { bytes: Uint8Array })[];
	/** Changes made while reading posts, comments, categories and media, by their keys, ids and slugs. */
	notes: Map<string, Note[]>;
	/** Other contents of the file, with their results. */
	items: Item[];
	/** Keys of posts by the addresses under which other posts of the file name them. */
	linked: Map<string, string>;
	/** Paths of the other site that are no posts, and those that its authors, tags and pages have here. */
	moved: Map<string, string>;
};

export function emptyBundle(kind: Bundle['kind']): Bundle {
	return {
		kind,
		categories: [],
		posts: [],
		pages: [],
		comments: [],
		subscribers: [],
		media: [],
		notes: new Map(),
		items: [],
		linked: new Map(),
		moved: new Map(),
	};
}

/** Adds a note to what a key of the bundle stands for; the same one once. */
export function addNote({ notes }: Bundle, key: string, what: string, detail?: string): void {
	const known = notes.get(key) ?? [];
	if (known.some((note) => note.what === what && note.detail === detail)) return;
	notes.set(key, [...known, detail === undefined ? { what } : { what, detail }]);
}

/** Returns the address that a tag of this name gets here. */
export const tagPath = (name: string) => paths.tag(cutSlug(slugify(name), POST_LIMITS.slug));

/** Keeps where an address of the other site is here, if it has another one. */
export function addMoved({ moved }: Bundle, from: string, to: string): void {
	const isWhole = (path: string) => /^(\/[^/]+)+$/.test(path);
	if (isWhole(from) && isWhole(to) && from !== to) moved.set(from, to);
}

/** Counts something inside of a post: with no words it came as it was, with "Left out" it did not come. */
export function recordItem(
	bundle: Bundle,
	where: string,
	kind: string,
	what: string,
	detail?: string,
): void {
	const outcome = what === '' ? 'imported' : what.startsWith('Left out') ? 'left' : 'changed';
	const notes = what === '' ? [] : [detail === undefined ? { what } : { what, detail }];
	bundle.items.push({ kind, outcome, notes, where });
}

/** Limits of the editor that a post is over. It is imported whole, and stays as long when it is edited. */
export function overLimits(post: ImportedPost): Note[] {
	const fields = ['title', 'excerpt', 'content', 'slug'] as const;
	return fields
		.filter((field) => lengthOf(field, post[field]) > POST_LIMITS[field])
		.map((field) => ({
			what: `Its ${field} is longer than the editor takes of new posts: it stays whole`,
			detail: `${formatCount(lengthOf(field, post[field]))} characters, ${formatCount(POST_LIMITS[field])} are the limit`,
		}));
}

/** The result, or expected result, for one post. */
export type PostResult = {
	key: string;
	/** Where it is stored; null where it was only looked at. */
	id: string | null;
	outcome: 'added' | 'known';
	/** The address that it gets. */
	slug: string;
	/** How many of its old addresses lead to it. */
	led: number;
	notes: Note[];
};

/** The result, or expected result, for one page. */
export type PageResult = Pick<PostResult, 'key' | 'outcome' | 'notes'>;

export const importInput = z.object({
	run: importRun,
	/** Only tell what would happen. */
	preview: z.boolean(),
	/** Whether posts that were public come in as drafts. */
	asDrafts: z._default(z.boolean(), false),
	/** Id of the category of posts that name none. */
	categoryId: z.string().check(z.maxLength(100)),
	categories: z._default(z.array(importedCategory).check(z.maxLength(5000)), []),
	posts: z._default(z.array(importedPost).check(z.maxLength(200)), []),
	pages: z._default(z.array(importedPage).check(z.maxLength(200)), []),
	/** Addresses that earlier parts got, which a preview has not stored. */
	taken: z._default(z.array(z.string().check(z.maxLength(100))), []),
	comments: z._default(z.array(importedComment).check(z.maxLength(1000)), []),
	/** One image, with its bytes as base64. */
	media: z.optional(z.extend(importedMedia, { data: z.string().check(z.minLength(1)) })),
});
export type ImportInput = z.infer<typeof importInput>;

export type ImportResponse = {
	/** Names of the categories that are new. */
	categories: string[];
	posts: PostResult[];
	pages: PageResult[];
	comments: number;
	/** The image's id here: another one where the same bytes were there already. */
	mediaId: string | null;
};

/** An import as the log shows it, with what undoing it would remove and what it would keep. */
export type ImportView = {
	id: string;
	name: string;
	kind: string;
	undoneAt: string | null;
	removes: ImportedCounts;
	/** Number of subscribers that were there before, and get back what they had. */
	restores: number;
	/** Number of those of them who get letters again. */
	wakes: number;
	/** Posts that were changed here since, and what else is in use by something that stays. */
	keeps: { name: string; why: string }[];
};

/** How many things of each kind. */
export type ImportedCounts = {
	posts: number;
	pages: number;
	categories: number;
	tags: number;
	images: number;
	subscribers: number;
};
