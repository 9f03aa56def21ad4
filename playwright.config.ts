import { defineConfig } from '@playwright/test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestBrowser } from './tests/support/browser.mjs';

/** The first of two ports; another one lets a second checkout run its tests at the same time. */
const port = Number(process.env['E2E_PORT'] ?? 8991);
// Always the same database, so that only one build of it is ever kept. The server of a run empties the folder: whatever loads
// this file, as workers and tools do, may do so during another run.
const folder = (process.env['E2E_FOLDER'] ??= join(tmpdir(), `groundtruth-e2e-${port}`));
const executablePath = findTestBrowser();
/** The site as it is shipped, and a copy of it whose invented proof is switched off. */
const shipped = siteAt(port, 'tests/e2e/start-fresh.ts', 'site.db');
const honest = siteAt(port + 1, 'tests/e2e/start-copy.ts', 'honest.db', { INVENTED_PROOF: 'off' });

/** The servers of both, in the order in which they start. */
export const sites = [shipped.server, honest.server];

export default defineConfig({
	testDir: 'tests/e2e',
	globalSetup: './tests/e2e/skip-setup.ts',
	fullyParallel: true,
	// Tests wait a third of their time: for what is saved after a pause, and for builds.
	workers: 4,
	// Most take some seconds; on a busy machine all of them take ten times as long.
	timeout: 120_000,
	expect: { timeout: 15_000 },
	forbidOnly: true,
	reporter: [
		['list'],
		['./tests/e2e/steps.reporter.ts'],
		['json', { outputFile: 'test-results/e2e.json' }],
	],
	use: {
		launchOptions: {
			...(executablePath && { executablePath }),
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-background-networking',
				'--disable-component-update',
				// A page needs one process then, not a second one for its first address: a tenth of what a short test costs.
				'--renderer-process-limit=1',
				// A name of the local network, for all: tests with options of their own would get a browser of their own.
				'--host-resolver-rules=MAP lan.example 127.0.0.1',
			],
		},
	},
	projects: [
		{ name: 'shipped', use: { baseURL: shipped.address }, grepInvert: /@proof-off/ },
		{
			name: 'honest',
			use: { baseURL: honest.address },
			testMatch: ['invented-proof.spec.ts', 'overlays.spec.ts', 'routes.spec.ts'],
			grepInvert: process.env['TESTS'] === 'daily' ? /@proof-on|@same/ : /@proof-on/,
		},
	],
	webServer: process.env['E2E_MADE'] ? [] : sites,
});

function siteAt(
	port: number,
	program: string,
	database: string,
	settings: Record<string, string> = {},
) {
	const address = `http://127.0.0.1:${port}`;
	const server = {
		command: `node ${program}`,
		// Until then the pages of an earlier run are served, or those of the site that this one is a copy of.
		wait: { stdout: /^The site is up to date\.$/m },
		timeout: 180_000,
		stdout: 'pipe' as const,
		env: {
			HOST: '127.0.0.1',
			PORT: String(port),
			DATABASE_URL: `file:${join(folder, database)}`,
			ADMIN_EMAIL: 'admin@example.com',
			ADMIN_PASSWORD: 'Correct-Horse-7',
			STYLEGUIDE: 'on',
			// Tests post as many visitors from one machine.
			TRUST_PROXY: 'on',
			CHECK_SOURCES: 'off',
			...settings,
		},
		gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
	};
	return { address, server };
}
