import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('somebody is added by hand, labeled, looked at, unsubscribed with undo, and erased', async ({
	page,
	consoleErrors,
}) => {
	const mark = crypto.randomUUID().slice(0, 8);
	const email = `ada-${mark}@x.example`;
	const label = `Label ${mark}`;
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?tab=subscribers&q=${mark}`);
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	const dialog = page.getByRole('dialog', { name: 'Add a subscriber' });
	await expect(dialog.getByLabel('Email address')).toBeFocused();
	await page.keyboard.type(email);
	await page.keyboard.press('Enter');
	await expect(dialog).toContainText('Say how this person agreed');
	await expect(dialog.getByLabel('How did this person agree?')).toBeFocused();
	await expectAccessible(page, 'dialog[open]');
	expect(consoleErrors.splice(0)).toHaveLength(1);
	await page.keyboard.type('Asked me at a fair');
	await page.keyboard.press('Enter');
	await expect(dialog).toBeHidden();
	const row = page.getByRole('row', { name: new RegExp(mark) });
	await expect(row).toContainText('Active');
	await expect(row.locator('time')).toHaveAttribute('title', /day, .*\d{4} at .*\(.+\)$/);

	await row.getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Label', exact: true }).click();
	const labels = page.getByRole('dialog', { name: 'Label 1 subscriber' });
	await expect(labels.getByLabel('Label')).toBeFocused();
	await page.keyboard.type(label);
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Enter');
	await expect(labels).toBeHidden();
	await expect(page.getByRole('status').filter({ hasText: label })).toContainText(
		'added to 1 subscriber',
	);
	await expect(row).toContainText(label);
	await page.goto(`/admin?tab=subscribers&label=${encodeURIComponent(label)}`);
	await expect(row).toBeVisible();
	await expectAccessible(page, '#main');

	// Fields of the filters stand side by side, none under another.
	await page.getByRole('button', { name: /^Filters/ }).click();
	const fields = page.locator('.desk-filters :is(select, input)');
	await expect(fields).toHaveCount(5);
	const boxes = await fields.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
	for (const [index, { x, y, right }] of boxes.entries())
		for (const other of boxes.slice(index + 1))
			expect(other.y !== y || other.x >= right || other.right <= x).toBe(true);

	await row.getByRole('button', { name: email }).click();
	await expect(page).toHaveURL(new RegExp(`person=ada-${mark}`));
	const main = page.getByRole('main');
	await expect(main.getByRole('heading', { name: email })).toBeVisible();
	await expect(main).toContainText('Asked me at a fair');
	await expect(main).toContainText('Added by hand');
	await expectAccessible(page, '#main');
	await page.setViewportSize({ width: 390, height: 844 });
	await expectAccessible(page, '#main');
	expect(
		await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
	).toBeLessThanOrEqual(0);
	await main.getByLabel('Add a label').fill('second');
	await page.keyboard.press('Enter');
	await expect(main.getByRole('list', { name: 'Labels' })).toContainText('second');
	await main.getByRole('button', { name: 'Remove second' }).click();
	await expect(main.getByRole('list', { name: 'Labels' })).not.toContainText('second');
	await main.getByRole('button', { name: 'Unsubscribe' }).click();
	await expect(main).toContainText('Left');
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(main.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();

	await main.getByRole('button', { name: 'Erase everything…' }).click();
	const question = page.getByRole('dialog', { name: `Erase ${email}?` });
	await expect(question).toContainText('1 subscription is deleted for good');
	await expectAccessible(page, 'dialog[open]');
	await question.getByRole('button', { name: 'Erase everything', exact: true }).click();
	await expect(question).toBeHidden();
	await expect(main.getByRole('table')).toBeHidden();
	await main.getByRole('button', { name: 'Show all' }).click();
	await expect(main.getByRole('button', { name: 'Show all' })).toBeHidden();
	await expect(row).toBeHidden();
});
