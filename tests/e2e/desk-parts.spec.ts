import type { Locator } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('the editor comes in few files, reads its categories meanwhile, and Enter in the title leads to the text at once', async ({
	page,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	await page.goto('/admin?tab=create');
	const title = page.getByRole('textbox', { name: 'Title', exact: true });
	await expect(title).toBeFocused();
	const scripts = asked.filter((path) => path.endsWith('.js'));
	expect(scripts.length).toBeLessThanOrEqual(50);
	expect(asked.filter((path) => path === '/api/categories')).toHaveLength(1);
	const surface = asked.findIndex((path) => /\/Surface\..*\.js$/.test(path));
	expect(asked.indexOf('/api/categories')).toBeLessThan(surface);
	// Key after key, without a pause.
	await page.keyboard.type('A title in haste\nWhen words follow.');
	await expect(title).toHaveValue('A title in haste');
	await expect(page.getByRole('textbox', { name: 'Article', exact: true })).toHaveText(
		'When words follow.',
	);
});

test('what opens over the editor is accessible in both themes @nightly', async ({ page }) => {
	test.setTimeout(180_000);
	await page.request.post('/api/admin/login', { data: ADMIN });
	const made = await page.request.post('/api/admin/posts', {
		data: { title: `Looked at ${crypto.randomUUID()}`, content: '<p>Some words.</p>' },
	});
	const { id } = (await made.json()) as { id: string };
	await page.goto(`/admin?tab=create&post=${id}`);
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(article).toContainText('Some words.');
	const more = page.getByRole('button', { name: 'More actions' });
	await more.click();
	const menu = page.getByRole('group', { name: 'More actions' });
	await expect(menu).toBeVisible();
	await expectAccessible(page, '.menu:popover-open');
	await page.keyboard.press('Escape');
	for (const [action, title] of [
		['Earlier versions', 'Earlier versions'],
		['HTML of the article', 'HTML of the article'],
		['Keyboard shortcuts', 'Keyboard shortcuts'],
	] as const) {
		await more.click();
		await menu.getByRole('button', { name: action }).click();
		await expect(page.getByRole('dialog', { name: title })).toBeVisible();
		await expectAccessible(page, 'dialog[open]');
		await page.keyboard.press('Escape');
		await expect(page.getByRole('dialog', { name: title })).toBeHidden();
	}
	await article.getByText('Some words.').dblclick({ position: { x: 8, y: 12 } });
	await page.keyboard.press('ControlOrMeta+h');
	const find = page.locator('.find-bar');
	await expect(find).toBeVisible();
	await page.keyboard.press('ControlOrMeta+f');
	// The words that were selected are looked for, until others are typed in their place.
	const sought = find.getByLabel('Find', { exact: true });
	await expect(sought).toHaveValue('Some');
	const chosen = () =>
		sought.evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
			selectionStart,
			selectionEnd,
		]);
	await expect.poll(chosen).toEqual([0, 4]);
	await expectAccessible(page, '.find-bar');
	await page.keyboard.press('Escape');
	const dialog = (title: string) => page.getByRole('dialog', { name: title });
	await page.getByRole('button', { name: /^Commands/ }).click();
	await expect(dialog('Commands')).toBeVisible();
	// The place of the scrollbar is as dark as the page beside it.
	await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(107, 110, 112)');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Escape');
	const tools = page.getByRole('toolbar', { name: 'Formatting' });
	await tools.getByRole('button', { name: /^Link/ }).click();
	await expect(dialog('Link')).toBeVisible();
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Escape');
	await page.getByLabel('Category', { exact: true }).last().selectOption({ label: 'MLOps' });
	await page.getByRole('button', { name: 'Publish…' }).click();
	await expect(dialog('Publish')).toBeVisible();
	await expectAccessible(page, 'dialog[open]');
	await page.request.delete(`/api/admin/posts/${id}`);
});

test('the sidebar of a phone, and the note while an earlier build is shown, are accessible @nightly', async ({
	page,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.route('**/api/admin/rollback', async (route) => {
		const response = await route.fetch();
		const kept = (await response.json()) as object;
		await route.fulfill({ response, json: { ...kept, isHeld: true } });
	});
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/admin?tab=posts');
	await expect(page.getByText('Readers see an earlier build of the site')).toBeVisible();
	await expectAccessible(page, '.desk-note');
	await page.getByRole('button', { name: 'Menu' }).click();
	const sidebar = page.getByRole('navigation', { name: 'Admin' });
	await expect(sidebar).toBeVisible();
	await expectAccessible(page, '.room-nav');
});

test('on a phone, what is done with a draft is in one line, and the rest in a menu within the screen @nightly', async ({
	page,
}) => {
	await page.setViewportSize({ width: 360, height: 800 });
	await page.request.post('/api/admin/login', { data: ADMIN });
	const made = await page.request.post('/api/admin/posts', {
		data: { title: `By phone ${crypto.randomUUID()}`, content: '<p>Some words.</p>' },
	});
	const { id } = (await made.json()) as { id: string };
	await page.goto(`/admin?tab=create&post=${id}`);
	const more = page.getByRole('button', { name: 'More actions' });
	const boxOf = async (name: string) =>
		(await page.getByRole('button', { name, exact: true }).boundingBox())!;
	const middle = ({ y, height }: { y: number; height: number }) => Math.round(y + height / 2);
	await expect(more).toBeVisible();
	expect(middle(await boxOf('More actions'))).toBe(middle(await boxOf('Publish…')));
	await more.click();
	const menu = page.getByRole('group', { name: 'More actions' });
	await expect(menu.getByRole('button', { name: 'Earlier versions' })).toBeInViewport({ ratio: 1 });
	await expect(menu.getByRole('button', { name: 'Delete' })).toBeInViewport({ ratio: 1 });
	// Finds the side panel folded below the text, with a summary of what is set.
	const part = page.getByRole('region', { name: 'Post', exact: true });
	await expect(part.locator('summary')).toContainText('No category');
	await expect(part.getByLabel('Category')).toBeHidden();
	const height = await page.evaluate(() => document.documentElement.scrollHeight);
	expect(height).toBeLessThanOrEqual(1800);
	await menu.getByRole('button', { name: 'Close', exact: true }).click();
	await expect(page.getByRole('heading', { name: 'Manage Posts', level: 1 })).toBeAttached();
	await expect(page).toHaveURL(/tab=posts/);
	await page.request.delete(`/api/admin/posts/${id}`);
});

test('the editor leads back to the place in the list: page, filter, row and focus', async ({
	page,
}) => {
	await page.setViewportSize({ width: 1280, height: 640 });
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts&state=published&sort=title');
	const row = page.getByRole('row').nth(20).locator('.post-title');
	await row.scrollIntoViewIfNeeded();
	const top = await page.evaluate(() => scrollY);
	expect(top).toBeGreaterThan(300);
	const title = (await row.textContent())!;
	await row.click();
	await expect(page.locator('.editor-title')).toHaveValue(title);
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	await expect(page).toHaveURL('/admin?tab=posts&state=published&sort=title');
	await expect(row).toBeFocused();
	await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
});

test('on a phone the parts of Site and Settings are a choice, and lists of links fold @nightly', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=settings');
	const parts = page.getByRole('navigation', { name: 'Parts of the settings' });
	await expect(parts.getByRole('link')).toHaveCount(0);
	await parts.getByLabel('Part of the settings').selectOption('Audit log');
	await expect(page).toHaveURL(/part=Audit\+log/);
	await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
	await page.goto('/admin?tab=site&part=Links');
	const links = page.getByRole('group', { name: 'Navigation' });
	await expect(links.getByLabel('Words').first()).toBeHidden();
	expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1300);
	await links.locator('summary').click();
	await expect(links.getByLabel('Words').first()).toHaveValue('Home');
	await expectAccessible(page, '#main');
});

test('a former address of a screen leads to the one that it is part of @nightly', async ({
	page,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=visits');
	await expect(page.getByRole('heading', { name: 'Numbers', level: 1 })).toBeVisible();
});

test('on a phone, screens and what is done with chosen rows are under the thumb', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts');
	const dock = page.getByRole('navigation', { name: 'Main screens' });
	await expect(dock.getByRole('link', { name: 'Posts' })).toHaveAttribute('aria-current', 'page');
	await expectAccessible(page);
	const isLow = async (part: Locator) => expect((await part.boundingBox())!.y).toBeGreaterThan(422);
	await page.getByRole('button', { name: 'Menu' }).click();
	const sidebar = page.getByRole('navigation', { name: 'Admin' });
	await isLow(sidebar.getByRole('link', { name: 'Settings' }));
	await sidebar.getByRole('link', { name: 'Manage Posts' }).click();
	await page.getByRole('checkbox').nth(1).check();
	await isLow(page.getByRole('button', { name: 'Publish', exact: true }));
	await isLow(page.getByRole('button', { name: 'Clear', exact: true }));
	await dock.getByRole('link', { name: 'Comments' }).click();
	await expect(page).toHaveURL('/admin?tab=comments');
	await dock.getByRole('link', { name: 'Write' }).click();
	// The editor has the lower edge, and the menu is above it.
	await expect(dock).toBeHidden();
	await page.getByRole('button', { name: 'Menu', exact: true }).click();
	await expect(sidebar).toBeVisible();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'More actions' }).click();
	const menu = page.getByRole('group', { name: 'More actions' });
	await expect(menu.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
	await page.keyboard.press('Escape');
	await page.goto('/admin?tab=states&state=ohio');
	const save = page.getByRole('form', { name: 'Ohio' }).getByRole('button', { name: 'Save' });
	await isLow(save);
	// A choice that the line has no room for is scrolled to.
	await page.goto('/admin?tab=posts&state=due');
	await expect(page.getByRole('radio', { name: /^Due for review/ })).toBeChecked();
	await expect(page.getByText(/^Due for review/)).toBeInViewport({ ratio: 1 });
	await page.setViewportSize({ width: 1280, height: 844 });
	await page.goto('/admin?tab=create');
	await page.getByRole('button', { name: 'More actions' }).click();
	await expect(menu).toBeVisible();
	await expect(menu.getByRole('button', { name: 'Save', exact: true })).toBeHidden();
});

test('on a phone, a list whose rows are laid out as a grid is a table all the same @nightly', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts');
	const row = page.locator('.data-table tbody tr').first();
	await expect(row).toHaveCSS('display', 'grid');
	const rows = await page.getByRole('table', { name: 'Posts' }).getByRole('row').count();
	// What the browser itself tells a screen reader.
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send('Accessibility.getFullAXTree');
	const told = (role: string) =>
		nodes.filter((node) => !node.ignored && node.role?.value === role).length;
	expect(told('table')).toBe(1);
	expect(told('row')).toBe(rows);
	// Checkbox, title, state and actions.
	expect(told('cell')).toBe((rows - 1) * 4 + 1);
	expect(told('columnheader')).toBe(3);
	await page
		.getByRole('button', { name: /^Actions for/ })
		.first()
		.click();
	await expect(page.locator('.menu:popover-open')).toBeVisible();
	await expectAccessible(page);
});
