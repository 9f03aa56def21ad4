import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const LIST = '/ai-best-practices';
const COMPARE = '/ai-best-practices/compare';

// Another test edits Ohio meanwhile: until that is undone, its density is not known, and 32 states are ranked.

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the map is fifty named links, each to a guide', async ({ page, request }) => {
		await page.goto(LIST);
		const map = page.getByRole('group', { name: /Map of the United States/ });
		const links = map.getByRole('link');
		await expect(links).toHaveCount(50);
		await expect(
			map.getByRole('link', { name: /^Texas, TX: 1\.98 per 1,000 jobs, 1\dth of 3[23] states$/ }),
		).toHaveAttribute('href', `${LIST}/texas`);
		await expect(map.getByRole('link', { name: 'Wyoming, WY: not published in full' })).toHaveCount(
			1,
		);
		const targets = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')!));
		expect(new Set(targets).size).toBe(50);
		const svg = await map.evaluate((element) => element.outerHTML);
		expect(svg.length).toBeLessThan(45_000);
		for (const target of targets.slice(0, 5))
			expect((await request.get(target)).status()).toBe(200);
	});

	test('a guide begins with a number, and says the rest of its words where they are opened @nightly', async ({
		page,
	}) => {
		await page.goto(`${LIST}/california`);
		await expect(
			page.getByText(/^2\.\d\d AI jobs per 1,000 jobs, \d\w\w of 3[23] states$/),
		).toBeVisible();
		const rest = page.getByText('Compliance knowledge is becoming a skill of its own');
		await expect(rest).toBeHidden();
		await page.getByText('More about California').click();
		await expect(rest).toBeVisible();
		await expect(page.getByRole('link', { name: 'Stanford University' })).toHaveAttribute(
			'href',
			'https://www.stanford.edu/',
		);
	});

	test('the table says the same, as a plain table @nightly', async ({ page }) => {
		await page.goto(LIST);
		const table = page.getByRole('table', { name: 'The states in figures' });
		await expect(table.getByRole('row')).toHaveCount(51);
		await expect(table.getByRole('button')).toHaveCount(0);
		await expect(table.getByRole('row', { name: /^Texas/ })).toContainText('$120,463');
	});

	test('comparing shows all figures of all states, and no control that does nothing @nightly', async ({
		page,
	}) => {
		await page.goto(`${COMPARE}?states=ohio,texas`);
		await expect(page.getByLabel('First state')).toBeHidden();
		const all = page.getByRole('region', { name: 'All figures of all states' });
		await expect(all.getByRole('row')).toHaveCount(51);
		await expect(all.getByRole('row', { name: /^Wyoming/ })).toContainText('not published');
	});
});

test('the data page says what the files hold, whence and of when @nightly', async ({
	page,
	request,
}) => {
	await page.goto(`${LIST}/wyoming`);
	await page.getByRole('link', { name: 'About the data' }).click();
	await expect(page).toHaveURL('/data');
	await expect(page.getByRole('region', { name: 'Sources' })).toContainText('May 2025');
	const lines = (await (await request.get('/data/states.csv')).text()).trim().split('\r\n');
	await expect(page.getByText(/^[\d,]+ figures of 50 states/)).toContainText(
		(lines.length - 1).toLocaleString('en-US'),
	);
	const preview = page.getByRole('region', { name: 'First rows of the table' });
	await expect(preview.getByRole('row')).toHaveCount(6);
	await expect(preview.getByRole('row').nth(1)).toContainText('Alabama');
	await expect(page.getByRole('link', { name: 'CC BY 4.0' })).toBeVisible();
	await expectAccessible(page);
});

test('the map is one stop of the keyboard, in which arrow keys lead from state to state', async ({
	page,
}) => {
	await page.goto(LIST);
	const map = page.getByRole('group', { name: /Map of the United States/ });
	const links = map.getByRole('link');
	await expect(map.locator('a[tabindex="0"]')).toHaveCount(1);
	await links.first().focus();
	await page.keyboard.press('ArrowRight');
	await expect(links.nth(1)).toBeFocused();
	await expect(page.locator('[data-says]')).toContainText('Alaska');
	await page.keyboard.press('End');
	await expect(links.last()).toBeFocused();
	await page.keyboard.press('ArrowRight');
	await expect(links.first()).toBeFocused();
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('Tab');
	await expect(page.locator('.map a:focus')).toHaveCount(0);
	await page.keyboard.press('Shift+Tab');
	await expect(links.last()).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(`${LIST}/wyoming`);
});

test('small states are reached by pointer at the names beside the coast @nightly', async ({
	page,
}) => {
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(LIST);
	for (const [abbreviation, slug] of [
		['RI', 'rhode-island'],
		['DE', 'delaware'],
	]) {
		const tag = page.locator(`.map a[href$="/${slug}"] .tag rect`);
		const box = (await tag.boundingBox())!;
		expect(Math.min(box.width, box.height), abbreviation).toBeGreaterThanOrEqual(24);
		await tag.click();
		await expect(page).toHaveURL(`${LIST}/${slug}`);
		await page.goBack();
	}
});

test('the map is worked by keyboard, and shows what has the focus @nightly', async ({ page }) => {
	await page.goto(LIST);
	await page.locator('.map a').first().focus();
	await page.keyboard.press('ArrowRight');
	const alaska = page.locator('.map a').nth(1);
	await expect(alaska).toBeFocused();
	await expect(alaska.locator('.note')).toBeVisible();
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(`${LIST}/alaska`);
});

test('the table sorts by each column; what is not published stays last', async ({ page }) => {
	await page.goto(LIST);
	const table = page.getByRole('table', { name: 'The states in figures' });
	const names = () => table.getByRole('rowheader').allInnerTexts();
	const jobs = table.getByRole('columnheader', { name: 'AI jobs' });
	await jobs.getByRole('button').click();
	await expect(jobs).toHaveAttribute('aria-sort', 'descending');
	expect((await names()).slice(0, 3)).toEqual(['California', 'Texas', 'New York']);
	expect((await names()).at(-1)).toBe('Wyoming');
	await jobs.getByRole('button').click();
	await expect(jobs).toHaveAttribute('aria-sort', 'ascending');
	expect((await names())[0]).toBe('Vermont');
	expect((await names()).at(-1)).toBe('Wyoming');
	await table.getByRole('button', { name: 'State' }).click();
	await expect(jobs).not.toHaveAttribute('aria-sort');
	expect((await names())[0]).toBe('Alabama');
});

test('the map answers three questions, and the table is sorted with it', async ({ page }) => {
	await page.goto(LIST);
	await expect(page.getByRole('heading', { level: 1 })).toContainText('May 2025');
	const table = page.getByRole('table', { name: 'The states in figures' });
	const first = table.getByRole('rowheader').first();
	const texas = page.locator('.map a[href$="/texas"]');
	const shade = () => page.locator('#m-TX').getAttribute('class');
	await expect(page.getByRole('radio', { name: 'Jobs per 1,000' })).toBeChecked();
	await expect(first).toHaveText('Rhode Island');
	expect(await shade()).toBe('l4');
	await page.getByText('Mean pay', { exact: true }).first().click();
	await expect(page.getByRole('heading', { name: 'Mean pay of AI jobs, May 2025' })).toBeVisible();
	await expect(first).toHaveText('Washington');
	await expect(table.getByRole('columnheader', { name: 'Mean pay' })).toHaveAttribute(
		'aria-sort',
		'descending',
	);
	expect(await shade()).toBe('l3');
	await page.getByRole('radio', { name: 'Mean pay' }).press('ArrowRight');
	await expect(first).toHaveText('California');
	expect(await shade()).toBe('l5');
	await expect(texas).toHaveAccessibleName('Texas, TX: 27,820 AI jobs, 2nd of 33 states');
	await texas.hover();
	await expect(texas.locator('.note')).toContainText('Texas, TX: 27,820 AI jobs, 2nd of 33');
	// One occupation is withheld: it has no place, and comes after those that have one where nothing else is asked.
	await expect(page.locator('.map a[href$="/connecticut"]')).toHaveAccessibleName(
		'Connecticut, CT: not published in full',
	);
	await expectAccessible(page);
});

test.describe('on a phone', () => {
	test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

	test('a touch tells the figure, another one opens the guide, and all fifty rows are there', async ({
		page,
	}) => {
		await page.goto(LIST);
		const texas = page.locator('.map a[href$="/texas"] use');
		const says = page.locator('[data-says]');
		await texas.tap();
		// Other tests change figures of other states meanwhile.
		await expect(says).toContainText(/Texas, TX: 1\.98 per 1,000 jobs, \d+th of \d+ states\./);
		await expect(page).toHaveURL(LIST);
		await expect(says.getByRole('link', { name: 'Open the guide' })).toHaveAttribute(
			'href',
			`${LIST}/texas`,
		);
		const region = page.getByRole('region', { name: 'The states in figures' });
		expect(await region.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
		await texas.tap();
		await expect(page).toHaveURL(`${LIST}/texas`);
	});
});

test('states are put side by side, and the address remembers which @nightly', async ({ page }) => {
	// States that no test edits: those run at the same time.
	await page.goto(`${COMPARE}?states=texas,oregon`);
	const chosen = page.getByRole('region', { name: 'The chosen states side by side' });
	const heads = chosen.getByRole('columnheader');
	await expect(heads).toHaveText(['Texas', 'Oregon']);
	await expect(chosen.getByRole('row', { name: /^AI jobs 27,820 2,870/ })).toBeVisible();
	const answer = page.locator('[data-compare-answer]');
	await expect(answer).toContainText('Texas has the most AI jobs per 1,000 jobs (1.98)');
	await page.getByLabel('Third state').selectOption({ label: 'Wyoming' });
	await expect(heads).toHaveText(['Texas', 'Oregon', 'Wyoming']);
	await expect(chosen.getByRole('row', { name: /^Average AI salary/ })).toContainText(
		'not published',
	);
	// Nobody leads where one is not published.
	await expect(answer).toHaveText('');
	await expect(page).toHaveURL(`${COMPARE}?states=texas,oregon,wyoming`);
	await expect(page.getByRole('status')).toHaveText('Comparing Texas, Oregon, and Wyoming');
	await page.reload();
	await expect(heads).toHaveText(['Texas', 'Oregon', 'Wyoming']);
	await page.getByLabel('Third state').selectOption('');
	await expect(page).toHaveURL(`${COMPARE}?states=texas,oregon`);
	await expect(heads).toHaveText(['Texas', 'Oregon']);
});

test('a guide leads to the comparison with its neighbors @nightly', async ({ page }) => {
	await page.goto(`${LIST}/texas`);
	await page.getByRole('link', { name: 'Compare Texas with Arkansas and Louisiana' }).click();
	await expect(page).toHaveURL(`${COMPARE}?states=texas,arkansas,louisiana`);
	await expect(
		page.getByRole('region', { name: 'The chosen states side by side' }).getByRole('columnheader'),
	).toHaveText(['Texas', 'Arkansas', 'Louisiana']);
});

test('a state of which an occupation is withheld is not ranked, and not compared as if it had none @nightly', async ({
	page,
}) => {
	await page.goto(`${LIST}/connecticut`);
	const figures = page.locator('#key-figures');
	await expect(figures.getByText('of 50 states')).toHaveCount(1);
	await expect(figures.getByText(/of 3\d states/)).toHaveCount(0);
	await expect(figures).toContainText('is withheld');
	await page.goto(`${LIST}/rhode-island`);
	await expect(
		page.getByText(/^Left out, because an occupation is withheld: .*Connecticut/).first(),
	).toBeVisible();
});

test('a guide says what is counted, from where and when, and where the state ranks', async ({
	page,
}) => {
	await page.goto(`${LIST}/texas`);
	const main = page.getByRole('main');
	await expect(main.getByText('25,860 Data Scientists plus 1,960')).toBeVisible();
	await expect(main.getByText('2nd of 33 states')).toBeVisible();
	await expect(
		page.getByRole('list', { name: 'Keywords', exact: true }).getByRole('listitem'),
	).toHaveCount(8);
	const more = page.getByRole('list', { name: 'More keywords' });
	await more.focus();
	await expect(more).toBeFocused();
	await expect(
		page.getByRole('img', { name: 'Texas on a map of the United States' }),
	).toBeVisible();
});

test('the data can be taken away, by programs elsewhere too @nightly', async ({
	page,
	request,
}) => {
	for (const path of [LIST, `${LIST}/ohio`, COMPARE]) {
		await page.goto(path);
		await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute(
			'href',
			'/data/states.csv',
		);
		await expect(page.getByRole('link', { name: 'JSON' })).toHaveAttribute(
			'href',
			'/data/states.json',
		);
	}
	const csv = await request.get('/data/states.csv');
	expect(csv.status()).toBe(200);
	expect(csv.headers()['content-type']).toContain('text/csv');
	expect(csv.headers()['access-control-allow-origin']).toBe('*');
	expect(await csv.text()).toMatch(
		/^\ufeffstate,slug,abbreviation,figure,.*\r\nAlabama,alabama,AL,aiJobs,/,
	);
	const json = await request.get('/data/states.json');
	expect(json.headers()['content-type']).toContain('application/json');
	expect(((await json.json()) as { states: unknown[] }).states).toHaveLength(50);
});

// At the width of a screen, and in both themes: routes.spec.ts.
for (const path of [LIST, `${LIST}/texas`, `${COMPARE}?states=ohio,wyoming`]) {
	test(`${path} has no violation and no sideways scroll on a phone @nightly`, async ({ page }) => {
		await page.setViewportSize({ width: 360, height: 900 });
		await page.goto(path);
		await expectAccessible(page);
		const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		expect(overflow).toBeLessThanOrEqual(0);
	});
}
