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
/** The type of a drawing, which is stored without anything that could do harm. */
export const DRAWING_TYPE = 'image/svg+xml';

/** Returns whether a file is text that begins as an SVG does, in any encoding. What else is in it is not known. */
export function isDrawing(bytes: Uint8Array): boolean {
	const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4000)).replaceAll('\0', '');
	return (
		/^[^<]{0,3}\s*<(\?xml|!--|!DOCTYPE svg|svg)/i.test(start) && /<(\w+:)?svg[\s>]/i.test(start)
	);
}

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
	/** The point that crops keep in sight, as CSS says it: `30% 70%` from the left and from the top. */
	focus: string;
	createdAt: string;
	/** Parts that were taken out of a drawing which has just been uploaded, in words. */
	removed?: string[];
};

/** A picture of another site as it came from there: the name of its file, and its bytes as a `data:` URL. */
export type FetchedPicture = { name: string; data: string };

/** Words of a page about itself: a title, a sentence where it has one, and the address of a picture. */
export type PageCard = { title: string; text: string; picture: string | null };

/** A part of the library: images that nothing uses, or that nobody described. */
export const MEDIA_FILTERS = ['unused', 'undescribed'] as const;
export type MediaFilter = (typeof MEDIA_FILTERS)[number];

/** The middle, until somebody says otherwise. */
export const CENTER = '50% 50%';
/** How a focal point is written. */
export const FOCUS = /^(100|[1-9]?\d)% (100|[1-9]?\d)%$/;

export const MEDIA_PER_PAGE = 48;

/** Returns the path of an image. */
export const mediaPath = (id: string) => `/api/media/${id}`;

/** Says what was taken out of a drawing that has just been uploaded, or returns undefined where nothing was. */
export const removedNote = ({ name, removed = [] }: Pick<Media, 'name' | 'removed'>) =>
	removed.length === 0 ? undefined : `Taken out of ${name}: ${removed.join(', ')}.`;

/** Returns the id of the image at a path, or undefined where the path is none of an image. */
export const mediaId = (path: string) => /^\/api\/media\/([\w-]+)$/.exec(path)?.[1];
