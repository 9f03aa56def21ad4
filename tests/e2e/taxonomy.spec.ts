import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

async function open(page: Page, query: string): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?${query}`);
}

/** A word that no other test has. */
const unique = () => `q${randomUUID().slice(0, 8)}`;

async function make(page: Page, path: string, data: object): Promise<{ id: string; slug: string }> {
	const response = await page.request.post(`/api/admin/${path}`, { data });
	expect(response.status()).toBe(201);
	return (await response.json()) as { id: string; slug: string };
}

/** Where an address leads, once the build that follows is live. */
const expectRedirect = (page: Page, from: string, to: string) =>
	expect
		.poll(
			async () => {
				const response = await page.request.get(from, { maxRedirects: 0 });
				return `${response.status()} ${response.headers()['location'] ?? ''}`.trim();
			},
			{ timeout: BUILD_MS },
		)
		.toBe(to);

test('a category is made, renamed, merged and brought back', async ({ page, consoleErrors }) => {
	test.setTimeout(600_000);
	const word = unique();
	const [first, second] = [`First ${word}`, `Second ${word}`];
	await open(page, 'tab=categories');
	await page.getByRole('button', { name: 'Create category' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill(first);
	await expect(dialog.getByLabel('Address')).toHaveValue(`first-${word}`);
	await dialog.getByRole('textbox', { name: 'Color', exact: true }).fill('#ffcc00');
	await expect(dialog.getByText('Contrast 1.4:1 is too low to read')).toBeVisible();
	await dialog.getByRole('button', { name: 'Create' }).click();
	await expect(dialog.getByRole('alert')).toContainText('choose a darker color');
	await expect(dialog.getByLabel('Name')).toHaveValue(first);
	await dialog.getByRole('textbox', { name: 'Color', exact: true }).fill('#3b6692');
	await expect(dialog.getByText('easy to read')).toBeVisible();
	await expectAccessible(page, 'dialog');
	await dialog.getByRole('button', { name: 'Create' }).click();
	await expect(dialog).toBeHidden();
	const list = page.getByRole('table', { name: 'Categories' });
	await expect(list.getByText(`/category/first-${word}`)).toBeVisible();

	const { id: other } = await make(page, 'categories', { name: `Other ${word}` });
	const categories = (await (await page.request.get('/api/admin/categories')).json()) as {
		id: string;
		name: string;
	}[];
	const { id } = categories.find(({ name }) => name === first)!;
	await make(page, 'posts', {
		title: `Post ${word}`,
		content: '<p>Words.</p>',
		categoryId: id,
		published: true,
	});
	await page.reload();
	await page.getByRole('button', { name: `Edit ${first}` }).click();
	await dialog.getByLabel('Name').fill(second);
	// A new name keeps the address; another one is offered.
	await expect(dialog.getByLabel('Address')).toHaveValue(`first-${word}`);
	await dialog.getByRole('button', { name: `Use /category/second-${word}` }).click();
	await expect(dialog.getByLabel('Address')).toHaveValue(`second-${word}`);
	await expect(dialog.getByText(`/category/first-${word} will lead there.`)).toBeVisible();
	await dialog.getByRole('button', { name: 'Save' }).click();
	await expect(list.getByText(`/category/second-${word}`)).toBeVisible();
	await expectRedirect(page, `/category/first-${word}`, `301 /category/second-${word}`);
	await page.goto(`/category/first-${word}`);
	await expect(page.getByRole('heading', { level: 1, name: second })).toBeVisible();

	await page.goto('/admin?tab=categories');
	await page.getByRole('button', { name: `Actions for ${second}` }).click();
	await page.getByRole('button', { name: `Merge ${second}` }).click();
	await expect(dialog.getByRole('status')).toHaveText(
		`1 post moves; /category/second-${word}, its pages and its feeds lead there.`,
	);
	await dialog.getByRole('button', { name: 'Merge' }).click();
	await expect(dialog.getByRole('alert')).toHaveText('Please choose a category.');
	await dialog.getByLabel('Merge into').selectOption(other);
	await expect(dialog.getByRole('status')).toContainText(`to /category/other-${word}.`);
	await expectAccessible(page, 'dialog');
	await dialog.getByRole('button', { name: 'Merge' }).click();
	await expect(dialog).toBeHidden();
	await expect(list.getByText(`/category/second-${word}`)).toBeHidden();
	const toast = page.locator('.toast');
	await expect(toast).toContainText(`1 post moved to “Other ${word}”`);
	await expectRedirect(
		page,
		`/category/first-${word}/rss.xml`,
		`301 /category/other-${word}/rss.xml`,
	);

	// From the log as well, long after the toast.
	await page.goto(`/admin?tab=settings&part=Audit+log&q=${word}`);
	await page
		.getByRole('button', { name: `Undo: Merged the category “${second}” into “Other ${word}”` })
		.click();
	await expect(
		page
			.getByRole('table', { name: 'Audit log' })
			.getByText(`Separated the category “${second}” from “Other ${word}” again`),
	).toBeVisible();
	await expect(page.getByRole('button', { name: /^Undo: Merged/ })).toBeHidden();
	await expectRedirect(page, `/category/first-${word}`, `301 /category/second-${word}`);
	for (const [one, into] of [
		[id, other],
		[other, ''],
	]) {
		await page.request.delete(`/api/admin/categories/${one}${into && `?into=${into}`}`);
	}
	// The browser itself reports the refused color.
	consoleErrors.splice(0);
});

test('what somebody else saved meanwhile is shown, and nothing typed is lost', async ({
	page,
	consoleErrors,
}) => {
	const word = unique();
	await page.request.post('/api/admin/login', { data: ADMIN });
	const tag = await make(page, 'tags', { name: word });
	await open(page, `tab=categories&kind=tags&q=${word}`);
	await page.getByRole('button', { name: `Edit ${word}` }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Description').fill('Mine.');
	await page.request.put(`/api/admin/tags/${tag.id}`, { data: { description: 'Theirs.' } });
	await dialog.getByRole('button', { name: 'Save' }).click();
	await expect(dialog.getByRole('alert')).toContainText('Description there: Theirs.');
	await expectAccessible(page, 'dialog');
	await dialog.getByRole('button', { name: 'Keep mine' }).click();
	await expect(dialog.getByLabel('Description')).toHaveValue('Mine.');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await expect(page.getByRole('table', { name: 'Tags' })).toContainText('Mine.');
	await page.getByRole('button', { name: `Actions for ${word}` }).click();
	await page.getByRole('button', { name: `Delete ${word}` }).click();
	await expect(page.getByText('Nothing matches.')).toBeVisible();
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('table', { name: 'Tags' })).toContainText('Mine.');
	await page.request.delete(`/api/admin/tags/${tag.id}`);
	// The browser itself reports the 409.
	consoleErrors.splice(0);
});

for (const [kind, shown] of [
	['categories', 'Categories'],
	['authors', 'Authors'],
] as const)
	test(`two browsers lose nothing of ${kind}: what differs is merged, what both changed is asked @nightly`, async ({
		page,
		browser,
		baseURL,
		consoleErrors,
	}) => {
		const word = unique();
		await page.request.post('/api/admin/login', { data: ADMIN });
		const color = kind === 'categories' && { color: '#3b6692' };
		const made = await make(page, kind, { name: word, ...color });
		const query = `tab=categories&kind=${kind}`;
		const context = await browser.newContext({ baseURL: baseURL! });
		const other = await context.newPage();
		for (const one of [page, other]) {
			await open(one, query);
			await one.getByRole('button', { name: `Edit ${word}` }).click();
		}
		const [mine, theirs] = [page.getByRole('dialog'), other.getByRole('dialog')];
		await theirs.getByLabel('Address').fill(`their-${word}`);
		await theirs.getByLabel('Description').fill('Theirs.');
		await theirs.getByRole('button', { name: 'Save' }).click();
		await expect(theirs).toBeHidden();

		await mine.getByLabel('Description').fill('Mine.');
		await mine.getByLabel('Name').fill(`My ${word}`);
		// It follows the name.
		await mine.getByLabel('Address').fill(word);
		await mine.getByRole('button', { name: 'Save' }).click();
		await expect(mine.getByRole('alert')).toContainText('taken over here: Address');
		await expect(mine.getByRole('alert')).toContainText('Description there: Theirs.');
		await expectAccessible(page, 'dialog[open]');
		await mine.getByRole('button', { name: 'Take what is there' }).click();
		await mine.getByRole('button', { name: 'Save' }).click();
		await expect(mine).toBeHidden();
		const row = page.getByRole('table', { name: shown }).getByRole('row', { name: `My ${word}` });
		await expect(row).toContainText('Theirs.');
		await expect(row).toContainText(`their-${word}`);
		await context.close();
		await page.request.delete(`/api/admin/${kind}/${made.id}`);
		// The browser itself reports the 409.
		consoleErrors.splice(0);
	});

test('posts are chosen by keyboard, as a range and all of a filter, and changed back @nightly', async ({
	page,
}) => {
	const word = unique();
	await page.request.post('/api/admin/login', { data: ADMIN });
	const [home, away] = [
		await make(page, 'categories', { name: `Home ${word}` }),
		await make(page, 'categories', { name: `Away ${word}` }),
	];
	for (let n = 0; n < 27; n++) {
		await make(page, 'posts', { title: `${word} ${n}`, categoryId: home.id });
	}
	await open(page, `tab=posts&q=${word}`);
	const status = page
		.getByRole('status')
		.filter({ hasText: /chosen|posts/ })
		.first();
	await expect(status).toHaveText('27 posts');
	const boxes = page.getByRole('table', { name: 'Posts' }).getByRole('checkbox');
	await boxes.nth(1).focus();
	await page.keyboard.press('Space');
	await expect(status).toHaveText('1 chosen');
	await boxes.nth(5).click({ modifiers: ['Shift'] });
	await expect(status).toHaveText('5 chosen');
	await page.getByRole('button', { name: 'Select all 27' }).click();
	await expect(status).toHaveText('27 chosen');
	await page.setViewportSize({ width: 390, height: 800 });
	const over = await page.evaluate(() => document.body.scrollWidth - innerWidth);
	expect(over).toBeLessThanOrEqual(0);
	await expectAccessible(page, '.posts-screen');

	await page.getByRole('button', { name: 'Move', exact: true }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Move' }).click();
	await expect(dialog.getByRole('alert')).toHaveText('Please choose a category.');
	await dialog.getByLabel('Category').selectOption(away.slug);
	await dialog.getByRole('button', { name: 'Move' }).click();
	await expect(dialog).toBeHidden();
	const toast = page.locator('.toast');
	await expect(toast).toContainText('27 posts moved');
	await expect(status).toHaveText('27 posts');
	const inAway = async () => {
		const list = await page.request.get(`/api/admin/posts?category=${away.slug}`);
		return ((await list.json()) as { total: number }).total;
	};
	expect(await inAway()).toBe(27);
	await toast.getByRole('button', { name: 'Undo' }).click();
	await expect(toast).toContainText('Undone');
	expect(await inAway()).toBe(0);

	// What cannot be published is told, the rest is left alone.
	await boxes.nth(1).click();
	await page.getByRole('button', { name: 'Add tag' }).click();
	await dialog.getByLabel('Tag').fill(`Tag ${word}`);
	await dialog.getByLabel('Tag').press('Enter');
	await expect(toast).toContainText('1 post tagged');
	const found = await page.request.get(`/api/admin/posts?tag=tag-${word}`);
	expect(((await found.json()) as { total: number }).total).toBe(1);
	await boxes.nth(0).click();
	await expect(status).toHaveText('25 chosen');
	await page.getByRole('button', { name: 'Delete', exact: true }).click();
	await dialog.getByRole('button', { name: 'Delete 25 posts' }).click();
	await expect(toast).toContainText('25 posts deleted');
	await expect(status).toHaveText('2 posts');
});

test('a series is put together, read from part to part, and taken back @nightly', async ({
	page,
}) => {
	test.setTimeout(600_000);
	const word = unique();
	const titles = ['alpha', 'beta', 'gamma'].map((part) => `Part ${part} ${word}`);
	await open(page, 'tab=categories&kind=series');
	const { id: categoryId } = await make(page, 'categories', { name: `Of ${word}` });
	for (const title of titles)
		await make(page, 'posts', { title, content: '<p>Words.</p>', categoryId, published: true });

	await page.getByRole('button', { name: 'Create series' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill(`Path ${word}`);
	const search = dialog.getByLabel('Add an article');
	for (const title of titles.toReversed()) {
		await search.fill(title);
		await dialog.getByRole('button', { name: `Add ${title}` }).click();
		await expect(search).toBeFocused();
	}
	await search.fill('no article has these words');
	await expect(dialog.getByText('No other article has these words.')).toBeVisible();
	await search.fill('');
	await dialog.getByRole('button', { name: `Move ${titles[0]} up` }).click();
	await dialog.getByRole('button', { name: `Move ${titles[0]} up` }).click();
	await dialog.getByRole('button', { name: `Move ${titles[1]} up` }).click();
	await expect(dialog.locator('ol li')).toHaveText(titles.map((title) => new RegExp(title)));
	await expectAccessible(page, 'dialog');
	await dialog.getByRole('button', { name: 'Create' }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByRole('table', { name: 'Series' })).toContainText(`/series/path-${word}`);

	await expectRedirect(page, `/series/path-${word}`, '200');
	await page.goto(`/series/path-${word}`);
	const parts = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) });
	await expect(parts).toHaveText(titles.map((title) => new RegExp(title)));
	await page.getByRole('link', { name: titles[0]! }).click();
	await expect(page.getByText(`Part 1 of 3 in Path ${word}`).first()).toBeVisible();
	await page.getByRole('link', { name: `Next part ${titles[1]}` }).click();
	await expect(page.getByRole('heading', { level: 1, name: titles[1]! })).toBeVisible();
	await page.getByRole('link', { name: `Next part ${titles[2]}` }).click();
	await expect(page.getByRole('heading', { level: 1, name: titles[2]! })).toBeVisible();
	await expect(page.getByRole('link', { name: 'Next part' })).toHaveCount(0);

	await page.goto('/admin?tab=categories&kind=series');
	await page.getByRole('button', { name: `Actions for Path ${word}` }).click();
	await page.getByRole('button', { name: `Delete Path ${word}` }).click();
	await expectRedirect(page, `/series/path-${word}`, '404');
	await page.goto(`/admin?tab=settings&part=Audit+log&q=Path ${word}`);
	await page
		.getByRole('button', { name: new RegExp(`^Undo: Deleted the series “Path ${word}`) })
		.click();
	await expectRedirect(page, `/series/path-${word}`, '200');
});
