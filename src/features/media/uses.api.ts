import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

/** A post or a page that uses an image. */
export type Use = { kind: 'post' | 'page'; id: string; slug: string; title: string };

/** Returns which posts, drafts and pages use these images. Unused images are not in the response. */
export const listUses = endpoint<Record<string, Use[]>>()({
	method: 'GET',
	path: '/api/admin/media-uses',
	input: z.object({
		/** Image ids, separated by commas. */
		ids: z.string().check(z.maxLength(5000)),
	}),
});
