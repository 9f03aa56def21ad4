import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const LOCK = {
	'': {},
	'node_modules/hono': { version: '2.0.0' },
	'node_modules/vitest': { version: '1.0.0', dev: true },
	'node_modules/fsevents': { version: '1.0.0', devOptional: true, optional: true },
};
const WITHOUT_TOOLS = { 'node_modules/hono': LOCK['node_modules/hono'] };
const WITH_TOOLS = { ...WITHOUT_TOOLS, 'node_modules/vitest': LOCK['node_modules/vitest'] };

/** Installs in a checkout that has these packages, with a npm that only says how it was called. Returns that, or nothing. */
function installed(present: object | undefined, tools: boolean): string {
	const root = mkdtempSync(join(tmpdir(), 'install-'));
	onTestFinished(() => rmSync(root, { recursive: true }));
	mkdirSync(join(root, 'src/cli'), { recursive: true });
	for (const name of ['install.mjs', 'install-progress.mjs'])
		cpSync(join('src/cli', name), join(root, 'src/cli', name));
	writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCK }));
	const node = join(root, 'node_modules/node/bin');
	if (present) {
		mkdirSync(node, { recursive: true });
		writeFileSync(join(node, 'node'), '');
		writeFileSync(
			join(root, 'node_modules/.package-lock.json'),
			JSON.stringify({ packages: present }),
		);
	}
	mkdirSync(join(root, 'bin'));
	const said = join(root, 'said');
	writeFileSync(said, '');
	writeFileSync(
		join(root, 'bin/npm'),
		`#!/bin/sh\necho "$@" > ${said}\nmkdir -p ${node} && touch ${node}/node\n`,
	);
	chmodSync(join(root, 'bin/npm'), 0o755);
	const code = `import { install } from ${JSON.stringify(pathToFileURL(join(root, 'src/cli/install.mjs')).href)}; install(${tools});`;
	const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
		env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}` },
		encoding: 'utf8',
	});
	expect([status, stderr]).toEqual([0, '']);
	return readFileSync(said, 'utf8').trim();
}

const outdated = { 'node_modules/hono': { version: '1.0.0' } };

test.each([
	['a fresh checkout starts with what a site runs on', undefined, false, '--omit=dev'],
	['tests install all', undefined, true, '--include=dev'],
	['a site that is there needs nothing', WITHOUT_TOOLS, false, ''],
	['tests in it install the rest', WITHOUT_TOOLS, true, '--include=dev'],
	['where all is there, tests need nothing', WITH_TOOLS, true, ''],
	['what is outdated is installed anew', outdated, false, '--omit=dev'],
	['with the tools where there were some', { ...WITH_TOOLS, ...outdated }, false, '--include=dev'],
])('%s', (_name, present, tools, how) => {
	expect(installed(present, tools)).toBe(how && `ci --loglevel=error ${how}`);
});
