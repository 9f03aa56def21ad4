import { createClient } from '@libsql/client';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { join } from 'node:path';
import { hashPassword } from '#src/core/session/password.server.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const PASSWORD = 'Second-Horse-8';

/** Adds an account of its own, so that the other tests' admin goes on signing in with a password alone. */
async function addAccount(): Promise<string> {
	const email = `${crypto.randomUUID()}@example.com`;
	const db = createClient({
		url: `file:${join(process.env['E2E_FOLDER']!, 'site.db')}`,
		timeout: 5000,
	});
	await db.execute({
		sql: 'insert into users (id, username, email, password) values (?, ?, ?, ?)',
		args: [crypto.randomUUID(), email, email, await hashPassword(PASSWORD)],
	});
	db.close();
	return email;
}

async function typePassword(page: Page, email: string): Promise<void> {
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password').fill(PASSWORD);
	await page.getByRole('button', { name: 'Sign in' }).click();
}

test('an authenticator app is set up, asked for at the door, and turned off', async ({
	page,
	consoleErrors,
}) => {
	const email = await addAccount();
	await page.setViewportSize({ width: 390, height: 800 });
	await page.goto('/admin?tab=settings');
	await typePassword(page, email);
	await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
	await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
	const shown = await page.locator('code', { hasText: /^([A-Z2-7]{4} ?){8}$/ }).textContent();
	const app = new TOTP({ secret: Secret.fromBase32(shown!.replaceAll(' ', '')) });
	const section = page.locator('.desk-section', {
		has: page.getByRole('heading', { name: 'Sign-in' }),
	});
	await section.getByLabel('Your password').fill(PASSWORD);
	const code = section.getByLabel('Code', { exact: true });
	await code.fill('12345');
	await page.keyboard.press('Enter');
	await expect(section.getByRole('alert')).toHaveText(/^This code is not right/);
	await expect(code).toBeFocused();
	await expect(code).toHaveValue('12345');
	await expectAccessible(page, '.desk-section:has(.qr-code)');
	await code.fill(app.generate());
	await page.keyboard.press('Enter');
	await expect(section.getByRole('heading', { name: 'Your 10 recovery codes' })).toBeFocused();
	const recovery = await section.locator('.recovery-codes code').allTextContents();
	expect(recovery).toHaveLength(10);
	await expectAccessible(page, '.desk-section:has(.recovery-codes)');
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	await section.getByRole('button', { name: 'I have kept them' }).click();
	await expect(section).toContainText('10 recovery codes left');

	await page.context().clearCookies();
	await page.reload();
	await typePassword(page, email);
	const asked = page.getByLabel('Code', { exact: true });
	await expect(asked).toBeFocused();
	const refusal = page.locator('.desk-sign-in').getByRole('alert');
	await expect(refusal).toBeHidden();
	await expectAccessible(page, '.desk-sign-in');
	await asked.fill('000-000-000');
	await page.keyboard.press('Enter');
	await expect(refusal).toHaveText(/^This code is not right/);
	await asked.fill(recovery[0]!.toUpperCase());
	await page.keyboard.press('Enter');
	await expect(section).toContainText('9 recovery codes left');

	await page.context().clearCookies();
	await page.reload();
	await typePassword(page, email);
	await asked.fill(recovery[0]!);
	await page.keyboard.press('Enter');
	await expect(refusal).toHaveText(/^This code is not right/);
	await page.getByRole('button', { name: 'Start over' }).click();
	await typePassword(page, email);
	// The code of the next step, as that of this one may have been used.
	await asked.fill(app.generate({ timestamp: Date.now() + 30_000 }));
	await page.keyboard.press('Enter');
	await expect(section).toContainText('9 recovery codes left');

	await section.getByRole('button', { name: 'Turn off codes' }).click();
	const dialog = page.getByRole('dialog', { name: 'Turn off codes' });
	await dialog.getByLabel('Your password').fill(PASSWORD);
	await dialog.getByLabel('Code', { exact: true }).fill(recovery[1]!);
	await expectAccessible(page, 'dialog[open]');
	await dialog.getByRole('button', { name: 'Turn off' }).click();
	await expect(dialog).toBeHidden();
	await expect(section.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
	// The browser itself reports each 401.
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.splice(0);
});
