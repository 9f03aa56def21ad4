import * as z from 'zod/mini';
import { ABBREVIATIONS, abbreviationsProblem } from '#src/features/search/abbreviations.ts';

/** What happens to a new comment. */
const COMMENT_MODES = ['publish', 'hold-first', 'hold-all'] as const;
export type CommentMode = (typeof COMMENT_MODES)[number];

export const settingsInput = z.object({
	comments: z.enum(COMMENT_MODES, { error: 'Choose one of the three' }),
	/** What search takes for the same. */
	abbreviations: z.string().check(
		z.superRefine((text, context) => {
			const message = abbreviationsProblem(text);
			if (message) context.addIssue(message);
		}),
	),
});
/** What the admin can set. */
export type Settings = z.infer<typeof settingsInput>;

export const DEFAULTS: Settings = { comments: 'publish', abbreviations: ABBREVIATIONS };
