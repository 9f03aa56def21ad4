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
