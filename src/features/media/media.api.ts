import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Media } from './media.ts';

const alt = z.string().check(z.trim(), z.maxLength(500, 'Use 500 characters or fewer'));

/**
 * Stores an image. JSON with base64, because a Netlify function is sent at most 6 MB, of which other encodings leave
 * less. The same bytes are stored once: the image that is there already is the answer.
 */
export const uploadMedia = endpoint<Media>()({
	method: 'POST',
	path: '/api/admin/media',
	input: z.object({
		name: z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer')),
		/** Base64, or a `data:` address. */
		data: z.string().check(z.minLength(1, 'Choose an image.')),
		alt: z.optional(alt),
	}),
});

/** Newest first; `q` is text of name or description. */
export const listMedia = endpoint<{
	media: Media[];
	total: number;
	page: number;
	pages: number;
}>()({
	method: 'GET',
	path: '/api/admin/media',
	input: z.object({
		q: z.optional(z.string().check(z.maxLength(200))),
		page: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
	}),
});

export const describeMedia = endpoint<Media>()({
	method: 'PUT',
	path: '/api/admin/media/:id',
	input: z.object({ id: z.string(), alt }),
});

/** A `conflict` that names the posts, where some use it. */
export const deleteMedia = endpoint<{ id: string }>()({
	method: 'DELETE',
	path: '/api/admin/media/:id',
	input: z.object({ id: z.string() }),
});

/** The image itself: bytes, not JSON. */
export const getMedia = endpoint<never>()({
	method: 'GET',
	path: '/api/media/:id',
	input: z.object({ id: z.string() }),
});
