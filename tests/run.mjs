/**
 * `npm test`: installs what is missing, then runs each kind of check, and each journey once. `npm run test:all` runs all there
 * is; with `-- --shard=1/4` a quarter of it, and the checks that have no parts with the first. The last line counts them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { install, quickEnv } from '../src/cli/install.mjs';

const node = install(true);
const { ensureBrowser } = await import('./support/browser.mjs');
ensureBrowser();
const { ensureCaddy } = await import('./support/programs.mjs');
ensureCaddy();

const isAll = process.argv.includes('all');
const shard = process.argv.slice(2).filter((argument) => argument.startsWith('--shard='));
const isFirst = shard.length === 0 || shard[0].startsWith('--shard=1/');
/** Statements that embedded databases compiled in this run. */
const STATEMENTS = 'test-results/statements';

let passed = 0;
/** What failed and how: printed once more at the end, where it is found in a long log. */
const failures = [];
/** Returns the beginning of an error, without colors: a diff of a page would hide the others. */
const brief = (error) => stripVTControlCharacters(error ?? '').slice(0, 1500);
const started = Date.now();
/** How long each part took, and the slowest of its tests: what makes all of it faster is found here. */
const times = [];
const secondsFrom = (start, end = Date.now()) => Math.round((end - start) / 1000);
/** How many of a runner's slowest tests are named at the end. */
const NAMED = 15;

/**
 * Runs a tool of node_modules with the project's own Node; what it says comes at once, or as a whole at its end. One that stays is
 * waited for until it says `until`. Returns whether it ended well or stays, what it said, and how to end it.
 */
async function run(name, bin, args, isAtOnce = true, until = undefined) {
	if (isAtOnce) console.log(`\n▸ ${name}`);
	const begun = Date.now();
	const child = spawn(node, [bin, ...args], {
		stdio: [until ? 'pipe' : 'ignore', 'pipe', 'pipe'],
		// Hundreds of processes load the same code: tests' own, servers and builds.
		env: {
			...quickEnv(),
			ASTRO_TELEMETRY_DISABLED: '1',
			TESTS: isAll ? 'all' : 'daily',
			STATEMENTS_FOLDER: STATEMENTS,
		},
	});
	let said = '';
	let isPrinted = isAtOnce;
	const closed = once(child, 'close');
	const [status] = await new Promise((resolve) => {
		closed.then(resolve);
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding('utf8').on('data', (text) => {
				said += text;
				if (isPrinted) process.stdout.write(text);
				if (until?.test(said)) resolve([0]);
			});
	});
	times.push(`${secondsFrom(begun)} s ${name}`);
	if (!isAtOnce) console.log(`\n▸ ${name}\n${said.trimEnd()}`);
	isPrinted = true;
	const end = () => {
		child.stdin.end();
		return closed;
	};
	return { ok: status === 0, said, end };
}

/** A check that counts as one. Returns what ran. */
async function check(name, bin, args, until) {
	const ran = await run(name, bin, args, false, until);
	if (ran.ok) passed++;
	else failures.push(name);
	return ran;
}

/** A test runner whose report says how many passed and failed. */
async function tests(name, bin, args, report, count) {
	rmSync(report, { force: true });
	const { ok, said } = await run(name, bin, args);
	const counted = existsSync(report)
		? count(JSON.parse(readFileSync(report, 'utf8')))
		: { passed: 0, failures: [], slow: [] };
	passed += counted.passed;
	const slowest = counted.slow.toSorted((one, other) => other[1] - one[1]).slice(0, NAMED);
	times.push(...slowest.map(([what, ms]) => `    ${secondsFrom(0, ms)} s ${what}`));
	// A runner that failed without a failed test (an error outside of tests, no report) is a failure all the same.
	if (!ok && counted.failures.length === 0) {
		counted.failures.push(`${name}\n${stripVTControlCharacters(said).slice(-5000)}`);
	}
	failures.push(...counted.failures);
}

/** Returns the files, titles and errors of a suite's browser tests that failed, or passed only when tried again. */
function failedSpecs(suite) {
	const own = (suite.specs ?? [])
		.filter((spec) => spec.tests.some((test) => ['unexpected', 'flaky'].includes(test.status)))
		.map((spec) => {
			const [error] = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
			return `${spec.file}:${spec.line} ${spec.title}\n${brief(error?.message)}`;
		});
	return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

/** Returns a suite's browser tests, each with its milliseconds. */
function timesOf(suite) {
	const own = (suite.specs ?? []).map((spec) => [
		`${spec.file}:${spec.line} ${spec.title}`,
		spec.tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
	]);
	return [...own, ...(suite.suites ?? []).flatMap(timesOf)];
}

rmSync(STATEMENTS, { recursive: true, force: true });
mkdirSync(STATEMENTS, { recursive: true });
if (isFirst) {
	// Lint and the check of pages read the types that this makes.
	const types = run('Types of content', 'node_modules/astro/bin/astro.mjs', ['sync'], false);
	await Promise.all([
		types
			.then(() => check('Types and lint', 'node_modules/oxlint/bin/oxlint', ['--type-check']))
			.then(() =>
				check('Lint of pages', 'node_modules/eslint/bin/eslint.js', ['.', '--max-warnings', '0']),
			)
			.then(() =>
				check('Unused files, exports and packages', 'node_modules/knip/bin/knip.js', [
					'--no-progress',
				]),
			),
		check('Format', 'node_modules/oxfmt/bin/oxfmt', ['--check'])
			.then(() => types)
			.then(() =>
				check('Types of pages', 'node_modules/astro/bin/astro.mjs', [
					...['check', '--noSync', '--minimumSeverity', 'warning'],
					...['--tsconfig', 'tsconfig.astro.json'],
				]),
			),
	]);
}
// To build them is work for one core.
const sites = check(
	'Sites for browser tests',
	'tests/e2e/make-sites.ts',
	[],
	/^The sites are made\.$/m,
);
await tests(
	'Unit, API and build tests',
	'node_modules/vitest/vitest.mjs',
	[
		...[
			'run',
			'--reporter=default',
			'--reporter=json',
			'--outputFile.json=test-results/vitest.json',
		],
		...(isAll ? shard : ['--tags-filter=!nightly']),
	],
	'test-results/vitest.json',
	({ numPassedTests, testResults }) => ({
		passed: numPassedTests,
		slow: testResults.map(({ name, startTime, endTime }) => [
			relative('.', name),
			endTime - startTime,
		]),
		failures: testResults.flatMap((file) => {
			const tests = file.assertionResults.filter((test) => test.status === 'failed');
			if (tests.length === 0 && file.status === 'failed') {
				return [`${file.name}\n${brief(file.message)}`];
			}
			return tests.map(
				({ fullName, failureMessages }) =>
					`${file.name}: ${fullName}\n${brief(failureMessages.join('\n'))}`,
			);
		}),
	}),
);
if ((await sites).ok) process.env['E2E_MADE'] = 'on';
const statements = check('Statements on a libSQL server', 'tests/statements.ts', [STATEMENTS]);
await tests(
	'Browser tests',
	'node_modules/@playwright/test/cli.js',
	['test', ...(isAll ? shard : ['--grep-invert=@nightly'])],
	'test-results/e2e.json',
	({ stats, suites }) => ({
		passed: stats.expected,
		failures: suites.flatMap(failedSpecs),
		slow: suites.flatMap(timesOf),
	}),
);
await statements;
await (await sites).end();

if (isAll && isFirst) {
	// In Chromium, Firefox and WebKit.
	await check('Forms that others have changed', 'tests/browsers/main.ts', []);
	await check('Saved articles on a bad line', 'tests/browsers/offline.ts', []);
	await check('Pages and journeys in three browsers', 'tests/browsers/journeys.ts', []);
}

if (!isAll) {
	const { stdout } = spawnSync('git', ['diff', '--name-only', '@{upstream}'], { encoding: 'utf8' });
	const deep = stdout?.split('\n').find((file) => /^(db|src\/build|src\/host)\//.test(file));
	if (deep) console.log(`\n${deep} has changed: run npm run test:all before this lands.`);
}
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${times.join('\n')}\n\nAll checks took ${secondsFrom(started)} seconds.`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
