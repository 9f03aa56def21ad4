import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search Articles' });
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Search articles' });

/** Opens the dialog on a page that has come to rest. */
async function open(page: Page, path = '/about') {
	await page.goto(path);
	await page.waitForLoadState('networkidle');
	await page.keyboard.press('/');
	await expect(fieldOf(page)).toBeFocused();
	return dialogOf(page);
}

test('matches are marked in title and passage @nightly', async ({ page }) => {
	const dialog = await open(page);
	await page.keyboard.type('kalman noise');
	const result = dialog.getByRole('link', { name: /Kalman/ }).first();
	await expect(result.locator('mark', { hasText: 'Kalman' }).first()).toBeVisible();
	await expect(result.locator('mark', { hasText: /noise/i }).first()).toBeVisible();
});

test('a typo is forgiven: what was meant is found, and offered @nightly', async ({ page }) => {
	const dialog = await open(page);
	await page.keyboard.type('atention');
	await expect(dialog.getByText('Did you mean attention?')).toBeVisible();
	await expect(dialog.getByRole('link', { name: /attention/i }).first()).toBeVisible();
	await dialog.getByRole('button', { name: 'attention', exact: true }).click();
	await expect(fieldOf(page)).toHaveValue('attention');
	await expect(fieldOf(page)).toBeFocused();
	await expect(dialog.getByText('Did you mean')).toBeHidden();
});

test('closed with Escape it gives the focus back, and its query is still there', async ({
	page,
}) => {
	await page.goto('/about');
	await page.waitForLoadState('networkidle');
	const opener = page.getByRole('link', { name: 'Search articles' });
	await opener.focus();
	await page.keyboard.press('Enter');
	await expect(fieldOf(page)).toBeFocused();
	await page.keyboard.type('kal');
	await page.keyboard.press('Escape');
	await expect(dialogOf(page)).toBeHidden();
	await expect(opener).toBeFocused();
	await page.keyboard.press('Control+k');
	await expect(fieldOf(page)).toHaveValue('kal');
});

test('one category is searched; the address of the search page says which @nightly', async ({
	page,
}) => {
	await page.goto('/search?q=learning');
	await page.getByRole('combobox', { name: 'Category' }).selectOption('robotics');
	await expect(page).toHaveURL('/search?q=learning&category=robotics');
	const results = page.getByRole('main').getByRole('listitem');
	await expect(results.first()).toContainText('Robotics');
	const count = await results.count();
	for (let index = 0; index < count; index++)
		await expect(results.nth(index)).toContainText('Robotics');
	await page.reload();
	await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('robotics');
	await expect(results).toHaveCount(count);
});

test('nothing in a category leads to all of them @nightly', async ({ page }) => {
	await page.goto('/search?q=kalman&category=ai-ethics');
	await expect(page.getByText(/No articles found for “kalman” in/)).toBeVisible();
	await page.getByRole('button', { name: 'Search all categories' }).click();
	await expect(
		page
			.getByRole('main')
			.getByRole('link', { name: /Kalman/ })
			.first(),
	).toBeVisible();
	await expect(page).toHaveURL('/search?q=kalman');
});

test('a search that led to an article is remembered on this device, until it is cleared @nightly', async ({
	page,
}) => {
	let dialog = await open(page);
	await page.keyboard.type('kalman');
	await dialog
		.getByRole('link', { name: /Kalman/ })
		.first()
		.click();
	await expect(page).toHaveURL(/\/blog\//);
	await page.waitForLoadState('networkidle');
	dialog = dialogOf(page);
	// A key may be lost while one page fades into the next.
	await expect(async () => {
		if (!(await fieldOf(page).isVisible())) await page.keyboard.press('ControlOrMeta+k');
		await expect(fieldOf(page)).toBeVisible({ timeout: 3000 });
	}).toPass();
	await expect(fieldOf(page)).toHaveValue('');
	await dialog.getByRole('button', { name: 'kalman' }).click();
	await expect(dialog.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
	await fieldOf(page).fill('');
	await dialog.getByRole('button', { name: 'Clear' }).click();
	await expect(dialog.getByText('Recent searches')).toBeHidden();
	expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBe('[]');
});

test('state guides are found as well: what is chosen leads to its place, and the address says which kind', async ({
	page,
}) => {
	await page.goto('/search?q=carnegie mellon&kind=state');
	const guide = page.getByRole('region', { name: 'State guides' }).getByRole('link').first();
	await expect(guide).toContainText('AI in Pennsylvania');
	await page.getByRole('button', { name: 'Everything' }).click();
	await expect(page).toHaveURL('/search?q=carnegie+mellon');
	await expectAccessible(page);
	await guide.click();
	await expect(page).toHaveURL(/\/ai-best-practices\/pennsylvania#[a-z-]+(:~:|$)/);
	const [id = ''] = new URL(page.url()).hash.slice(1).split(':~:');
	await expect(page.locator(`[id="${id}"]`)).toBeInViewport();
});

test.describe('with a network that is', () => {
	test('slow: three skeletons, and a late answer never overwrites a newer one @nightly', async ({
		page,
	}) => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		await page.route('**/api/search?q=kalman', async (route) => {
			await held;
			await route.continue();
		});
		const dialog = await open(page);
		const late = page.waitForRequest('**/api/search?q=kalman');
		await page.keyboard.type('kalman');
		await late;
		await expect(
			dialog.getByRole('status', { name: 'Searching' }).locator('.skeleton'),
		).toHaveCount(3);
		await fieldOf(page).fill('bootstrap');
		await expect(dialog.getByRole('link', { name: /bootstrap/i }).first()).toBeVisible();
		const answered = page.waitForResponse('**/api/search?q=kalman');
		release();
		await answered;
		await expect(dialog.getByRole('link', { name: /bootstrap/i }).first()).toBeVisible();
		await expect(dialog.getByRole('link', { name: /Kalman/ })).toHaveCount(0);
	});

	test('failing: it says so, keeps the query, and tries again', async ({ page, consoleErrors }) => {
		await page.route('**/api/search**', (route) =>
			route.fulfill({ status: 503, body: 'Service down' }),
		);
		const dialog = await open(page);
		await page.keyboard.type('kalman');
		await expect(dialog.getByRole('alert')).toContainText('503: Service down');
		await page.unroute('**/api/search**');
		await dialog.getByRole('button', { name: 'Try again' }).click();
		await expect(dialog.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
		await expect(fieldOf(page)).toHaveValue('kalman');
		consoleErrors.splice(0);
	});

	test('absent: it says so, and works once it is back @nightly', async ({
		page,
		context,
		consoleErrors,
	}) => {
		const dialog = await open(page);
		await context.setOffline(true);
		await page.keyboard.type('kalman');
		await expect(dialog.getByRole('alert')).toContainText('Unable to connect to the server');
		await context.setOffline(false);
		await dialog.getByRole('button', { name: 'Try again' }).click();
		await expect(dialog.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
		consoleErrors.splice(0);
	});
});

test('a question is answered by what has most of it, and says so @nightly', async ({ page }) => {
	const dialog = await open(page);
	await page.keyboard.type('gradient descent giraffe');
	await expect(dialog.getByText(/^(No article|Nothing) has all of these words\./)).toBeVisible();
	await expect(dialog.getByRole('link').first()).toContainText('Gradient descent');
	await fieldOf(page).fill('RAG');
	const result = dialog.getByRole('link', { name: /Context, retrieval or fine-tuning/ });
	await expect(result.locator('mark').first()).toBeVisible();
});

test('where nothing is found the categories are offered @nightly', async ({ page }) => {
	const dialog = await open(page);
	await page.keyboard.type('qqqqqqqq');
	await expect(dialog.getByText('No articles found for “qqqqqqqq”')).toBeVisible();
	await dialog.getByRole('link', { name: 'Robotics' }).click();
	await expect(page).toHaveURL('/category/robotics');
});

test('where categories cannot be had, that is said, and everything is searched @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.route('**/api/categories', (route) => route.abort());
	const dialog = await open(page);
	await expect(dialog.getByText('Unable to load categories')).toBeVisible();
	await page.keyboard.type('kalman');
	await expect(dialog.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
	consoleErrors.splice(0);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('a question is answered by a page', async ({ page }) => {
		await page.goto('/about');
		await page.getByRole('link', { name: 'Search articles' }).click();
		await fieldOf(page).fill('kalmn filters');
		await page.getByRole('button', { name: 'Search' }).click();
		await expect(page).toHaveURL(/\/search\/results\?q=kalmn\+filters(&category=)?$/);
		await page.getByRole('link', { name: 'kalman filters' }).click();
		await expect(page.locator('mark').first()).toHaveText(/Kalman/i);
		await page.getByRole('combobox', { name: 'Category' }).selectOption('Robotics');
		await page.getByRole('button', { name: 'Search' }).click();
		await page
			.getByRole('link', { name: /Kalman/ })
			.first()
			.click();
		await expect(page).toHaveURL(/\/blog\/kalman-filter-careful-averaging(#|$)/);
	});

	test('the search page and missing pages lead to an answer', async ({ page, consoleErrors }) => {
		await page.goto('/search?q=kalmn+filters&kind=article');
		await expect(page).toHaveURL('/search/results?q=kalmn+filters&kind=article');
		await expect(page.getByRole('link', { name: 'kalman filters' })).toBeVisible();
		await page.goto('/blog/no-such-article');
		// The browser itself reports the 404 of the page.
		consoleErrors.splice(0);
		await page.getByRole('searchbox', { name: 'Search articles' }).fill('kalman');
		await page.getByRole('button', { name: 'Search', exact: true }).click();
		await expect(page).toHaveURL('/search/results?q=kalman');
		await expect(page.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
	});

	test('one kind of results is a link away', async ({ page }) => {
		await page.goto('/search/results?q=california+salary');
		await page.getByRole('link', { name: 'State guides' }).click();
		await expect(page).toHaveURL('/search/results?q=california+salary&kind=state');
		await page.getByRole('link', { name: 'AI in California' }).click();
		await expect(page).toHaveURL(/\/ai-best-practices\/california#[a-z-]+(:~:|$)/);
	});
});

test('results are accessible and fit 320 pixels @nightly', async ({ page }) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.setViewportSize({ width: 320, height: 640 });
	const dialog = await open(page);
	await page.keyboard.type('atention');
	await expect(dialog.getByRole('link', { name: /attention/i }).first()).toBeVisible();
	await expectAccessible(page, 'dialog[open]');
	const wide = await dialog.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
	expect(wide).toBe(false);
});
