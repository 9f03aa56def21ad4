import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { find } from './programs.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of an installed Chrome or Chromium, or undefined. */
export function findBrowser() {
	return find(...NAMES) ?? PLACES.find((place) => existsSync(place));
}

/**
 * A browser for the tests: an installed one first, then Playwright's download, then the system's package manager.
 * Returns its path, or undefined where Playwright's own is to be used. Throws one sentence where none can be had.
 */
export function ensureBrowser() {
	const installed = findBrowser();
	if (installed) return installed;
	console.log('Installing a browser for the tests…');
	const download = spawnSync('npx', ['playwright', 'install', 'chromium'], {
		stdio: 'ignore',
		timeout: 300_000,
	});
	if (download.status === 0) return undefined;
	try {
		execFileSync('apt-get', ['update'], { stdio: 'ignore' });
		execFileSync('apt-get', ['install', '-y', 'chromium'], {
			stdio: 'ignore',
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		});
	} catch {
		// The sentence below says what to do.
	}
	const packaged = findBrowser();
	if (packaged) return packaged;
	throw new Error(
		'No browser could be installed: install Chrome or Chromium and run npm test again.',
	);
}
