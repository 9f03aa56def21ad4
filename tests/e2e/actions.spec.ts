import type { Page } from '@playwright/test';
import { change, CHANGES, type Driver } from '#tests/support/changed-pages.ts';
import { expect, framesOf, test as base } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
/** The code of the buttons, and the plain script that stands in for it. */
const ISLAND = /\/PostActions\.[\w-]+\.js/;
const STAND_IN = /\/Reader\.astro[\w.-]+\.js/;

/** Somebody whose shares are not counted, without a sheet of the browser's own. */
const test = base.extend<{ quiet: void }>({
	quiet: [
		async ({ page, context, baseURL }, use) => {
			await context.addCookies([
				{ name: 'newsletter_subscribed', value: 'true', url: baseURL ?? '' },
			]);
			await page.route('**/api/posts/*/events', (route) => route.fulfill({ status: 204 }));
			await use();
		},
		{ auto: true },
	],
});

const part = (page: Page, name: string) => page.locator(`[data-${name}]`).first();
/** The island of the buttons at the head of the article. */
const island = (page: Page) => page.locator('[component-export=PostActions]').first();
const isAwake = (page: Page) => expect(island(page)).not.toHaveAttribute('ssr');
const saved = (page: Page) =>
	page.evaluate(() => JSON.parse(localStorage.getItem('savedPosts') ?? '[]') as unknown[]);

/** Holds scripts back until the function that it returns is called. */
async function hold(page: Page, ...scripts: RegExp[]): Promise<() => void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	for (const script of scripts)
		await page.route(script, async (route) => {
			await promise;
			await route.continue();
		});
	return resolve;
}

function driverOf(page: Page): Driver {
	return {
		open: async (path) => void (await page.goto(path)),
		run: (expression) => page.evaluate(expression),
		press: (selector) => page.locator(selector).first().click(),
		type: (text) => page.keyboard.type(text),
	};
}

test('what is liked and saved shows while the buttons sleep, and in each tab', async ({
	page,
	context,
}) => {
	await page.goto(article);
	await part(page, 'like').click();
	await part(page, 'save').click();
	const likes = await part(page, 'likes').textContent();
	const other = await context.newPage();
	const loaded: string[] = [];
	other.on('request', (request) => loaded.push(request.url()));
	await other.goto(article);
	for (const place of ['first', 'last'] as const) {
		const button = (name: string) => other.locator(`[data-${name}]`)[place]();
		await expect(button('like')).toHaveAttribute('aria-pressed', 'true');
		await expect(button('likes')).toHaveText(likes!);
		await expect(button('save')).toHaveAttribute('aria-pressed', 'true');
	}
	await expect(other.locator('[component-export=PostActions][ssr]')).toHaveCount(2);
	expect(loaded.filter((url) => ISLAND.test(url))).toEqual([]);
	await part(page, 'save').click();
	await expect(part(other, 'save')).toHaveAttribute('aria-pressed', 'false');
	await expect(other.locator('[component-export=PostActions][ssr]')).toHaveCount(2);
	await part(other, 'like').hover();
	await isAwake(other);
	await expect(part(other, 'like')).toHaveAttribute('aria-pressed', 'true');
	await expect(part(other, 'likes')).toHaveText(likes!);
	await part(page, 'like').click();
	await expect(part(other, 'like')).toHaveAttribute('aria-pressed', 'false');
});

test('a press before the island wakes is stored at once, and the next one is the island’s', async ({
	page,
}) => {
	const release = await hold(page, ISLAND);
	await page.goto(article);
	await expect(part(page, 'likes')).not.toBeEmpty();
	await part(page, 'save').click();
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'true');
	expect(await saved(page)).toHaveLength(1);
	// Held until its code is there.
	await part(page, 'native').click();
	await expect(part(page, 'native')).toHaveAttribute('aria-disabled', 'true');
	release();
	const menu = page.getByRole('group', { name: 'Share this article' });
	await expect(menu.getByRole('link')).toHaveCount(7);
	await expect(part(page, 'native')).not.toHaveAttribute('aria-disabled');
	await page.keyboard.press('Escape');
	await isAwake(page);
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'true');
	await part(page, 'save').click();
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'false');
	expect(await saved(page)).toHaveLength(0);
});

test('a press before any script of the article is there is answered, and done once one is @nightly', async ({
	page,
}) => {
	const release = await hold(page, ISLAND, STAND_IN);
	await page.goto(article, { waitUntil: 'commit' });
	await part(page, 'save').click();
	await part(page, 'like').click();
	// Twice is once, as long as it is busy.
	await part(page, 'like').click({ force: true });
	for (const name of ['save', 'like'])
		await expect(part(page, name)).toHaveAttribute('aria-disabled', 'true');
	expect(await saved(page)).toHaveLength(0);
	release();
	for (const name of ['save', 'like']) {
		await expect(part(page, name)).toHaveAttribute('aria-pressed', 'true');
		await expect(part(page, name)).not.toHaveAttribute('aria-disabled');
	}
	expect(await saved(page)).toHaveLength(1);
});

test('a button that is held down while the island wakes is pressed when it is released @nightly', async ({
	page,
}) => {
	const release = await hold(page, ISLAND);
	await page.goto(article);
	await expect(part(page, 'likes')).not.toBeEmpty();
	await part(page, 'save').hover();
	await page.mouse.down();
	const loaded = page.waitForResponse(ISLAND);
	release();
	await loaded;
	await framesOf(page, 10);
	await page.mouse.up();
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'true');
	await framesOf(page, 10);
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'true');
	expect(await saved(page)).toHaveLength(1);
});

test('the keyboard presses and keeps the focus while the island wakes @nightly', async ({
	page,
}) => {
	const release = await hold(page, ISLAND);
	await page.goto(article);
	await expect(part(page, 'likes')).not.toBeEmpty();
	await part(page, 'like').focus();
	await page.keyboard.press('Enter');
	await expect(part(page, 'like')).toHaveAttribute('aria-pressed', 'true');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Space');
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'true');
	release();
	await isAwake(page);
	await expect(part(page, 'save')).toBeFocused();
	await page.keyboard.press('Space');
	await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'false');
	await page.keyboard.press('Tab');
	await expect(part(page, 'native')).toBeFocused();
	await page.keyboard.press('Enter');
	const menu = page.getByRole('group', { name: 'Share this article' });
	await expect(menu.getByRole('link').first()).toBeFocused();
});

// The second press of each button meets an island that is awake.
for (const when of ['before', 'after'])
	test(`buttons pressed ${when} the island wakes work whatever has changed the page @nightly`, async ({
		page,
	}) => {
		for (const [number, name] of Object.keys(CHANGES).entries()) {
			await test.step(name, async () => {
				await page.unrouteAll();
				await page.route('**/api/posts/*/events', (route) => route.fulfill({ status: 204 }));
				const release = await hold(page, ISLAND);
				await page.goto(article);
				await page.evaluate(() => localStorage.clear());
				await page.reload();
				await expect(part(page, 'likes')).not.toBeEmpty();
				expect(await change(driverOf(page), name, '[data-save]')).toBe(true);
				if (when === 'before') await part(page, 'save').click();
				else await part(page, 'save').hover();
				release();
				await isAwake(page);
				if (when === 'after') await part(page, 'save').click();
				await expect(part(page, 'save'), `change ${number}`).toHaveAttribute(
					'aria-pressed',
					'true',
				);
				await part(page, 'like').click();
				await expect(part(page, 'like')).toHaveAttribute('aria-pressed', 'true');
				await part(page, 'save').click();
				await expect(part(page, 'save')).toHaveAttribute('aria-pressed', 'false');
			});
		}
	});

test('without the code of the island a press is stored, and Share leads to the panel', async ({
	page,
	consoleErrors,
}) => {
	await page.route(ISLAND, (route) => route.abort());
	await page.goto(article);
	await expect(part(page, 'likes')).not.toBeEmpty();
	// Not Save: that brings the service worker, which no test can keep from loading what it wants.
	await part(page, 'like').click();
	await expect(part(page, 'like')).toHaveAttribute('aria-pressed', 'true');
	// Once the press is seen.
	await expect
		.poll(() => page.evaluate(() => localStorage.getItem('likedPosts')))
		.toContain('attention');
	await part(page, 'native').click();
	await expect(page.getByRole('region', { name: 'Share this article' })).toBeInViewport();
	await expect(part(page, 'native')).not.toHaveAttribute('aria-disabled');
	expect(consoleErrors.splice(0).every((error) => ISLAND.test(error))).toBe(true);
});
