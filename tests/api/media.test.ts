import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { auditLog, builds, media, pages } from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import * as siteApi from '#src/core/settings/site.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { MAX_IMAGE_BYTES, type Media } from '#src/features/media/media.ts';
import * as api from '#src/features/media/media.api.ts';
import { listUses } from '#src/features/media/uses.api.ts';
import * as postsApi from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { findPictures } from '#src/features/posts/pictures.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

/** A GIF of so many pixels. */
const gif = (width = 3, height = 2): Promise<Buffer> =>
	sharp({ create: { width, height, channels: 3, background: '#345' } })
		.gif()
		.toBuffer();

const DOT = await gif();

async function setup() {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const upload = (bytes: Buffer, values: object = {}) =>
		call(api.uploadMedia, { name: 'dot.gif', data: bytes.toString('base64'), ...values }, admin);
	return { db, admin, upload };
}

test('an image is stored and served as it is, asked for anew each time, and never as a page', async () => {
	const { db, upload } = await setup();
	const image = await upload(DOT, { alt: ' A dot ', name: 'Größe "1".gif' });
	expect(image).toEqual({
		id: expect.any(String),
		url: `/api/media/${image.id}`,
		name: 'Größe "1".gif',
		type: 'image/gif',
		width: 3,
		height: 2,
		size: DOT.length,
		alt: 'A dot',
		focus: '50% 50%',
		createdAt: expect.any(String),
	});
	const response = await fetchApi()(image.url);
	expect(Buffer.from(await response.arrayBuffer())).toEqual(DOT);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		'content-type': 'image/gif',
		'x-content-type-options': 'nosniff',
		'cache-control': 'public, no-cache',
		'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
		'content-disposition': "inline; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.gif",
	});
	const etag = response.headers.get('ETag')!;
	const again = await fetchApi()(image.url, { headers: { 'If-None-Match': etag } });
	expect([again.status, await again.text()]).toEqual([304, '']);
	expect(await db.select().from(auditLog)).toMatchObject([{ action: 'uploaded' }]);
});

test('the same bytes are stored once', async () => {
	const { db, upload } = await setup();
	const [one, two] = await Promise.all([upload(DOT), upload(DOT, { name: 'other.gif' })]);
	expect(one.id).toBe(two.id);
	expect((await upload(await gif(9, 9))).id).not.toBe(one.id);
	expect(await db.$count(media)).toBe(2);
});

test('a data address is taken as well', async () => {
	const { upload } = await setup();
	const data = `data:image/png;base64,${DOT.toString('base64')}`;
	expect((await upload(DOT, { data })).type).toBe('image/gif');
});

test.each([
	[
		'SVG',
		'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>evil()</script></svg>',
	],
	['HTML', '<!doctype html><script>evil()</script>'],
	['a PNG in name only', 'PNG'],
	['nothing', ''],
	['a PDF', '%PDF-1.7'],
])('%s is refused, whatever its name, and nothing is stored', async (_, text) => {
	const { db, upload } = await setup();
	const error = await upload(Buffer.from(text), { name: 'photo.png' }).catch((one: unknown) => one);
	expect(error).toMatchObject({ code: 'validation', fields: { data: expect.any(String) } });
	expect(await db.$count(media)).toBe(0);
	expect(await db.$count(auditLog)).toBe(0);
});

test('4 MB are stored, one byte more is refused with a sentence', async () => {
	const { db, upload } = await setup();
	// Blocks of image data behind the last pixel, as many as fit.
	const [start, rest] = [DOT.subarray(0, -2), MAX_IMAGE_BYTES - DOT.length];
	const blocks = Buffer.alloc(rest, Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]));
	blocks[rest - (rest % 256)] = (rest % 256) - 1;
	const largest = Buffer.concat([start, blocks, DOT.subarray(-2)]);
	expect((await upload(largest)).size).toBe(MAX_IMAGE_BYTES);
	const error = await upload(Buffer.concat([largest, Buffer.from([0])])).catch(
		(one: unknown) => one,
	);
	expect(error).toMatchObject({ fields: { data: 'Choose an image of 4 MB or less.' } });
	expect(await db.$count(media)).toBe(1);
});

test('the library is paged, newest first, and searched by name and description', async () => {
	const { admin, upload } = await setup();
	await upload(await gif(1, 1), { name: 'first.gif' });
	const second = await upload(await gif(2, 2), { name: 'second.gif' });
	await call(api.describeMedia, { id: second.id, alt: 'A curve' }, admin);
	const list = await call(api.listMedia, {}, admin);
	expect(list).toMatchObject({ total: 2, page: 1, pageSize: 48, undescribed: 1 });
	expect(JSON.stringify(list)).not.toContain('bytes');
	const names = async (q: string) =>
		(await call(api.listMedia, { q }, admin)).rows.map(({ name }) => name);
	expect(await names('FIRST')).toEqual(['first.gif']);
	expect(await names('curve')).toEqual(['second.gif']);
	expect(await names('curve SECOND')).toEqual(['second.gif']);
	expect(await names('nothing')).toEqual([]);
	// Signs that mean something to SQL.
	for (const sign of ['%', '_', '\\']) expect(await names(sign), sign).toEqual([]);
	await call(api.describeMedia, { id: second.id, alt: '50 % of a_b\\c' }, admin);
	for (const sign of ['%', '_', '\\']) expect(await names(sign), sign).toEqual(['second.gif']);
});

test('an image that posts or drafts use stays, and the refusal names them', async () => {
	const { db, admin, upload } = await setup();
	const { id, url } = await upload(DOT);
	await makePost(db, { title: 'One', content: `<img src="${url}">` });
	const category = await makeCategory(db);
	const two = await makePost(db, { title: 'Two', categoryId: category.id, featuredImage: url });
	const three = await makePost(db, { title: 'Three' });
	const form = { ...emptyForm, content: `<img src="${url}">` };
	await call(postsApi.saveDraft, { id: three.id, form, version: null, baseVersion: 1 }, admin);
	await expect(call(api.deleteMedia, { id }, admin)).rejects.toMatchObject({
		code: 'conflict',
		message: expect.stringMatching(/“.+”, “.+”, and “.+” use this image/),
	});
	expect((await fetchApi()(url)).status).toBe(200);
	expect(two.id).toBeTruthy();
});

test('an image that a page uses stays, and the refusal names the page', async () => {
	const { db, admin, upload } = await setup();
	const { id, url } = await upload(DOT);
	await db
		.insert(pages)
		.values({ slug: 'imprint', title: 'Imprint', content: `<img src="${url}">` });
	const uses = await call(listUses, { ids: id }, admin);
	expect(uses[id]).toMatchObject([{ kind: 'page', slug: 'imprint', title: 'Imprint' }]);
	await expect(call(api.deleteMedia, { id }, admin)).rejects.toMatchObject({
		code: 'conflict',
		message: '“Imprint” uses this image. Take it out there first.',
	});
});

describe('what is deleted', () => {
	test('is served and listed no more, and comes back for 30 days', async () => {
		const { db, admin, upload } = await setup();
		const { id, url } = await upload(DOT, { alt: 'A dot' });
		const before = await db.select().from(media);
		const { undo } = await call(api.deleteMedia, { id }, admin);
		expect((await fetchApi()(url)).status).toBe(404);
		expect((await call(api.listMedia, {}, admin)).total).toBe(0);
		await expect(call(api.deleteMedia, { id }, admin)).rejects.toMatchObject({ code: 'not_found' });
		await expect(call(api.describeMedia, { id, alt: '' }, admin)).rejects.toMatchObject({
			code: 'not_found',
		});
		const log = await call(listAudit, { page: 1, q: '', sort: '-created' }, admin);
		expect(log.rows[0]).toMatchObject({ action: 'deleted', detail: 'dot.gif', undo });
		expect(await call(undoAction, { token: undo }, admin)).toEqual({
			message: 'Brought back the picture dot.gif.',
			changed: 1,
			kept: 0,
		});
		expect(await db.select().from(media)).toEqual(before);
		expect((await fetchApi()(url)).status).toBe(200);
	});

	test('is erased after that', async () => {
		const { db, admin, upload } = await setup();
		vi.setSystemTime('2026-03-01T12:00:00Z');
		const { id } = await upload(DOT);
		const { undo } = await call(api.deleteMedia, { id }, admin);
		vi.setSystemTime('2026-03-30T12:00:00Z');
		await maintain();
		expect(await db.$count(media)).toBe(1);
		vi.setSystemTime('2026-04-01T12:00:00Z');
		await maintain();
		expect(await db.$count(media)).toBe(0);
		await expect(call(undoAction, { token: undo }, await asAdmin(db))).rejects.toMatchObject({
			code: 'not_found',
		});
	});

	test('comes back under its address when the same picture is uploaded, and the undo says so', async () => {
		const { admin, upload } = await setup();
		const { id } = await upload(DOT);
		const { undo } = await call(api.deleteMedia, { id }, admin);
		expect(await upload(DOT, { name: 'again.gif', alt: 'Again' })).toMatchObject({
			id,
			name: 'again.gif',
			alt: 'Again',
		});
		await expect(call(undoAction, { token: undo }, admin)).rejects.toMatchObject({
			message: 'These images were all changed since: nothing was undone.',
		});
	});

	test('in one step is all that nothing uses: no post, no draft, not the logo', async () => {
		const { db, admin, upload } = await setup();
		const images = [];
		for (let side = 1; side <= 6; side++) images.push(await upload(await gif(side, side)));
		const [inPost, inDraft, logo, ...unused] = images as [Media, Media, Media, ...Media[]];
		await makePost(db, { title: 'One', content: `<img src="${inPost.url}">` });
		const two = await makePost(db, { title: 'Two' });
		const form = { ...emptyForm, content: `<img src="${inDraft.url}">` };
		await call(postsApi.saveDraft, { id: two.id, form, version: null, baseVersion: 1 }, admin);
		await call(siteApi.updateSite, { logo: logo.url }, admin);
		const ids = images.map(({ id }) => id);
		expect(await call(listUses, { ids: ids.join(',') }, admin)).toMatchObject({
			[inPost.id]: [{ title: 'One' }],
			[inDraft.id]: [{ id: two.id }],
			[logo.id]: [{ id: null, title: 'The logo of the site' }],
		});
		await expect(call(api.deleteMedia, { id: logo.id }, admin)).rejects.toMatchObject({
			message: 'This image is the logo of the site. Choose another logo first.',
		});
		const list = await call(api.listMedia, { show: 'unused' }, admin);
		expect(list.rows.map(({ id }) => id).sort()).toEqual(unused.map(({ id }) => id).sort());
		const one = await call(api.deleteUnused, { ids: [inPost.id, unused[0]!.id] }, admin);
		expect(one.deleted).toEqual([unused[0]!.id]);
		const rest = await call(api.deleteUnused, {}, admin);
		expect(rest.deleted.sort()).toEqual([unused[1]!.id, unused[2]!.id].sort());
		expect(await call(api.deleteUnused, {}, admin)).toEqual({ deleted: [], undo: null });
		// One of them comes back by another way: the undo brings the other.
		await upload(await gif(6, 6));
		expect(await call(undoAction, { token: rest.undo! }, admin)).toMatchObject({
			message: 'Brought back 2 unused images. 1 image changed since stays as now.',
			changed: 1,
			kept: 1,
		});
		expect((await call(api.listMedia, {}, admin)).total).toBe(5);
	});
});

describe('a replaced image', () => {
	test('is replaced by each of two that come at once, the last one stays', async () => {
		const { admin, upload } = await setup();
		const { id } = await upload(DOT);
		const others = await Promise.all([gif(7, 5), gif(8, 6)]);
		const replaced = await Promise.all(
			others.map((other) =>
				call(api.replaceMedia, { id, name: 'o.gif', data: other.toString('base64') }, admin),
			),
		);
		expect(replaced.map(({ undo }) => typeof undo)).toEqual(['string', 'string']);
		const { rows, total } = await call(api.listMedia, {}, admin);
		expect(total).toBe(1);
		expect([7, 8]).toContain(rows[0]!.width);
	});

	test('has another picture at its address, and its own back when undone', async () => {
		const { db, admin, upload } = await setup();
		const { id, url } = await upload(DOT, { alt: 'A dot' });
		await makePost(db, { title: 'One', featuredImage: url, published: true });
		const other = await gif(7, 5);
		const first = await fetchApi()(url);
		const known = { headers: { 'If-None-Match': first.headers.get('ETag')! } };
		const { image, undo } = await call(
			api.replaceMedia,
			{ id, name: 'other.gif', data: other.toString('base64') },
			admin,
		);
		expect(image).toMatchObject({ id, url, name: 'other.gif', width: 7, alt: 'A dot' });
		// Whoever kept the former picture gets the new one.
		const served = await fetchApi()(url, known);
		expect([served.status, Buffer.from(await served.arrayBuffer())]).toEqual([200, other]);
		expect((await call(api.listMedia, {}, admin)).total).toBe(1);
		expect(await db.$count(builds)).toBe(1);
		expect(await call(undoAction, { token: undo! }, admin)).toMatchObject({
			message: 'Brought back what the picture dot.gif showed before.',
		});
		expect((await fetchApi()(url, known)).status).toBe(304);
		expect((await call(api.listMedia, {}, admin)).rows).toMatchObject([{ id, name: 'dot.gif' }]);
		await expect(call(undoAction, { token: undo! }, admin)).rejects.toMatchObject({
			code: 'conflict',
		});
	});

	test('twice is undone in the reverse order, or not at all', async () => {
		const { db, admin, upload } = await setup();
		const { id, url } = await upload(DOT);
		const replace = async (side: number) =>
			(
				await call(
					api.replaceMedia,
					{ id, name: `${side}.gif`, data: (await gif(side, side)).toString('base64') },
					admin,
				)
			).undo!;
		const [first, second] = [await replace(4), await replace(5)];
		await expect(call(undoAction, { token: first }, admin)).rejects.toMatchObject({
			message: 'The image was changed again since. Undo that first.',
		});
		await call(undoAction, { token: second }, admin);
		await call(undoAction, { token: first }, admin);
		expect(Buffer.from(await (await fetchApi()(url)).arrayBuffer())).toEqual(DOT);
		expect(await db.$count(media)).toBe(3);
		// What was put away can be taken for another place.
		expect((await upload(await gif(5, 5))).id).not.toBe(id);
		await expect(replace(5)).rejects.toMatchObject({
			fields: { data: expect.stringContaining('is in the library already, as “dot.gif”') },
		});
	});

	test('stays as it is where what comes is no picture, the same one, or it is not there', async () => {
		const { db, admin, upload } = await setup();
		const { id } = await upload(DOT);
		const replace = (data: Buffer, at = id) =>
			call(api.replaceMedia, { id: at, name: 'a.gif', data: data.toString('base64') }, admin);
		expect(await replace(DOT)).toMatchObject({ image: { id }, undo: null });
		await expect(replace(Buffer.from('<svg>'))).rejects.toMatchObject({
			fields: { data: expect.stringMatching(/^This drawing cannot be used: it is no/) },
		});
		await expect(replace(await gif(4, 4), 'none')).rejects.toMatchObject({ code: 'not_found' });
		expect(await db.$count(media)).toBe(1);
	});
});

test('a focal point is kept, and pages follow where the image is a featured one', async () => {
	const { db, admin, upload } = await setup();
	const { id, url } = await upload(DOT);
	const describeIt = (values: object) => call(api.describeMedia, { id, ...values }, admin);
	expect(await describeIt({ focus: '30% 70%' })).toMatchObject({ focus: '30% 70%', alt: '' });
	expect(await db.$count(builds)).toBe(0);
	await makePost(db, { title: 'One', featuredImage: url, published: true });
	expect(await describeIt({ alt: 'A dot' })).toMatchObject({ focus: '30% 70%', alt: 'A dot' });
	expect(await db.$count(builds)).toBe(1);
	// No page says an image's name.
	expect(await describeIt({ name: ' The dot ' })).toMatchObject({ name: 'The dot', alt: 'A dot' });
	expect(await db.$count(builds)).toBe(1);
	for (const name of ['', ' ', 'x'.repeat(201)])
		await expect(describeIt({ name }), name).rejects.toMatchObject({ code: 'validation' });
	await describeIt({ focus: '0% 100%' });
	for (const focus of ['center', '101% 0%', '5% 5%; color: red', '-1% 0%', '5%'])
		await expect(describeIt({ focus }), focus).rejects.toMatchObject({ code: 'validation' });
	const pictures = await findPictures(db, [url]);
	expect(pictures.get(url)).toMatchObject({ focus: '0% 100%' });
});

/** Where a GIF's first block is. */
const tableEnd = (bytes: Buffer) => 13 + 3 * 2 ** ((bytes[10]! & 7) + 1);

describe('pictures that strangers make', () => {
	const photo = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#a41' } });

	test('place, names and times are taken out, and what was turned stands upright', async () => {
		const { upload } = await setup();
		const bytes = await photo()
			.withExif({
				IFD0: { Copyright: 'SECRETNAME' },
				IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
			})
			.withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRETPLACE</x:xmpmeta>')
			.withMetadata({ orientation: 6 })
			.jpeg()
			.toBuffer();
		expect(bytes.includes('SECRETNAME')).toBe(true);
		const image = await upload(bytes, { name: 'photo.jpg' });
		expect(image).toMatchObject({ type: 'image/jpeg', width: 20, height: 40 });
		const served = Buffer.from(await (await fetchApi()(image.url)).arrayBuffer());
		const { exif, xmp, orientation, width } = await sharp(served).metadata();
		expect([exif, xmp, orientation ?? 1, width]).toEqual([undefined, undefined, 1, 20]);
		for (const word of ['SECRETNAME', 'SECRETPLACE', 'Exif', 'GPS'])
			expect(served.includes(word), word).toBe(false);
		expect(image.size).toBe(served.length);
	});

	test.each(['png', 'webp', 'avif', 'gif', 'jpeg'] as const)(
		'a %s without any of that keeps its bytes',
		async (format) => {
			const { upload } = await setup();
			const bytes = await photo().toFormat(format).toBuffer();
			const image = await upload(bytes);
			expect(image).toMatchObject({ width: 40, height: 20, size: bytes.length });
		},
	);

	const segment = (marker: number, words: string) =>
		Buffer.concat([Buffer.from([0xff, marker, 0, words.length + 2]), Buffer.from(words)]);
	const after = (at: number, more: Buffer) => (bytes: Buffer) =>
		Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
	const behind = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('SECRET')]);
	const chunk = (name: string, words: string) => {
		const body = Buffer.from(name + words);
		const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
		size.writeUInt32BE(words.length);
		sum.writeUInt32BE(crc32(body));
		return Buffer.concat([size, body, sum]);
	};
	const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('SECRET\0')]);
	const inRiff = (bytes: Buffer) => {
		const whole = Buffer.concat([bytes, Buffer.from('NOTE\x06\0\0\0SECRET', 'latin1')]);
		whole.writeUInt32LE(whole.length - 8, 4);
		return whole;
	};

	test.each([
		['jpeg', 'a comment', after(2, segment(0xfe, 'SECRET'))],
		['jpeg', "a program's segment", after(2, segment(0xec, 'SECRET'))],
		['jpeg', "a camera's segment beside the colors", after(2, segment(0xe2, 'MPF\0SECRET'))],
		['jpeg', 'a film behind its end', behind],
		['gif', 'a comment before its first frame', (bytes) => after(tableEnd(bytes), comment)(bytes)],
		['gif', 'a comment after its last frame', (bytes) => after(bytes.length - 1, comment)(bytes)],
		['gif', 'something behind its end', behind],
		['png', 'a chunk that nobody knows', after(33, chunk('prVt', 'SECRET'))],
		['png', 'something behind its end', behind],
		['webp', 'a chunk that nobody knows', inRiff],
		['webp', 'something behind its end', behind],
		[
			'avif',
			'a box of its own',
			(bytes) => Buffer.concat([bytes, Buffer.from('\0\0\0\x0efreeSECRET')]),
		],
	] as ['jpeg' | 'gif' | 'png' | 'webp' | 'avif', string, (bytes: Buffer) => Buffer][])(
		'a %s with %s loses it, and is as it is from then on',
		async (format, _what, spoil) => {
			const { upload } = await setup();
			const given = spoil(await photo().toFormat(format).toBuffer());
			const { url } = await upload(given);
			const served = Buffer.from(await (await fetchApi()(url)).arrayBuffer());
			expect(served.includes('SECRET')).toBe(false);
			const { width, height } = await sharp(served).metadata();
			expect([width, height]).toEqual([40, 20]);
			// What was cleaned is the same image when it comes back.
			expect((await upload(served)).url).toBe(url);
		},
	);

	test('an animation keeps its frames', async () => {
		const { upload } = await setup();
		const frames = await Promise.all(
			['#f00', '#0f0', '#00f'].map((background) =>
				sharp({ create: { width: 8, height: 6, channels: 3, background } })
					.png()
					.toBuffer(),
			),
		);
		const bytes = await sharp(frames, { join: { animated: true } })
			.gif()
			.toBuffer();
		const image = await upload(bytes);
		expect(image).toMatchObject({ width: 8, height: 6 });
		const served = Buffer.from(await (await fetchApi()(image.url)).arrayBuffer());
		expect((await sharp(served, { animated: true }).metadata()).pages).toBe(3);
	});

	test('what is damaged, cut off or of too many pixels is refused with a sentence', async () => {
		const { db, upload } = await setup();
		const png = await sharp({
			create: {
				width: 64,
				height: 64,
				channels: 3,
				background: '#123',
				noise: { type: 'gaussian', mean: 128, sigma: 30 },
			},
		})
			.png()
			.toBuffer();
		const claiming = (width: number, height: number) => {
			const bytes = Buffer.from(png);
			bytes.writeUInt32BE(width, 16);
			bytes.writeUInt32BE(height, 20);
			return bytes;
		};
		const broken = Buffer.from(png);
		broken.fill(0xff, 60, 200);
		const bad: [Buffer, RegExp][] = [
			[png.subarray(0, png.length / 2), /damaged or cut off/],
			[(await photo().jpeg().toBuffer()).subarray(0, 200), /damaged or cut off/],
			[broken, /damaged or cut off/],
			[claiming(2 ** 31 - 1, 2 ** 31 - 1), /damaged or cut off|50 megapixels/],
			[claiming(60_000, 60_000), /damaged or cut off|50 megapixels/],
			[
				await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
					.png()
					.toBuffer(),
				/50 megapixels or less/,
			],
		];
		for (const [bytes, message] of bad) {
			const error = await upload(bytes).catch((one: unknown) => one);
			expect(error).toMatchObject({
				code: 'validation',
				fields: { data: expect.stringMatching(message) },
			});
		}
		expect(await db.$count(media)).toBe(0);
	});

	test('whatever byte of a picture is wrong, the answer is an image or a sentence', async () => {
		const { upload } = await setup();
		for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
			const bytes = await photo().toFormat(format).toBuffer();
			for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
				const other = Buffer.from(bytes);
				other[at] = other[at]! ^ 0xff;
				const answer = await upload(other).catch((one: unknown) => one);
				expect(answer).toMatchObject(
					answer instanceof AppError ? { code: 'validation' } : { id: expect.any(String) },
				);
			}
		}
	});
});

test.each([
	['a place inside', 'http://169.254.169.254/latest/meta-data/', /cannot be reached/],
	['what is no web address', 'file:///etc/passwd', /begins with https/],
	['words', 'a picture of a cat', /begins with https/],
])('no picture is fetched from %s', async (_name, url, reason) => {
	const db = await useTestDb();
	await expect(call(api.fetchPicture, { url }, await asAdmin(db))).rejects.toMatchObject({
		code: 'validation',
		fields: { url: expect.stringMatching(reason) as unknown },
	});
});
