import * as z from 'zod/mini';

/** How long what was typed and never saved is kept. */
export const UNSAVED_DAYS = 30;

/** A form as it was typed, and what it was made from. */
export const unsavedCopy = z.object({
	/** The version that it was made from, and what that said. */
	version: z.number(),
	base: z.looseObject({}),
	form: z.looseObject({}),
	/** Milliseconds. */
	at: z.number(),
});
export type UnsavedCopy = z.infer<typeof unsavedCopy>;
