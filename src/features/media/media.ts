/** Maximum size of an image in bytes: as base64 it must fit into the 6 MB that a Netlify function accepts. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** Maximum pixels of an image, enough for any phone's usual setting. Each takes four bytes when decoded. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Maximum size in bytes of a request with the largest image as base64. */
export const MEDIA_BODY_BYTES = 6 * 1024 * 1024;

/** Accepted types, detected from the content. */
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
	/** Original file name. */
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

/** Returns the path of an image. */
export const mediaPath = (id: string) => `/api/media/${id}`;
