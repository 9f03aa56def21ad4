import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

/** A post that uses an image; without an id, the site itself. */
export type Use = { id: string | null; title: string };

/** Returns what uses these images: posts, drafts, the site. Unused images are not in the response. */
export const listUses = endpoint<Record<string, Use[]>>()({
	method: 'GET',
	path: '/api/admin/media-uses',
	input: z.object({
		/** Image ids, separated by commas. */
		ids: z.string().check(z.maxLength(5000)),
	}),
});
