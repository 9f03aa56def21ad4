import { expect, test } from 'vitest';
import { posts } from '#db/schema.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { useTestDb } from '#tests/support/db.ts';
import { POST_STATES, postStateOf } from './post-state.ts';
import { isInState, isScheduledOrPublished } from './post-state.server.ts';

const now = new Date('2026-06-01T12:00:00Z');

test('every combination of facts has one state, and the database finds it by the same', async () => {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db);
	const dates = [null, -1, 0, 1].map((ms) => (ms === null ? null : new Date(+now + ms)));
	for (const published of [false, true]) {
		for (const publishedAt of dates) {
			for (const deletedAt of [null, now]) {
				await makePost(db, { categoryId, published, publishedAt, deletedAt });
			}
		}
	}
	const rows = await db.select().from(posts);
	expect(rows).toHaveLength(16);
	for (const state of POST_STATES) {
		const found = await db.select({ id: posts.id }).from(posts).where(isInState(state, now));
		const expected = rows.filter((row) => postStateOf(row, now) === state);
		expect(expected, state).not.toHaveLength(0);
		expect(found.map(({ id }) => id).sort(), state).toEqual(expected.map(({ id }) => id).sort());
	}
	const shown = await db.select().from(posts).where(isScheduledOrPublished);
	expect(new Set(shown.map((row) => postStateOf(row, now)))).toEqual(
		new Set(['scheduled', 'published']),
	);
});
