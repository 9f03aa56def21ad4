import sharp from 'sharp';
import { expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '#src/features/media/media.ts';
import { focusOf, pointOf, pressedPoint } from './FocusField.tsx';
import { namedAs, planPhoto, unreadable } from './photo.ts';

const flat = (width: number, height: number) =>
	sharp({ create: { width, height, channels: 3, background: '#a41' } });
const padded = (bytes: Buffer, size = MAX_IMAGE_BYTES + 1) =>
	Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
const typesOf = (name: string, bytes: Uint8Array) => {
	const plan = planPhoto(name, bytes);
	return plan.keep ? 'kept' : plan.encodings.map(({ type }) => type.replace('image/', '')).join();
};
const box = (name: string, ...parts: (string | Buffer)[]) => {
	const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
	const head = Buffer.alloc(8);
	head.writeUInt32BE(body.length + 8);
	head.write(name, 4, 'latin1');
	return Buffer.concat([head, body]);
};
/** The head of a photo as an iPhone keeps it. */
function heic(): Buffer {
	const size = Buffer.alloc(12);
	size.writeUInt32BE(4032, 4);
	size.writeUInt32BE(3024, 8);
	const properties = box('iprp', box('ipco', box('ispe', size)));
	return Buffer.concat([box('ftyp', 'heic\0\0\0\0mif1heic'), box('meta', '\0\0\0\0', properties)]);
}

test('what is small enough is sent as it is, whatever its name says', async () => {
	for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif'] as const) {
		const bytes = await flat(40, 30).toFormat(format).toBuffer();
		expect(typesOf('photo.txt', bytes), format).toBe('kept');
	}
	expect(typesOf('a.jpg', await flat(3200, 10).jpeg().toBuffer())).toBe('kept');
});

test('what is too wide, too high or too heavy is encoded anew, transparent where it may be', async () => {
	expect(typesOf('a.jpg', await flat(3201, 10).jpeg().toBuffer())).toBe('jpeg,jpeg');
	expect(typesOf('a.jpg', await flat(10, 3201).jpeg().toBuffer())).toBe('jpeg,jpeg');
	expect(typesOf('a.jpg', padded(await flat(10, 10).jpeg().toBuffer()))).toBe('jpeg,jpeg');
	expect(typesOf('a.jpg', await flat(3201, 10).png().toBuffer())).toBe('png,webp,webp');
	expect(typesOf('a.png', await flat(3201, 10).webp().toBuffer())).toBe('webp,webp,png');
	expect(typesOf('a.heic', heic())).toBe('jpeg,jpeg');
});

test('what moves is kept, or told if it is too large', async () => {
	const frames = await Promise.all(
		['#f00', '#0f0'].map((background) =>
			sharp({ create: { width: 8, height: 6, channels: 3, background } })
				.png()
				.toBuffer(),
		),
	);
	const moving = sharp(frames, { join: { animated: true } });
	for (const format of ['gif', 'webp'] as const) {
		const bytes = await moving.clone().toFormat(format).toBuffer();
		expect(typesOf('party', bytes)).toBe('kept');
		expect(() => planPhoto(`party.${format}`, padded(bytes))).toThrow(
			`party.${format} moves, and has 4 MB. Animations are kept as they are: they may have up to 4 MB.`,
		);
	}
});

test('a bomb is refused by what it claims, before it is decoded', async () => {
	const bomb = await flat(10, 10).png().toBuffer();
	bomb.writeUInt32BE(30_000, 16);
	bomb.writeUInt32BE(30_000, 20);
	expect(() => planPhoto('bomb.png', bomb)).toThrow(
		'bomb.png has 900 megapixels. Use one of 210 or less.',
	);
	// The largest that phones take.
	bomb.writeUInt32BE(16_320, 16);
	bomb.writeUInt32BE(12_240, 20);
	expect(typesOf('huge.png', bomb)).toBe('png,webp,webp');
});

test.each([
	['HTML', '<!doctype html><script>evil()</script>'],
	['nothing', ''],
	['the head of a JPEG alone', '\xff\xd8\xff\xe0'],
])('%s is refused, whatever its name', (_, text) => {
	expect(() => planPhoto('photo.png', Buffer.from(text, 'latin1'))).toThrow(
		'photo.png is no image that pages can show. Use PNG, JPEG, WebP, AVIF, GIF or SVG.',
	);
});

test.each([
	['plain', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
	[
		'with what programs write above',
		'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- A --><!DOCTYPE svg><svg:svg>',
	],
	['in UTF-16', '\xff\xfe<\0s\0v\0g\0>\0'],
])('a drawing %s is sent as it is: the server reads it', (_, text) => {
	expect(planPhoto('a.svg', Buffer.from(text, 'latin1'))).toEqual({ keep: true });
	const long = Buffer.from(text.padEnd(2_000_001), 'latin1');
	expect(() => planPhoto('a.svg', long)).toThrow(
		'a.svg has 1.9 MB. A drawing may have up to 1.9 MB',
	);
});

test('what a browser cannot decode is told in the words of its kind', async () => {
	expect(unreadable('IMG_1.HEIC', heic()).message).toMatch(/^IMG_1.HEIC is a HEIC photo, which/);
	const cut = (await flat(3300, 10).jpeg().toBuffer()).subarray(0, 400);
	expect(unreadable('a.jpg', cut).message).toMatch(/damaged or cut off/);
});

test.each([
	['IMG_1.HEIC', 'image/jpeg', 'IMG_1.jpg'],
	['v1.2 of a diagram', 'image/webp', 'v1.2 of a diagram.webp'],
	['screen.png', 'image/webp', 'screen.webp'],
])('%s as %s is %s', (name, type, expected) => {
	expect(namedAs(name, type)).toBe(expected);
});

test('a focal point is where somebody presses, within the picture', () => {
	const frame = { left: 100, top: 50, width: 200, height: 100 };
	expect(pressedPoint({ clientX: 150, clientY: 140 }, frame)).toEqual({ left: 25, top: 90 });
	expect(pressedPoint({ clientX: 0, clientY: 900 }, frame)).toEqual({ left: 0, top: 100 });
	expect(focusOf(pointOf('30% 70%'))).toBe('30% 70%');
});
