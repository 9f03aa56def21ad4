import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { categories, contentProblems, media, posts } from '#db/schema.ts';
import { getEditedPost, listAdminPosts } from '#src/features/posts/editing.server.ts';
import { listPosts } from '#src/features/posts/posts.server.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { recordProblem, describeProblems } from './problems.server.ts';
import { checkRows } from './rows.server.ts';

const NOW = new Date();

async function setup() {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	return useTestDb();
}

const kinds = async (db: Db) =>
	(await db.select().from(contentProblems)).map(({ kind }) => kind).sort();

test.each([
	`title = cast(x'41ff' as text)`,
	`title = x'41'`,
	`title = 'A' || char(0) || 'B'`,
	`excerpt = x'ff'`,
	`content = cast(x'ff' as text)`,
	`updated_at = 'once'`,
	`updated_at = 9223372036854775807`,
	`updated_at = -9223372036854775808`,
	`created_at = 9e15`,
	`read_time = 'long'`,
])(
	'an article with %s is left out of all that is public, listed at the desk, and not opened',
	async (change) => {
		const db = await setup();
		const { id } = await makePost(db, { title: 'One' });
		await makePost(db, { title: 'Two' });
		await db.run(sql.raw(`update posts set ${change} where id = '${id}'`));
		await checkRows(db, NOW);
		expect(await kinds(db)).toEqual(['post row']);
		expect((await listPosts(db, NOW)).map(({ title }) => title)).toEqual(['Two']);
		const listed = (await listAdminPosts(db, {}, NOW)).rows.find((post) => post.id === id)!;
		expect(listed.problem).toMatch(/^The article “.+” is left out: .+\.$/);
		await expect(getEditedPost(db, id, NOW)).rejects.toThrow('must be mended first.');
		expect(await describeProblems(db)).toBe(listed.problem);
		await db.update(posts).set({ deletedAt: NOW }).where(eq(posts.id, id));
		expect(await describeProblems(db)).toBeNull();
	},
);

test('an article with an odd address can be opened, to give it another', async () => {
	const db = await setup();
	const { id } = await makePost(db, { title: 'Bücher “2”', slug: 'a/../b' });
	await checkRows(db, NOW);
	expect(await listPosts(db, NOW)).toEqual([]);
	expect(await getEditedPost(db, id, NOW)).toMatchObject({ title: 'Bücher “2”', slug: 'a/../b' });
	await db.update(posts).set({ slug: 'b' }).where(eq(posts.id, id));
	await checkRows(db, NOW);
	expect(await kinds(db)).toEqual([]);
	expect(await listPosts(db, NOW)).toHaveLength(1);
});

test('whatever people write in any script is nothing odd', async () => {
	const db = await setup();
	const words = 'Ünï “quotes” – 日本語 😀 مرحبا \u202e \u0007 ]]> <b> %00 \ufffd';
	const post = await makePost(db, {
		title: words,
		excerpt: words,
		author: words,
		slug: 'привет-日本',
	});
	await db.update(categories).set({ name: words }).where(eq(categories.id, post.categoryId));
	await checkRows(db, NOW);
	expect(await kinds(db)).toEqual([]);
});

test('only what a published article shows is told, and an article names its picture', async () => {
	const db = await setup();
	const image = { type: 'image/png', width: 1, height: 1, size: 1, bytes: Buffer.alloc(1) };
	await db.insert(media).values([
		{ ...image, id: 'shown', name: 'shown.png', digest: 'a' },
		{ ...image, id: 'unused', name: 'unused.png', digest: 'b' },
	]);
	const { id } = await makePost(db, { title: 'One', featuredImage: '/api/media/shown' });
	await recordProblem(db, 'image', 'shown', 'It cannot be decoded.', NOW);
	await recordProblem(db, 'image', 'unused', 'It cannot be decoded.', NOW);
	expect(await describeProblems(db)).toBe(
		'The image “shown.png” is left out: It cannot be decoded.',
	);
	await recordProblem(db, 'post', id, 'It is too deep.', NOW);
	expect(await describeProblems(db)).toContain('“One” keeps the text it had: It is too deep.');
	const [listed] = (await listAdminPosts(db, {}, NOW)).rows;
	expect(listed!.problem).toContain('Keeps the text it had: It is too deep.');
	expect(listed!.problem).toContain('Its picture is left out: It cannot be decoded.');
	await db.update(posts).set({ published: false });
	expect(await describeProblems(db)).toBeNull();
});
