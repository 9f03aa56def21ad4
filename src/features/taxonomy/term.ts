import * as z from 'zod/mini';
import { links } from '#src/core/settings/links.ts';
import { POST_LIMITS } from '#src/features/posts/editing.ts';
import type { StoredTag } from '#src/features/posts/post.ts';
import { contrast } from '#src/lib/contrast.ts';
import { formatCount, singleLine } from '#src/lib/text.ts';
import type { SiteLink } from '#src/site.ts';

/** Kind of thing that sorts posts: a label, or their author. */
export type TermKind = 'category' | 'tag' | 'series' | 'author';

/** A tag or category as the admin edits it. */
export type Term = StoredTag;
export type StoredCategory = Term & {
	/** CSS hex color. */
	color: string;
};

/** A series as the admin edits it, with the articles in their order. */
export type StoredSeries = Term & { articles: { id: string; title: string; isPublic: boolean }[] };

/** An author as the admin edits one. */
export type StoredAuthor = Term & {
	/** Path of an image of the library; empty for none. */
	picture: string;
	links: SiteLink[];
};

/** With what takes the action back, or null where it changed nothing. */
export type Undoable<Thing> = Thing & { undo: string | null };

/** The lightest paper that a category's color is text on, and the contrast that text needs. */
const PAPER = '#fafaf7';
const LEAST_CONTRAST = 4.5;

const MAX_ARTICLES = 200;

const HEX = /^#[0-9a-f]{6}$/i;

/** Returns whether a color can be read on our paper, and the sentence about it. The dark theme lightens it by itself. */
export function checkContrast(color: string): { passes: boolean; verdict: string } {
	if (!HEX.test(color)) return { passes: false, verdict: 'Use a color like #0e7490.' };
	const ratio = (Math.floor(contrast(color, PAPER) * 10) / 10).toFixed(1);
	return contrast(color, PAPER) >= LEAST_CONTRAST
		? { passes: true, verdict: `Contrast ${ratio}:1, easy to read.` }
		: {
				passes: false,
				verdict: `Contrast ${ratio}:1 is too low to read: choose a darker color, with 4.5:1 or more.`,
			};
}

const text = (max: number) =>
	z.string().check(z.trim(), z.maxLength(max, `Use ${formatCount(max)} characters or fewer`));

const name = z.pipe(
	z.pipe(z.string(), z.transform(singleLine)),
	z
		.string()
		.check(
			z.minLength(1, 'Please enter a name.'),
			z.maxLength(POST_LIMITS.tag, `Use ${POST_LIMITS.tag} characters or fewer`),
		),
);

const termFields = {
	name,
	/** Empty or missing: it follows the name. */
	slug: z.optional(text(POST_LIMITS.slug)),
	description: z.optional(z.nullable(text(500))),
};
const categoryFields = {
	color: z.optional(
		z.string().check(
			z.refine<string>((color) => checkContrast(color).passes, {
				error: ({ input }) => checkContrast(String(input)).verdict,
			}),
		),
	),
	/** Place in the order of categories, from 0. */
	position: z.optional(z.int().check(z.gte(0), z.lte(10_000))),
};

export const tagForm = z.object({
	...termFields,
	name: name.check(z.refine<string>((one) => !one.includes(','), 'Use a name without a comma.')),
});
export const categoryForm = z.object({ ...termFields, ...categoryFields });
export const seriesForm = z.object({
	...termFields,
	/** Ids of posts, in order. */
	articles: z.optional(
		z
			.array(z.string().check(z.maxLength(100)))
			.check(z.maxLength(MAX_ARTICLES, `Use ${MAX_ARTICLES} articles or fewer.`)),
	),
});
export const authorForm = z.object({
	...termFields,
	description: z.optional(z.nullable(text(1000))),
	picture: z.optional(
		z
			.string()
			.check(
				z.trim(),
				z.regex(/^(\/api\/media\/[\w-]{1,100})?$/, 'Choose a picture of the library.'),
			),
	),
	links: z.optional(links),
});
export type TermForm = z.infer<typeof categoryForm> &
	Pick<z.infer<typeof seriesForm>, 'articles'> &
	Pick<z.infer<typeof authorForm>, 'picture' | 'links'>;
