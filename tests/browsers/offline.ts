/**
 * Saves an article of a site that runs in each browser, makes the line go bad in every way, and prints whether the article
 * opens: `node tests/browsers/offline.ts http://127.0.0.1:8888 [browsers]`.
 */
import { FAULTS, openBadLine } from '#tests/support/bad-line.ts';
import { inPage } from '#tests/support/changed-pages.ts';
import { BROWSERS } from './drivers.ts';

const article = '/blog/attention-in-plain-arithmetic';
const title = 'Attention in plain arithmetic';

const [site = 'http://127.0.0.1:8888', browsers] = process.argv.slice(2);
let faults = 0;
for (const name of browsers?.split(',') ?? Object.keys(BROWSERS)) {
	const line = await openBadLine(site);
	try {
		const { driver, version, stop } = await BROWSERS[name]!(line.address);
		await driver.open(article);
		const isKept = await inPage(driver, saveIt);
		if (!isKept) throw new Error(`${version}: no copy was kept`);
		for (const fault of FAULTS) {
			line.set(fault);
			await driver.open(article);
			const shown = await inPage(driver, readPage);
			const isRight = shown.title === title && shown.isSaved && shown.words > 1000;
			if (!isRight) faults++;
			console.log(`${version}: ${fault}: ${isRight ? 'opens' : JSON.stringify(shown)}`);
		}
		await stop();
	} catch (error) {
		faults++;
		console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
	}
	line.close();
}
console.log(`${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;

/** Presses Save, and returns whether a copy is kept then. */
async function saveIt(): Promise<boolean> {
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
