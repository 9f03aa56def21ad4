/** A featured image whose files a build has made. */
export type Picture = {
	/** Base name of its files, which changes with its bytes and the encoding. */
	name: string;
	/** Pixels of the original. */
	width: number;
	height: number;
	alt: string;
	/** The point that crops keep in sight, as CSS says it. */
	focus: string;
	/** Set for a figure of the article, which is shown whole. */
	figure?: true;
};

/** In place of a featured image's address: the first figure of the article that is drawn. */
export const FIRST_FIGURE = '#figure';

/**
 * Widths of an image's files in pixels: a phone, a card or a phone at double density, an article, an article at
 * double density.
 */
const WIDTHS = [480, 800, 1200, 1800] as const;
/** Smallest first, because a browser takes the first format that it supports. */
export const FORMATS = ['avif', 'webp'] as const;
export type Format = (typeof FORMATS)[number];

/** Returns the widths of an image's files, never more than its own. */
export function widthsOf({ width }: Pick<Picture, 'width'>): number[] {
	const smaller = WIDTHS.filter((candidate) => candidate < width);
	return smaller.length === WIDTHS.length ? smaller : [...smaller, width];
}

/** Returns the path of one of its files. */
export function picturePath({ name }: Pick<Picture, 'name'>, width: number, format: Format) {
	return `/media/${name}-${width}.${format}`;
}

export function srcset(picture: Picture, format: Format): string {
	return widthsOf(picture)
		.map((width) => `${picturePath(picture, width, format)} ${width}w`)
		.join(', ');
}

/** Returns the fallback file: the largest one that a card needs. */
export function fallbackPath(picture: Picture): string {
	const widths = widthsOf(picture);
	return picturePath(picture, widths.findLast((width) => width <= 800) ?? widths[0]!, 'webp');
}
