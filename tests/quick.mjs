// `npm run test:quick`: the types, the lint and the tests that a change since the last commit (or since `-- <commit>`) can reach.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { install, quickEnv } from '../src/cli/install.mjs';

const node = install(true);
const since = process.argv[2] ?? 'HEAD';
const CACHE = 'node_modules/.cache';

function git(...args) {
	return spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

/** Runs a tool of node_modules. Returns whether it found nothing wrong. */
function run(name, bin, args) {
	console.log(`\n▸ ${name}`);
	const options = { stdio: 'inherit', env: { ...quickEnv(), QUICK: 'on' } };
	return spawnSync(node, [`node_modules/${bin}`, ...args], options).status === 0;
}

const changed = [
	...git('diff', '--name-only', since),
	...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(file));
if (changed.length === 0) {
	console.log(`Nothing has changed since ${since}.`);
	process.exit();
}
const code = changed.filter((file) => /\.(ts|tsx|mjs|astro)$/.test(file));

// Types of Astro's modules, which a fresh clone lacks.
if (!existsSync('.astro/types.d.ts')) run('Sync', 'astro/bin/astro.mjs', ['sync']);
const passed = [
	run('Format', 'prettier/bin/prettier.cjs', ['--check', '--ignore-unknown', ...changed]),
	run('Types', 'typescript/bin/tsc', [
		'--noEmit',
		'--incremental',
		'--tsBuildInfoFile',
		`${CACHE}/quick.tsbuildinfo`,
	]),
	// oxlint fails where it is given only files that it does not read: .mjs and .astro.
	code.length === 0 ||
		run('Lint', 'oxlint/bin/oxlint', ['--no-error-on-unmatched-pattern', ...code]),
	code.length === 0 || run('Boundaries', 'eslint/bin/eslint.js', ['--max-warnings', '0', ...code]),
	run('Tests', 'vitest/vitest.mjs', [
		'run',
		'--project=units',
		'--project=embedded',
		'--project=api',
		`--changed=${since}`,
		'--passWithNoTests',
	]),
].every(Boolean);
process.exitCode = passed ? 0 : 1;
