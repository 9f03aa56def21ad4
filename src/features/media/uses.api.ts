import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';

/** A post, a page or an author that uses an image, or the site itself, which has no id. */
export type Use = {
	kind: 'post' | 'page' | 'author' | 'site';
	id: string | null;
	slug: string;
	title: string;
};

/** Returns what uses these images: posts, drafts, pages, authors, the site. Unused images are not in the response. */
export const listUses = endpoint<Record<string, Use[]>>()(
	'GET /api/admin/media-uses',
	z.object({
		/** Image ids, separated by commas. */
		ids: z.string().check(z.maxLength(5000)),
	}),
);
