import type { ImageType } from './media.ts';

/**
 * Whether a file holds more than its picture and its colors: words, thumbnails, what a camera or a program wrote, or
 * something behind its end, such as the film of a moving photograph. What is not known is more. Nothing is cut out here:
 * who finds more has the picture encoded anew.
 */
export function hasMetadata(bytes: Buffer, type: ImageType): boolean {
	try {
		return !CHECKS[type](bytes);
	} catch (error) {
		if (error instanceof RangeError) return true;
		throw error;
	}
}

/** Whether a file is nothing but its picture; throws a `RangeError` where it ends before that. */
const CHECKS: Record<ImageType, (bytes: Buffer) => boolean> = {
	'image/jpeg': isPlainJpeg,
	'image/png': isPlainPng,
	'image/gif': isPlainGif,
	'image/webp': isPlainWebp,
	'image/avif': isPlainAvif,
};

const text = (bytes: Buffer, at: number, length: number) =>
	bytes.toString('latin1', at, at + length);

/** Tables, frames and scans. */
const JPEG_SEGMENTS = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd]);
/** Segments of applications that say how colors are meant, by how they begin. JFIF's own may hold a thumbnail. */
const JPEG_COLORS: Record<number, string> = {
	0xe0: '\0\x10JFIF\0',
	0xe2: 'ICC_PROFILE\0',
	0xee: 'Adobe',
};

function isPlainJpeg(bytes: Buffer): boolean {
	for (let at = 2; ;) {
		if (bytes.readUInt8(at) !== 0xff) return false;
		const marker = bytes.readUInt8(at + 1);
		if (marker === 0xd9) return at + 2 === bytes.length;
		const start = JPEG_COLORS[marker] ?? '';
		const isColor =
			start !== '' && text(bytes, at + (marker === 0xe0 ? 2 : 4), start.length) === start;
		if (!JPEG_SEGMENTS.has(marker) && !isColor) return false;
		at += 2 + bytes.readUInt16BE(at + 2);
		if (marker === 0xda) at = endOfScan(bytes, at);
	}
}

/** Where a scan's data ends: at the first marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
	for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
		const next = bytes.readUInt8(at + 1);
		if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
	}
	return bytes.length;
}

const PNG_CHUNKS =
	/^(IHDR|PLTE|IDAT|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|pHYs|bKGD|sBIT|hIST|acTL|fcTL|fdAT)$/;

function isPlainPng(bytes: Buffer): boolean {
	for (let at = 8; ;) {
		const end = at + 12 + bytes.readUInt32BE(at);
		const name = text(bytes, at + 4, 4);
		if (name === 'IEND') return end === bytes.length && end === at + 12;
		if (!PNG_CHUNKS.test(name)) return false;
		at = end;
	}
}

const tableSize = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function isPlainGif(bytes: Buffer): boolean {
	const skipBlocks = (start: number) => {
		let at = start;
		while (bytes.readUInt8(at) > 0) at += 1 + bytes.readUInt8(at);
		return at + 1;
	};
	for (let at = 13 + tableSize(bytes.readUInt8(10)); ;) {
		const kind = bytes.readUInt8(at);
		if (kind === 0x3b) return at + 1 === bytes.length;
		if (kind === 0x2c) {
			at = skipBlocks(at + 11 + tableSize(bytes.readUInt8(at + 9)));
			continue;
		}
		// How a frame is shown, and how often all of them are.
		const label = bytes.readUInt8(at + 1);
		const isLoop = label === 0xff && text(bytes, at + 3, 13) === 'NETSCAPE2.0\x03\x01';
		const end = skipBlocks(at + 2);
		const isPlain = (label === 0xf9 && end === at + 8) || (isLoop && end === at + 19);
		if (kind !== 0x21 || !isPlain) return false;
		at = end;
	}
}

function isPlainWebp(bytes: Buffer): boolean {
	return bytes.readUInt32LE(4) + 8 === bytes.length && areWebpChunks(bytes, 12, bytes.length);
}

function areWebpChunks(bytes: Buffer, start: number, end: number): boolean {
	let at = start;
	while (at < end) {
		const name = text(bytes, at, 4);
		const size = bytes.readUInt32LE(at + 4);
		const next = at + 8 + size + (size % 2);
		if (!/^(VP8[ LX]|ALPH|ANIM|ANMF|ICCP)$/.test(name)) return false;
		if (name === 'ANMF' && !areWebpChunks(bytes, at + 24, at + 8 + size)) return false;
		at = next;
	}
	return at === end;
}

/** Names and places are items that its decoder tells of; what else there is stands in boxes of its own. */
function isPlainAvif(bytes: Buffer): boolean {
	let at = 0;
	while (at < bytes.length) {
		const size = bytes.readUInt32BE(at);
		if (size < 8 || !/^(ftyp|meta|mdat|moov)$/.test(text(bytes, at + 4, 4))) return false;
		at += size;
	}
	return at === bytes.length;
}
