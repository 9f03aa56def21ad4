import { expect, test } from './fixtures.ts';
import { holdPage } from './held-page.ts';

test('an island that is ready before the page has all arrived breaks nothing @nightly', async ({
	page,
	baseURL,
}) => {
	const html = await (await page.request.get('/')).text();
	const cut = html.indexOf('<div class="floating-tab">');
	expect(cut).toBeGreaterThan(0);
	const held = await holdPage(baseURL!, '/', [html.slice(0, cut), html.slice(cut)]);
	await page.goto(held.address, { waitUntil: 'commit' });
	await expect(page.locator('astro-island:not([ssr])').first()).toBeAttached();
	await expect(page.locator('.floating-tab')).toHaveCount(0);
	held.next();
	await page.waitForLoadState();
	await page.getByRole('button', { name: 'Color theme: system' }).click();
	await expect(page.getByRole('button', { name: 'Color theme: light' })).toBeVisible();
	await expect(page.locator('#floating-newsletter .floating-tab')).toBeVisible({ timeout: 60_000 });
	held.close();
});
