/** A featured image that the build has made files of. */
export type Picture = {
	/** What its files are called: changes with its bytes and with how they are made. */
	name: string;
	/** Pixels of the original. */
	width: number;
	height: number;
	alt: string;
};

/** Widths of an image's files, in pixels: a phone, a card or a phone at twice the density, an article, an article at twice. */
const WIDTHS = [480, 800, 1200, 1800] as const;
/** The smallest first: a browser takes the first that it knows. */
export const FORMATS = ['avif', 'webp'] as const;
export type Format = (typeof FORMATS)[number];

/** The widths that an image has files of: never more than it has pixels. */
export function widthsOf({ width }: Pick<Picture, 'width'>): number[] {
	const smaller = WIDTHS.filter((candidate) => candidate < width);
	return smaller.length === WIDTHS.length ? smaller : [...smaller, width];
}

/** Path of one of its files. */
export function picturePath({ name }: Pick<Picture, 'name'>, width: number, format: Format) {
	return `/media/${name}-${width}.${format}`;
}

export function srcset(picture: Picture, format: Format): string {
	return widthsOf(picture)
		.map((width) => `${picturePath(picture, width, format)} ${width}w`)
		.join(', ');
}

/** The file for what chooses none itself: the largest of those that a card needs. */
export function fallbackPath(picture: Picture): string {
	const widths = widthsOf(picture);
	return picturePath(picture, widths.findLast((width) => width <= 800) ?? widths[0]!, 'webp');
}
