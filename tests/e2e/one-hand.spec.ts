import type { Locator } from '@playwright/test';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Taps what a thumb reaches: it is in the lower half of the screen, and 44 pixels high where it is a button. */
async function tapLow(target: Locator): Promise<void> {
	await expect(target).toBeVisible();
	await expect.poll(async () => (await target.boundingBox())!.y).toBeGreaterThan(422);
	expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(40);
	await target.tap();
}

test('a comment is hidden and approved with one hand @nightly', async ({ page, request }) => {
	const post = await (await request.get('/api/posts/bm25-baseline')).json();
	const content = `By thumb ${crypto.randomUUID()}`;
	const data = { postId: post.id, author: 'Grace', email: 'thumb@example.com', content };
	expect((await request.post('/api/comments', { data })).status()).toBe(201);
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts');
	await tapLow(
		page.getByRole('navigation', { name: 'Main screens' }).getByRole('link', { name: 'Comments' }),
	);
	const row = page.getByRole('row').filter({ hasText: content });
	await row.getByRole('checkbox').tap();
	await tapLow(page.getByRole('button', { name: 'Hide' }).first());
	await expect(page.getByText('1 comment hidden.')).toBeVisible();
	await row.getByRole('checkbox').tap();
	await tapLow(page.getByRole('button', { name: 'Approve' }).first());
	await expect(page.getByText(/^1 comment (approved|published|shown|visible)/)).toBeVisible();
});

test('a letter is asked about with one hand @nightly', async ({ page }) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=newsletter&part=letters');
	await page.getByRole('button', { name: 'Write a letter' }).tap();
	await page.getByLabel('Subject of the letter').fill('By thumb');
	const text = page.getByRole('textbox', { name: 'Article', exact: true }).last();
	await text.tap();
	await page.keyboard.type('Hello, readers.');
	const send = page.getByRole('button', { name: 'Send the letter' });
	await send.evaluate((button) => button.scrollIntoView({ block: 'end' }));
	await send.tap();
	const question = page.getByRole('dialog', { name: /^Send to \d+ (?:person|people)/ });
	// What cannot be called back is under the thumb, and so is the way out.
	const yes = question.getByRole('button', { name: /^Send to \d+ / });
	expect((await yes.boundingBox())!.y).toBeGreaterThan(422);
	await tapLow(question.getByRole('button', { name: 'Not yet' }));
	await expect(question).toBeHidden();
	await page.getByRole('button', { name: 'Discard' }).tap();
});

test('a typo in a published article is fixed with one hand @nightly', async ({ page, request }) => {
	test.setTimeout(BUILD_MS + 60_000);
	const { categoryId } = (await (await request.get('/api/posts/bm25-baseline')).json()) as {
		categoryId: string;
	};
	await page.request.post('/api/admin/login', { data: ADMIN });
	const title = `Thumbs ${crypto.randomUUID()}`;
	const made = await page.request.post('/api/admin/posts', {
		data: { title, categoryId, content: '<p>One wrod too many.</p>', published: true },
	});
	expect(made.status()).toBe(201);
	const { id, slug } = (await made.json()) as { id: string; slug: string };
	// The desk asks whether its page is there.
	const live = async () => (await request.get(`/blog/${slug}`)).status();
	await expect.poll(live, { timeout: BUILD_MS }).toBe(200);
	await page.goto('/admin?tab=posts');
	await page.getByRole('button', { name: title, exact: true }).tap();
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(article).toContainText('One wrod too many.');
	await article.getByText('One wrod too many.').tap();
	await page.keyboard.press('Home');
	for (let step = 0; step < 'One w'.length; step++) await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Delete');
	await page.keyboard.press('Delete');
	await page.keyboard.type('or');
	await expect(article).toContainText('One word too many.');
	await tapLow(page.getByRole('button', { name: 'Update', exact: true }));
	const question = page.getByRole('dialog', { name: 'Update the article' });
	await tapLow(question.getByRole('button', { name: 'Update now' }));
	await expect(question).toBeHidden();
	const stored = async () =>
		((await (await page.request.get(`/api/admin/posts/${id}`)).json()) as { form: object }).form;
	await expect.poll(stored).toMatchObject({ content: '<p>One word too many.</p>' });
	await page.request.delete(`/api/admin/posts/${id}`);
});
