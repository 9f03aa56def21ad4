import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

/** A post that uses an image. */
export type Use = { id: string; title: string };

/** Which posts and drafts use these images. An image that none uses is not in the answer. */
export const listUses = endpoint<Record<string, Use[]>>()({
	method: 'GET',
	path: '/api/admin/media-uses',
	input: z.object({
		/** Ids of images, separated by commas. */
		ids: z.string().check(z.maxLength(5000)),
	}),
});
