import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

test('what loads the configuration of browser tests leaves the files of a run that is going on', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'browser-tests-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await writeFile(join(folder, 'site.db'), 'Rows');
	vi.stubEnv('E2E_FOLDER', folder);
	const { default: config } = await import('#playwright.config.ts');
	expect(JSON.stringify(config.webServer)).toContain(folder);
	expect(await readdir(folder)).toEqual(['site.db']);
});
