import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('a program gets a token, writes a draft by it, and is revoked', async ({
	page,
	playwright,
	baseURL,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=settings&part=Programs+that+write+drafts');
	const name = `Editor ${crypto.randomUUID().slice(0, 8)}`;
	await page.getByLabel('Name of a program').fill(name);
	await page.keyboard.press('Enter');
	const shown = page.getByRole('region', { name: `Token of ${name}` });
	const token = await shown.locator('code').first().textContent();
	expect(token).toMatch(/^gtd_/);
	await shown.getByText('How a program uses it').click();
	await expect(shown).toContainText('Authorization: Bearer');
	await expectAccessible(page, '#main');
	// As a program does, with no session.
	const program = await playwright.request.newContext({
		baseURL: baseURL!,
		extraHTTPHeaders: { Authorization: `Bearer ${token}` },
	});
	const made = await program.post('/api/admin/drafts', {
		data: { title: `Written by ${name}`, markdown: 'Some **words**.' },
	});
	expect(made.status()).toBe(201);
	const { id } = (await made.json()) as { id: string };
	expect((await program.get('/api/admin/subscribers')).status()).toBe(403);
	await page.goto(`/admin?tab=posts&state=draft&q=${encodeURIComponent(name)}`);
	await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText(`Begun by ${name}`);
	await page.goto(`/admin?tab=create&post=${id}`);
	await expect(page.getByText(`Begun by the program “${name}”`)).toBeVisible();
	await expect(page.getByRole('textbox', { name: 'Article', exact: true })).toContainText(
		'Some words.',
	);

	await page.goto('/admin?tab=settings&part=Programs+that+write+drafts');
	await expect(page.getByText('last used')).not.toHaveCount(0);
	await page.getByRole('button', { name: `Revoke ${name}` }).click();
	const question = page.getByRole('dialog', { name: `Revoke “${name}”?` });
	await expectAccessible(page, 'dialog[open]');
	await question.getByRole('button', { name: 'Revoke', exact: true }).click();
	await expect(page.getByRole('button', { name: `Revoke ${name}` })).toBeHidden();
	expect((await program.get(`/api/admin/drafts/${id}`)).status()).toBe(401);
	await program.dispose();
	await page.goto(`/admin?tab=settings&part=Audit+log&q=${encodeURIComponent(name)}`);
	await expect(page.getByText(`program “${name}”`).first()).toBeVisible();
	await page.request.delete(`/api/admin/posts/${id}`);
});
