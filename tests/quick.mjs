// `npm run test:quick`: the types, the lint and the tests that a change since the last commit (or since `-- <commit>`) can reach.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { install, quickEnv } from '../src/cli/install.mjs';

const node = install(true);
const since = process.argv[2] ?? 'HEAD';
const CACHE = 'node_modules/.cache';

function git(...args) {
	return spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

/** Runs a tool of node_modules; what it says comes at its end, or at once. Returns whether it found nothing wrong. */
async function run(name, bin, args, isAtOnce = false) {
	if (isAtOnce) console.log(`\n▸ ${name}`);
	const env = { ...quickEnv(), TESTS: 'quick' };
	const stdio = isAtOnce ? 'inherit' : 'pipe';
	const child = spawn(node, [`node_modules/${bin}`, ...args], { env, stdio });
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream?.setEncoding('utf8').on('data', (text) => (said += text));
	const [status] = await once(child, 'close');
	if (!isAtOnce) console.log(`\n▸ ${name}\n${said.trimEnd()}`);
	return status === 0;
}

const changed = [
	...git('diff', '--name-only', since),
	...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => existsSync(file));
if (changed.length === 0) {
	console.log(`Nothing has changed since ${since}.`);
	process.exit();
}
const code = changed.filter((file) => /\.tsx?$/.test(file));
const pages = changed.filter((file) => /\.(mjs|astro)$/.test(file));

// Types of Astro's modules, which a fresh clone lacks.
if (!existsSync('.astro/types.d.ts')) await run('Sync', 'astro/bin/astro.mjs', ['sync']);
const checks = async () => [
	await run('Format', 'oxfmt/bin/oxfmt', [
		'--check',
		'--no-error-on-unmatched-pattern',
		...changed,
	]),
	await run('Types', 'typescript/bin/tsc', [
		'--noEmit',
		'--incremental',
		'--tsBuildInfoFile',
		`${CACHE}/quick.tsbuildinfo`,
	]),
	// Without a file both would read all.
	code.length === 0 || (await run('Lint', 'oxlint/bin/oxlint', code)),
	pages.length === 0 ||
		(await run('Lint of pages', 'eslint/bin/eslint.js', ['--max-warnings', '0', ...pages])),
];
const tests = [
	...['run', '--project=units', '--project=embedded', '--project=api'],
	...[`--changed=${since}`, '--passWithNoTests'],
];
// The checks take one core.
const passed = await Promise.all([checks(), run('Tests', 'vitest/vitest.mjs', tests, true)]);
process.exitCode = passed.flat().every(Boolean) ? 0 : 1;
