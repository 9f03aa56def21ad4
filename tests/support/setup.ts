import { format } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';
import { MINUTE } from '#src/lib/dates.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';

export const SITE_URL = 'https://groundtruth.test';

const unasked: string[] = [];

/** How long a state is waited for, in milliseconds. The default of one second is too short for a busy machine. */
const WAIT_TIMEOUT_MS = 15_000;
const { waitFor } = vi;
vi.waitFor = (callback, options) => waitFor(callback, options ?? { timeout: WAIT_TIMEOUT_MS });
if ('document' in globalThis) {
	const { configure } = await import('@testing-library/react');
	configure({ asyncUtilTimeout: WAIT_TIMEOUT_MS });
}

beforeEach(() => {
	setEnv(
		// No mailbox folder either: what is to be mailed waits.
		parseEnv({ SITE_URL, SECRET: 'a secret that only the tests know', DATABASE_URL: ':memory:' }),
	);
	if ('document' in globalThis) {
		const now = performance.now.bind(performance);
		// Pages have been open for a while; a test of one that has just been opened says so.
		vi.spyOn(performance, 'now').mockImplementation(() => now() + MINUTE);
	}
	for (const level of ['error', 'warn'] as const) {
		vi.spyOn(console, level).mockImplementation((...values) => {
			unasked.push(`console.${level}: ${format(...values)}`);
		});
	}
});

afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
	vi.unstubAllGlobals();
	vi.useRealTimers();
	// A test that expects one says so: vi.spyOn(console, 'error').mockImplementation(() => {}).
	const said = unasked.splice(0);
	if (said.length > 0) throw new Error(`Nobody asked for\n${said.join('\n')}`);
});
