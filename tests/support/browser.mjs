import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { find } from './programs.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The same browser without windows, as Playwright's own download is: pages open in half the time. */
const HEADLESS = 'chromium-headless-shell';

/** Returns the path of an installed Chrome or Chromium, or undefined. */
export function findBrowser() {
	return find(...NAMES) ?? PLACES.find((place) => existsSync(place));
}

/** Returns the path of the browser that tests run in, or undefined where it is Playwright's own. */
export function findTestBrowser() {
	return find(HEADLESS) ?? findBrowser();
}

/**
 * A browser for the tests: an installed one first, then Playwright's download, then the system's package manager.
 * Returns its path, or undefined where Playwright's own is to be used. Throws one sentence where none can be had.
 */
export function ensureBrowser() {
	const installed = findBrowser();
	if (installed) {
		// Beside Debian's Chromium. Where it cannot be had, the tests take longer.
		if (!find(HEADLESS) && !apt('install', '-y', HEADLESS) && apt('update')) {
			apt('install', '-y', HEADLESS);
		}
		return installed;
	}
	console.log('Installing a browser for the tests…');
	const download = spawnSync('npx', ['playwright', 'install', 'chromium'], {
		stdio: 'ignore',
		timeout: 300_000,
	});
	if (download.status === 0) return undefined;
	apt('update');
	apt('install', '-y', 'chromium', HEADLESS);
	const packaged = findBrowser();
	if (packaged) return packaged;
	throw new Error(
		'No browser could be installed: install Chrome or Chromium and run npm test again.',
	);
}

/** Runs the system's package manager. Returns whether that worked. */
function apt(...args) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	return spawnSync('apt-get', args, { stdio: 'ignore', env }).status === 0;
}
