import { expect, test } from 'vitest';
import { auditLog, media } from '#db/schema.ts';
import { MAX_IMAGE_BYTES } from '#src/features/media/media.ts';
import * as api from '#src/features/media/media.api.ts';
import * as postsApi from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

/** A transparent GIF of so many pixels. */
function gif(width = 3, height = 2): Buffer {
	const size = Buffer.alloc(4);
	size.writeUInt16LE(width, 0);
	size.writeUInt16LE(height, 2);
	return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0, 0, 0, 0x3b])]);
}

async function setup() {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const upload = (bytes: Buffer, values: object = {}) =>
		call(api.uploadMedia, { name: 'dot.gif', data: bytes.toString('base64'), ...values }, admin);
	return { db, admin, upload };
}

test('an image is stored and served as it is, for ever, and never as a page', async () => {
	const { db, upload } = await setup();
	const image = await upload(gif(), { alt: ' A dot ', name: 'Größe "1".gif' });
	expect(image).toEqual({
		id: expect.any(String),
		url: `/api/media/${image.id}`,
		name: 'Größe "1".gif',
		type: 'image/gif',
		width: 3,
		height: 2,
		size: gif().length,
		alt: 'A dot',
		createdAt: expect.any(String),
	});
	const response = await fetchApi()(image.url);
	expect(Buffer.from(await response.arrayBuffer())).toEqual(gif());
	expect(Object.fromEntries(response.headers)).toMatchObject({
		'content-type': 'image/gif',
		'x-content-type-options': 'nosniff',
		'cache-control': 'public, max-age=31536000, immutable',
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
	const [one, two] = await Promise.all([upload(gif()), upload(gif(), { name: 'other.gif' })]);
	expect(one.id).toBe(two.id);
	expect((await upload(gif(9, 9))).id).not.toBe(one.id);
	expect(await db.$count(media)).toBe(2);
});

test('a data address is taken as well', async () => {
	const { upload } = await setup();
	const data = `data:image/png;base64,${gif().toString('base64')}`;
	expect((await upload(gif(), { data })).type).toBe('image/gif');
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
	const largest = Buffer.alloc(MAX_IMAGE_BYTES);
	gif().copy(largest);
	expect((await upload(largest)).size).toBe(MAX_IMAGE_BYTES);
	const error = await upload(Buffer.concat([largest, Buffer.from([0])])).catch(
		(one: unknown) => one,
	);
	expect(error).toMatchObject({ fields: { data: 'Choose an image of 4 MB or less.' } });
	expect(await db.$count(media)).toBe(1);
});

test('the library is paged, newest first, and searched by name and description', async () => {
	const { admin, upload } = await setup();
	await upload(gif(1, 1), { name: 'first.gif' });
	const second = await upload(gif(2, 2), { name: 'second.gif' });
	await call(api.describeMedia, { id: second.id, alt: 'A curve' }, admin);
	const list = await call(api.listMedia, {}, admin);
	expect(list).toMatchObject({ total: 2, page: 1, pages: 1 });
	expect(JSON.stringify(list)).not.toContain('bytes');
	const names = async (q: string) =>
		(await call(api.listMedia, { q }, admin)).media.map(({ name }) => name);
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
	const { id, url } = await upload(gif());
	await makePost(db, { title: 'One', content: `<img src="${url}">` });
	const category = await makeCategory(db);
	const two = await makePost(db, { title: 'Two', categoryId: category.id, featuredImage: url });
	const three = await makePost(db, { title: 'Three' });
	const form = { ...emptyForm, content: `<img src="${url}">` };
	await call(postsApi.saveDraft, { id: three.id, form, version: null, baseVersion: 1 }, admin);
	await expect(call(api.deleteMedia, { id }, admin)).rejects.toMatchObject({
		code: 'conflict',
		message: expect.stringMatching(/“.+”, “.+” and “.+” use this image/),
	});
	expect((await fetchApi()(url)).status).toBe(200);
	expect(two.id).toBeTruthy();
});

test('an unused image is deleted, for good', async () => {
	const { db, admin, upload } = await setup();
	const { id, url } = await upload(gif());
	expect(await call(api.deleteMedia, { id }, admin)).toEqual({ id });
	expect((await fetchApi()(url)).status).toBe(404);
	await expect(call(api.deleteMedia, { id }, admin)).rejects.toMatchObject({ code: 'not_found' });
	await expect(call(api.describeMedia, { id, alt: '' }, admin)).rejects.toMatchObject({
		code: 'not_found',
	});
	expect((await db.select().from(auditLog)).map(({ action }) => action)).toEqual([
		'uploaded',
		'deleted',
	]);
});
