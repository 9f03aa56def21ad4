/**
 * Saves an article of a site in each browser, makes the line go bad in every way, and prints whether the article opens: of
 * a new site by `npm run test:bad-line`, of one that runs by `npm run test:bad-line -- http://127.0.0.1:8888 [browsers]`.
 */
import { FAULTS, openBadLine, type BadLine } from '#tests/support/bad-line.ts';
import { inPage } from '#tests/support/changed-pages.ts';
import { inBrowsers, openSite } from './drivers.ts';

const article = '/blog/attention-in-plain-arithmetic';
const title = 'Attention in plain arithmetic';

const [given, browsers] = process.argv.slice(2);
const { site, close } = await openSite(given);
let faults = 0;
let line: BadLine | undefined;
const failures = await inBrowsers(
	browsers,
	async () => {
		line?.close();
		line = await openBadLine(site);
		return line.address;
	},
	async (driver, version) => {
		await driver.open(article);
		const isKept = await inPage(driver, saveIt);
		if (!isKept) throw new Error(`${version}: no copy was kept`);
		for (const fault of FAULTS) {
			line!.set(fault);
			await driver.open(article);
			const shown = await inPage(driver, readPage);
			const isRight = shown.title === title && shown.isSaved && shown.words > 1000;
			if (!isRight) faults++;
			console.log(`${version}: ${fault}: ${isRight ? 'opens' : JSON.stringify(shown)}`);
		}
	},
);
line?.close();
faults += failures;
await close();
console.log(`${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;

/** Presses Save, and returns whether a copy is kept then. */
async function saveIt(): Promise<boolean> {
	// WebKit's driver goes on before the page has its scripts.
	if (document.readyState !== 'complete')
		await new Promise((go) => addEventListener('load', go, { once: true }));
	document.querySelector<HTMLElement>('[data-save]')!.click();
	for (const end = Date.now() + 60_000; Date.now() < end;) {
		if (await caches.match(location.pathname)) return true;
		await new Promise((go) => setTimeout(go, 100));
	}
	return false;
}

/** Returns what of an article is there, once its script has run. */
async function readPage() {
	const isSaved = () =>
		document.querySelector('[data-save]')?.getAttribute('aria-pressed') === 'true';
	for (const end = Date.now() + 20_000; Date.now() < end && !isSaved();)
		await new Promise((go) => setTimeout(go, 100));
	return {
		title: document.querySelector('h1')?.textContent.trim() ?? '',
		words: document.querySelector('.prose')?.textContent.split(/\s+/).length ?? 0,
		isSaved: isSaved(),
	};
}
