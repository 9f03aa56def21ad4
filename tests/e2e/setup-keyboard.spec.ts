import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { BUILD_MS, expect, test as base } from './fixtures.ts';
import { LOGO, LOGO_PATH, startFreshSite, takePhoto } from './setup-steps.ts';

const test = base.extend<{ address: string }>({
	address: [
		async ({}, use) => {
			const site = await startFreshSite();
			await use(site.address);
			await site.stop();
		},
		{ timeout: 600_000 },
	],
});

/** Presses Tab until it has the focus, at most once for each stop of the page. */
async function tabTo(page: Page, target: Locator, keys = 'Tab'): Promise<void> {
	await expect(target).toBeVisible();
	const isThere = () => target.evaluate((element) => element === document.activeElement);
	for (let stops = 0; stops < 150 && !(await isThere()); stops++) await page.keyboard.press(keys);
	await expect(target).toBeFocused();
}

/** Types into a field instead of what is in it. */
async function enter(page: Page, field: Locator, text: string): Promise<void> {
	await tabTo(page, field);
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.type(text);
	await expect(field).toHaveValue(text);
}

/** Presses Enter where it opens the choice of a file, and chooses this one. */
async function choose(page: Page, file: Awaited<ReturnType<typeof takePhoto>>): Promise<void> {
	const chooser = page.waitForEvent('filechooser');
	await page.keyboard.press('Enter');
	await (await chooser).setFiles(file);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
	await tabTo(page, target);
	await page.keyboard.press(key);
}

/** Opens a screen by the palette. */
async function openScreen(page: Page, name: string): Promise<void> {
	await page.keyboard.press('ControlOrMeta+k');
	const commands = page.getByRole('dialog', { name: 'Commands' });
	await expect(commands.getByRole('combobox')).toBeFocused();
	await page.keyboard.type(name);
	await expect(commands.getByRole('option', { selected: true })).toContainText(name);
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** Copies as another program does, and pastes. */
async function paste(page: Page, type: string, data: string): Promise<void> {
	await page.evaluate(
		([type, data]) =>
			window.addEventListener(
				'copy',
				(event) => {
					event.clipboardData!.setData(type!, data!);
					event.preventDefault();
					event.stopImmediatePropagation();
				},
				{ capture: true, once: true },
			),
		[type, data],
	);
	await page.keyboard.press('ControlOrMeta+c');
	await page.keyboard.press('ControlOrMeta+v');
}

test('a fresh site is set up and has its first article by keyboard alone @nightly', async ({
	page,
	address,
	context,
	consoleErrors,
}) => {
	test.setTimeout(600_000);
	const field = (name: string) => page.getByRole('textbox', { name, exact: true });
	const button = (name: string) => page.getByRole('button', { name, exact: true });

	// With a listener of its own, the browser is told once to leave choosers to the test, long before the first.
	page.on('filechooser', () => {});
	const photo = await takePhoto();
	await page.goto(`${address}/admin`);
	await enter(page, page.getByLabel('Email'), 'admin@example.com');
	await enter(page, page.getByLabel('Password', { exact: true }), 'Correct-Horse-7');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('heading', { name: 'Set up your site' })).toBeVisible();

	await enter(page, field('Name'), 'Second Opinion');
	await enter(page, field('Tagline'), 'What the numbers say');
	await enter(page, field('Accent color'), '#9f1239');
	// Tab stops at the chosen one of a group of choices.
	await press(page, page.getByRole('radio', { name: /^Keep it/ }), 'ArrowDown');
	await expect(page.getByRole('radio', { name: 'Start empty' })).toBeChecked();
	await press(page, button('Set up and start empty'));
	await press(page, button('Write your first article'));
	await expect(page.getByRole('heading', { name: 'Create Post', level: 1 })).toBeVisible();

	await openScreen(page, 'Site');
	await press(page, page.getByRole('link', { name: 'Looks' }));
	const logo = page.getByLabel('Logo', { exact: true });
	await tabTo(page, logo);
	await choose(page, LOGO);
	await expect(page.getByRole('group', { name: 'How the logo looks' }).locator('img')).toHaveCount(
		2,
	);
	await page.keyboard.press('ControlOrMeta+s');
	await expect(page.getByText('The site is saved', { exact: true })).toBeVisible();

	await openScreen(page, 'Create Post');
	const article = field('Article');
	await enter(page, field('Title'), 'A first second opinion');
	const category = page.getByLabel('Category', { exact: true }).last();
	await tabTo(page, article);
	await page.keyboard.type('It says what the numbers say.');
	await page.keyboard.press('Enter');
	await paste(page, 'text/html', await readFile('tests/e2e/samples/google-docs.html', 'utf8'));
	await expect(article.getByRole('heading', { name: 'Reading a loss curve' })).toBeVisible();
	await page.keyboard.press('ControlOrMeta+End');
	await page.keyboard.press('Enter');
	// No test asks other sites.
	await page.route('**/api/admin/media/card', (route) =>
		route.fulfill({ json: { title: 'As it is called there', text: '', picture: null } }),
	);
	await paste(page, 'text/plain', 'https://youtu.be/dQw4w9WgXcQ');
	const title = article.getByLabel('Title of the video or recording');
	await expect(title).toHaveValue('As it is called there');
	await enter(page, title, 'A talk about numbers');
	await page.keyboard.press('Enter');
	await expect(article).toBeFocused();
	await page.keyboard.type('/image');
	await expect(
		page.getByRole('option', { name: 'Image', exact: true, selected: true }),
	).toBeVisible();
	await choose(page, photo);
	const description = article.getByLabel('Description of the image (alt text)');
	await expect(description).toBeVisible({ timeout: 60_000 });
	await enter(page, description, 'Noise');
	await tabTo(page, category);
	await page.keyboard.type('Articles');
	await expect(category.locator('option:checked')).toHaveText('Articles');
	await expect(page.locator('.save-status')).toContainText('Saved', { timeout: 30_000 });

	await page.keyboard.press('ControlOrMeta+Shift+Enter');
	const dialog = page.getByRole('dialog', { name: 'Publish' });
	await expect(dialog.getByRole('radio', { name: 'Now' })).toBeFocused();
	await press(page, dialog.getByRole('button', { name: 'Publish now' }));
	await expect(dialog).toBeHidden();
	await expect
		.poll(async () => (await page.request.get(address)).text(), { timeout: BUILD_MS })
		.toContain('A first second opinion');

	const visitor = await context.newPage();
	await visitor.goto(address);
	await press(visitor, visitor.getByRole('link', { name: 'A first second opinion' }).first());
	await expect(visitor.getByRole('heading', { name: 'A first second opinion' })).toBeVisible();
	await expect(visitor.getByRole('heading', { name: 'Reading a loss curve' })).toBeVisible();
	await expect(visitor.getByRole('link', { name: /A talk about numbers/ })).toBeVisible();
	await expect(visitor.getByRole('img', { name: 'Noise' })).toHaveJSProperty('naturalWidth', 3200);
	expect(await visitor.content()).not.toMatch(/ground-?truth/i);
	expect(await (await page.request.get(`${address}/logo.svg`)).text()).toContain(LOGO_PATH);

	// The desk asks until the article is there, and the browser itself tells of each answer before.
	const early = new RegExp(`status of 404 .*${address}/blog/a-first-second-opinion$`);
	const expected = consoleErrors.filter((error) => early.test(error));
	for (const error of expected) consoleErrors.splice(consoleErrors.indexOf(error), 1);
});
