import type { Page } from '@playwright/test';
import { FAULTS, openBadLine, type BadLine } from '#tests/support/bad-line.ts';
import { expect, test as base } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
const title = 'Attention in plain arithmetic';
const other = '/blog/bm25-baseline';
const otherTitle = 'BM25';

/** A reader on a line that can go bad. The browser's own words about what did not come are not counted. */
const test = base.extend<{ line: BadLine; hurried: boolean }>({
	/** Shortens the wait for an answer from 20 seconds to 5. A busy machine may need the 20 for what arrives in the end. */
	hurried: [false, { option: true }],
	line: async ({ baseURL, consoleErrors, page, hurried }, use) => {
		const line = await openBadLine(baseURL!, hurried);
		await page.goto(line.address + article);
		await use(line);
		line.close();
		consoleErrors.splice(0);
	},
});

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).first();
const toast = (page: Page) => page.locator('.toaster .toast').first();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const kept = (page: Page) =>
	page.evaluate(async () => {
		const pages = await caches.open('pages');
		return (await pages.keys()).map(({ url }) => new URL(url).pathname).sort();
	});
const keptText = (page: Page, path = article) =>
	page.evaluate(async (name) => (await (await caches.match(name))?.text()) ?? '', path);
async function saveIt(page: Page): Promise<void> {
	const { pathname } = new URL(page.url());
	await save(page).click();
	let visits = 0;
	// What was too slow to be kept is kept at a later visit.
	await expect(async () => {
		if (visits++ > 0) await page.reload();
		await expect.poll(() => keptText(page, pathname)).not.toBe('');
	}).toPass({ timeout: 60_000 });
}

test('that an article can be read without a connection is said when its copy is kept @nightly', async ({
	page,
	line,
}) => {
	expect(line.address).toContain('127.0.0.1');
	await save(page).click();
	await expect(toast(page)).toContainText('also without a connection');
	expect(await kept(page)).toContain(article);
});

for (const fault of FAULTS) {
	test.describe(() => {
		test.use({ hurried: fault === 'hangs' });

		// Of a line that hangs nothing comes; behind a login, something wrong does. What is saved meanwhile is alike in all.
		const nightly = fault === 'wall' ? '' : ' @nightly';
		const opens = fault === 'hangs' ? '' : nightly;
		test(`a saved article opens whole when the line ${fault === 'wall' ? 'is behind a login' : fault}, and its copy stays${opens}`, async ({
			page,
			line,
		}) => {
			await saveIt(page);
			const before = await keptText(page);
			line.set(fault);
			await page.goto(line.address + article);
			await expect(heading(page)).toHaveText(title);
			expect(page.url()).toBe(line.address + article);
			// The copy's styles and scripts are there as well.
			await expect(save(page)).toHaveAttribute('aria-pressed', 'true');
			const fonts = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
			expect(fonts).toContain('sans-serif');
			await page.goto(`${line.address}/saved`);
			await expect(page.getByRole('link', { name: title }).first()).toBeVisible();
			expect(await keptText(page)).toBe(before);
		});

		test(`while the line ${fault}, an article is saved without a promise, and one saved later is kept${nightly}`, async ({
			page,
			line,
			context,
		}) => {
			line.set(fault, new RegExp(`^${article}$`));
			await save(page).click();
			await expect(toast(page)).toContainText('Article saved');
			await expect(toast(page)).not.toContainText('without a connection');
			const tab = await context.newPage();
			await tab.goto(line.address + other);
			await saveIt(tab);
			expect(await kept(tab)).toEqual([other, '/saved']);
			// When the line is good again, the next visit of any article keeps both.
			line.set(undefined);
			await tab.reload();
			await expect.poll(() => kept(tab), { timeout: 60_000 }).toEqual([article, other, '/saved']);
		});

		test(`what an article needs is not replaced by what comes when the line ${fault}${nightly}`, async ({
			page,
			line,
		}) => {
			line.set(fault, /^\/_astro\//);
			// What is said to readers cannot be loaded either.
			const told = page.evaluate(
				(path) =>
					new Promise((resolve) => {
						const news = new BroadcastChannel('offline');
						news.onmessage = ({ data }: MessageEvent<{ path: string; isKept: boolean }>) => {
							if (data.path === path) resolve(data.isKept);
						};
					}),
				article,
			);
			await save(page).click();
			expect(await told).toBe(false);
			expect(await kept(page)).not.toContain(article);
			line.set(undefined);
			await page.reload();
			await expect.poll(() => kept(page), { timeout: 60_000 }).toEqual([article, '/saved']);
			const types = await page.evaluate(async () => {
				const assets = await caches.open('assets');
				const all = await Promise.all((await assets.keys()).map((key) => assets.match(key)));
				return all.map((one) => one!.headers.get('Content-Type'));
			});
			expect(types.length).toBeGreaterThan(10);
			expect(types.filter((type) => type?.startsWith('text/html'))).toEqual([]);
		});
	});
}

test('an article that the site withdrew goes, one that a stranger calls missing stays', async ({
	page,
	line,
	baseURL,
}) => {
	await saveIt(page);
	const missing = await (await page.request.get(`${baseURL}/blog/nothing-here`)).text();
	line.change = (path, html) => ({ body: path === article ? '<html>Not here</html>' : html });
	await page.goto(line.address + article);
	await expect(heading(page)).toHaveText(title);
	expect(await kept(page)).toContain(article);
	line.change = (path, html) =>
		path === article ? { body: missing, status: 404 } : { body: html };
	await page.goto(line.address + article);
	await expect(heading(page)).not.toHaveText(title);
	await expect.poll(() => kept(page)).toEqual(['/saved']);
});

test('another page of the site in the place of a saved article does not replace its copy', async ({
	page,
	line,
}) => {
	await saveIt(page);
	const before = await keptText(page);
	const wrong = await (await page.request.get(line.address + other)).text();
	line.change = (path, html) => ({ body: path === article ? wrong : html });
	await page.goto(line.address + article);
	await expect(heading(page)).toHaveText(title);
	expect(await keptText(page)).toBe(before);
});

test('a page that a proxy marks no-store is kept, as its reader asked @nightly', async ({
	page,
	line,
}) => {
	line.change = (path, html) => ({
		body: html.replace('</h1>', ' (once)</h1>'),
		headers: { 'Cache-Control': 'no-store' },
	});
	await saveIt(page);
	line.set('fails');
	await page.goto(line.address + article);
	await expect(heading(page)).toHaveText(`${title} (once)`);
});

test('an article unsaved while it is being saved is not kept, and saved in several tabs each is @nightly', async ({
	page,
	line,
	context,
}) => {
	line.set('hangs', new RegExp(`^${article}$`));
	await save(page).click();
	await save(page).click();
	line.set(undefined);
	const tab = await context.newPage();
	await tab.goto(line.address + other);
	await Promise.all([saveIt(tab), page.reload().then(() => saveIt(page))]);
	await expect.poll(() => kept(tab)).toEqual([article, other, '/saved']);
	await expect(heading(tab)).toContainText(otherTitle);
	await save(tab).click();
	await expect.poll(() => kept(tab)).toEqual([article, '/saved']);
});

test('where no copy can be kept none is promised @nightly', async ({ browser, baseURL }) => {
	const { port } = new URL(baseURL!);
	// A name of the local network: plain http, no service worker.
	const lan = `http://lan.example:${port}`;
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(lan + article);
	expect(await page.evaluate(() => isSecureContext)).toBe(false);
	await save(page).click();
	await expect(toast(page)).toContainText('Article saved');
	await expect(toast(page)).not.toContainText('without a connection');
	await context.close();
});
