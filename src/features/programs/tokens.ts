import * as z from 'zod/mini';

/** A program that may write drafts. */
export type Program = { id: string; name: string };

/** Most programs that have a token at the same time. */
export const MAX_PROGRAMS = 20;

export type ProgramToken = Program & {
	createdAt: string;
	/** By the minute; null if never. */
	usedAt: string | null;
	/** Number of drafts that it began and that are still there. */
	drafts: number;
};

export const programName = z.string().check(
	z.trim(),
	z.minLength(1, 'Write a name, such as “Obsidian on my laptop”'),
	z.maxLength(60, 'Use 60 characters or fewer'),
	z.refine((name) => !/[\p{Cc}“”]/u.test(name), 'Use letters, digits and spaces'),
);

/** Returns how the log names a program. */
export const actorNamed = ({ name }: Program) => `program “${name}”`;

/** Fields of an article that decide whether readers see it, or when, or where: the owner's alone. */
const OWNERS = [
	...['published', 'publishedAt', 'featured', 'slug', 'author', 'state', 'status', 'deletedAt'],
	...['change', 'readTime', 'scheduledAt'],
];

/** Returns the first field that is not for programs, or undefined. */
export const forbiddenField = (given: object) =>
	OWNERS.find((name) => Object.keys(given).includes(name));

const text = z.optional(z.string());
const fields = {
	title: text,
	excerpt: text,
	/** The article in Markdown, or in HTML (`content`). */
	markdown: text,
	content: text,
	tags: z.optional(z.array(z.string())),
	/** Slug of a category. */
	category: text,
};

/** Draft as a program sends it. Keys besides these are refused by the server, which names them. */
export const newDraft = z.looseObject({ id: z.optional(z.uuid()), ...fields });
export const changedDraft = z.looseObject({
	id: z.string(),
	version: z.int('Send the version that the last answer had'),
	...fields,
});
export type DraftFields = z.infer<typeof newDraft>;

/** A draft as the program that began it sees it. */
export type ProgramDraft = {
	id: string;
	/** Counts saves: sent with the next change. */
	version: number;
	title: string;
	excerpt: string;
	/** HTML. */
	content: string;
	tags: string[];
	/** Slug of its category. */
	category: string;
	updatedAt: string;
	/** Where its owner reads, changes and publishes it. */
	desk: string;
};
