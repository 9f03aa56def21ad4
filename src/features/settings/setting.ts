import * as z from 'zod/mini';

/** What happens to a new comment. */
const COMMENT_MODES = ['publish', 'hold-first', 'hold-all'] as const;
export type CommentMode = (typeof COMMENT_MODES)[number];

export const settingsInput = z.object({
	comments: z.enum(COMMENT_MODES, { error: 'Choose one of the three' }),
});
/** What the admin can set. */
export type Settings = z.infer<typeof settingsInput>;

export const DEFAULTS: Settings = { comments: 'publish' };
