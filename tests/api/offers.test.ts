import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { auditLog, meta, postOffers, posts } from '#db/schema.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { listPosts } from '#src/features/posts/posts.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { fetchApi } from '#tests/support/api.ts';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { useSeededDesk } from '#tests/support/seeded-desk.ts';

const SLUG = 'agents-and-long-runs';

async function setup() {
	const { db, ask } = await useSeededDesk();
	const [{ id } = { id: '' }] = await db.select().from(posts).where(eq(posts.slug, SLUG));
	const get = () => ask(api.getEditedPost, { id });
	return { db, ask, id, get };
}

/** Seeds again, as if the file had been another one last time. */
async function seedNewer(db: Db): Promise<void> {
	await db
		.update(meta)
		.set({ value: 'older' })
		.where(eq(meta.key, `file:post/${SLUG}`));
	await seedContent(db, unrendered);
}

test('a file that says what its article says is not offered', async () => {
	const { db, ask, get } = await setup();
	await seedNewer(db);
	expect(await db.$count(postOffers)).toBe(0);
	expect((await get()).offer).toBeNull();
	expect((await ask(api.listAdminPosts, {})).counts.offered).toBe(0);
});

test('a changed file is offered and never taken by itself; kept or taken, it is offered no longer', async () => {
	const { db, ask, id, get } = await setup();
	const { form: seeded } = await get();
	await ask(api.updatePost, { id, title: 'Mine', tags: ['Mine'], content: '<p>Mine.</p>' });
	await seedContent(db, unrendered);
	expect((await get()).offer).toBeNull();

	await seedNewer(db);
	const { title, content, tags } = seeded;
	expect(await get()).toMatchObject({ title: 'Mine', offer: { title, content, tags } });
	expect(await ask(api.listAdminPosts, { offered: true })).toMatchObject({
		total: 1,
		counts: { offered: 1 },
		rows: [{ id, title: 'Mine', offered: true }],
	});
	// Nobody outside sees it.
	expect(JSON.stringify(await listPosts(db, new Date()))).not.toContain('offer');
	expect(await (await fetchApi()(`/api/posts/${SLUG}`)).text()).not.toContain('offer');

	const { undo } = await ask(api.settleOffer, { id });
	expect(await get()).toMatchObject({ title: 'Mine', offer: null });
	const [log] = await db.select().from(auditLog).where(eq(auditLog.action, 'kept'));
	expect(log).toMatchObject({ subject: `post ${id}`, detail: '“Mine”: the newer file is settled' });
	await seedContent(db, unrendered);
	expect((await get()).offer).toBeNull();
	await ask(undoAction, { token: undo! });
	expect((await get()).offer).toMatchObject({ title });

	const { offer } = await get();
	await ask(api.updatePost, { id, ...offer! });
	expect((await ask(api.settleOffer, { id })).undo).not.toBeNull();
	expect(await get()).toMatchObject({
		form: { ...seeded, content: content.trim() },
		offer: null,
	});
	await seedNewer(db);
	expect((await get()).offer).toBeNull();
	expect(await ask(api.settleOffer, { id })).toEqual({ undo: null });
});

test('a file finds its article under another address, and a newer file takes the place of an earlier one', async () => {
	const { db, ask, id, get } = await setup();
	await ask(api.updatePost, { id, title: 'Mine', slug: 'moved' });
	await seedNewer(db);
	await db.update(postOffers).set({ form: { title: 'Earlier' } });
	await seedNewer(db);
	expect((await get()).offer?.title).not.toBe('Earlier');
	await ask(api.updatePost, { id, title: (await get()).offer!.title! });
	await seedNewer(db);
	expect((await get()).offer).toBeNull();
});

test('who is not signed in settles nothing', async () => {
	const { id } = await setup();
	const response = await fetchApi()(`/api/admin/posts/${id}/offer`, { method: 'DELETE' });
	expect(response.status).toBe(401);
});
