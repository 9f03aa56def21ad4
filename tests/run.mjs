// `npm test`: installs what is missing, then every check there is. The last line counts them all.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { install } from '../src/cli/install.mjs';

const node = install(true);
const { ensureBrowser } = await import('./support/browser.mjs');
ensureBrowser();
const { ensureCaddy } = await import('./support/programs.mjs');
ensureCaddy();

let passed = 0;
/** The names of what failed: printed once more at the end, where they are found in a long log. */
const failures = [];
const started = Date.now();

/** Runs a tool of node_modules with the project's own Node. */
function run(name, bin, args) {
	console.log(`\n▸ ${name}`);
	const { status } = spawnSync(node, [`node_modules/${bin}`, ...args], {
		stdio: 'inherit',
		env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
	});
	return status === 0;
}

/** A check that counts as one. */
function check(name, bin, args) {
	if (run(name, bin, args)) passed++;
	else failures.push(name);
}

/** A test runner whose report says how many passed and failed. */
function tests(name, bin, args, report, count) {
	rmSync(report, { force: true });
	const ok = run(name, bin, args);
	const counted = existsSync(report)
		? count(JSON.parse(readFileSync(report, 'utf8')))
		: { passed: 0, failures: [] };
	passed += counted.passed;
	// A runner that failed without a failed test (a broken file, no report) is a failure all the same.
	if (!ok && counted.failures.length === 0) counted.failures.push(name);
	failures.push(...counted.failures);
}

/** Returns the files and titles of a suite's browser tests that failed, or passed only when tried again. */
function failedSpecs(suite) {
	const own = (suite.specs ?? [])
		.filter((spec) => spec.tests.some((test) => ['unexpected', 'flaky'].includes(test.status)))
		.map((spec) => `${spec.file}:${spec.line} ${spec.title}`);
	return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

check('Format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']);
// Before lint, which reads the types that this makes.
check('Types', 'astro/bin/astro.mjs', ['check', '--minimumSeverity', 'warning']);
check('Lint', 'eslint/bin/eslint.js', ['.', '--max-warnings', '0']);
check('Unused files, exports and packages', 'knip/bin/knip.js', ['--no-progress']);
tests(
	'Unit, API and build tests',
	'vitest/vitest.mjs',
	['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-results/vitest.json'],
	'test-results/vitest.json',
	({ numPassedTests, testResults }) => ({
		passed: numPassedTests,
		failures: testResults.flatMap((file) => {
			const tests = file.assertionResults.filter((test) => test.status === 'failed');
			if (tests.length === 0 && file.status === 'failed') return [file.name];
			return tests.map((test) => `${file.name}: ${test.fullName}`);
		}),
	}),
);
tests(
	'Browser tests',
	'@playwright/test/cli.js',
	['test'],
	'test-results/e2e.json',
	({ stats, suites }) => ({ passed: stats.expected, failures: suites.flatMap(failedSpecs) }),
);

for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\nAll checks took ${Math.round((Date.now() - started) / 1000)} seconds.`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
