/** Bytes that an image may have: as base64 it must fit into the 6 MB that a Netlify function is sent. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** Pixels of an image: those of any camera in a phone's usual setting. A decoded one takes four bytes for each. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Bytes of a request that holds the largest image as base64. */
export const MEDIA_BODY_BYTES = 6 * 1024 * 1024;

/** What an image may be, by its content. */
export const IMAGE_TYPES = [
	'image/png',
	'image/jpeg',
	'image/webp',
	'image/avif',
	'image/gif',
] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** An image of the library. */
export type Media = {
	id: string;
	/** Where it is served: `/api/media/{id}`. */
	url: string;
	/** File name as it was given. */
	name: string;
	type: string;
	/** Pixels. */
	width: number;
	height: number;
	/** Bytes. */
	size: number;
	alt: string;
	createdAt: string;
};

export const MEDIA_PER_PAGE = 48;

/** Where an image is served. */
export const mediaPath = (id: string) => `/api/media/${id}`;
