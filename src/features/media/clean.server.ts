import { imageSize } from 'image-size';
import type { Sharp } from 'sharp';
import { AppError } from '#src/lib/errors.ts';
import { hasMetadata } from './extras.ts';
import {
	DRAWING_TYPE,
	isDrawing,
	MAX_IMAGE_BYTES,
	MAX_IMAGE_PIXELS,
	type ImageType,
} from './media.ts';

/** Accepted formats, by image-size's names. SVG, a document that may contain scripts, is read by `cleanSvgFile`. */
const TYPES: Record<string, ImageType> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	webp: 'image/webp',
	avif: 'image/avif',
	gif: 'image/gif',
};

export type CleanImage = {
	bytes: Buffer;
	type: ImageType | typeof DRAWING_TYPE;
	width: number;
	height: number;
	/** A drawing's own title, and the parts that were taken out of it. */
	drawing?: { title: string; removed: string[] };
};

/**
 * Decodes an image completely once. Returns it upright and without the metadata of a camera or program: place,
 * names, times. An image without metadata keeps its bytes; animations keep their frames. Throws an `AppError`
 * with one sentence if the image is too large, of another format, cut off, or has too many pixels.
 */
export async function cleanImage(bytes: Buffer): Promise<CleanImage> {
	if (isDrawing(bytes)) return cleanSvgFile(bytes);
	const type = typeOf(bytes);
	// A native package, loaded only where images are stored.
	const { default: sharp } = await import('sharp');
	// Frames are stacked vertically: each may have as many pixels as a photograph, and all together four times
	// as many.
	const open = (data: Buffer) =>
		sharp(data, { animated: true, failOn: 'error', limitInputPixels: 4 * MAX_IMAGE_PIXELS });
	try {
		const image = open(bytes);
		const found = await image.metadata();
		const { width, height } = found.autoOrient;
		const frame = found.pageHeight ?? height;
		if (width * frame > MAX_IMAGE_PIXELS || width * height > 4 * MAX_IMAGE_PIXELS) throw TOO_LARGE;
		const isPlain =
			!found.exif && !found.xmp && !found.iptc && !found.comments && (found.orientation ?? 1) === 1;
		if (isPlain && !hasMetadata(bytes, type)) {
			// Decodes every pixel.
			await image.stats();
			return { bytes, type, width, height: frame };
		}
		return { bytes: await encode(image, type), type, width, height: frame };
	} catch (error) {
		if (error instanceof AppError) throw error;
		if (/pixel limit/i.test((error as Error).message)) throw TOO_LARGE;
		throw new AppError(
			'validation',
			'This image cannot be read to its end: it is damaged or cut off. Choose another one.',
		);
	}
}

const TOO_LARGE = new AppError(
	'validation',
	`Choose an image of ${MAX_IMAGE_PIXELS / 1e6} megapixels or less.`,
);

/** Encodes an image in its own format, upright, with its color profile only. */
function encode(image: Sharp, type: ImageType): Promise<Buffer> {
	const upright = image.autoOrient().keepIccProfile();
	if (type === 'image/png') return upright.png().toBuffer();
	if (type === 'image/jpeg') return upright.jpeg({ quality: 92, mozjpeg: true }).toBuffer();
	if (type === 'image/webp') return upright.webp({ quality: 92 }).toBuffer();
	if (type === 'image/avif') return upright.avif({ quality: 75 }).toBuffer();
	return upright.gif().toBuffer();
}

/** Returns a drawing with nothing in it but shapes and words. */
async function cleanSvgFile(bytes: Buffer): Promise<CleanImage> {
	const [{ cleanDrawing }, { FigureError }] = await Promise.all([
		import('#src/core/figures/drawings/drawing.ts'),
		import('#src/core/figures/figure-error.ts'),
	]);
	const start = bytes.toString('latin1', 0, 200);
	const named = /^<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(start)?.[1] ?? 'utf-8';
	const encoding = { ff: 'utf-16le', fe: 'utf-16be' }[bytes.toString('hex', 0, 1)] ?? named;
	try {
		const { svg, width, height, ...drawing } = cleanDrawing(
			new TextDecoder(encoding, { fatal: true }).decode(bytes),
		);
		return { bytes: Buffer.from(svg), type: DRAWING_TYPE, width, height, drawing };
	} catch (error) {
		const isEncoding = error instanceof TypeError || error instanceof RangeError;
		if (!isEncoding && !(error instanceof FigureError)) throw error;
		const { message } = error;
		const reason = isEncoding ? `it is not written in ${encoding}, as it says` : message;
		throw new AppError('validation', `This drawing cannot be used: ${reason}.`);
	}
}

/** Returns the format of an image by its first bytes. */
function typeOf(bytes: Buffer): ImageType {
	if (bytes.length > MAX_IMAGE_BYTES) {
		throw new AppError('validation', 'Choose an image of 4 MB or less.');
	}
	try {
		const type = TYPES[imageSize(bytes).type ?? ''];
		if (type) return type;
	} catch {
		// Not a known image format.
	}
	throw new AppError(
		'validation',
		'Choose a PNG, JPEG, WebP, AVIF or GIF image, or an SVG drawing.',
	);
}
