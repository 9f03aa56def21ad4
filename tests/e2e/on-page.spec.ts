import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { THEMES } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

// What is saved here is the site's, which other tests edit as well.
test.describe.configure({ mode: 'default' });
test.use({ alone: 'site' });

const frameOf = (page: Page, path: string) =>
	page.frameLocator(`iframe[title="The page ${path}, to be edited"]`);
const saved = (page: Page) => page.getByText('The site is saved', { exact: true });

async function open(page: Page, query = ''): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?tab=site&part=On+the+page${query}`);
}

/** Expects no violation at the desk and in the frame; in `npm run test:all` in the dark theme as well. */
async function expectAccessible(page: Page): Promise<void> {
	for (const colorScheme of THEMES) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		const found = async () =>
			(await new AxeBuilder({ page }).include('.on-page').analyze()).violations.map(
				({ id, nodes }) => [id, nodes.map(({ html }) => html)],
			);
		await expect.poll(found, { message: colorScheme, timeout: 30_000 }).toEqual([]);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

test('a sentence is found in the palette and changed on its page, twice before the page is made', async ({
	page,
}) => {
	test.setTimeout(2 * BUILD_MS);
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts');
	const before = await (await page.request.get('/newsletter')).text();
	await page.getByRole('button', { name: /^Commands/ }).press('Enter');
	await page.getByRole('combobox', { name: /^Search screens/ }).fill('newsletter at its end');
	await page
		.getByRole('option', { name: /^Newsletter: at its end/ })
		.first()
		.click();
	const frame = frameOf(page, '/newsletter');
	const text = frame.getByRole('textbox', { name: 'Newsletter: at its end' });
	await expect(text).toBeFocused();
	await expect(text).toHaveValue(
		'An address is all it takes. Free, and you can leave at any time.',
	);
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type('Only an address.');
	await page.keyboard.press('Enter');
	await expect(saved(page)).toBeVisible();
	const pencil = frame.getByRole('button', { name: 'Edit Newsletter: at its end' });
	await expect(pencil).toBeFocused();
	await expect(frame.locator('main')).toContainText('Only an address.');
	const words = `Nothing but an address, ${crypto.randomUUID()}.`;
	await page.keyboard.press('Enter');
	await expect(text).toHaveValue('Only an address.');
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type(words);
	await expectAccessible(page);
	await page.keyboard.press('Enter');
	await expect(frame.locator('main')).toContainText(words);
	const shown = async () => (await page.request.get('/newsletter')).text();
	await expect.poll(shown, { timeout: BUILD_MS }).toContain(words);
	// Readers get what they got, but for these words: no mark and no pencil.
	// The footer may name a page that another test makes meanwhile.
	const without = (html: string) =>
		html.replace(/<main[^]*<\/main>/, '').replace(/<footer[^]*<\/footer>/, '').length;
	expect(await shown()).not.toMatch(/data-words|pencil/);
	expect(without(await shown())).toBe(without(before));
	await page.keyboard.press('Enter');
	await frame.getByRole('button', { name: 'The usual words' }).click();
	await frame.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(frame.locator('main')).toContainText('An address is all it takes.');
});

test('Escape leaves a sentence as it was, and what cannot be stored says why on the page @nightly', async ({
	page,
}) => {
	await open(page, '&at=/newsletter');
	const frame = frameOf(page, '/newsletter');
	const pencil = frame.getByRole('button', { name: 'Edit Newsletter: what readers get' });
	await pencil.focus();
	await page.keyboard.press('Enter');
	const text = frame.getByRole('textbox', { name: 'Newsletter: what readers get' });
	await expect(text).toBeFocused();
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type('One letter');
	await page.keyboard.press('ControlOrMeta+Enter');
	await expect(frame.getByRole('alert')).toContainText('Write each promise in a line of its own');
	await expect(page.getByRole('status').filter({ hasText: 'Not saved' })).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(pencil).toBeFocused();
	await expect(page.getByRole('status').filter({ hasText: 'Not saved' })).toBeHidden();
	await expect(frame.locator('main')).toContainText('Numbers you can redo');
});

test('on a phone: each page of the choice has its sentences, seen or in the list below', async ({
	page,
	consoleErrors,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await open(page);
	const choice = page.getByLabel('Page', { exact: true });
	await expect(choice).toBeVisible();
	const paths = await choice
		.locator('option')
		.evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
	expect(paths.length).toBeGreaterThan(8);
	// Each night all of them.
	for (const path of paths.slice(0, process.env['TESTS'] === 'daily' ? 3 : undefined)) {
		await choice.selectOption(path);
		const frame = frameOf(page, path);
		const pencils = frame.getByRole('button', { name: /^Edit / });
		await expect(pencils.first()).toBeVisible();
		for (const pencil of await pencils.all()) {
			const box = (await pencil.boundingBox())!;
			expect(box.x).toBeGreaterThanOrEqual(0);
			expect(box.x + box.width).toBeLessThanOrEqual(390);
			// Nothing lies over it.
			await pencil.click({ trial: true });
		}
	}
	// Missing pages answer so.
	for (const error of consoleErrors.splice(0)) expect(error).toContain('404');
	await choice.selectOption('/');
	// The words beside the form are for wider screens.
	const unseen = page.getByRole('button', { name: /^Edit\W+Home: beside the letter$/ });
	await unseen.click();
	const text = page.getByRole('textbox', { name: 'Home: beside the letter' });
	await expect(text).toHaveValue('Free, usually %WHEN%');
	await expect(page.getByText('Readers read: Free, usually on Thursdays')).toBeVisible();
	await expectAccessible(page);
	await page.keyboard.press('Escape');
	await expect(unseen).toBeFocused();
});

test('a link of the page leads to the next page to edit, and nothing of it runs or is counted @nightly', async ({
	page,
}) => {
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	await open(page);
	await frameOf(page, '/').getByRole('link', { name: 'Blog', exact: true }).first().click();
	const frame = frameOf(page, '/blog');
	await expect(frame.getByRole('button', { name: /^Edit Articles: / }).first()).toBeVisible();
	await expect(page.getByLabel('Page', { exact: true })).toHaveValue('/blog');
	expect(asked.filter((path) => path === '/api/visits')).toEqual([]);
	expect(await frame.locator('script').count()).toBe(0);
	await page.goBack();
	await expect(frameOf(page, '/').getByRole('heading', { level: 1 })).toBeVisible();
});
