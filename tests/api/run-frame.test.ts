import { expect, test } from 'vitest';
import { FRAME_HEADERS, FRAME_HTML, FRAME_PATH } from '#src/features/runs/frame.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

test('the frame of programs comes with its own policy alone, and is kept', async () => {
	await useTestDb();
	const response = await fetchApi()(FRAME_PATH);
	expect(response.status).toBe(200);
	for (const [name, value] of Object.entries(FRAME_HEADERS))
		expect(response.headers.get(name)).toBe(value);
	expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
	expect(await response.text()).toBe(FRAME_HTML);
});
