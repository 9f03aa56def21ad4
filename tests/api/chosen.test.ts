import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import * as editing from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { listRelated } from '#src/features/posts/posts.api.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory } from '#tests/support/factories.ts';

/** An article with two that share a tag with it, and others that share nothing. */
async function setup() {
	const db = await useTestDb();
	const categoryOf = async (name: string) => (await makeCategory(db, { name })).id;
	const [own, other] = [await categoryOf('Robotics'), await categoryOf('Ethics')];
	const admin = await asAdmin(db);
	const create = (title: string, values: Partial<PostForm> = {}) =>
		call(
			editing.createPost,
			{
				...emptyForm,
				title,
				content: `<p>${title}.</p>`,
				categoryId: other,
				published: true,
				...values,
			},
			admin,
		);
	const self = await create('Self', { categoryId: own, tags: ['a'] });
	await create('Tagged', { tags: ['a'] });
	await create('Tagged too', { tags: ['a'] });
	const far = await create('Far');
	const update = (id: string, values: Partial<PostForm>) =>
		call(editing.updatePost, { id, ...values }, admin);
	const choose = (related: string) => update(self.id, { related });
	/** Returns what is related by the API; the page must say the same. */
	const titles = async (query: { tags?: string[] } = {}) => {
		const answer = await call(listRelated, { id: self.id, ...query }, fetchApi());
		const found = answer.map(({ title }) => title);
		if (query.tags) return found;
		await renderStalePosts(db);
		const { articlePages } = await readSite(db, new Date());
		const page = articlePages.find(({ article }) => article.post.id === self.id)!;
		expect(page.related.map(({ title }) => title)).toEqual(found);
		return found;
	};
	return { db, admin, self, far, create, update, choose, titles };
}

test('what the writer chose comes first, in that order, and the rest is filled as before', async () => {
	const { create, choose, titles } = await setup();
	const before = await titles();
	expect(before).toEqual(expect.arrayContaining(['Tagged', 'Tagged too']));
	expect(before).not.toContain('Far');
	await create('Farther');
	await choose('farther, far');
	expect(await titles()).toEqual(['Farther', 'Far', before[0]]);
	await choose(`https://site.example/blog/far?from=mail, far\ntagged`);
	expect(await titles()).toEqual(['Far', 'Tagged', 'Tagged too']);
	expect((await titles({ tags: ['a'] })).toSorted()).toEqual(['Tagged', 'Tagged too']);
});

test('an unknown, unpublished, future or deleted article and the article itself are skipped', async () => {
	const { admin, create, choose, titles } = await setup();
	const before = await titles();
	await create('Draft', { published: false });
	await create('Tomorrow', { publishedAt: new Date(Date.now() + 86_400_000).toISOString() });
	for (const slug of ['nowhere', 'draft', 'tomorrow', 'self']) {
		await choose(slug);
		expect(await titles(), slug).toEqual(before);
	}
	const gone = await create('Gone');
	await choose('gone');
	expect((await titles())[0]).toBe('Gone');
	await call(editing.deletePost, { id: gone.id }, admin);
	expect(await titles()).toEqual(before);
	await call(editing.restorePost, { id: gone.id }, admin);
	expect((await titles())[0]).toBe('Gone');
});

test('a chosen article stays chosen when it is renamed, as a draft too', async () => {
	const { create, update, far, choose, titles } = await setup();
	const draft = await create('Draft', { published: false });
	await choose('far, draft');
	await update(far.id, { slug: 'very-far' });
	expect((await titles())[0]).toBe('Far');
	await update(draft.id, { slug: 'better' });
	await update(draft.id, { published: true });
	expect((await titles()).slice(0, 2)).toEqual(['Far', 'Draft']);
});

test('the desk is told what the chosen articles are', async () => {
	const { db, admin, create, update, far } = await setup();
	await create('Draft', { published: false });
	await update(far.id, { slug: 'very-far' });
	const asked = 'far, draft, nowhere, tagged';
	const described = await call(editing.listChosen, { slugs: asked }, admin);
	expect(described.asked).toBe(asked);
	expect(described.posts.toSorted((a, b) => a.given.localeCompare(b.given))).toEqual([
		{ given: 'draft', slug: 'draft', title: 'Draft', state: 'draft' },
		{ given: 'far', slug: 'very-far', title: 'Far', state: 'published' },
		{ given: 'tagged', slug: 'tagged', title: 'Tagged', state: 'published' },
	]);
	await db.update(posts).set({ deletedAt: new Date() }).where(eq(posts.slug, 'tagged'));
	const { posts: after } = await call(editing.listChosen, { slugs: 'tagged' }, admin);
	expect(after).toMatchObject([{ given: 'tagged', state: 'deleted' }]);
	expect(await call(editing.listChosen, { slugs: '' }, admin)).toEqual({ asked: '', posts: [] });
	await expect(call(editing.listChosen, { slugs: asked }, fetchApi())).rejects.toMatchObject({
		code: 'unauthorized',
	});
});

test('three can be chosen, a fourth is refused, and readers are not told which were', async () => {
	const { self, choose } = await setup();
	await expect(choose('a, b, c, d')).rejects.toMatchObject({
		code: 'validation',
		fields: { related: 'Choose 3 articles or fewer' },
	});
	expect((await choose('a, b, c, a')).form.related).toBe('a, b, c, a');
	const answer = await fetchApi()(`/api/posts/${self.slug}`);
	expect(await answer.json()).not.toHaveProperty('related');
});
