// Must parse and run on any Node from 14 on, with nothing installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { packagesOf, root } from './install.mjs';

const INTERVAL_MS = 5000;

// It may end while npm installs.
const parent = process.ppid;
const started = Date.now();
const paths = Object.keys(packagesOf('package-lock.json')).filter((path) => path !== '');

const total = Number(process.argv[2]);

setInterval(() => {
	if (process.ppid !== parent) process.exit();
	const done = paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
	const seconds = Math.round((Date.now() - started) / 1000);
	console.log(`Installing packages: ${done} of up to ${total}, for ${seconds} s now…`);
}, INTERVAL_MS);
