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
	'node_modules/node': { version: '24.21.0' },
	'node_modules/vitest': { version: '1.0.0', dev: true },
	'node_modules/fsevents': { version: '1.0.0', devOptional: true, optional: true },
};
const WITHOUT_TOOLS = {
	'node_modules/hono': LOCK['node_modules/hono'],
	'node_modules/node': LOCK['node_modules/node'],
};
const WITH_TOOLS = { ...WITHOUT_TOOLS, 'node_modules/vitest': LOCK['node_modules/vitest'] };

/** Installs in a checkout that has these packages, with a npm that only says how it was called. Returns that, or nothing. */
function installed(present: object | undefined, tools: boolean, version: string): string {
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
	const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
		const { install } = await import(${JSON.stringify(pathToFileURL(join(root, 'src/cli/install.mjs')).href)});
		install(${tools});`;
	const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
		env: { PATH: `${join(root, 'bin')}:${process.env['PATH']}` },
		encoding: 'utf8',
	});
	expect([status, stderr]).toEqual([0, '']);
	return readFileSync(said, 'utf8').trim();
}

/** Those that may run the install, and whether a site can do without the project's own. */
const NODES: [version: string, isNewEnough: boolean][] = [
	['22.12.0', false],
	['24.20.3', false],
	['24.21.0', true],
	['24.30.1', true],
	['26.21.0', false],
];

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
	for (const [version, isNewEnough] of NODES) {
		const own = isNewEnough && how === '--omit=dev' ? ' --ignore-scripts' : '';
		expect(installed(present, tools, version), version).toBe(
			how && `ci --loglevel=error ${how}${own}`,
		);
	}
});
