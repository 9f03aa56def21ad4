import type { Page } from '@playwright/test';
import { axeOf } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

async function expectAccessible(page: Page): Promise<void> {
	const { violations } = await axeOf(page)
		.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
		.analyze();
	expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

const homeOf = (page: Page) => page.getByRole('main').locator('.home');

test('whoever signs in sees what waits, does it there, and it is gone; back leads home', async ({
	page,
	request,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	const post = await (await request.get('/api/posts/bm25-baseline')).json();
	const author = `Waits ${crypto.randomUUID().slice(0, 8)}`;
	const data = { postId: post.id, author, email: 'home@example.com', content: 'Which seed?' };
	const written = (await (await request.post('/api/comments', { data })).json()) as { id: string };
	const held = { ids: [written.id], state: 'waiting' };
	expect((await page.request.put('/api/admin/comments', { data: held })).status()).toBe(200);
	const title = `Go on with me ${crypto.randomUUID().slice(0, 8)}`;
	const made = await page.request.post('/api/admin/posts', {
		data: { title, categoryId: post.categoryId, content: '<p>Three more words.</p>' },
	});
	const { id } = (await made.json()) as { id: string };

	await page.context().clearCookies();
	await page.goto('/admin');
	await page.getByLabel('Email').fill(ADMIN.email);
	await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.locator('#main')).toBeFocused();
	const waits = page.getByRole('region', { name: 'What waits for you' });
	const row = waits.getByRole('listitem').filter({ hasText: author });
	await expect(row).toContainText('Which seed?');
	const draft = page
		.getByRole('region', { name: 'Go on writing' })
		.getByRole('listitem')
		.filter({ hasText: title });
	await expect(draft).toContainText('Draft');
	await expect(draft).toContainText('3 words');

	await test.step('a held comment is approved by one press, told, and taken back', async () => {
		await row.getByRole('button', { name: 'Approve' }).click();
		await expect(page.getByText('Comment approved')).toBeVisible();
		await expect(row).toHaveCount(0);
		// The button went with its row: whoever goes by keyboard goes on from there.
		await expect(waits.locator(':is(h2, .home-open):focus')).toHaveCount(1);
		await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
		await expect(row).toBeVisible();
		await row.getByRole('button', { name: 'Hide' }).click();
		await expect(row).toHaveCount(0);
	});

	await test.step('an article opens by its title, and back leads home', async () => {
		await draft.getByRole('link', { name: title }).click();
		await expect(page).toHaveURL(new RegExp(`tab=create&post=${id}`));
		await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title);
		await page.goBack();
		await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
		await expect(draft).toBeVisible();
	});
	await page.request.delete(`/api/admin/posts/${id}`);
});

test('the home is reached and walked by keyboard, and a home that cannot be read says so', async ({
	page,
	consoleErrors,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=comments');
	await expect(page.getByRole('heading', { name: 'Comments', level: 1 })).toBeVisible();
	await page.route('**/api/admin/home', (route) =>
		route.request().method() === 'GET' ? route.abort() : route.continue(),
	);
	await page.keyboard.press('g');
	await page.keyboard.press('h');
	await expect(page).toHaveURL('/admin?tab=home');
	const failure = page.getByRole('main').getByRole('alert');
	await expect(failure).toBeVisible();
	await page.unroute('**/api/admin/home');
	await failure.getByRole('button', { name: 'Retry' }).click();
	await expect(homeOf(page)).toBeVisible();
	await page.locator('#main').focus();
	const rows = homeOf(page).locator('.home-row');
	await expect(rows.nth(1)).toBeVisible();
	await page.keyboard.press('j');
	await expect(rows.first().getByRole('link')).toBeFocused();
	await page.keyboard.press('ArrowDown');
	await expect(rows.nth(1).getByRole('link')).toBeFocused();
	await page.keyboard.press('k');
	await expect(rows.first().getByRole('link')).toBeFocused();
	await page.getByRole('button', { name: 'Write' }).click();
	await expect(page).toHaveURL('/admin?tab=create');
	expect(consoleErrors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
	consoleErrors.splice(0);
});

for (const colorScheme of ['light', 'dark'] as const)
	test(`the home is accessible on a phone in the ${colorScheme} theme, and moves nothing`, async ({
		page,
	}) => {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width: 390, height: 844 });
		await page.addInitScript(() => {
			const shifts: number[] = [];
			Object.assign(globalThis, { shifts });
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries() as (PerformanceEntry & {
					value: number;
					hadRecentInput: boolean;
				})[])
					if (!entry.hadRecentInput) shifts.push(entry.value);
			}).observe({ type: 'layout-shift', buffered: true });
		});
		await page.request.post('/api/admin/login', { data: ADMIN });
		await page.goto('/admin');
		await expect(homeOf(page)).toBeVisible();
		await expectAccessible(page);
		expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThanOrEqual(
			0,
		);
		const dock = page.getByRole('navigation', { name: 'Main screens' });
		await expect(dock.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
		const shifts = await page.evaluate(
			() => (globalThis as unknown as { shifts: number[] }).shifts,
		);
		expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01);
	});
