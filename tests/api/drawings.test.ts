import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { media, renderedPosts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import * as api from '#src/features/media/media.api.ts';
import * as postsApi from '#src/features/posts/editing.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const DOT = await sharp({ create: { width: 3, height: 2, channels: 3, background: '#345' } })
	.gif()
	.toBuffer();

async function setup() {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const upload = (bytes: Buffer, values: object = {}) =>
		call(api.uploadMedia, { name: 'a.svg', data: bytes.toString('base64'), ...values }, admin);
	return { db, admin, upload };
}

const DRAWING =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><title>A slope</title><script>evil()</script><path d="M0 0L20 10" stroke="currentColor" onclick="evil()"/></svg>';
const LINE = '<path d="M0 0L20 10" stroke="currentColor"/>';

test('of a drawing only shapes are stored and served, and the answer says what was taken out', async () => {
	const { db, upload } = await setup();
	const image = await upload(Buffer.from(DRAWING), { name: 'slope.svg' });
	expect(image).toMatchObject({
		id: expect.stringMatching(/^drawing-/),
		type: 'image/svg+xml',
		width: 20,
		height: 10,
		alt: 'A slope',
		removed: ['a script', 'an event handler'],
	});
	const response = await fetchApi()(image.url, {});
	expect(await response.text()).toBe(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10">${LINE}</svg>`,
	);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		'content-type': 'image/svg+xml',
		'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
		'x-content-type-options': 'nosniff',
	});
	// Written in another encoding it is the same drawing.
	const wide = Buffer.from(`\ufeff${DRAWING}`, 'utf16le');
	expect((await upload(wide)).id).toBe(image.id);
	const named = Buffer.from(
		`<?xml version="1.0" encoding="ISO-8859-1"?>${DRAWING.replace('A slope', 'Größe')}`,
		'latin1',
	);
	expect((await upload(named)).id).toBe(image.id);
	expect(await db.$count(media)).toBe(1);
	const lie = Buffer.from(DRAWING.replace('A slope', 'Größe'), 'latin1');
	await expect(upload(lie)).rejects.toMatchObject({
		fields: { data: 'This drawing cannot be used: it is not written in utf-8, as it says.' },
	});
});

test('a drawing is part of the article that shows it, follows when it is replaced, and comes back', async () => {
	const { db, admin, upload } = await setup();
	const { id, url } = await upload(Buffer.from(DRAWING), { name: 'slope.svg' });
	const content = `<figure><img src="${url}" alt="A line that falls"><figcaption>A slope. It falls.</figcaption></figure>`;
	const post = await makePost(db, { title: 'One', content, published: true });
	const rendered = async () => {
		await renderStalePosts(db);
		const [row] = await db
			.select({ html: renderedPosts.html })
			.from(renderedPosts)
			.where(eq(renderedPosts.postId, post.id));
		return row!.html;
	};
	const before = await rendered();
	expect(before).toMatch(
		/^<figure id="fig-a-slope" class="drawn">.*<svg .*role="img" aria-label="A line that falls".*<figcaption><strong>Figure 1.<\/strong> A slope. It falls.<\/figcaption><\/figure>$/,
	);
	expect(before).toContain('<path d="M0 0L20 10" stroke="currentColor"');
	const preview = await call(postsApi.renderContent, { content }, admin);
	expect(preview.html).toBe(before);

	const other = DRAWING.replace('20 10"/', '20 5"/').replace('L20 10', 'L20 5');
	const data = Buffer.from(other).toString('base64');
	const { image, undo } = await call(api.replaceMedia, { id, name: 'b.svg', data }, admin);
	expect(image).toMatchObject({ id, removed: ['a script', 'an event handler'] });
	expect(await rendered()).toContain('d="M0 0L20 5"');
	await call(undoAction, { token: undo! }, admin);
	expect(await rendered()).toBe(before);

	await expect(
		call(api.replaceMedia, { id, name: 'dot.gif', data: DOT.toString('base64') }, admin),
	).rejects.toMatchObject({ fields: { data: expect.stringContaining('another drawing') } });
	const dot = await upload(DOT);
	await expect(
		call(api.replaceMedia, { id: dot.id, name: 'a.svg', data }, admin),
	).rejects.toMatchObject({ fields: { data: expect.stringContaining('stands differently') } });
});

test('what a database holds is cleaned again before a page shows it', async () => {
	const { db, upload } = await setup();
	const { id, url } = await upload(Buffer.from(DRAWING));
	await db
		.update(media)
		.set({ bytes: Buffer.from(DRAWING) })
		.where(eq(media.id, id));
	await makePost(db, { content: `<p><img src="${url}" alt="A"></p>`, published: true });
	await renderStalePosts(db);
	const [row] = await db.select({ html: renderedPosts.html }).from(renderedPosts);
	expect(row!.html).toContain('<svg');
	expect(row!.html).not.toMatch(/evil|onclick|script/);
});
