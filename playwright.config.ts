import { defineConfig } from '@playwright/test';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './tests/support/browser.mjs';

// Always the same database, so that only one build of it is ever kept. Workers load this file again and must not remove it.
const folder = join(tmpdir(), 'groundtruth-e2e');
if (!process.env['E2E_RUNNING']) rmSync(folder, { recursive: true, force: true });
process.env['E2E_RUNNING'] = 'yes';
const executablePath = findBrowser();
const address = 'http://127.0.0.1:8991';

export default defineConfig({
	testDir: 'tests/e2e',
	fullyParallel: true,
	workers: 2,
	timeout: 30_000,
	forbidOnly: true,
	reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
	use: {
		baseURL: address,
		launchOptions: {
			...(executablePath && { executablePath }),
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-background-networking',
				'--disable-component-update',
			],
		},
	},
	webServer: {
		command: 'node src/host/start.mjs',
		url: `${address}/api/health`,
		timeout: 180_000,
		stdout: 'pipe',
		env: {
			HOST: '127.0.0.1',
			PORT: '8991',
			DATABASE_URL: `file:${join(folder, 'site.db')}`,
			ADMIN_EMAIL: 'admin@example.com',
			ADMIN_PASSWORD: 'Correct-Horse-7',
			STYLEGUIDE: 'on',
			// Tests post as many visitors from one machine.
			TRUST_PROXY: 'on',
		},
		gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
	},
});
