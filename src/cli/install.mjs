// Parses and runs on any Node from 14 on, with nothing installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const OLDEST_NODE = 20;
const NEEDED_NODE = 24;

/** The Node that the project runs on: a package, so that every machine has the same. */
const node = join(
	root,
	'node_modules/node/bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);

/**
 * Installs packages unless the lock file's are there, with `tools` those for tests too; returns the project's own Node.
 * Ends the process where it cannot.
 */
export function install(tools = false) {
	if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
		fail(
			`Node ${process.versions.node} is too old to install with: use Node ${OLDEST_NODE} or newer.`,
		);
	}
	if (isInstalled(tools)) return node;
	console.log('Installing packages, which takes a minute or two…');
	const started = Date.now();
	// Warnings would be of packages that want another Node than the one npm runs on: the project brings its own.
	const { status } = spawnSync(
		'npm',
		['ci', '--loglevel=error'].concat(tools ? ['--include=dev'] : []),
		{ cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
	);
	if (status !== 0) fail('The packages could not be installed: npm ci failed, see above.');
	if (!existsSync(node)) {
		fail(`npm installed no Node ${NEEDED_NODE}: allow it to run install scripts.`);
	}
	console.log(`Installing packages took ${((Date.now() - started) / 1000).toFixed(1)} s.`);
	return node;
}

/** Prints one sentence and ends the process. */
export function fail(sentence) {
	console.error(sentence);
	process.exit(1);
}

/** Whether node_modules holds what the lock file asks for, by npm's own record of it. */
function isInstalled(tools) {
	if (!existsSync(node)) return false;
	const wanted = packagesOf('package-lock.json');
	const present = packagesOf('node_modules/.package-lock.json');
	return Object.keys(wanted).every((path) => {
		if (path === '') return true;
		const { version, optional, dev, devOptional } = wanted[path];
		if (present[path]) return present[path].version === version;
		// Packages for other platforms are in the lock file only; the server needs none of those for tests.
		return Boolean(optional || (!tools && (dev || devOptional)));
	});
}

function packagesOf(file) {
	try {
		return JSON.parse(readFileSync(join(root, file), 'utf8')).packages || {};
	} catch (error) {
		return {};
	}
}
