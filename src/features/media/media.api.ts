import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import { FOCUS, MEDIA_FILTERS, type FetchedPicture, type Media, type PageCard } from './media.ts';

const alt = z.string().check(z.trim(), z.maxLength(500, 'Use 500 characters or fewer'));

const file = {
	name: z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer')),
	/** Base64, or a `data:` URL. */
	data: z.string().check(z.minLength(1, 'Choose an image.')),
};

/**
 * Stores an image. Base64 in JSON, because a Netlify function accepts at most 6 MB and other encodings leave
 * less. The same bytes are stored once: an existing image is returned.
 */
export const uploadMedia = endpoint<Media>()(
	'POST /api/admin/media',
	z.object({ ...file, alt: z.optional(alt) }),
);

const url = z
	.url({ protocol: /^https?$/, error: 'Use an address that begins with https:// or http://' })
	.check(z.maxLength(4000, 'Use 4,000 characters or fewer'));

/** Fetches a picture of another site, which no page of this one may. It is stored nowhere: the browser prepares and uploads it. */
export const fetchPicture = endpoint<FetchedPicture>()(
	'POST /api/admin/media/fetch',
	z.object({ url }),
);

/** Fetches what a page of another site says of itself. */
export const fetchCard = endpoint<PageCard>()('POST /api/admin/media/card', z.object({ url }));

/** Puts another picture at the address of an image: whatever uses it follows. `undo` brings the former one back. */
export const replaceMedia = endpoint<{ image: Media; undo: string | null }>()(
	'POST /api/admin/media/:id/replace',
	z.object({ id: z.string(), ...file }),
);

/** A page of images, and how many of those that `q` finds have no description. */
export type MediaPage = Paged<Media> & { undescribed: number };

/** Newest first; `q` must occur in name or description. */
export const listMedia = endpoint<MediaPage>()(
	'GET /api/admin/media',
	z.object({
		q: z.optional(z.string().check(z.maxLength(200))),
		page: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
		show: z.optional(z.enum(MEDIA_FILTERS)),
	}),
);

/** One image of the library. */
export const showMedia = endpoint<Media>()(
	'GET /api/admin/media/:id',
	z.object({ id: z.string() }),
);

/** Changes what is given of an image's name, description and focal point. */
export const describeMedia = endpoint<Media>()(
	'PUT /api/admin/media/:id',
	z.object({
		id: z.string(),
		name: z.optional(file.name.check(z.minLength(1, 'Please enter a name.'))),
		alt: z.optional(alt),
		focus: z.optional(z.string().check(z.regex(FOCUS, 'Use two percentages, such as 30% 70%'))),
	}),
);

/** Responds `conflict` with the names of posts that use it. `undo` brings it back, for 30 days. */
export const deleteMedia = endpoint<{ id: string; undo: string }>()(
	'DELETE /api/admin/media/:id',
	z.object({ id: z.string() }),
);

/** Deletes those of these images that nothing uses; without `ids` all of them. Returns which ones it deleted. */
export const deleteUnused = endpoint<{ deleted: string[]; undo: string | null }>()(
	'POST /api/admin/media/delete-unused',
	z.object({
		ids: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
	}),
);

/** The image's bytes, not JSON. */
export const getMedia = endpoint<never>()('GET /api/media/:id', z.object({ id: z.string() }));
