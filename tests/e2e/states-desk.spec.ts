import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const LIST = '/ai-best-practices';

// One after the other: the list of all states tells when the last of them changed.
test.describe.configure({ mode: 'default' });

async function open(page: Page, query: string): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?${query}`);
}

/** All that readers and programs get of a state. */
async function published(page: Page, slug: string): Promise<Record<string, string>> {
	const paths = [
		`${LIST}/${slug}`,
		`${LIST}/${slug}.md`,
		LIST,
		'/data/states.csv',
		'/data/states.json',
	];
	const texts = await Promise.all(
		[...paths, `${LIST}/compare`, `/api/states/${slug}`].map(async (path) => {
			const response = await page.request.get(path);
			expect(response.status(), path).toBe(200);
			const text = await response.text();
			// Around it are lists that other tests change.
			const parts = text.match(/<main[^]*<\/main>|<script type="application\/ld[^]*?<\/script>/g);
			// So is the publisher's name.
			const own = (parts?.join('\n') ?? text).replaceAll(/(#organization","name":")[^"]*/g, '$1');
			return [path, own];
		}),
	);
	return Object.fromEntries(texts) as Record<string, string>;
}

test('a figure of Ohio corrected at the desk is everywhere, with the years before it, and undone nowhere', async ({
	page,
}) => {
	test.setTimeout(600_000);
	await open(page, 'tab=states&q=ohi');
	let before: Record<string, string> = {};
	// A site that was built from another database is replaced first.
	await expect(async () => {
		before = await published(page, 'ohio');
		const { updatedAt } = JSON.parse(before['/api/states/ohio']!) as { updatedAt: string };
		expect(before[`${LIST}/ohio.md`]).toContain(updatedAt);
	}).toPass({ timeout: BUILD_MS });
	await page.getByRole('button', { name: 'Ohio', exact: true }).click();
	await expect(page).toHaveURL(/state=ohio/);
	const form = page.getByRole('form', { name: 'Ohio' });
	await form.getByLabel('Another year').fill('2026');
	await form.getByRole('button', { name: 'Add year' }).click();
	const scientists = form.getByLabel('Data Scientists (15-2051): employment: value');
	await scientists.fill('5,120');
	await form
		.getByLabel('Computer and Information Research Scientists (15-1221): employment: value')
		.fill('180');
	await expect(form.getByRole('status').first()).toHaveText(/not saved/i);
	await expectAccessible(page, '.states-desk');
	await page.keyboard.press('Control+s');
	const toast = page.locator('.toast');
	await expect(toast).toContainText('Ohio saved');
	await expect(form.getByRole('status').first()).toHaveText(/^Version/);
	await scientists.fill('5,220');
	await page.keyboard.press('Control+s');
	await expect(form.getByRole('status').first()).toHaveText(/^Version/);
	await expect(scientists).toHaveValue('5,220');

	const everywhere: Record<string, string> = {
		[`${LIST}/ohio`]: '5,400',
		[`${LIST}/ohio.md`]: '5,400',
		[LIST]: '5,400',
		[`${LIST}/compare`]: '5,400',
		'/data/states.csv':
			'Ohio,ohio,OH,dataScientists.employment,Data Scientists (15-2051): employment,5220',
		'/data/states.json': '"value":5220',
		'/api/states/ohio': '"aiJobs":5400',
	};
	await expect
		.poll(
			async () => {
				const now = await published(page, 'ohio');
				return Object.entries(everywhere)
					.filter(([path, text]) => !now[path]!.includes(text))
					.map(([path]) => path);
			},
			{ timeout: BUILD_MS },
		)
		.toEqual([]);
	await page.goto(`${LIST}/ohio`);
	await expect(page.getByText('4,830 in 2023, 6,380 in 2025, 5,400 in 2026')).toBeVisible();
	await expect(page.getByText('5,220 Data Scientists plus 180')).toBeVisible();
	const data = await page.locator('script[type="application/ld+json"]').allTextContents();
	expect(data.join()).toContain('"value":5220');
	await expectAccessible(page, 'main');

	await page.goto('/admin?tab=settings&part=Audit+log&q=Ohio');
	const undo = page.getByRole('button', { name: /^Undo: Changed the state “Ohio”/ }).first();
	await expect(undo).toBeVisible();
	// An earlier run on this database has left some.
	const undid = page
		.getByRole('table', { name: 'Audit log' })
		.getByText(/^Changed the state “Ohio” back: /);
	const earlier = await undid.count();
	for (let undone = 1; undone <= 2; undone++) {
		await undo.click();
		await expect(undid).toHaveCount(earlier + undone);
	}
	await expect.poll(() => published(page, 'ohio'), { timeout: BUILD_MS }).toEqual(before);
});

test('lists are reordered by keyboard, and what two browsers saved is merged', async ({
	page,
	browser,
	baseURL,
	consoleErrors,
}) => {
	await open(page, 'tab=states&state=nevada');
	const form = page.getByRole('form', { name: 'Nevada' });
	await form.getByRole('region', { name: 'Major cities' }).locator('summary').click();
	const cities = form.getByRole('group', { name: 'Major cities' }).getByRole('textbox');
	const [first, second] = [await cities.nth(0).inputValue(), await cities.nth(1).inputValue()];
	await cities.nth(0).focus();
	await page.keyboard.press('Alt+ArrowDown');
	await expect(cities.nth(1)).toBeFocused();
	await expect(cities.nth(1)).toHaveValue(first);
	await page.keyboard.press('Enter');
	await expect(cities.nth(2)).toBeFocused();
	await page.keyboard.type('Elko');
	await form.getByLabel('Capital').fill('Mine');
	const state = (await (await page.request.get('/api/admin/states/nevada')).json()) as object;
	const theirs = { capital: 'Theirs', description: 'Theirs as well.' };
	const context = await browser.newContext({ baseURL: baseURL! });
	const other = await context.newPage();
	await open(other, 'tab=states&state=nevada');
	await other.getByLabel('Capital').fill(theirs.capital);
	await other.getByLabel('Description', { exact: true }).fill(theirs.description);
	await other.keyboard.press('Control+s');
	await expect(other.locator('.toast')).toContainText('Nevada saved');
	await context.close();

	// What is typed stays when the form is left.
	await form.page().getByRole('button', { name: 'All states' }).click();
	await expect(page.getByRole('row', { name: /Nevada/ })).toContainText('not saved');
	await page.goBack();
	await expect(form.getByLabel('Capital')).toHaveValue('Mine');
	await page.keyboard.press('Control+s');
	const compare = page.getByRole('region', { name: 'Compare' });
	await expect(compare).toContainText('Somebody else changed the same fields');
	await expect(compare).not.toContainText('Description');
	await expect(form.getByLabel('Description', { exact: true })).toHaveValue('Theirs as well.');
	await expectAccessible(page, '.states-desk');
	await compare.getByText('Theirs', { exact: true }).last().click();
	await compare.getByRole('button', { name: 'Go on with this' }).click();
	await expect(form.getByLabel('Capital')).toHaveValue('Theirs');
	await page.keyboard.press('Control+s');
	await expect(page.locator('.toast')).toContainText('Nevada saved');
	const saved = (await (await page.request.get('/api/admin/states/nevada')).json()) as {
		majorCities: string[];
	};
	expect(saved).toMatchObject(theirs);
	expect(saved.majorCities.slice(0, 3)).toEqual([second, first, 'Elko']);

	await form.getByRole('button', { name: 'Earlier versions' }).click();
	const history = page.getByRole('dialog', { name: 'Earlier versions' });
	await history.getByRole('button', { name: /Version 1\b/ }).click();
	await expect(history).toContainText('Elko');
	await expectAccessible(page, 'dialog');
	await history.getByRole('button', { name: 'Restore this version' }).click();
	await expect(cities.nth(0)).toHaveValue(first);
	await expect(history).toBeHidden();
	await page.keyboard.press('Control+s');
	await expect(form.getByRole('status').first()).toHaveText(/^Version/);
	const {
		version: _,
		updatedAt: _at,
		...restored
	} = (await (await page.request.get('/api/admin/states/nevada')).json()) as {
		version: number;
		updatedAt: string;
	};
	expect(state).toMatchObject(restored);
	// The browser itself reports the 409.
	consoleErrors.splice(0);
});

test('a table is shown before it is imported, on a phone as well, and taken back @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.setViewportSize({ width: 390, height: 800 });
	await open(page, 'tab=states');
	await expect(page.getByRole('table', { name: 'States' }).getByRole('row')).toHaveCount(51);
	await expectAccessible(page, '.states-desk');
	await page.getByRole('button', { name: 'Import figures' }).click();
	const dialog = page.getByRole('dialog', { name: 'Import figures' });
	const table = (row: string) => ({
		name: 'figures.csv',
		mimeType: 'text/csv',
		buffer: Buffer.from(`\uFEFFslug;figure;value;source;as_of\r\n${row}\r\n`),
	});
	const choose = dialog.getByLabel('CSV file');
	await choose.setInputFiles(table('atlantis;softwareDevelopers.employment;1;S;2024'));
	await expect(dialog.getByRole('alert')).toHaveText(
		'Row 2 names a state that there is not: “atlantis”.',
	);
	await choose.setInputFiles(table('utah;softwareDevelopers.employment;"31,000";A bureau;2022-05'));
	await expect(dialog.getByRole('status')).toContainText('3 cells of 1 state change.');
	await expect(dialog.getByRole('row', { name: /Utah/ }).first()).toContainText('31000');
	await expectAccessible(page, 'dialog');
	const over = await page.evaluate(() => document.body.scrollWidth - innerWidth);
	expect(over).toBeLessThanOrEqual(0);
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	const toast = page.locator('.toast');
	await expect(toast).toContainText('1 state imported');
	const years = async () => {
		const response = await page.request.get('/api/admin/states/utah');
		const { figures } = (await response.json()) as { figures: { asOf: string }[] };
		return figures.filter(({ asOf }) => asOf === '2022-05').length;
	};
	expect(await years()).toBe(1);
	await toast.getByRole('button', { name: 'Undo' }).click();
	await expect(toast).toContainText('Undone');
	expect(await years()).toBe(0);
	// The browser itself reports the refused table.
	consoleErrors.splice(0);
});

test('a guide that was deleted is looked at and added again, and undone it goes', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 800 });
	await open(page, 'tab=states&state=wyoming');
	await page.getByRole('button', { name: 'Delete this state' }).click();
	const toast = page.locator('.toast');
	await expect(toast).toContainText('Wyoming deleted');
	await page.getByRole('button', { name: 'Add states' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add states' });
	const all = dialog.getByRole('list', { name: 'States that are not on the site' });
	await expect(all.getByRole('checkbox', { name: 'Wyoming' })).toBeChecked();
	await all.locator('summary', { hasText: 'Wyoming' }).click();
	await expect(all).toContainText('Figures of 2025, 2023, 2020');
	await expectAccessible(page, 'dialog');
	const over = await page.evaluate(() => document.body.scrollWidth - innerWidth);
	expect(over).toBeLessThanOrEqual(0);
	await all.getByRole('checkbox', { name: 'Wyoming' }).uncheck();
	await expect(dialog.getByRole('button', { name: 'Add 0 states' })).toBeDisabled();
	await dialog.getByRole('button', { name: 'Choose all 1' }).click();
	await dialog.getByRole('button', { name: 'Add 1 state' }).click();
	await expect(toast).toContainText('Wyoming added');
	const wyoming = page.getByRole('button', { name: 'Wyoming', exact: true });
	await expect(wyoming).toBeVisible();
	await toast.getByRole('button', { name: 'Undo' }).click();
	await expect(toast).toContainText('Undone');
	await expect(wyoming).toBeHidden();
	await page.goto('/admin?tab=settings&part=Audit+log&q=Wyoming');
	await page.getByRole('button', { name: /^Undo: Deleted the state “Wyoming”/ }).click();
	await page.goto('/admin?tab=states&q=wyo');
	await expect(wyoming).toBeVisible();
});
