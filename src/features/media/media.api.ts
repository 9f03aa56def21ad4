import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import type { Media } from './media.ts';

const alt = z.string().check(z.trim(), z.maxLength(500, 'Use 500 characters or fewer'));

/**
 * Stores an image. Base64 in JSON, because a Netlify function accepts at most 6 MB and other encodings leave
 * less. The same bytes are stored once: an existing image is returned.
 */
export const uploadMedia = endpoint<Media>()({
	method: 'POST',
	path: '/api/admin/media',
	input: z.object({
		name: z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer')),
		/** Base64, or a `data:` URL. */
		data: z.string().check(z.minLength(1, 'Choose an image.')),
		alt: z.optional(alt),
	}),
});

/** Newest first; `q` must occur in name or description. */
export const listMedia = endpoint<Paged<Media>>()({
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

/** Responds `conflict` with the names of posts that use it. */
export const deleteMedia = endpoint<{ id: string }>()({
	method: 'DELETE',
	path: '/api/admin/media/:id',
	input: z.object({ id: z.string() }),
});

/** The image's bytes, not JSON. */
export const getMedia = endpoint<never>()({
	method: 'GET',
	path: '/api/media/:id',
	input: z.object({ id: z.string() }),
});
