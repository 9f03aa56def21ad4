import { chromium, type Browser, type Locator, type Page } from '@playwright/test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { siteFolder } from '#src/build/builds.ts';
import { ensureBrowser } from '#tests/support/browser.mjs';
import { atRest, startHost } from '#tests/support/host.ts';
import { withFolder } from './folder.ts';
import { median } from './measure.ts';
import { printTable } from './table.ts';

const RUNS = 7;
/** Times that the processor is slowed, as in Lighthouse's phone. */
const SLOWER = 4;
const PHONE = { width: 412, height: 823 };
/** Events below this are not told by browsers. */
const LEAST_MS = 16;

type Interaction = {
	name: string;
	path: string;
	/** Theme of the system, where that matters. */
	colorScheme?: 'dark' | 'light';
	act: (page: Page) => Promise<void>;
};

const ARTICLE = '/blog/attention-in-plain-arithmetic';
const INTERACTIONS: Interaction[] = [
	{
		name: 'search, opened',
		path: ARTICLE,
		act: (page) => press(page.getByRole('link', { name: 'Search articles' })),
	},
	{
		name: 'search, six letters typed',
		path: '/search',
		act: (page) =>
			page
				.getByRole('textbox', { name: 'Search articles' })
				.pressSequentially('kalman', { delay: 150 }),
	},
	{ name: 'like', path: ARTICLE, act: (page) => press(page.locator('[data-like]').first()) },
	{ name: 'save', path: ARTICLE, act: (page) => press(page.locator('[data-save]').first()) },
	{
		name: 'menu',
		path: '/',
		act: (page) => press(page.getByRole('button', { name: 'Menu' })),
	},
	// From the system's to light: one changes every color, the other none.
	{ name: 'theme, dark to light', path: ARTICLE, colorScheme: 'dark', act: pressTheme },
	{ name: 'theme, light to light', path: ARTICLE, act: pressTheme },
	{
		name: 'filter, a category chosen',
		path: '/blog',
		// By keys, because a browser's own list of options is not a part of the page.
		async act(page) {
			await page.getByRole('combobox', { name: 'Category' }).focus();
			await page.keyboard.press('ArrowDown');
		},
	},
	{
		name: 'explainer, a slider moved',
		path: ARTICLE,
		async act(page) {
			await page.getByRole('slider', { name: 'First coordinate' }).focus();
			await page.keyboard.press('End');
		},
	},
];

/**
 * Measures how long a browser as slow as a phone's takes from an interaction to the next paint, the slowest of each page's events,
 * seven times in a page that was just opened. Prints medians and the slowest.
 */
export async function benchInteractions(): Promise<void> {
	const executablePath = ensureBrowser();
	await withFolder(async (folder) => {
		const url = `file:${join(folder, 'site.db')}`;
		const host = await startHost({ DATABASE_URL: url });
		const browser = await chromium.launch(executablePath ? { executablePath } : {});
		const rows: string[][] = [];
		try {
			await atRest(host);
			for (const interaction of INTERACTIONS) {
				const times: number[] = [];
				for (let run = 0; run < RUNS; run++)
					times.push(await measure(browser, host.address, interaction));
				rows.push([interaction.name, ...[median(times), Math.max(...times)].map(written)]);
				console.log(interaction.name, ...times);
			}
		} finally {
			await browser.close();
			await host.stop();
			await rm(siteFolder(url), { recursive: true, force: true });
		}
		printTable(['interaction', 'median', 'slowest'], rows);
		console.log('Aim: 50 ms or less.');
	});
}

function pressTheme(page: Page): Promise<void> {
	return press(page.getByRole('button', { name: /^Color theme/ }).first());
}

/** Presses as a pointer does. Playwright's own click looks in the page, in its time, for what each of its events meets. */
async function press(target: Locator): Promise<void> {
	const { x, y, width, height } = (await target.boundingBox())!;
	await target.page().mouse.click(x + width / 2, y + height / 2);
}

const written = (ms: number) => (ms < LEAST_MS ? `under ${LEAST_MS} ms` : `${ms} ms`);

/** Returns the milliseconds of the slowest event of an interaction; 0 where the browser tells of none. */
async function measure(
	browser: Browser,
	address: string,
	{ path, colorScheme = 'light', act }: Interaction,
) {
	const page = await browser.newPage({ viewport: PHONE, colorScheme });
	await page.goto(address + path, { waitUntil: 'networkidle' });
	const session = await page.context().newCDPSession(page);
	await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
	await page.evaluate((least) => {
		const told = Object.assign(globalThis, { slowest: 0 });
		new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) told.slowest = Math.max(told.slowest, duration);
		}).observe({ type: 'event', durationThreshold: least } as PerformanceObserverInit);
	}, LEAST_MS);
	await act(page);
	const slowest = await page.evaluate(async () => {
		// An event is told of once it is painted.
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
		await new Promise((resolve) => setTimeout(resolve, 200));
		return (globalThis as { slowest?: number }).slowest!;
	});
	await page.close();
	return slowest;
}
