import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { beginsWith, containsText, holdsWord } from './like.ts';
import { posts } from './schema.ts';

test.each([
	[`It's "so" 100%`, `It’s “so”`],
	['It’s “so” 100%', `it's "so"`],
	['It’s “so” 100%', 'It‘s'],
	['It is so 100%', '100%'],
])('%s is found by %s', async (title, typed) => {
	const db = await useTestDb();
	const { id } = await makePost(db, { title });
	await makePost(db, { title: 'Something else' });
	for (const condition of [
		containsText(posts.title, typed),
		beginsWith(posts.title, typed.replace('100%', 'it is')),
		holdsWord(sql`${posts.title}`, typed),
	]) {
		const found = await db.select({ id: posts.id }).from(posts).where(condition);
		expect(found).toEqual([{ id }]);
	}
});
