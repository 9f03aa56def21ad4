import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

/** Result of an undo: how many posts, images or comments it changed back, and how many stay because they were changed since. */
export type Undone = { message: string; changed: number; kept: number };

/** Takes an action back as a whole. `conflict` if that was done already, or something in its way changed since. */
export const undoAction = endpoint<Undone>()(
	'POST /api/admin/undo',
	z.object({ token: z.string().check(z.maxLength(100)) }),
);
