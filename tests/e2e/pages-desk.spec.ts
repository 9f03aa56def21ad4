import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, framesOf, mapsOf, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const LIVE = { timeout: BUILD_MS };

// One after the other: each waits for builds.
test.describe.configure({ mode: 'default' });
test.use({ alone: 'pages' });

async function open(page: Page, query: string): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?${query}`);
}

/** The answer to a request for a page, without following redirects. */
async function answer(page: Page, path: string): Promise<{ status: number; text: string }> {
	const response = await page.request.get(path, { maxRedirects: 0 });
	return { status: response.status(), text: await response.text() };
}
const textOf = async (page: Page, path: string) => (await answer(page, path)).text;

test('what is typed in a page is there after its tab was lost @nightly', async ({ page }) => {
	await open(page, 'tab=pages&edit=terms');
	const form = page.getByRole('form', { name: 'Terms of Service' });
	const article = form.getByRole('textbox', { name: 'Article' });
	await article.getByRole('heading', { name: '12. Stay updated' }).click();
	await page.keyboard.press('End');
	await framesOf(page, 2);
	await page.keyboard.press('Enter');
	await page.keyboard.type('Words that nobody saved.');
	page.on('dialog', (dialog) => void dialog.accept());
	await page.reload();
	const note = page.getByRole('region', { name: 'Never saved' });
	await expect(note).toContainText('was never saved');
	await expectAccessible(page, '.pages-desk');
	await expect(article).not.toContainText('Words that nobody saved.');
	await note.getByRole('button', { name: 'Go on with it' }).click();
	await expect(article).toContainText('Words that nobody saved.');
	await expect(form.getByRole('status').first()).toHaveText(/not saved/i);
	await page.reload();
	await note.getByRole('button', { name: 'Throw it away' }).click();
	await expect(note).toBeHidden();
	await page.reload();
	await expect(form.getByRole('status').first()).toHaveText(/Version/);
	await expect(note).toBeHidden();
});

test('a page is shown beside its text as readers will see it, and goes on in another browser', async ({
	page,
	browser,
}) => {
	await open(page, 'tab=pages&edit=terms');
	const form = page.getByRole('form', { name: 'Terms of Service' });
	const article = form.getByRole('textbox', { name: 'Article' });
	const view = form.getByRole('group', { name: 'View' });
	await view.getByRole('button', { name: 'Preview' }).click();
	const preview = page.getByRole('region', { name: 'Preview' });
	const shown = preview.frameLocator('iframe');
	await expect(shown.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
	await expect(shown.locator('.prose')).toContainText('apply to the website Groundtruth,');
	await expect(shown.locator('.prose')).not.toContainText('%');
	await article.getByRole('heading', { name: '12. Stay updated' }).click();
	await page.keyboard.press('End');
	await framesOf(page, 2);
	await page.keyboard.press('Enter');
	await page.keyboard.type('Typed for %SITE_NAME% on the train.');
	await expect(shown.locator('.prose')).toContainText('Typed for Groundtruth on the train.');
	await expectAccessible(page, '.pages-desk');
	await expect(form.getByRole('status').first()).toHaveText('Kept, not saved');

	await page.setViewportSize({ width: 390, height: 844 });
	await expect(article).toBeHidden();
	await expect(preview.locator('iframe')).toBeInViewport();
	const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
	expect(await page.evaluate(tooWide)).toBeLessThanOrEqual(0);
	await view.getByRole('button', { name: 'Write' }).click();
	await expect(article).toContainText('on the train');

	const elsewhere = await (await browser.newContext()).newPage();
	await open(elsewhere, 'tab=pages&edit=terms');
	const note = elsewhere.getByRole('region', { name: 'Never saved' });
	await note.getByRole('button', { name: 'Go on with it' }).click();
	await expect(elsewhere.getByRole('textbox', { name: 'Article' })).toContainText('on the train');
	await elsewhere.reload();
	await note.getByRole('button', { name: 'Throw it away' }).click();
	await elsewhere.reload();
	await expect(elsewhere.getByRole('form').getByRole('status').first()).toHaveText(/Version/);
	await expect(note).toBeHidden();
	await elsewhere.context().close();
});

test('the terms edited at the desk are live on their page, and undone as before @nightly', async ({
	page,
}) => {
	test.setTimeout(500_000);
	await open(page, 'tab=pages');
	await page.getByRole('button', { name: 'Terms of Service' }).click();
	await expect(page).toHaveURL(/edit=terms/);
	const form = page.getByRole('form', { name: 'Terms of Service' });
	const article = form.getByRole('textbox', { name: 'Article' });
	await expect(article).toContainText('%CONTACT_EMAIL%');
	await article.getByRole('heading', { name: '12. Stay updated' }).click();
	await page.keyboard.press('End');
	// The editor knows by then where the cursor is.
	await framesOf(page, 2);
	await page.keyboard.press('Enter');
	await page.keyboard.type('Written at the desk, for %SITE_NAME%.');
	await form.getByRole('button', { name: 'Today' }).click();
	await expect(form.getByRole('status').first()).toHaveText(/not saved/i);
	await expectAccessible(page, '.pages-desk');
	// What is typed stays when the form is left.
	await page.getByRole('button', { name: 'All pages' }).click();
	await expect(page.getByRole('row', { name: /Terms of Service/ })).toContainText('not saved');
	await page.goBack();
	await expect(article).toContainText('Written at the desk');
	await page.keyboard.press('Control+s');
	await expect(page.locator('.toast')).toContainText('Terms of Service saved');
	await expect
		.poll(() => textOf(page, '/terms'), LIVE)
		.toContain('Written at the desk, for Groundtruth.');
	const year = new Date().getUTCFullYear();
	expect(await textOf(page, '/terms')).toMatch(new RegExp(`Last updated: \\w+ \\d+, ${year}`));

	await form.getByRole('button', { name: 'Earlier versions' }).click();
	await page.getByRole('button', { name: /Version 1\b/ }).click();
	await expect(page.getByRole('dialog')).toContainText('Written at the desk');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Escape');
	await page.goto('/admin?tab=settings&part=Audit+log&q=Terms');
	await page
		.getByRole('button', { name: /^Undo: Changed the page “Terms/ })
		.first()
		.click();
	await expect.poll(() => textOf(page, '/terms'), LIVE).not.toContain('Written at the desk');
	expect(await textOf(page, '/terms')).toContain('Last updated: November 23, 2026');
});

test('a new page is written, served, linked, listed, moved and deleted', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(500_000);
	await open(page, 'tab=pages');
	await page.getByRole('button', { name: 'New page' }).click();
	const dialog = page.getByRole('dialog', { name: 'New page' });
	await dialog.getByLabel('Title').fill('Code of Conduct');
	await expect(dialog).toContainText('/code-of-conduct');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Enter');
	const form = page.getByRole('form', { name: 'Code of Conduct' });
	await form.getByLabel('Description').fill('How we treat each other.');
	await form.getByRole('textbox', { name: 'Article' }).click();
	await page.keyboard.type('Be kind to ');
	await page.keyboard.type('everybody.');
	await form.getByLabel(/^Public/).check();
	await form.getByLabel('The footer links to it').check();
	await page.keyboard.press('Control+s');
	await expect(form.getByRole('status').first()).toHaveText('Version 2');
	await expect.poll(async () => (await answer(page, '/code-of-conduct')).status, LIVE).toBe(200);
	const { text } = await answer(page, '/code-of-conduct');
	expect(text).toContain('<p>Be kind to everybody.</p>');
	expect(text).toContain('content="How we treat each other."');
	expect(text).not.toContain('noindex');
	await page.goto('/terms');
	await page.getByRole('contentinfo').getByRole('link', { name: 'Code of Conduct' }).click();
	await expect(page).toHaveURL('/code-of-conduct');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Code of Conduct');
	await expectAccessible(page, 'main');
	const maps = [...(await mapsOf(page.request)).values()].join('');
	expect(maps).toContain('/code-of-conduct</loc>');
	expect(await textOf(page, '/sitemap')).toContain('href="/code-of-conduct"');

	await page.goto('/admin?tab=pages&edit=code-of-conduct');
	await form.getByLabel('Address').fill('About');
	await page.keyboard.press('Control+s');
	await expect(form.getByRole('alert').first()).toContainText(
		'Another part of the site has this address.',
	);
	await expect(form.getByLabel('Address')).toBeFocused();
	await form.getByLabel('Address').fill('Conduct');
	await page.keyboard.press('Control+s');
	await expect(page).toHaveURL(/edit=conduct/);
	await expect(form.getByLabel('Address')).toHaveValue('conduct');
	await expect
		.poll(async () => (await page.request.get('/code-of-conduct')).url(), LIVE)
		.toMatch(/\/conduct$/);
	expect((await answer(page, '/code-of-conduct')).status).toBe(301);

	await form.getByRole('button', { name: 'Delete' }).click();
	await expect(page.locator('.toast')).toContainText('Code of Conduct deleted');
	await expect
		.poll(
			async () => [
				(await answer(page, '/conduct')).status,
				(await answer(page, '/code-of-conduct')).status,
			],
			LIVE,
		)
		.toEqual([404, 404]);
	expect(await textOf(page, '/terms')).not.toContain('Code of Conduct');
	expect(consoleErrors.filter((text) => !/40[049]/.test(text))).toEqual([]);
	consoleErrors.length = 0;
});

test('what two browsers wrote in one page is merged, and asked about where both changed it @nightly', async ({
	page,
	browser,
	baseURL,
	consoleErrors,
}) => {
	await open(page, 'tab=pages&edit=about');
	const form = page.getByRole('form', { name: /^(About us|Their title)$/ });
	const article = form.getByRole('textbox', { name: 'Article' });
	await article.getByText('Our mission is to give that person').click();
	await page.keyboard.press('Home');
	await page.keyboard.type('Mine. ');
	await form.getByLabel('Title', { exact: true }).fill('My title');
	const before = (await (await page.request.get('/api/admin/pages/about')).json()) as {
		title: string;
		description: string;
		content: string;
	};
	const context = await browser.newContext({ baseURL: baseURL! });
	const other = await context.newPage();
	await open(other, 'tab=pages&edit=about');
	await other.getByLabel('Title', { exact: true }).fill('Their title');
	await other.getByRole('textbox', { name: 'Article' }).getByText('Mistakes will remain').click();
	await other.keyboard.press('Home');
	await other.keyboard.type('Theirs. ');
	await other.keyboard.press('Control+s');
	await expect(other.locator('.toast')).toContainText('Their title saved');
	await context.close();
	await page.keyboard.press('Control+s');
	const compare = page.getByRole('region', { name: 'Compare' });
	await expect(compare).toContainText('Their title');
	await expect(compare).not.toContainText('Text: which one');
	await expect(article).toContainText('Mine. ');
	await expect(article).toContainText('Theirs.');
	await expectAccessible(page, '.pages-desk');
	await compare.getByText('Theirs', { exact: true }).last().click();
	await compare.getByRole('button', { name: 'Go on with this' }).click();
	await page.keyboard.press('Control+s');
	await expect(page.locator('.toast')).toContainText('Their title saved');
	const saved = (await (await page.request.get('/api/admin/pages/about')).json()) as typeof before;
	expect(saved.title).toBe('Their title');
	expect(saved.content).toMatch(/Mine\. [^]*Theirs\. /);
	await page.request.put('/api/admin/pages/about', {
		data: { title: before.title, content: before.content },
	});
	expect(consoleErrors.filter((text) => !/409/.test(text))).toEqual([]);
	consoleErrors.length = 0;
});

test('questions and testimonials of the home page are edited, and live with their structured data @nightly', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(500_000);
	await open(page, 'tab=pages&show=questions');
	const stored = (await (await page.request.get('/api/admin/pages/home')).json()) as object;
	await page.getByRole('button', { name: 'Home', exact: true }).click();
	const form = page.getByRole('form', { name: 'Home' });
	await form.getByRole('button', { name: 'Add a question' }).click();
	const questions = form.getByRole('list', { name: 'Questions' });
	await questions.getByRole('textbox', { name: 'Question' }).last().fill('Who edits this?');
	await page.keyboard.press('Control+s');
	await expect(form.getByRole('alert').first()).toHaveText('Not saved: Please fill this in.');
	await expect(questions.getByRole('textbox', { name: 'Answer' }).last()).toBeFocused();
	await page.keyboard.type('Somebody at the desk.');
	await page.keyboard.press('Alt+ArrowUp');
	await expect(questions.getByRole('textbox', { name: 'Answer' }).nth(5)).toBeFocused();
	await expect(questions.getByRole('textbox', { name: 'Question' }).nth(5)).toHaveValue(
		'Who edits this?',
	);
	await form.getByRole('button', { name: 'Add a testimonial' }).click();
	const testimonials = form.getByRole('list', { name: 'Testimonials' });
	await testimonials
		.getByRole('textbox', { name: 'Words' })
		.last()
		.fill('It says where its numbers come from.');
	await testimonials.getByRole('textbox', { name: 'Name' }).last().fill('A reader');
	await expectAccessible(page, '.pages-desk');
	await page.keyboard.press('Control+s');
	await expect(page.locator('.toast')).toContainText('Home saved');
	await expect.poll(() => textOf(page, '/'), LIVE).toContain('Somebody at the desk.');
	await page.goto('/');
	await expect(page.getByText('It says where its numbers come from.')).toBeAttached();
	await expect(page.getByText('Who edits this?')).toBeAttached();
	const data = await page.locator('script[type="application/ld+json"]').allTextContents();
	expect(data.join()).toContain('"text":"Somebody at the desk."');
	const { version } = (await (await page.request.get('/api/admin/pages/home')).json()) as {
		version: number;
	};
	const undone = await page.request.put('/api/admin/pages/home', { data: { ...stored, version } });
	expect(undone.status()).toBe(200);
	expect(consoleErrors.filter((text) => !/400/.test(text))).toEqual([]);
	consoleErrors.length = 0;
});
