import { expect, test, vi } from 'vitest';
import * as api from '#src/features/categories/categories.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const list = () => call(api.listCategories, {}, fetchApi());
const listPosts = (slug: string) => call(api.listCategoryPosts, { slug }, fetchApi());

test('categories come in the order of the grid, those without a place last by name', async () => {
	const db = await useTestDb();
	await makeCategory(db, { name: 'Zoology' });
	await makeCategory(db, { name: 'Botany' });
	await makeCategory(db, { name: 'Second', position: 1 });
	const first = await makeCategory(db, {
		name: 'First',
		position: 0,
		description: 'The first.',
		color: '#123456',
	});
	const categories = await list();
	expect(categories.map(({ name }) => name)).toEqual(['First', 'Second', 'Botany', 'Zoology']);
	expect(categories[0]).toEqual({
		id: first.id,
		slug: 'first',
		name: 'First',
		description: 'The first.',
		color: '#123456',
	});
	expect(categories[2]).toMatchObject({ description: null, color: '#0E7490' });
});

test("a category's posts are its public ones, newest first", async () => {
	const now = new Date('2026-03-01T12:00:00Z');
	vi.setSystemTime(now);
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	const at = (days: number) => new Date(now.getTime() - days * 86_400_000);
	await makePost(db, { title: 'older', categoryId, publishedAt: at(2) });
	await makePost(db, { title: 'newer', categoryId, publishedAt: at(1) });
	await makePost(db, { title: 'draft', categoryId, published: false });
	await makePost(db, { title: 'tomorrow', categoryId, publishedAt: at(-1) });
	await makePost(db, { title: 'elsewhere' });
	const posts = await listPosts('robotics');
	expect(posts.map(({ title }) => title)).toEqual(['newer', 'older']);
	expect(posts[0]).toMatchObject({
		category: { name: 'Robotics', slug: 'robotics' },
		views: 0,
		shareCount: 0,
	});
});

test('a category without public posts has an empty list', async () => {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	await makePost(db, { categoryId, published: false });
	expect(await listPosts('robotics')).toEqual([]);
});

test('an unknown category is a 404', async () => {
	const db = await useTestDb();
	await makeCategory(db, { name: 'Robotics' });
	for (const slug of ['ethics-ai', 'ROBOTICS', '%', "'"]) {
		await expect(listPosts(slug)).rejects.toMatchObject({ code: 'not_found' });
	}
});
