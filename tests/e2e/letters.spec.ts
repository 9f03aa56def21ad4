import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

async function open(page: Page): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=newsletter');
	await expect(page.getByRole('region', { name: 'In the inbox' })).toBeVisible();
}

test('the next issue is edited, kept beside an older window, and seen as an email', async ({
	page,
	context,
	consoleErrors,
}) => {
	await open(page);
	const second = await context.newPage();
	await open(second);
	const subject = page.getByLabel('Subject', { exact: true });
	await subject.fill('Three small things');
	await page.getByRole('textbox', { name: 'Article', exact: true }).first().click();
	await page.keyboard.type('Read this one first.');
	await page.getByLabel('Add an older article').fill('attention');
	const putIn = page.getByRole('button', { name: /^Put in / }).first();
	await expect(putIn).toBeVisible();
	const title = (await putIn.getAttribute('aria-label'))!.slice('Put in '.length);
	await page.getByRole('button', { name: `Put in ${title}` }).press('Enter');
	await expect(page.getByRole('list', { name: 'Articles of the issue' })).toContainText(title);
	await page.getByRole('button', { name: 'Add a link' }).press('Enter');
	await page.getByLabel('Title', { exact: true }).fill('A paper');
	await page.getByLabel('Address', { exact: true }).fill('https://example.com/paper');
	await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
	await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();

	await expect(subject).toHaveValue('Three small things');

	// The other window has an older version: both changes stay.
	await second.getByLabel('Preview line', { exact: true }).fill('From the other window');
	await second.getByRole('button', { name: 'Save', exact: true }).press('Enter');
	await expect(second.getByText('changed elsewhere meanwhile')).toBeVisible();
	await expect(second.getByLabel('Subject', { exact: true })).toHaveValue('Three small things');
	await second.getByRole('button', { name: 'Save', exact: true }).press('Enter');
	await expect(second.getByText('Not saved')).toBeHidden();
	const stored = await (await second.request.get('/api/admin/letters/next')).json();
	expect(stored).toMatchObject({
		subject: 'Three small things',
		preview: 'From the other window',
		note: expect.stringContaining('Read this one first.'),
	});

	await second.getByText('Preview', { exact: true }).click();
	const email = second.frameLocator('iframe[title="The email of the next issue"]');
	await expect(email.getByText('Read this one first.')).toBeVisible();
	await expect(email.getByRole('link', { name: title })).toBeVisible();
	await second.getByText('Dark', { exact: true }).click();
	await expect(email.locator('body')).toHaveCSS('background-color', 'rgb(11, 16, 21)');
	await second.getByText('Text', { exact: true }).click();
	await expect(email.locator('pre')).toContainText('Read this one first.');
	await second.getByText('Web page', { exact: true }).click();
	const site = second.getByRole('region', { name: 'The page of the next issue' });
	await expect(site).toContainText('Read this one first.');
	await expect(site.getByRole('link', { name: 'A paper' })).toHaveAttribute(
		'href',
		'https://example.com/paper',
	);
	await expectAccessible(second);
	expect(consoleErrors).toEqual([]);
});

test('a letter of its own is written, kept over a reload, scheduled, paused and stopped @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await open(page);
	// What stands from week to week is folded here, and says what is in it.
	const subject = page.getByLabel('Subject', { exact: true });
	await expect(subject).toBeHidden();
	await page.getByRole('region', { name: 'In the inbox' }).getByRole('heading').click();
	await expect(subject).toBeVisible();
	await page.getByRole('radio', { name: 'Letters' }).check();
	await expect(page).toHaveURL('/admin?tab=newsletter&part=letters');
	await page.getByRole('button', { name: 'Write a letter' }).click();
	await page.getByLabel('Subject of the letter').fill('A word in between');
	await page.getByRole('textbox', { name: 'Article', exact: true }).last().click();
	await page.keyboard.type('Hello, readers.');
	await page.reload();
	await expect(page.getByLabel('Subject of the letter')).toHaveValue('A word in between');
	await expect(page.getByRole('textbox', { name: 'Article', exact: true }).last()).toHaveText(
		'Hello, readers.',
	);
	await page.getByText('Preview', { exact: true }).last().click();
	const shown = page.frameLocator('iframe[title="The letter as an email"]');
	await expect(shown.getByRole('heading', { name: 'A word in between' })).toBeVisible();
	await page.getByText('Text', { exact: true }).click();
	await expect(shown.locator('pre')).toContainText('Hello, readers.');
	// A Monday: issues come on Thursdays, and two letters within a day have to be confirmed.
	const monday = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000);
	monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7));
	await page.getByLabel('Send at').fill(monday.toISOString().slice(0, 16));
	await page.getByRole('button', { name: 'Schedule the letter' }).press('Enter');
	await page
		.getByRole('dialog', { name: /^Send to \d+ (?:person|people)/ })
		.getByRole('button', { name: /^Schedule for \d+ / })
		.press('Enter');
	const letter = page.getByRole('listitem').filter({ hasText: 'A word in between' });
	await expect(letter).toContainText('Scheduled');
	await expect(letter).not.toContainText('of 0 sent');
	await letter.getByRole('button', { name: 'Pause' }).press('Enter');
	await expect(letter).toContainText('Paused');
	await letter.getByRole('button', { name: 'Resume' }).press('Enter');
	await expect(letter).toContainText('Scheduled');
	await letter.getByRole('button', { name: 'Details' }).press('Enter');
	await expect(letter.getByText('Unsubscribed within a week')).toBeVisible();
	await expect(letter.getByRole('link', { name: 'Who has it' })).toBeVisible();
	await letter.getByRole('button', { name: 'Stop' }).press('Enter');
	await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).press('Enter');
	await expect(letter).toContainText('Stopped');
	const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
	expect(await page.evaluate(isWide)).toBe(false);
	await expectAccessible(page);
	expect(consoleErrors).toEqual([]);
});
