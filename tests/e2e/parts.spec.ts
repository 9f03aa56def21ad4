import type { Page } from '@playwright/test';
import { axeOf } from './axe.ts';
import { expect, mapsOf, reachComments, test } from './fixtures.ts';

/** The styleguide's half in one theme, hydrated. */
async function styleguide(page: Page, theme: 'light' | 'dark' = 'light') {
	await page.goto('/styleguide');
	await page.waitForLoadState('networkidle');
	const half = page.getByRole('region', { name: theme, exact: true });
	const button = (name: string) => half.getByRole('button', { name, exact: true });
	return { half, button };
}

test('every part, in all states and both themes, has no accessibility violation', async ({
	page,
}) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	const { button } = await styleguide(page);
	await button('Destructive toast').click();
	await expect(page.locator('.toaster .toast')).toBeVisible();
	// Two themes side by side have each landmark twice.
	const axe = () => axeOf(page).disableRules('landmark-unique').analyze();
	expect((await axe()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
	await button('Dialog').click();
	await expect(page.getByRole('dialog')).toBeVisible();
	expect((await axe()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('no sitemap lists the styleguide, and no robot keeps it', async ({ page, request }) => {
	await page.goto('/styleguide');
	await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
	const sitemap = [...(await mapsOf(request)).values()].join('');
	expect(sitemap).toContain('/about</loc>');
	expect(sitemap).not.toContain('styleguide');
});

test.describe('the dialog', () => {
	test('keeps the focus, closes with Escape, and gives the focus back', async ({ page }) => {
		const { button } = await styleguide(page);
		await button('Dialog').focus();
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Before you go' });
		await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
		for (let n = 0; n < 6; n++) {
			await page.keyboard.press('Tab');
			expect(
				await page.evaluate(
					() =>
						document.activeElement === document.body ||
						document.activeElement?.closest('dialog') !== null,
				),
			).toBe(true);
		}
		await page.keyboard.press('Escape');
		await expect(dialog).toBeHidden();
		await expect(button('Dialog')).toBeFocused();
		await page.keyboard.press('Enter');
		await expect(dialog).toBeVisible();
	});

	test('closes by a press beside it, and not by a selection that ends there @nightly', async ({
		page,
	}) => {
		const { button } = await styleguide(page);
		await button('Dialog').click();
		const dialog = page.getByRole('dialog');
		const { x, y } = (await dialog.getByText('One letter').boundingBox())!;
		await page.mouse.move(x + 5, y + 5);
		await page.mouse.down();
		await page.mouse.move(5, 400);
		await page.mouse.up();
		await expect(dialog).toBeVisible();
		await page.mouse.click(5, 400);
		await expect(dialog).toBeHidden();
	});

	test('shows a toast within, which stays when it closes', async ({ page }) => {
		const { button } = await styleguide(page);
		await button('Dialog').click();
		await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click();
		const toast = page.locator('.toaster').getByText('Successfully subscribed!');
		await expect(page.getByRole('dialog').getByText('Successfully subscribed!')).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(page.getByRole('dialog')).toBeHidden();
		await expect(toast).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(toast).toBeHidden();
	});
});

test.describe('a toast', () => {
	test('is reached by F8, dismissed by Escape, and gives the focus back @nightly', async ({
		page,
	}) => {
		const { button } = await styleguide(page);
		await button('Toast').focus();
		await page.keyboard.press('Enter');
		const toast = page.locator('.toaster').getByRole('status');
		await expect(toast).toHaveText('Comment posted!');
		await page.keyboard.press('F8');
		await expect(toast).toBeFocused();
		await page.keyboard.press('Escape');
		await expect(toast).toBeHidden();
		await expect(button('Toast')).toBeFocused();
	});

	test('goes by itself, stays under the pointer, and is swiped away', async ({ page }) => {
		await page.clock.install();
		const { button } = await styleguide(page);
		await button('Toast').click();
		const toast = page.locator('.toaster').getByRole('status');
		await expect(toast).toBeVisible();
		await toast.hover();
		await page.clock.runFor(60_000);
		await expect(toast).toBeVisible();
		await page.mouse.move(10, 10);
		await page.clock.runFor(5000);
		await expect(toast).toBeHidden();
		await button('Destructive toast').click();
		const alert = page.locator('.toaster').getByRole('alert');
		// Both ends of the swipe by one look: the toast may still slide in.
		const { x, y } = (await alert.getByText('Email required').boundingBox())!;
		await page.mouse.move(x + 20, y + 5);
		await page.mouse.down();
		await page.mouse.move(x + 80, y + 5, { steps: 4 });
		await page.mouse.up();
		await expect(alert).toBeHidden();
	});
});

test.describe('a tooltip', () => {
	test('waits 700 ms for the pointer, and the next one not at all @nightly', async ({ page }) => {
		const { half, button } = await styleguide(page);
		await page.clock.install();
		await page.clock.pauseAt(Date.now() + 60_000);
		const first = half.getByRole('tooltip', { name: 'Kept on this device only' });
		await button('Tooltip').hover();
		await page.clock.runFor(699);
		await expect(first).toBeHidden();
		await page.clock.runFor(1);
		await expect(first).toBeVisible();
		await page.clock.runFor(5000);
		await button('Another').hover();
		await page.clock.runFor(1);
		await expect(half.getByRole('tooltip', { name: 'The next one' })).toBeVisible();
		await expect(first).toBeHidden();
	});

	test('shows at once for the keyboard, near its control, until Escape', async ({ page }) => {
		await page.emulateMedia({ reducedMotion: 'reduce' });
		const { half, button } = await styleguide(page, 'dark');
		await button('Dialog').focus();
		await page.keyboard.press('Tab');
		const tip = half.getByRole('tooltip', { name: 'Kept on this device only' });
		await expect(tip).toBeVisible();
		await expect(button('Tooltip')).toHaveAccessibleDescription('Kept on this device only');
		const at = (await button('Tooltip').boundingBox())!;
		const box = (await tip.boundingBox())!;
		expect(Math.abs(box.x + box.width / 2 - (at.x + at.width / 2))).toBeLessThan(4);
		expect(
			Math.min(Math.abs(box.y + box.height - at.y), Math.abs(box.y - at.y - at.height)),
		).toBeLessThan(4);
		await page.keyboard.press('Escape');
		await expect(tip).toBeHidden();
		await expect(button('Tooltip')).toBeFocused();
	});
});

test.describe('an error', () => {
	test('in the comments is said in their place, and they can be tried again @nightly', async ({
		page,
		consoleErrors,
	}) => {
		await page.route('**/api/posts/*/comments?*', (route) => route.fulfill({ json: [null] }));
		await page.goto('/blog/data-leakage');
		const section = page.locator('#comments');
		// Parts of the page above that get their size only now may push it out of sight again.
		await expect(async () => {
			await section.scrollIntoViewIfNeeded();
			await expect(section.getByRole('alert')).toContainText('Section Error', { timeout: 2000 });
		}).toPass();
		await expect(page.locator('.prose')).toBeVisible();
		expect(consoleErrors.length).toBeGreaterThan(0);
		consoleErrors.splice(0);
		await page.unroute('**/api/posts/*/comments?*');
		await section.getByRole('button', { name: 'Retry' }).click();
		await expect(section.getByLabel('Comment')).toBeVisible();
		await expect(section.getByRole('alert')).toHaveCount(0);
	});

	test('in a tab of the admin area is said in its place @nightly', async ({
		page,
		consoleErrors,
	}) => {
		await page.route('**/api/admin/status', (route) =>
			route.fulfill({ json: { isAuthenticated: true } }),
		);
		await page.route(/\/api\/admin\/posts(\?|$)/, (route) => route.fulfill({ json: { posts: 3 } }));
		await page.goto('/admin?tab=posts');
		await expect(page.getByRole('main').getByRole('alert')).toContainText('Section Error');
		await expect(page.getByRole('link', { name: 'Manage Posts' })).toBeVisible();
		expect(consoleErrors.length).toBeGreaterThan(0);
		consoleErrors.splice(0);
	});

	test('on the way of its code is the page-level screen as well', async ({
		page,
		consoleErrors,
	}) => {
		await page.route('**/_astro/AdminApp*', (route) => route.abort());
		await page.goto('/admin');
		await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible();
		await page.unroute('**/_astro/AdminApp*');
		consoleErrors.splice(0);
		await page.getByRole('link', { name: 'Try Again' }).click();
		await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
	});

	test('on the way of the search dialog leads to the search page @nightly', async ({
		page,
		consoleErrors,
	}) => {
		await page.route('**/_astro/SearchDialog*', (route) => route.abort());
		await page.goto('/about');
		await page.getByRole('link', { name: 'Search articles' }).click();
		await expect(page).toHaveURL('/search');
		await expect(page.getByRole('textbox', { name: 'Search articles' })).toBeVisible();
		consoleErrors.splice(0);
	});

	test('that nobody handles stays in the console @nightly', async ({ page, consoleErrors }) => {
		await page.goto('/about');
		const before = await page.getByRole('alert').count();
		await page.evaluate(() => void Promise.reject(new Error('nobody waits for this')));
		await expect.poll(() => consoleErrors.join()).toContain('nobody waits for this');
		expect(await page.getByRole('alert').count()).toBe(before);
		consoleErrors.splice(0);
	});
});

test.describe('what a form says', () => {
	test('is its own text once it is hydrated, and the field keeps the focus', async ({ page }) => {
		const asked: string[] = [];
		page.on('request', (request) => {
			// A visit is counted without the form.
			if (request.method() === 'POST' && !request.url().endsWith('/api/visits'))
				asked.push(request.url());
		});
		await page.goto('/newsletter');
		await page.waitForLoadState('networkidle');
		const form = page.locator('main form').first();
		await form.getByRole('button', { name: 'Subscribe' }).click();
		const toast = page.locator('.toaster').getByRole('alert');
		await expect(toast).toContainText('Email required');
		await expect(toast).toContainText('Please enter your email address.');
		await expect(form.getByRole('alert')).toHaveText('Please enter your email address.');
		await expect(form.getByLabel('Email address')).toBeFocused();
		expect(asked).toEqual([]);
	});

	test('without JavaScript comes from the browser', async ({ browser }) => {
		const context = await browser.newContext({ javaScriptEnabled: false });
		const page = await context.newPage();
		await page.goto('/newsletter');
		const field = page.locator('main form').first().getByLabel('Email address');
		await expect(field).toHaveAttribute('required', '');
		await expect(page.locator('main form[novalidate]')).toHaveCount(0);
		await context.close();
	});

	test('about an incomplete comment is in a toast and beside the fields @nightly', async ({
		page,
	}) => {
		await page.goto('/blog/data-leakage');
		const section = await reachComments(page);
		await section.getByLabel('Name').fill('Ada');
		// It says that it does nothing yet, and why once it is pressed.
		await section.getByRole('button', { name: 'Post comment' }).press('Enter');
		const toast = page.locator('.toaster').getByRole('alert');
		await expect(toast).toContainText('Missing information');
		await expect(toast).toContainText('Please fill in all fields');
		await expect(section.getByRole('alert')).toHaveText([
			'Please fill in your email address',
			'Please fill in your comment',
		]);
		await expect(section.getByLabel('Email')).toBeFocused();
		await section.getByLabel('Email').fill('ada@');
		await section.getByLabel('Comment').fill('A thought.');
		await section.getByRole('button', { name: 'Post comment' }).click();
		await expect(toast).toContainText('Invalid email');
	});
});
