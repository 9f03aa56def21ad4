import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost, type Host } from '#tests/support/host.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const PAGES = [
	...['/', '/blog', '/about', '/newsletter', '/ai-best-practices', '/ai-best-practices/compare'],
	...[
		'/search',
		'/sitemap',
		'/contact',
		'/saved',
		'/nowhere',
		'/category/nothing',
		'/category/articles',
		'/tag/nothing',
	],
	...['/ai-best-practices/ohio', '/blog/attention-in-plain-arithmetic'],
];

let folder = '';
let host: Host;

test.beforeAll(async () => {
	test.setTimeout(240_000);
	folder = await mkdtemp(join(tmpdir(), 'setup-'));
	host = await startHost({ DATABASE_URL: `file:${join(folder, 'site.db')}`, SITE_URL: '' });
});

test.afterAll(async () => {
	await host.stop();
	await rm(folder, { recursive: true, force: true });
});

test('a fresh site is set up as another one, starts empty, and has its first article', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(240_000);
	await page.goto(`${host.address}/admin`);
	await page.getByLabel('Email').fill('admin@example.com');
	await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.getByRole('heading', { name: 'Set up your site' })).toBeVisible();
	// It loads the page anew, so it comes before anything is typed.
	await expectAccessible(page);
	const field = (name: string) => page.getByRole('textbox', { name, exact: true });

	// What cannot be stored says why, and nothing typed is lost.
	await field('Name').fill('');
	await field('Tagline').fill('What the numbers say');
	await page.getByRole('button', { name: 'Set up the site' }).click();
	await expect(page.getByText('Please enter a name.')).toBeVisible();
	await expect(field('Tagline')).toHaveValue('What the numbers say');
	await field('Name').fill('Second Opinion');
	await field('Accent color').fill('#9f1239');
	await expect(page.getByText(/^Contrast .* in the light theme, easy to read/)).toBeVisible();
	await page.getByRole('radio', { name: 'Start empty' }).check();
	const { length } = await readdir('content/posts');
	await expect(
		page.getByText(`${length} articles and 50 states that came with the site`),
	).toBeVisible();
	await page.getByRole('button', { name: 'Set up and start empty' }).click();
	await expect(page.getByText('The site is set up', { exact: true })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'Create Post', level: 1 })).toBeVisible();

	await expect
		.poll(async () => (await page.request.get(host.address)).text(), { timeout: 90_000 })
		.toContain('The first article is being written');
	const visitor = await page.context().newPage();
	for (const width of [390, 1440]) {
		await visitor.setViewportSize({ width, height: 900 });
		for (const path of PAGES) {
			await visitor.goto(host.address + path);
			await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
			expect(await visitor.content(), path).not.toMatch(/ground-?truth/i);
			const overflow = await visitor.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			expect(overflow, path).toBeLessThanOrEqual(0);
		}
	}

	await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A first second opinion');
	await page.getByLabel('Category', { exact: true }).last().selectOption({ label: 'Articles' });
	await page.getByRole('textbox', { name: 'Article', exact: true }).click();
	await page.keyboard.type('It says what the numbers say.');
	await page.getByRole('button', { name: 'Publish…' }).click();
	await page
		.getByRole('dialog', { name: 'Publish' })
		.getByRole('button', { name: 'Publish now' })
		.click();
	await expect
		.poll(async () => (await page.request.get(host.address)).text(), { timeout: 90_000 })
		.toContain('A first second opinion');
	await visitor.goto(host.address);
	await visitor.getByRole('link', { name: 'A first second opinion' }).first().click();
	await expect(visitor.getByRole('heading', { name: 'A first second opinion' })).toBeVisible();
	expect(await visitor.content()).not.toMatch(/ground-?truth/i);

	// It does not ask again, and is found again.
	await page.goto(`${host.address}/admin`);
	await expect(page.getByRole('heading', { name: 'Manage Posts', level: 1 })).toBeVisible();
	await page.getByRole('link', { name: 'Site', exact: true }).click();
	await page.getByRole('button', { name: 'set-up' }).click();
	await expect(page.getByRole('heading', { name: 'Set up your site' })).toBeVisible();
	await expect(page.getByRole('radio', { name: 'Start empty' })).toBeHidden();
	// The browser itself tells of the refused name, and of each page that is not there.
	const expected = consoleErrors.filter((error) => /status of 40[04]/.test(error));
	for (const error of expected) consoleErrors.splice(consoleErrors.indexOf(error), 1);
});
