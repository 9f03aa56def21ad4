import { imageSize } from 'image-size';
import {
	DRAWING_TYPE,
	IMAGE_TYPES,
	MAX_IMAGE_BYTES,
	isDrawing,
	type ImageType,
} from '#src/features/media/media.ts';
import { MAX_DRAWING_BYTES } from '#src/core/figures/drawings/library.ts';
import { AppError } from '#src/lib/errors.ts';
import { byteSize } from '#src/lib/text.ts';

/** Pixels of the longer side that a picture is scaled down to. */
export const MAX_SIDE = 3200;
/** Pixels that a browser is asked to decode, more than any phone takes. Each takes four bytes of its memory. */
const MAX_DECODED_PIXELS = 210_000_000;

/** How the bytes of a picture are sent: as they are, or encoded anew in the first of these types that is small enough. */
export type Plan = { keep: true } | { keep: false; encodings: Encoding[] };
export type Encoding = { type: ImageType; quality: number };

const HEIC = 'image/heic';
const TYPES: Record<string, ImageType | typeof HEIC> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	webp: 'image/webp',
	avif: 'image/avif',
	gif: 'image/gif',
	heic: HEIC,
	heif: HEIC,
};

/** Types that the input of a file offers to choose from. HEIC is not among them, so that a phone converts its photos. */
export const ACCEPTED = IMAGE_TYPES.join(',');
/** The same where drawings can stand as well. */
export const ACCEPTED_OR_DRAWN = `${ACCEPTED},${DRAWING_TYPE}`;

/**
 * Says how a picture gets into the library. Reads its first bytes only, whatever its name says: nothing is decoded that
 * claims too many pixels. Throws an `AppError` with one sentence about a file that cannot be sent.
 */
export function planPhoto(name: string, bytes: Uint8Array): Plan {
	// The server reads what is in it.
	if (isDrawing(bytes)) {
		if (bytes.length <= MAX_DRAWING_BYTES) return { keep: true };
		throw refusal(
			`${name} has ${byteSize(bytes.length)}. A drawing may have up to ${byteSize(MAX_DRAWING_BYTES)}: simplify it, or save it as PNG.`,
		);
	}
	const { type, width, height } = shapeOf(name, bytes);
	if (type !== HEIC && isAnimated(bytes, type)) {
		if (bytes.length <= MAX_IMAGE_BYTES) return { keep: true };
		throw refusal(
			`${name} moves, and has ${byteSize(bytes.length)}. Animations are kept as they are: they may have up to ${byteSize(MAX_IMAGE_BYTES)}.`,
		);
	}
	if (width * height > MAX_DECODED_PIXELS) {
		throw refusal(
			`${name} has ${Math.round((width * height) / 1e6)} megapixels. Use one of ${MAX_DECODED_PIXELS / 1e6} or less.`,
		);
	}
	const isSmall = Math.max(width, height) <= MAX_SIDE && bytes.length <= MAX_IMAGE_BYTES;
	if (isSmall && type !== HEIC) return { keep: true };
	return { keep: false, encodings: encodingsOf(type) };
}

/** Returns types to try, in order: only a picture that never is transparent becomes a JPEG. */
function encodingsOf(type: ImageType | typeof HEIC): Encoding[] {
	const lossy = (as: ImageType) => [0.9, 0.8].map((quality) => ({ type: as, quality }));
	if (type === 'image/jpeg' || type === HEIC) return lossy('image/jpeg');
	const png: Encoding = { type: 'image/png', quality: 1 };
	// Not every browser writes WebP; each writes PNG.
	return type === 'image/png' ? [png, ...lossy('image/webp')] : [...lossy('image/webp'), png];
}

function shapeOf(name: string, bytes: Uint8Array) {
	try {
		const { type: kind = '', width, height } = imageSize(bytes);
		const type = TYPES[kind];
		if (type) return { type, width, height };
	} catch {
		// Not a known image format.
	}
	throw refusal(`${name} is no image that pages can show. Use PNG, JPEG, WebP, AVIF, GIF or SVG.`);
}

const refusal = (message: string) => new AppError('validation', message);

/** Whether an image may have several frames. Of a GIF that is taken for granted. */
function isAnimated(bytes: Uint8Array, type: ImageType): boolean {
	const has = (word: string, from: number, to: number) =>
		new TextDecoder('latin1').decode(bytes.subarray(from, to)).includes(word);
	if (type === 'image/gif') return true;
	if (type === 'image/webp') return has('VP8X', 12, 16) && ((bytes[20] ?? 0) & 2) !== 0;
	if (type === 'image/png') return has('acTL', 8, 1024);
	return type === 'image/avif' && has('avis', 8, 32);
}

/** The sentence for a picture that a browser cannot decode. */
export function unreadable(name: string, bytes: Uint8Array): AppError {
	return refusal(
		shapeOf(name, bytes).type === HEIC
			? `${name} is a HEIC photo, which this browser cannot read. Save it as JPEG, or upload it with the phone, which does so by itself.`
			: `${name} cannot be read to its end: it is damaged or cut off. Choose another one.`,
	);
}

/** Returns a file's name with the ending of a type. */
export function namedAs(name: string, type: string): string {
	const ending = type === 'image/jpeg' ? 'jpg' : type.replace('image/', '');
	return `${name.replace(/\.[^.]{1,5}$/, '')}.${ending}`;
}
