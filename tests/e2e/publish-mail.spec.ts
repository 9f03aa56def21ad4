import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('an article is published and mailed in three presses, and its letter stopped', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(240_000);
	await page.request.post('/api/subscribers', {
		data: { email: `reader-${crypto.randomUUID()}@example.com`, source: 'A test' },
	});
	await page.request.post('/api/admin/login', { data: ADMIN });
	const { id: categoryId } = (
		(await (await page.request.get('/api/admin/categories')).json()) as { id: string }[]
	)[0]!;
	const title = `Mailed ${crypto.randomUUID()}`;
	const made = await page.request.post('/api/admin/posts', {
		data: { title, categoryId, excerpt: 'Short.', content: '<p>Some words.</p>' },
	});
	const { id } = (await made.json()) as { id: string };
	await page.goto(`/admin?tab=create&post=${id}`);
	await page.getByRole('button', { name: 'Publish…' }).click();
	const dialog = page.getByRole('dialog', { name: 'Publish' });
	const mail = dialog.getByRole('group', { name: 'By mail' });
	await expect(mail.getByRole('radio', { name: /^In the next issue/ })).toBeChecked();
	await expect(mail).toContainText(/would get it now/);
	await mail.getByRole('radio', { name: /^As a letter of its own/ }).check();
	await expect(mail).toContainText(`“${title}” goes to`);
	await mail.getByText('Preview', { exact: true }).click();
	const email = page.frameLocator('iframe[title="The letter as an email"]');
	await expect(email.getByText('Some words.')).toBeVisible();
	await expect(email.getByRole('link', { name: 'Read it on the site' })).toBeVisible();
	await expectAccessible(page, 'dialog[open]');
	await dialog
		.getByRole('button', { name: /^Publish and send to \d[\d,]* (person|people)$/ })
		.click();
	await expect(dialog).toBeHidden();
	const note = page.getByRole('region', { name: 'The letter' });
	await expect(note).toContainText('The letter goes out');
	await expectAccessible(page, '.mailed');
	await note.getByRole('button', { name: 'Stop the letter' }).click();
	await expect(note).toContainText('Stopped: nobody got it.');
	const { letters } = (await (await page.request.get('/api/admin/letters')).json()) as {
		letters: { subject: string; state: string }[];
	};
	expect(letters.find(({ subject }) => subject === title)?.state).toBe('stopped');
	const next = (await (await page.request.get('/api/admin/letters/next')).json()) as {
		leftOut: { id: string }[];
	};
	expect(next.leftOut.map((one) => one.id)).toContain(id);
	// Nobody is mailed whom nobody chose: the next one begins in the issue again, and takes the same three presses.
	const second = `Mailed ${crypto.randomUUID()}`;
	const made2 = await page.request.post('/api/admin/posts', {
		data: { title: second, categoryId, excerpt: 'Short.', content: '<p>More words.</p>' },
	});
	const { id: secondId } = (await made2.json()) as { id: string };
	await page.goto('/admin?tab=posts');
	await page.getByRole('button', { name: second, exact: true }).click();
	await page.getByRole('button', { name: 'Publish…' }).click();
	await expect(dialog.getByRole('radio', { name: /^In the next issue/ })).toBeChecked();
	await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeVisible();
	await dialog.getByRole('radio', { name: /^As a letter of its own/ }).check();
	await dialog
		.getByRole('button', { name: /^Publish and send to \d[\d,]* (person|people)$/ })
		.click();
	await expect(note).toContainText('The letter goes out');
	await note.getByRole('button', { name: 'Stop the letter' }).click();
	await expect(note).toContainText('Stopped: nobody got it.');
	await page.request.delete(`/api/admin/posts/${secondId}`);
	await page.request.delete(`/api/admin/posts/${id}`);
	// Until its build ends, the editor looks for the page in vain.
	const address = /\/blog\/mailed-/;
	expect(consoleErrors.filter((error) => !(error.includes('404') && address.test(error)))).toEqual(
		[],
	);
	consoleErrors.length = 0;
});
