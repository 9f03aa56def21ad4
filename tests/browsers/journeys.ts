/**
 * Does what readers do in each browser and compares the pages that they see, and prints what failed or differs: of a new site
 * by `npm run test:engines`, of one that runs by `npm run test:engines -- http://127.0.0.1:8888 [browsers] [paths]`. Pictures
 * of the pages are in test-results/engines.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openBadLine } from '#tests/support/bad-line.ts';
import { FORMS, inPage, type Driver } from '#tests/support/changed-pages.ts';
import { differencesOf, readLooks, type Looks } from './looks.ts';
import { examplesOf, PAGES } from '#src/site.ts';
import { inBrowsers, openSite } from './drivers.ts';

const [given, browsers, paths] = process.argv.slice(2);
const { site, close } = await openSite(given);
const line = await openBadLine(site);
const article = '/blog/attention-in-plain-arithmetic';

/** Waits until what a selector finds says this, and returns that. */
async function seen(driver: Driver, selector: string, words: string): Promise<string> {
	const found = await inPage(
		driver,
		async (where, pattern) => {
			const texts = () =>
				[...document.querySelectorAll<HTMLElement>(where)]
					.filter((element) => element.checkVisibility())
					.map(({ textContent, innerText }) => innerText || textContent);
			const isSaid = (text: string) => new RegExp(pattern).test(text);
			for (const end = Date.now() + 60_000; Date.now() < end && !texts().some(isSaid);)
				await new Promise((go) => setTimeout(go, 50));
			return { text: texts().find(isSaid) ?? null, all: texts().join(' | ').slice(0, 300) };
		},
		selector,
		words,
	);
	if (found.text === null) throw new Error(`${selector} does not say ${words}, but: ${found.all}`);
	return found.text;
}

/** Waits until a condition holds in the page, or in the one that it leads to. */
async function holds(driver: Driver, condition: string): Promise<void> {
	let why: unknown;
	for (const end = Date.now() + 60_000; Date.now() < end; await wait(100)) {
		// A page that is just being left answers nothing.
		const isTrue = await driver.run(condition).catch((error: unknown) => void (why = error));
		if (isTrue) return;
	}
	throw new Error(`Never: ${condition}`, { cause: why });
}

/** Opens a page as one in which the letter's modal was seen. */
async function open(driver: Driver, path: string): Promise<void> {
	await driver.open(path);
	await holds(driver, `document.readyState === 'complete'`);
	await driver.run(`sessionStorage.setItem('newsletter_modal_shown', 'true')`);
}

async function fill(driver: Driver, form: string, fields: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(fields)) {
		await driver.press(`${form} [name=${name}]`);
		await driver.type(value);
	}
	await driver.press(`${form} [type=submit]`);
}

const JOURNEYS: Record<string, (driver: Driver) => Promise<unknown>> = {
	async 'read: the contents lead to a section'(driver) {
		await open(driver, article);
		await driver.press('.article-columns > nav li:nth-child(3) a');
		await holds(driver, `location.hash.length > 1`);
		await holds(
			driver,
			`Math.abs(document.getElementById(location.hash.slice(1)).getBoundingClientRect().top - 100) < 100`,
		);
	},
	async 'search: a word leads to an article'(driver) {
		await open(driver, '/about');
		await driver.press('header a[href="/search"]');
		await seen(driver, '[role=dialog] h2, dialog h2', 'Search Articles');
		await driver.type('kalman');
		await seen(driver, '[role=dialog] li a, dialog li a', 'Kalman');
		await driver.press(
			':is([role=dialog], dialog) li a[href^="/blog/kalman-filter-careful-averaging"]',
		);
		await holds(driver, `location.pathname === '/blog/kalman-filter-careful-averaging'`);
	},
	async 'like: it is kept'(driver) {
		await open(driver, article);
		await driver.press('[data-like]');
		await holds(driver, `document.querySelector('[data-like]').ariaPressed === 'true'`);
		await open(driver, article);
		await holds(driver, `document.querySelector('[data-like]').ariaPressed === 'true'`);
	},
	async 'save: the list has it'(driver) {
		await open(driver, '/blog/bm25-baseline');
		await driver.press('[data-save]');
		await holds(driver, `document.querySelector('[data-save]').ariaPressed === 'true'`);
		await open(driver, '/saved');
		await holds(driver, `document.querySelector('main li a[href="/blog/bm25-baseline"]') !== null`);
	},
	async 'comment: it is posted'(driver) {
		const { path, sends, fields } = FORMS['comments']!;
		await open(driver, path);
		await fill(driver, `form[action="${sends}"]`, fields);
		await seen(driver, 'body', 'Comment posted!');
	},
	async 'subscribe: the letter is ordered'(driver) {
		await open(driver, '/newsletter');
		const email = `reader-${Date.now()}@example.com`;
		await fill(driver, 'form[action="/api/subscribers"]', { email });
		await seen(driver, 'body', "You(’|')re subscribed");
	},
	async 'filter: the blog shows one category'(driver) {
		await open(driver, '/blog');
		const robotics = 'nav[aria-label="Filter by category"] a[href$="robotics"]';
		await driver.press(robotics);
		await holds(driver, `document.querySelector('main a[href="/blog/pid-four-faults"]') !== null`);
		await holds(driver, `document.querySelector('main article a[href="${article}"]') === null`);
	},
	async 'run: a program prints what it says, and is edited in color'(driver) {
		await open(driver, '/blog/odometry-heading-drift');
		await driver.press('figure[data-run=js] [data-action=run]');
		await seen(driver, '.run-result', 'Same as printed.');
		await driver.press('figure[data-run=js] [data-action=edit]');
		await holds(driver, `document.querySelector('.run-colors .t-k') !== null`);
		await driver.type('let');
		await holds(
			driver,
			`document.querySelector('.run-editor').value.includes('let') &&
			document.querySelector('.run-colors').textContent.trim() === document.querySelector('.run-editor').value.trim()`,
		);
	},
	async 'explainer: a control changes what it says'(driver) {
		await open(driver, '/blog/gradient-descent-narrow-valley');
		const figure = '[data-explainer]';
		await driver.run(`document.querySelector('${figure}').scrollIntoView()`);
		await holds(driver, `document.querySelector('${figure} input[type=range]') !== null`);
		const before = await driver.run(`document.querySelector('${figure}').innerText`);
		await driver.press(`${figure} button`);
		await holds(
			driver,
			`document.querySelector('${figure}').innerText !== ${JSON.stringify(before)}`,
		);
	},
	async 'theme: dark is kept on the next page'(driver) {
		await open(driver, '/');
		const isDark = `document.documentElement.dataset.theme === 'dark'`;
		await driver.press('button[aria-label^="Color theme"]');
		await holds(driver, `document.documentElement.dataset.theme === 'light'`);
		await driver.press('button[aria-label^="Color theme"]');
		await holds(driver, isDark);
		await open(driver, '/about');
		await holds(
			driver,
			`${isDark} && getComputedStyle(document.body).colorScheme.includes('dark')`,
		);
		await driver.run(`localStorage.removeItem('theme')`);
	},
	async 'map: it answers what pay is'(driver) {
		await open(driver, '/ai-best-practices');
		await driver.press('.measures label:has([value=pay])');
		await seen(driver, 'h2', 'Mean pay of AI jobs');
		await holds(
			driver,
			`document.querySelector('[data-sortable] tbody th').textContent.trim() === 'Washington'`,
		);
	},
	async 'offline: a saved article opens on a line that is cut'(driver) {
		line.set(undefined);
		await open(driver, line.address + article);
		await driver.press('[data-save]');
		await driver.run(`(async () => {
			for (const end = Date.now() + 60_000; Date.now() < end && !(await caches.match(location.pathname));)
				await new Promise((go) => setTimeout(go, 100));
		})()`);
		line.set('fails');
		await open(driver, line.address + article);
		await seen(driver, 'h1', 'Attention in plain arithmetic');
		await holds(driver, `document.querySelector('.prose')?.textContent.split(' ').length > 1000`);
	},
};

const pages = paths?.split(',') ?? [
	...new Set([...examplesOf(PAGES), '/search?q=attention', '/nowhere']),
];
const folder = 'test-results/engines';
await mkdir(folder, { recursive: true });
const looks = new Map<string, Looks>();
let done = 0;
let tried = 0;
let faults = 0;
const tell = (words: string) => {
	faults++;
	console.log(words);
};
const failures = await inBrowsers(
	browsers,
	() => Promise.resolve(site),
	async (driver, version) => {
		for (const [name, journey] of Object.entries(paths ? {} : JOURNEYS)) {
			tried++;
			try {
				await journey(driver);
				done++;
			} catch (error) {
				tell(`${version}: ${name}: ${(error as Error).message}`);
			}
		}
		console.log(`${version}: ${done} of ${tried} journeys so far`);
		for (const width of [1280, 500]) {
			// Some browsers keep room for a scroll bar.
			await driver.resize(width, 900);
			await open(driver, '/');
			const shown = (await driver.run('document.body.clientWidth')) as number;
			await driver.resize(2 * width - shown, 900);
			for (const path of pages) {
				const key = `${path} at ${width}`;
				let look: Looks;
				try {
					await open(driver, path);
					look = await inPage(driver, readLooks);
				} catch (error) {
					tell(`${version}: ${key}: ${(error as Error).message}`);
					continue;
				}
				const file = `${path.replace(/\W+/g, '-').slice(1) || 'home'}-${width}-${version.split(' ')[0]!.toLowerCase()}.png`;
				await writeFile(`${folder}/${file}`, await driver.picture());
				// The first browser that saw a page is what the others are compared with.
				const first = looks.get(key);
				if (!first) looks.set(key, look);
				for (const words of differencesOf(first ?? look, look))
					tell(`${version}: ${key}: ${words}`);
			}
		}
	},
);
faults += failures;
line.close();
await close();
console.log(`${done} of ${tried} journeys, ${looks.size} pages compared, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
