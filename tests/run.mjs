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
let failed = 0;
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
	else failed++;
}

/** A test runner whose report says how many passed and failed. */
function tests(name, bin, args, report, count) {
	rmSync(report, { force: true });
	const ok = run(name, bin, args);
	const counted = existsSync(report)
		? count(JSON.parse(readFileSync(report, 'utf8')))
		: { passed: 0, failed: 0 };
	passed += counted.passed;
	// A runner that failed without a failed test (a broken file, no report) is a failure all the same.
	failed += counted.failed || (ok ? 0 : 1);
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
	({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests }),
);
tests(
	'Browser tests',
	'@playwright/test/cli.js',
	['test'],
	'test-results/e2e.json',
	({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
);

console.log(`\nAll checks took ${Math.round((Date.now() - started) / 1000)} seconds.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
