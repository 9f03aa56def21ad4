import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

type Stored = { form: { content: string } };

test.describe.configure({ timeout: 180_000 });

/** Opens a new draft at the desk with the cursor at its end. */
async function write(page: Page, content: string) {
	await page.request.post('/api/admin/login', { data: ADMIN });
	const data = { title: `Blocks ${crypto.randomUUID()}`, content };
	const made = await page.request.post('/api/admin/posts', { data });
	const { id } = (await made.json()) as { id: string };
	await page.goto(`/admin?tab=create&post=${id}`);
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(article).toBeVisible({ timeout: 60_000 });
	await article.locator('p').last().click();
	await page.keyboard.press('ControlOrMeta+End');
	const stored = async () => {
		const answer = await page.request.get(`/api/admin/posts/${id}`);
		const post = (await answer.json()) as Stored & { draft: Stored | null };
		return (post.draft ?? post).form.content;
	};
	return { id, article, stored };
}

test('formulas are typed between dollar signs, prices are not, and undo gives the signs back', async ({
	page,
}) => {
	const { article, stored } = await write(page, '<p>First</p>');
	await page.keyboard.type(': $5 and $10, but $E=mc^2$');
	const formula = article.locator('.math-node math');
	await expect(formula).toHaveCount(1);
	await page.keyboard.press('ControlOrMeta+z');
	await expect(article).toContainText('$5 and $10, but $E=mc^2$');
	await expect(formula).toHaveCount(0);
	await page.keyboard.press('ControlOrMeta+Shift+z');
	await page.keyboard.type(' holds.');
	await page.keyboard.press('Enter');
	await page.keyboard.type('$$');
	const source = page.getByRole('textbox', { name: 'Formula in LaTeX' });
	await expect(source.last()).toBeFocused();
	await page.keyboard.press('ControlOrMeta+z');
	await expect(article).toContainText('$$');
	await page.keyboard.press('Backspace');
	await page.keyboard.type('$\\sum_i x_i$$After it.');
	await expect(formula).toHaveCount(2);
	await expect
		.poll(stored)
		.toMatch(
			/\$5 and \$10, but <span data-type="inline-math" data-latex="E=mc\^2"><\/span> holds\.<\/p>\s*<div data-type="block-math" data-latex="\\sum_i x_i"><\/div>\s*<p>After it\.<\/p>/,
		);
	await expectAccessible(page, '.article-surface');
});
