import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULTS, type StoredSettings } from '#src/core/settings/setting.ts';
import { mergeSettings, saveSettings } from './saving.store.ts';

const base: StoredSettings = { ...DEFAULTS, blocked: ['ada', 'eve'], version: 1 };
let stored: StoredSettings;

beforeEach(() => {
	stored = base;
	vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
		const { version, ...changes } = JSON.parse(body) as StoredSettings;
		if (version !== stored.version) {
			const error = { code: 'conflict', message: 'Changed.' };
			return Response.json({ error, stored }, { status: 409 });
		}
		stored = { ...stored, ...changes, version: version + 1 };
		return Response.json(stored);
	});
});
afterEach(() => void vi.unstubAllGlobals());

const choose = vi.fn<Parameters<typeof saveSettings>[2]>();
afterEach(() => void choose.mockReset());

test('lists are merged: what either side added is in, what either side removed is out', async () => {
	stored = { ...base, blocked: ['eve', 'mallory'], version: 2 };
	const saved = await saveSettings(base, { blocked: ['ada', 'eve', 'trudy'] }, choose);
	expect(saved.blocked).toEqual(['eve', 'mallory', 'trudy']);
	expect(choose).not.toHaveBeenCalled();
});

test('what only one side changed is kept without a question', async () => {
	stored = { ...base, letterHour: '9', version: 2 };
	const saved = await saveSettings(base, { comments: 'hold-all' }, choose);
	expect(saved).toMatchObject({ letterHour: '9', comments: 'hold-all', version: 3 });
	expect(choose).not.toHaveBeenCalled();
});

test('where both changed the same, somebody chooses', async () => {
	stored = { ...base, comments: 'hold-first', version: 2 };
	choose.mockResolvedValueOnce([]);
	await saveSettings(base, { comments: 'hold-all' }, choose);
	expect(choose.mock.calls[0]![0]).toMatchObject({ keys: ['comments'] });
	expect(stored.comments).toBe('hold-all');

	stored = { ...base, comments: 'hold-first', version: 5 };
	choose.mockResolvedValueOnce(['comments']);
	const saved = await saveSettings(base, { comments: 'hold-all' }, choose);
	expect(saved).toEqual({ ...base, comments: 'hold-first', version: 5 });
});

test('the same change on both sides is none to choose between', () => {
	const theirs = { ...base, letterDay: 'Monday' } as const;
	expect(mergeSettings(base, { letterDay: 'Monday' }, theirs).disputed).toEqual([]);
});
