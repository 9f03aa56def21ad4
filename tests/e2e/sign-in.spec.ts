import { createClient } from '@libsql/client';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { join } from 'node:path';
import { hashPassword } from '#src/core/session/password.server.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const PASSWORD = 'Second-Horse-8';

/** Opens the site's database beside the server. */
const openDatabase = () =>
	createClient({ url: `file:${join(process.env['E2E_FOLDER']!, 'site.db')}`, timeout: 5000 });

/** Adds an account of its own, so that the other tests' admin goes on signing in with a password alone. */
async function addAccount(): Promise<string> {
	const email = `${crypto.randomUUID()}@example.com`;
	const db = openDatabase();
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
	await page.goto('/admin?tab=settings&part=Sign-in');
	await typePassword(page, email);
	await page.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter');
	await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
	const shown = await page.locator('code', { hasText: /^([A-Z2-7]{4} ?){8}$/ }).textContent();
	const app = new TOTP({ secret: Secret.fromBase32(shown!.replaceAll(' ', '')) });
	const section = page.locator('.desk-section', {
		has: page.getByRole('heading', { name: 'Sign-in' }),
	});
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
	// By keyboard: other sections may still arrive, and move the button from under a press.
	await section.getByRole('button', { name: 'I have kept them' }).press('Enter');
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
	await expect(refusal).toContainText('This code is not right');
	await asked.fill(recovery[0]!.toUpperCase());
	await page.keyboard.press('Enter');
	await expect(section).toContainText('9 recovery codes left');

	await page.context().clearCookies();
	await page.reload();
	await typePassword(page, email);
	await asked.fill(recovery[0]!);
	await page.keyboard.press('Enter');
	await expect(refusal).toContainText('This code is not right');
	await page.getByRole('button', { name: 'Start over' }).click();
	await typePassword(page, email);
	// The code of the next step, as that of this one may have been used.
	await asked.fill(app.generate({ timestamp: Date.now() + 30_000 }));
	await page.keyboard.press('Enter');
	await expect(section).toContainText('9 recovery codes left');

	await section.getByRole('button', { name: 'Turn off codes' }).press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Turn off codes' });
	await expectAccessible(page, 'dialog[open]');
	await dialog.getByRole('button', { name: 'Turn off' }).click();
	// However recent the last sign-in is.
	const again = page.getByRole('dialog', { name: 'Sign in again' });
	await expect(section.getByRole('button', { name: 'Turn off codes' })).toBeAttached();
	await again.getByLabel('Email').fill(email);
	await again.getByLabel('Password').fill(PASSWORD);
	await again.getByRole('button', { name: 'Sign in' }).click();
	await again.getByLabel('Code', { exact: true }).fill(recovery[1]!);
	await page.keyboard.press('Enter');
	await expect(dialog).toBeHidden();
	await expect(section.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
	// The browser itself reports each 401.
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.splice(0);
});

test('a passkey signs in by itself, is asked for again, and is removed', async ({
	page,
	baseURL,
	consoleErrors,
}) => {
	const email = await addAccount();
	const devices = await page.context().newCDPSession(page);
	await devices.send('WebAuthn.enable');
	const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
		options: {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
	/** Lets the device sign, or not: this browser chooses what it fills in by itself. */
	const sign = (enabled: boolean) =>
		devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
	await page.setViewportSize({ width: 390, height: 800 });
	// Browsers know no passkeys for an IP address.
	await page.goto(`${baseURL!.replace('127.0.0.1', 'localhost')}/admin?tab=settings&part=Sign-in`);
	// Nothing is offered that nobody set up.
	await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
	await typePassword(page, email);
	const section = page.locator('.desk-section', {
		has: page.getByRole('heading', { name: 'Sign-in' }),
	});
	const name = section.getByLabel('Name of this device');
	await name.fill('');
	await section.getByRole('button', { name: 'Add a passkey' }).press('Enter');
	await expect(section.getByText('Please give it a name.')).toBeVisible();
	await name.fill('Desk computer');
	await section.getByRole('button', { name: 'Add a passkey' }).press('Enter');
	await expect(section.getByRole('heading', { name: 'Your 10 recovery codes' })).toBeFocused();
	await section.getByRole('button', { name: 'I have kept them' }).press('Enter');
	const list = section.getByRole('list', { name: 'Passkeys' });
	await expect(list).toContainText('Desk computer');
	await expect(list).toContainText('not used since');
	await list.getByRole('button', { name: 'Rename Desk computer' }).press('Enter');
	const renamed = list.getByLabel('New name');
	await expect(renamed).toBeFocused();
	await expectAccessible(page, '.desk-section:has([aria-label="Passkeys"])');
	await renamed.fill('Office computer');
	await page.keyboard.press('Enter');
	await expect(list).toContainText('Office computer');
	await expect(renamed).toBeHidden();
	await list.getByRole('button', { name: 'Rename Office computer' }).press('Enter');
	await renamed.fill('Desk computer');
	await page.keyboard.press('Enter');
	await expect(list).toContainText('Desk computer');

	// A browser in which none was used offers it where it fills in the address.
	await page.context().clearCookies();
	await page.evaluate(() => localStorage.clear());
	await sign(false);
	await page.reload();
	await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
	await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
	await sign(true);
	await page.reload();
	await expect(list).toContainText('last used');

	// One in which it was used has a button as well.
	await page.context().clearCookies();
	await sign(false);
	await page.reload();
	await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible();

	// So has one that cannot fill it in.
	await page.addInitScript(() => {
		PublicKeyCredential.isConditionalMediationAvailable = async () => false;
	});
	await page.evaluate(() => localStorage.clear());
	await sign(true);
	await page.reload();
	await page.getByRole('button', { name: 'Use a passkey' }).click();
	await expect(list).toContainText('last used');

	await page.context().clearCookies();
	await page.reload();
	await typePassword(page, email);
	await expect(page.getByText('Use one of your passkeys, or enter a recovery code.')).toBeVisible();
	await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
	await expectAccessible(page, '.desk-sign-in');
	await page.getByRole('button', { name: 'Use a passkey' }).click();
	await expect(list).toContainText('Desk computer');

	await name.fill('Typed before');
	await list.getByRole('button', { name: 'Remove Desk computer' }).press('Enter');
	const question = page.getByRole('dialog', { name: 'Remove Desk computer?' });
	await question.getByRole('button', { name: 'Remove it' }).press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Sign in again' });
	await expectAccessible(page, 'dialog[open]');
	await dialog.getByRole('button', { name: 'Use a passkey' }).click();
	await expect(list).toBeHidden();
	await expect(name).toHaveValue('Typed before');
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	// The browser itself reports each 401.
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.splice(0);
});

test('a forgotten password says what can be done, and a link that has ended says so', async ({
	page,
	consoleErrors,
}) => {
	await page.goto('/admin');
	await page.getByRole('button', { name: 'Forgot your password?' }).click();
	await page.getByLabel('Email').fill('admin@example.com');
	await page.getByRole('button', { name: 'Mail me a link' }).click();
	await expect(page.locator('.desk-sign-in')).toContainText('This site sends no mail');
	await expect(page.getByLabel('Email')).toHaveValue('admin@example.com');
	await expectAccessible(page, '.desk-sign-in');

	await page.goto('/admin#reset=AAAA');
	await page.reload();
	const field = page.getByLabel('New password', { exact: true });
	await field.fill('Password1');
	await expect(page.getByRole('status').filter({ hasText: 'among the first' })).toBeVisible();
	await field.fill('Dragonfly-Pond-3');
	await expect(page.getByRole('status').filter({ hasText: 'Strong' })).toBeVisible();
	await expectAccessible(page, '.desk-sign-in');
	await page.getByRole('button', { name: 'Set the password' }).click();
	await expect(page.getByRole('alert')).toHaveText(/^This link has been used or has ended/);
	await expect(field).toHaveValue('Dragonfly-Pond-3');
	await page.getByRole('button', { name: 'Back to sign-in' }).click();
	await expect(page.getByLabel('Email')).toBeVisible();
	expect(consoleErrors.filter((error) => !/400|503/.test(error))).toEqual([]);
	consoleErrors.splice(0);
});

test('an error of a page reaches the owner, without what is about the reader', async ({
	page,
	consoleErrors,
}) => {
	await page.goto('/blog');
	const answered = page.waitForResponse('**/api/errors');
	// As if one of our own scripts had failed.
	await page.evaluate(() => {
		const error = new Error('No room for ada@example.com in the test');
		const script = document.querySelector<HTMLScriptElement>(
			'script[type=module][src*="_astro/Base."]',
		)!;
		error.stack = `Error: x\n    at grow (${script.src}:1:2)`;
		dispatchEvent(new ErrorEvent('error', { error }));
	});
	const response = await answered;
	expect(response.request().postDataJSON()).toMatchObject({
		message: 'No room for [address] in the test',
		path: '/blog',
	});
	expect(response.status()).toBe(200);

	const email = await addAccount();
	await page.goto('/admin?tab=settings&part=Errors+of+pages');
	await typePassword(page, email);
	const section = page.locator('.desk-section', {
		has: page.getByRole('heading', { name: 'Errors of pages' }),
	});
	const row = section.getByRole('listitem').filter({ hasText: 'No room for [address]' });
	await row.locator('summary').click();
	await expect(row).toContainText('grow');
	await expectAccessible(page, '.desk-section:has([aria-label="Errors of pages"])');
	await row.getByRole('button', { name: /^Dismiss/ }).click();
	await expect(row).toBeHidden();
	expect(consoleErrors).toEqual([]);
});
