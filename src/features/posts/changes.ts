import * as z from 'zod/mini';

/** Kinds of saved changes of a public post: one that moves no date, and those that readers are told of. */
export const CHANGE_KINDS = ['small', 'update', 'correction'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Maximum characters of the sentence about a change. */
export const NOTE_LIMIT = 300;

/** How a change is announced. One without a kind is small. */
export const changeNotice = z.object({
	kind: z.enum(CHANGE_KINDS),
	note: z.optional(
		z.string().check(z.trim(), z.maxLength(NOTE_LIMIT, `Use ${NOTE_LIMIT} characters or fewer`)),
	),
});
export type ChangeNotice = z.infer<typeof changeNotice>;

/** A change of an article that readers are told of. `at` is an ISO time. */
export type ArticleChange = {
	at: string;
	kind: Exclude<ChangeKind, 'small'>;
	/** A sentence; may be empty. */
	note: string;
};

/** A passage before and after a change: null where it was not there yet, or is no longer. */
export type ChangedPassage = { old: string | null; new: string | null };

/** The words for a kind of change. */
export const CHANGE_LABELS: Record<ArticleChange['kind'], string> = {
	update: 'Updated',
	correction: 'Corrected',
};
