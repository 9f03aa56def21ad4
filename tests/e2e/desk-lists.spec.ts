import { SETTINGS } from '#src/dashboard/settings/parts.ts';
import { SCREENS } from '#src/dashboard/shell/screens.ts';
import { SITE_PARTS } from '#src/dashboard/site/parts.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

test('keys lead to screens, are told, leave typing alone, and can be turned off', async ({
	page,
	consoleErrors,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=comments');
	await expect(page.getByRole('heading', { name: 'Comments', level: 1 })).toBeVisible();
	await page.keyboard.press('g');
	await page.keyboard.press('r');
	await expect(page).toHaveURL('/admin?tab=subscribers');
	const search = page.getByLabel('Search addresses and names');
	await search.click();
	await page.keyboard.type('gp?');
	await expect(search).toHaveValue('gp?');
	await expect(page).toHaveURL(/tab=subscribers/);
	await expect(page.getByRole('dialog', { name: 'Keys' })).toBeHidden();
	await page.getByRole('heading', { name: 'Subscribers', level: 1 }).click();
	await page.keyboard.press('?');
	const help = page.getByRole('dialog', { name: 'Keys' });
	await expect(help).toContainText('g pManage Posts');
	await expectAccessible(page, 'dialog[open]');
	await help.getByRole('checkbox').uncheck();
	await page.keyboard.press('Escape');
	await expect(help).toBeHidden();
	await page.keyboard.press('g');
	await page.keyboard.press('c');
	await page.keyboard.press('?');
	await expect(help).toBeVisible();
	await expect(page).toHaveURL(/tab=subscribers/);
	await help.getByRole('checkbox').check();
	await page.keyboard.press('Escape');
	await expect(help).toBeHidden();
	await page.keyboard.press('g');
	await page.keyboard.press('c');
	await expect(page).toHaveURL(/tab=comments/);
	// A list is entered from a screen that was jumped to, and a new article is written at once.
	await page.keyboard.press('g');
	await page.keyboard.press('p');
	const rows = page.getByRole('table', { name: 'Posts' }).getByRole('row');
	await expect(rows.nth(1)).toBeVisible();
	await page.keyboard.press('j');
	await expect(rows.nth(1).locator(':focus')).toBeVisible();
	await page.keyboard.press('j');
	await page.keyboard.press('x');
	await expect(rows.nth(2).getByRole('checkbox')).toBeChecked();
	await page.goto('/admin?tab=comments');
	await expect(page.getByRole('heading', { name: 'Comments', level: 1 })).toBeVisible();
	await page.keyboard.press('g');
	await page.keyboard.press('w');
	await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
	expect(consoleErrors).toEqual([]);
});

test('a filter is saved under a name, found after a reload and in the palette, and forgotten @nightly', async ({
	page,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts&state=draft&sort=title');
	await page.getByRole('button', { name: 'Save this view' }).click();
	await page.keyboard.type('Drafts by title');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Enter');
	const view = page.getByRole('button', { name: 'Drafts by title' });
	await expect(view).toHaveAttribute('aria-pressed', 'true');
	await page.goto('/admin?tab=posts');
	await view.click();
	await expect(page).toHaveURL('/admin?tab=posts&state=draft&sort=title');
	await expectAccessible(page, '#main');
	await page.keyboard.press('ControlOrMeta+k');
	await page.keyboard.type('by title');
	await expect(page.getByRole('option', { name: /^Drafts by title/ })).toBeVisible();
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Forget this view' }).click();
	await expect(view).toBeHidden();
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(view).toBeVisible();
});

test('the pages of a list stand in one line, and lead on', async ({ page }) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts');
	const pages = page.getByRole('navigation', { name: 'Pages' });
	const topOf = async (name: string) =>
		(await pages.getByRole('button', { name, exact: true }).boundingBox())!.y;
	await expect(pages).toBeVisible();
	expect(await topOf('Page 2')).toBe(await topOf('Previous'));
	expect(await topOf('Next')).toBe(await topOf('Previous'));
	await pages.getByRole('button', { name: 'Next' }).click();
	await expect(page).toHaveURL(/page=2/);
});

test('an article is duplicated from its row, and the copy opens', async ({ page }) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=posts&state=published');
	const row = page.getByRole('row').nth(1);
	await expect(row.locator('time').first()).toHaveAttribute('title', /\d{4} at .*\(.+\)$/);
	const title = (await row.locator('.post-title').textContent())!;
	await row.getByRole('button', { name: /^Actions for/ }).click();
	await page.getByRole('button', { name: /^Duplicate/ }).click();
	await expect(page.locator('.toast')).toContainText('Duplicated');
	await expect(page.locator('.editor-title')).toHaveValue(
		new RegExp(`^${title.slice(0, 20)}.*copy`),
	);
	// What is beside the text folds, stays so, and stays in view; what is seldom used is folded at first.
	const seldom = page.getByRole('region', { name: 'Search and sharing' });
	await expect(seldom.getByLabel('Search title')).toBeHidden();
	const part = page.getByRole('region', { name: 'Post', exact: true });
	await expect(part.getByLabel('Date')).toBeVisible();
	for (const region of [part, seldom]) await region.locator('summary').click();
	await expect(part.getByLabel('Date')).toBeHidden();
	await page.reload();
	await expect(seldom.getByLabel('Search title')).toBeVisible();
	await expect(part.getByLabel('Date')).toBeHidden();
	await part.locator('summary').press('Enter');
	await expect(part.getByLabel('Date')).toBeVisible();
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	await expect(page.locator('.editor-side')).toBeInViewport();
	await expectAccessible(page, '.editor-side');
});

test('the newsletter has four addresses, to and fro @nightly', async ({ page, consoleErrors }) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto('/admin?tab=newsletter');
	const next = page.getByLabel('Subject', { exact: true });
	await expect(next).toBeVisible();
	await page.getByRole('radio', { name: 'Letters' }).check();
	await expect(page.getByRole('heading', { name: 'Sent letters' })).toBeVisible();
	await expect(next).toBeHidden();
	await expectAccessible(page, '#main');
	await page.getByRole('radio', { name: 'Course' }).check();
	await expect(page.getByRole('heading', { name: 'Email course' })).toBeVisible();
	await page.goBack();
	await page.getByRole('radio', { name: 'Numbers' }).check();
	await expect(page.getByRole('heading', { name: 'Signups by day, 90 days' })).toBeVisible();
	await expectAccessible(page, '#main');
	await page.setViewportSize({ width: 390, height: 844 });
	await expectAccessible(page, '#main');
	expect(
		await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
	).toBeLessThanOrEqual(0);
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'Sent letters' })).toBeVisible();
	await page.goBack();
	// On a phone its field is folded.
	await expect(page.getByRole('region', { name: 'In the inbox' })).toBeVisible();
	await page.goForward();
	await expect(page.getByRole('radio', { name: 'Letters' })).toBeChecked();
	expect(consoleErrors).toEqual([]);
});

test(
	'on a phone no two buttons of different weight are closer than 12 pixels, on any screen',
	{ tag: '@nightly' },
	async ({ page }) => {
		test.setTimeout(300_000);
		await page.setViewportSize({ width: 390, height: 844 });
		await page.request.post('/api/admin/login', { data: ADMIN });
		const { rows } = await (await page.request.get('/api/admin/posts?state=published')).json();
		const near = () => {
			const weightOf = ({ classList }: Element) =>
				['button-primary', 'button-quiet', 'button-danger'].find((name) =>
					classList.contains(name),
				) ?? 'other';
			const shown = [...document.querySelectorAll('#main :is(button, a.button)')].filter((one) =>
				one.checkVisibility(),
			);
			return shown.flatMap((one, index) =>
				shown.slice(index + 1).flatMap((other) => {
					if (weightOf(one) === weightOf(other)) return [];
					const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
					const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
					const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
					// What is not drawn has no size.
					const isNear = a.width > 0 && b.width > 0 && Math.max(across, down) < 11.5;
					return isNear ? [`${one.textContent} / ${other.textContent}`] : [];
				}),
			);
		};
		const places = [
			...SCREENS.map(({ id }) => id),
			...SETTINGS.map(({ name }) => `settings&part=${name}`),
			...SITE_PARTS.map(({ name }) => `site&part=${name}`),
			`create&post=${(rows as { id: string }[])[0]!.id}`,
			'newsletter&part=letters',
			'newsletter&part=numbers',
		];
		for (const place of places) {
			await page.goto(`/admin?tab=${place}`);
			await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached();
			await expect(page.locator('[aria-busy="true"]:visible, .skeleton:visible')).toHaveCount(0);
			expect(await page.evaluate(near), place).toEqual([]);
		}
	},
);
