import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { randomId } from './random-id.ts';

test('ids are UUIDs, each another, without the function that only https has', () => {
	vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
	const ids = Array.from({ length: 1000 }, randomId);
	expect(new Set(ids).size).toBe(1000);
	for (const id of ids) expect(z.uuid({ version: 'v4' }).safeParse(id).success).toBe(true);
	vi.unstubAllGlobals();
});
