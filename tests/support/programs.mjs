import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
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
