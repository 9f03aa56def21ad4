import * as z from 'zod/mini';

export const BULK_ACTIONS = [
	'publish',
	'unpublish',
	'category',
	'tag',
	'untag',
	'feature',
	'unfeature',
	'delete',
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The most posts of one action. */
export const MAX_BULK = 10_000;

export const bulkInput = z.object({
	ids: z
		.array(z.string().check(z.maxLength(100)))
		.check(
			z.minLength(1, 'Choose some posts first.'),
			z.maxLength(MAX_BULK, 'Choose 10,000 posts or fewer.'),
		),
	action: z.enum(BULK_ACTIONS, 'There is no such action.'),
	/** A category or a tag by its id, address or name; `tag` makes a missing one. */
	value: z.optional(z.string().check(z.trim(), z.maxLength(100, 'Use 100 characters or fewer'))),
});
export type BulkInput = z.infer<typeof bulkInput>;

export type BulkResult = {
	/** Token that takes it all back; null if nothing changed. */
	undo: string | null;
	changed: number;
	/** Posts that cannot be changed like this, and why. */
	skipped: { id: string; title: string; why: string }[];
};
