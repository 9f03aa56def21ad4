import { desc, eq, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, settings, undo } from '#db/schema.ts';
import { changeSettings, getSettings } from '#src/core/settings/settings.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';

test('a changed setting is undone from the log, back to the default too, unless it was changed since', async () => {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const newest = async () => {
		const [row] = await db
			.select({ token: undo.token })
			.from(undo)
			.innerJoin(auditLog, like(auditLog.subject, 'setting %'))
			.where(eq(auditLog.id, undo.auditId))
			.orderBy(desc(undo.auditId))
			.limit(1);
		return row!.token;
	};
	const words = async () => (await ask(getSettings, {})).refusedWords;
	const usual = await words();

	await ask(changeSettings, { refusedWords: ['crypto', 'two words'] });
	const first = await newest();
	await ask(changeSettings, { refusedWords: ['casino'] });
	const second = await newest();
	await expect(ask(undoAction, { token: first })).rejects.toMatchObject({ code: 'conflict' });
	await ask(undoAction, { token: second });
	expect(await words()).toEqual(['crypto', 'two words']);
	await ask(undoAction, { token: first });
	expect(await words()).toEqual(usual);
	expect(await db.$count(settings, like(settings.key, 'refusedWords'))).toBe(0);

	await ask(changeSettings, { letterHour: '9' });
	await ask(changeSettings, { letterHour: '10' });
	await ask(undoAction, { token: await newest() });
	expect((await ask(getSettings, {})).letterHour).toBe('9');
});

test('a change made from outdated settings is refused with what is stored, and nothing is lost', async () => {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const set = (change: object) => call(changeSettings, change, admin);
	const opened = await call(getSettings, {}, admin);
	const first = await set({ refusedWords: ['one'], version: opened.version });
	expect(first.version).toBe(opened.version + 1);
	const late = set({ refusedWords: ['two'], version: opened.version });
	await expect(late).rejects.toMatchObject({ code: 'conflict', stored: first });
	// Nothing changes, and nothing is counted.
	expect(await set({ refusedWords: ['one'], version: first.version })).toEqual(first);
	// Taking a change back is one, too.
	const [row] = await db.select({ token: undo.token }).from(undo).orderBy(desc(undo.auditId));
	await call(undoAction, { token: row!.token }, admin);
	const undone = await call(getSettings, {}, admin);
	expect(undone).toEqual({ ...opened, version: first.version + 1 });
	await expect(set({ letterHour: '9', version: first.version })).rejects.toMatchObject({
		...{ code: 'conflict', stored: undone },
	});
	// Of two at once that name a version one wins; without a version both are stored.
	const both = await Promise.allSettled(
		['9', '10'].map((letterHour) => set({ letterHour, version: undone.version })),
	);
	expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	await Promise.all([set({ letterDay: 'Monday' }), set({ letterCadence: 'monthly' })]);
	expect(await call(getSettings, {}, admin)).toMatchObject({
		...{ letterDay: 'Monday', letterCadence: 'monthly', version: undone.version + 3 },
	});
});
