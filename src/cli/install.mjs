// Must parse and run on any Node from 14 on, with nothing installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const OLDEST_NODE = 20;
const NEEDED_NODE = 24;

/** The project's own Node, a package, so that every machine has the same version. */
const own = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns the path of that Node; where it was left out, of one like it that runs this. */
const nodePath = () =>
	existsSync(own) || !process.versions.node.startsWith(`${NEEDED_NODE}.`) ? own : process.execPath;

/**
 * Installs the packages of the lock file unless they are there: those that a site runs on, and with `tools` those for tests. Where
 * there are some of these, they stay up to date, too. The project's Node, a third of what the disk holds, is left out of a site where
 * the one that runs this is no older. Returns the path of the Node to run on. Exits on failure.
 */
export function install(tools = false) {
	if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
		fail(
			`Node ${process.versions.node} is too old to install with: use Node ${OLDEST_NODE} or newer.`,
		);
	}
	if (isInstalled(tools)) return nodePath();
	console.log('Installing packages, which takes a minute or two…');
	const started = Date.now();
	const withTools = tools || hasTools();
	const reminder = remind(withTools);
	// npm would warn about packages that need another Node than the one it runs on; the project brings its own.
	const kind = withTools
		? ['--include=dev']
		: ['--omit=dev', ...(isNewEnough() ? ['--ignore-scripts'] : [])];
	const { status } = spawnSync('npm', ['ci', '--loglevel=error', ...kind], {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (reminder) reminder.kill();
	if (status !== 0) fail('The packages could not be installed: npm ci failed, see above.');
	if (!existsSync(nodePath())) {
		fail(`npm installed no Node ${NEEDED_NODE}: allow it to run install scripts.`);
	}
	console.log(`Installing packages took ${((Date.now() - started) / 1000).toFixed(1)} s.`);
	return nodePath();
}

/** Returns the environment of this process, in which Node loads code in less time: it keeps what it compiled, and looks for less. */
export function quickEnv() {
	const imported = `--import=${new URL('find-modules.mjs', import.meta.url).href}`;
	return Object.assign(
		{ NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') },
		process.env,
		{ NODE_OPTIONS: [process.env.NODE_OPTIONS, imported].filter(Boolean).join(' ') },
	);
}

/** Starts a process that says how far npm is, which says nothing itself where no terminal is. */
function remind(withTools) {
	if (process.stdout.isTTY) return undefined;
	const script = join(root, 'src/cli/install-progress.mjs');
	const wanted = packagesOf('package-lock.json');
	const count = Object.keys(wanted).filter((path) => path && (withTools || !isTool(wanted[path])));
	return spawn(process.execPath, [script, String(count.length)], {
		stdio: ['ignore', 'inherit', 'ignore'],
	});
}

/** Prints one sentence and ends the process. */
export function fail(sentence) {
	console.error(sentence);
	process.exit(1);
}

/** Returns whether node_modules contains what the lock file asks for, according to npm's own record. */
function isInstalled(tools) {
	if (!existsSync(nodePath())) return false;
	const wanted = packagesOf('package-lock.json');
	const present = packagesOf('node_modules/.package-lock.json');
	return Object.keys(wanted).every((path) => {
		if (path === '') return true;
		const { version, optional } = wanted[path];
		if (present[path]) return present[path].version === version;
		// Packages for other platforms are in the lock file only, and the server does not need those for tests.
		return Boolean(optional || (!tools && isTool(wanted[path])));
	});
}

/** Returns whether the Node that runs this is one like the project's own, which a script of its package fetches, and no older. */
function isNewEnough() {
	const { version } = packagesOf('package-lock.json')['node_modules/node'];
	const [[major, minor], [ownMajor, ownMinor]] = [process.versions.node, version].map((one) =>
		one.split('.').map(Number),
	);
	return major === ownMajor && minor >= ownMinor;
}

/** Returns whether a package of the lock file is there for tests alone. */
const isTool = ({ dev, devOptional }) => Boolean(dev || devOptional);

/** Returns whether packages for tests were installed before. */
function hasTools() {
	return Object.values(packagesOf('node_modules/.package-lock.json')).some(isTool);
}

/** Returns the packages of a lock file, by path. */
export function packagesOf(file) {
	try {
		return JSON.parse(readFileSync(join(root, file), 'utf8')).packages || {};
	} catch (error) {
		return {};
	}
}
