import { createClient } from '@libsql/client';
import { join } from 'node:path';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

/** Offers a post what a newer file says, as a start does that finds one. */
async function offer(id: string, form: object): Promise<void> {
	const db = createClient({
		url: `file:${join(process.env['E2E_FOLDER']!, 'site.db')}`,
		timeout: 5000,
	});
	await db.execute({
		sql: 'insert into post_offers (post_id, form) values (?, ?)',
		args: [id, JSON.stringify(form)],
	});
	db.close();
}

test('a newer file of an article is kept out, taken back, compared and taken @nightly', async ({
	page,
}) => {
	test.setTimeout(180_000);
	await page.request.post('/api/admin/login', { data: ADMIN });
	const title = `Edited at the desk ${crypto.randomUUID()}`;
	const made = await page.request.post('/api/admin/posts', {
		data: { title, content: '<p>Common.</p><p>Mine.</p>', excerpt: 'My excerpt.' },
	});
	const { id } = (await made.json()) as { id: string };
	const stored = async () =>
		(await (await page.request.get(`/api/admin/posts/${id}`)).json()) as {
			offer: object | null;
			draft: { form: { content: string; excerpt: string } } | null;
		};
	await offer(id, { excerpt: 'Of the file.', content: '<p>Common.</p><p>Theirs.</p>' });
	await page.goto(`/admin?tab=posts&q=${encodeURIComponent(title)}`);
	await page.getByRole('radio', { name: /^Newer file/ }).check();
	await expect(page).toHaveURL(/state=offered/);
	const row = page.getByRole('row', { name: new RegExp(title) });
	await expect(row).toContainText('Newer file');
	await row.getByRole('button', { name: title, exact: true }).click();

	const note = page.getByRole('region', { name: 'Newer file' });
	await expect(note).toContainText(`The repository has a newer text of “${title}”.`);
	await expectAccessible(page, '.editor');
	await note.getByRole('button', { name: 'Keep mine' }).click();
	await expect(note).toBeHidden();
	expect((await stored()).offer).toBeNull();
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(note).toBeVisible();

	await note.getByRole('button', { name: 'Compare' }).click();
	const compare = page.getByRole('region', { name: 'Two versions of this post' });
	await expect(compare).toContainText('They differ in 2 places');
	await expectAccessible(page, '.editor');
	await compare
		.getByRole('group', { name: 'Excerpt' })
		.getByText('Mine', { exact: true })
		.last()
		.click();
	await compare.getByRole('group', { name: 'Text, place 1' }).getByText('Both').click();
	await compare.getByRole('button', { name: 'Go on with this' }).click();
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(article).toContainText('Theirs.');
	await expect(article).toContainText('Mine.');
	await expect(note).toBeHidden();
	await expect
		.poll(async () => (await stored()).draft?.form)
		.toMatchObject({ excerpt: 'My excerpt.', content: expect.stringMatching(/Mine[^]*Theirs/) });
	expect((await stored()).offer).toBeNull();
	await page.request.delete(`/api/admin/posts/${id}`);
});
