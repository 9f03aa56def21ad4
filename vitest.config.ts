import { defineConfig } from 'vitest/config';
import { hasSqld } from './tests/support/sqld.ts';

const SETUP = 'tests/support/setup.ts';
/** API tests about files of one machine, about no database at all, or most of all about HTML in a browser. */
const ON_THEIR_OWN = [
	'tests/api/{backup,boundaries,costs,crash,fuzz,host-*,mail-process,sockets,subject}.test.ts',
	'tests/api/admin-security.test.ts',
];

const onServers = hasSqld();
if (!onServers) {
	console.warn(
		'The tests of a database on servers are left out: sqld is there for Linux x64 only.',
	);
}

export default defineConfig({
	oxc: { jsx: { runtime: 'automatic' } },
	test: {
		// The default leaves one core idle.
		maxWorkers: '100%',
		// For machines that do much else at the same time.
		testTimeout: 20_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 15_000 } },
		projects: [
			{
				extends: true,
				test: {
					name: 'embedded',
					// Never below functions/: a test there would be deployed.
					include: [
						'src/**/*.test.{ts,tsx}',
						'db/**/*.test.ts',
						'tests/{build,content,islands,structure}/**/*.test.{ts,tsx}',
						...ON_THEIR_OWN,
					],
					setupFiles: [SETUP],
				},
			},
			{
				extends: true,
				test: {
					name: 'api',
					include: ['tests/api/**/*.test.ts'],
					exclude: ON_THEIR_OWN,
					setupFiles: [SETUP],
					// Loading all functions again for each file would take a third of the time.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'servers',
					include: onServers ? ['tests/{api,servers}/**/*.test.ts'] : [],
					exclude: ON_THEIR_OWN,
					setupFiles: [SETUP, 'tests/support/on-servers.ts'],
					testTimeout: 60_000,
					// Loading all of it again for each file would take as long as the tests.
					isolate: false,
				},
			},
		],
	},
});
