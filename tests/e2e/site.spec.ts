import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

// One site for all of them. What they change is seen by no other test, and taken back.
test.describe.configure({ mode: 'serial' });
test.use({ alone: 'site' });

async function open(page: Page, part = 'Name'): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?tab=site&part=${part}`);
	await expect(page.getByRole('heading', { name: part, level: 2 })).toBeVisible();
}
const go = (page: Page, part: string) =>
	page
		.getByRole('navigation', { name: 'Parts of the site' })
		.getByRole('link', { name: part })
		.click();

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const unsaved = (page: Page) => page.getByRole('status').filter({ hasText: 'Not saved' });
const notice = (page: Page, words: string) => page.getByText(words, { exact: true });

test('a change is saved by the keyboard, is in the history, and is undone from the toast', async ({
	page,
}) => {
	const name = `Press ${crypto.randomUUID()}`;
	await open(page);
	const publisher = field(page, 'Publisher');
	await expect(publisher).toHaveAttribute('placeholder', 'Groundtruth');
	await publisher.fill(name);
	await expect(unsaved(page)).toBeVisible();
	await page.keyboard.press('ControlOrMeta+s');
	await expect(notice(page, 'The site is saved')).toBeVisible();
	await expect(unsaved(page)).toBeHidden();
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await expect(notice(page, 'Undone')).toBeVisible();
	await expect(publisher).toHaveValue('');
	await go(page, 'History');
	await expect(notice(page, `Changed the site: publisher: “” to “${name}”`)).toBeVisible();
});

test('what cannot be stored says why where it is, and stays typed @nightly', async ({ page }) => {
	await open(page, 'Mail');
	await field(page, 'Address for privacy').fill('nobody');
	await page.getByRole('button', { name: 'Save the site' }).click();
	await expect(page.getByText('Please enter a valid email address')).toBeVisible();
	await go(page, 'Looks');
	const accent = field(page, 'Accent color, light theme');
	await accent.fill('#67e8f9');
	const verdict = page.getByText(/^Contrast 1\.2:1 is too low to read in the light theme/);
	await expect(verdict).toBeVisible();
	await page.getByRole('button', { name: 'Save the site' }).click();
	await expect(page.getByRole('button', { name: 'Save the site' })).toBeVisible();
	await expect(accent).toHaveValue('#67e8f9');
	await accent.fill('#9f1239');
	await expect(verdict).toBeHidden();
	await page.getByLabel('Logo', { exact: true }).setInputFiles({
		name: 'logo.svg',
		mimeType: 'image/svg+xml',
		buffer: Buffer.from('<svg viewBox="0 0 8 8"><script>alert(1)</script></svg>'),
	});
	await expect(
		page.getByText('This drawing cannot be used: it has no shapes or words that can be shown.'),
	).toBeVisible();
	await page.getByLabel('Logo', { exact: true }).setInputFiles({
		name: 'logo.svg',
		mimeType: 'image/svg+xml',
		buffer: Buffer.from(
			'<svg viewBox="0 0 8 8"><style>rect{fill:red}</style><rect width="8" height="8"/></svg>',
		),
	});
	const logos = page.getByRole('group', { name: 'How the logo looks' }).locator('img');
	await expect(logos).toHaveCount(2);
	await expect
		.poll(() => logos.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
		.toBeGreaterThan(0);
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await expect(accent).toHaveValue('#0e7490');
	await go(page, 'Mail');
	await expect(field(page, 'Address for privacy')).toHaveValue('nobody');
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await expect(field(page, 'Address for privacy')).toHaveValue('');
});

test('words of pages are the owner’s, and a link that leads nowhere is said before it is saved @nightly', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(2 * BUILD_MS);
	const sent = `Mine ${crypto.randomUUID()}`;
	await open(page, 'Words');
	const corner = field(page, 'Letter: in the corner');
	await expect(corner).toHaveAttribute('placeholder', /^The new articles/);
	await corner.fill(sent);
	const checked = field(page, 'Articles: how they are checked');
	await checked.fill('/no-such-page');
	await expect(page.getByText('No page is at /no-such-page yet.')).toBeVisible();
	expect(consoleErrors.splice(0)).toEqual([expect.stringContaining('404')]);
	await checked.fill('/about');
	await expect(page.getByText('No page is at /no-such-page yet.')).toBeHidden();
	await page.getByRole('button', { name: 'Save the site' }).click();
	await expect(notice(page, 'The site is saved')).toBeVisible();
	const shown = async (path: string) => (await page.request.get(path)).text();
	await expect.poll(() => shown('/'), { timeout: BUILD_MS }).toContain(sent);
	// The toast is gone by then; the history still has it.
	await go(page, 'History');
	await page
		.getByRole('button', { name: /^Undo: / })
		.first()
		.click();
	await expect(notice(page, 'Undone')).toBeVisible();
	await go(page, 'Words');
	await expect(corner).toHaveValue('');
});

test('links and sections are moved by buttons and by keys, with the focus', async ({ page }) => {
	await open(page, 'Links');
	const links = page.getByRole('list', { name: 'Quick links' });
	const words = () =>
		links
			.getByLabel('Words')
			.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
	await links.getByLabel('Words').first().focus();
	await page.keyboard.press('Alt+ArrowDown');
	expect((await words()).slice(0, 2)).toEqual(['About Us', 'Blog']);
	await expect(links.getByLabel('Words').nth(1)).toBeFocused();
	const up = links.getByRole('button', { name: 'Move Blog up' });
	const places = await Promise.all(
		[links.getByLabel('Address').nth(1), up].map((one) => one.boundingBox()),
	);
	// A link is one row: its buttons stand beside its fields.
	expect(places[1]!.y).toBeGreaterThanOrEqual(places[0]!.y);
	expect(places[1]!.y).toBeLessThan(places[0]!.y + places[0]!.height);
	await links.locator('..').getByRole('button', { name: 'Add a link' }).click();
	await expect(links.getByLabel('Words').last()).toBeFocused();
	await expect(links.getByLabel('Words').last()).toHaveValue('');
	await up.click();
	expect((await words()).slice(0, 2)).toEqual(['Blog', 'About Us']);
	await go(page, 'Home page');
	await page.getByRole('checkbox', { name: 'Testimonials' }).click();
	await expect(
		page.getByRole('list', { name: 'Left out' }).getByText('Testimonials'),
	).toBeVisible();
	await page.getByRole('button', { name: 'Move Questions up' }).click();
	const sections = page.getByRole('list', { name: 'Sections of the home page' });
	await expect(sections.getByRole('checkbox').last()).toHaveAccessibleName('Newsletter');
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await expect(page.getByRole('list', { name: 'Left out' })).toBeHidden();
});

test('two browsers lose nothing: what differs is merged, what both changed is asked @nightly', async ({
	page,
	browser,
	baseURL,
	consoleErrors,
}) => {
	// The history keeps what earlier runs did.
	const sender = `${crypto.randomUUID()}@example.com`;
	await open(page);
	const context = await browser.newContext({ baseURL: baseURL! });
	const other = await context.newPage();
	await open(other);
	const save = (on: Page) => on.getByRole('button', { name: 'Save the site' }).click();
	await field(other, 'Publisher').fill('Theirs');
	await save(other);
	await expect(notice(other, 'The site is saved')).toBeVisible();
	await go(other, 'Mail');
	await field(other, 'Address for privacy').fill('theirs@example.com');
	await save(other);
	await expect(unsaved(other)).toBeHidden();

	await field(page, 'Publisher').fill('Mine');
	await go(page, 'Mail');
	await field(page, 'Sender of mail').fill(sender);
	await save(page);
	// Both pages are compared with what is there: the other one's field is asked about, too.
	await expect(page.getByRole('heading', { name: 'Changed elsewhere' })).toBeVisible();
	await expect(field(page, 'Address for privacy')).toHaveValue('theirs@example.com');
	await expect(field(page, 'Sender of mail')).toHaveValue(sender);
	await page.getByRole('button', { name: 'Take theirs: Publisher' }).click();
	await save(page);
	await expect(notice(page, 'The site is saved')).toBeVisible();

	// The other one has an old version, and typed something else: no question is left.
	await field(other, 'Address for privacy').fill('');
	await save(other);
	await expect(field(other, 'Sender of mail')).toHaveValue(sender);
	await expect(unsaved(other)).toBeHidden();
	await go(other, 'Name');
	await field(other, 'Publisher').fill('');
	await save(other);
	await expect(unsaved(other)).toBeHidden();
	await go(other, 'Mail');
	await field(other, 'Sender of mail').fill('');
	await save(other);
	await go(other, 'History');
	await expect(notice(other, `sender of mail: “${sender}” to “”`)).toBeVisible();
	await context.close();
	// The browser itself reports the 409.
	consoleErrors.splice(0);
});

test('two browsers lose nothing of the set-up: what differs is merged, what both changed is asked @nightly', async ({
	page,
	consoleErrors,
}) => {
	await open(page);
	await page.goto('/admin?tab=setup');
	const button = page.getByRole('button', { name: 'Set up the site' });
	await expect(button).toBeVisible();
	const stored = (await (await page.request.get('/api/admin/site')).json()) as object;
	const theirs = { contactEmail: 'theirs@example.com', tagline: 'Their tagline' };
	await page.request.put('/api/admin/site', { data: { ...stored, ...theirs } });
	await field(page, 'Tagline').fill('My tagline');
	await button.click();
	await expect(page.getByText(/^The site was changed elsewhere since/)).toBeVisible();
	await expectAccessible(page, '.setup');
	await expect(field(page, 'Address for readers')).toHaveValue('theirs@example.com');
	await expect(field(page, 'Tagline')).toHaveValue('My tagline');
	await button.click();
	await expect(notice(page, 'The site is set up')).toBeVisible();
	const saved = await (await page.request.get('/api/admin/site')).json();
	expect(saved).toMatchObject({ ...theirs, tagline: 'My tagline' });
	await page.request.put('/api/admin/site', { data: { ...saved, ...stored, version: undefined } });
	// The browser itself reports the 409.
	consoleErrors.splice(0);
});

test('the screen is accessible in both themes, and fits a phone @nightly', async ({ page }) => {
	await open(page);
	await expectAccessible(page);
	await page.setViewportSize({ width: 390, height: 844 });
	const overflow = () =>
		page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
	await expect.poll(overflow).toBeLessThanOrEqual(0);
});
