import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('a moved folder is led on, counted, removed after a question, and brought back @nightly', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(500_000);
	const year = `y${crypto.randomUUID().slice(0, 8)}`;
	const answer = async (path: string) => {
		const response = await page.request.get(path, { maxRedirects: 0 });
		return `${response.status()} ${response.headers()['location'] ?? ''}`;
	};
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?tab=redirects&q=${year}`);
	await page.getByRole('button', { name: 'Add a redirect' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add a redirect' });
	await expect(dialog.getByLabel('Former address')).toBeFocused();
	await page.keyboard.type(`/${year}/*/:slug`);
	await page.keyboard.press('Tab');
	await page.keyboard.type('/blog/:name');
	await page.keyboard.press('Enter');
	await expect(dialog.getByLabel('Leads to')).toBeFocused();
	await expect(dialog).toContainText('The old address has no :name');
	await expectAccessible(page, 'dialog[open]');
	// Each refusal is one line in the console.
	expect(consoleErrors.splice(0)).toHaveLength(1);
	await dialog.getByLabel('Leads to').fill('/blog/:slug');
	await page.keyboard.press('Enter');
	await expect(dialog).toBeHidden();
	await expect(page.locator('.toast')).toContainText(`/${year}/*/:slug leads to /blog/:slug`);
	const row = page.getByRole('row', { name: new RegExp(year) });
	await expect(row).toContainText('leads to /blog/:slug');
	await expectAccessible(page, '#main');
	const moved = `/${year}/04/anything`;
	await expect.poll(() => answer(moved), { timeout: BUILD_MS }).toBe('301 /blog/anything');
	await expect(row).not.toContainText('Waits for the next build');
	// Uses are stored every ten seconds.
	await expect
		.poll(
			async () => {
				await page.reload();
				await expect(row).toBeVisible();
				return row.textContent();
			},
			{ timeout: BUILD_MS },
		)
		.not.toContain('Never');

	await row.getByRole('button', { name: /^Actions for/ }).click();
	await page.getByRole('button', { name: /^Remove…/ }).click();
	const question = page.getByRole('dialog', { name: 'Remove this redirect?' });
	await expect(question).toContainText('Without it readers see “not found”');
	await expectAccessible(page, 'dialog[open]');
	await question.getByRole('button', { name: 'Remove', exact: true }).click();
	await expect(row).toBeHidden();
	// Under the pointer it stays, however long the build takes.
	await page.locator('.toast').hover();
	await expect.poll(() => answer(moved), { timeout: BUILD_MS }).toMatch(/^404/);
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(row).toBeVisible();
	await expect.poll(() => answer(moved), { timeout: BUILD_MS }).toBe('301 /blog/anything');

	await page.getByRole('button', { name: 'Import', exact: true }).click();
	const list = page.getByRole('dialog', { name: 'Import redirects' });
	await list.getByLabel('Lines').fill(`/${year}/a /about\n/contact /about\n`);
	await list.getByRole('button', { name: 'Look at it' }).click();
	await expect(list.getByRole('status')).toContainText('1 new redirect, 1 line refused');
	await expect(list.getByRole('status')).toContainText('Line 2, /contact');
	await expectAccessible(page, 'dialog[open]');
	await list.getByRole('button', { name: 'Save 1 redirect' }).click();
	await expect(list).toBeHidden();
	await expect(page.getByRole('row', { name: new RegExp(`/${year}/a`) })).toBeVisible();
	await page.getByRole('button', { name: /^Commands/ }).click();
	await page.keyboard.type('permalinks');
	await expect(page.getByRole('option', { name: /^Redirects/ })).toBeVisible();
});
