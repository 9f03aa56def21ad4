import { readdir, readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';
import { LOGO, LOGO_PATH, startFreshSite, takePhoto } from './setup-steps.ts';

/** Pages of an empty site: those that say most in place of what is missing, and each night those like them. */
const PAGES = [
	...['/', '/blog', '/about', '/ai-best-practices', '/nowhere', '/category/articles'],
	...(process.env['TESTS'] === 'daily'
		? []
		: [
				...['/newsletter', '/ai-best-practices/compare', '/search', '/sitemap', '/contact'],
				...['/saved', '/category/nothing', '/tag/nothing', '/ai-best-practices/ohio'],
				'/blog/attention-in-plain-arithmetic',
			]),
];

let host: Awaited<ReturnType<typeof startFreshSite>>;

test.beforeAll(async () => {
	// Its first build takes minutes beside others.
	test.setTimeout(600_000);
	host = await startFreshSite();
});

test.afterAll(() => host.stop());

test('a fresh site is set up as another one, starts empty, and has its first article', async ({
	page,
	consoleErrors,
}) => {
	test.setTimeout(600_000);
	await page.goto(`${host.address}/admin`);
	await expect(page.locator('.room-mark')).toHaveText('Groundtruth');
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
	// Any color will do: the nearest that can be read is one press away, and the picture has it at once.
	await field('Accent color').fill('#f59e0b');
	await expect(page.getByText(/too low to read in the light theme/)).toBeVisible();
	await page.getByRole('button', { name: /^Use #/ }).click();
	await expect(
		page.getByText(/^Contrast 4\.[56]:1 in the light theme, easy to read/),
	).toBeVisible();
	await field('Accent color').fill('#9f1239');
	const picture = page.locator('.setup-picture');
	await expect(picture.getByText('Second Opinion').first()).toBeVisible();
	await field('Headline').fill('Numbers, twice');
	await expect(picture.getByText('Numbers, twice').first()).toBeVisible();
	await expect(picture.locator('.site-sample-button').first()).toHaveCSS(
		'background-color',
		'rgb(159, 18, 57)',
	);
	await field('Author').fill('Grace Example');
	await expect(page.getByText(/^Contrast .* in the light theme, easy to read/)).toBeVisible();
	// What was answered outlives the page.
	await page.reload();
	await expect(field('Name')).toHaveValue('Second Opinion');
	await expect(field('Accent color')).toHaveValue('#9f1239');
	await expect(field('Author')).toHaveValue('Grace Example');
	await page.getByRole('radio', { name: 'Start empty' }).check();
	const { length } = await readdir('content/posts');
	await expect(
		page.getByText(`${length} articles and 50 states that came with the site`),
	).toBeVisible();
	await page.getByRole('button', { name: 'Set up and start empty' }).click();
	await expect(page.getByText('The site is set up', { exact: true })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'It is yours. What first?' })).toBeFocused();
	await expect(page.getByRole('link', { name: 'Look at your site' })).toBeVisible();
	await expect(page.getByText('The site shows what you chose.')).toBeVisible({ timeout: BUILD_MS });
	await expect(page.getByText('SITE_URL=https://your-domain.example')).toBeVisible();
	await expectAccessible(page, '#main');
	await page.getByRole('button', { name: 'Write your first article' }).click();
	await expect(page.getByRole('heading', { name: 'Create Post', level: 1 })).toBeVisible();
	// The desk knows the new name before the pages do.
	const sidebar = page.getByRole('navigation', { name: 'Admin' });
	await expect(sidebar.getByRole('link', { name: 'Second Opinion' })).toBeVisible();

	await expect
		.poll(async () => (await page.request.get(host.address)).text(), { timeout: BUILD_MS })
		.toContain('The first article is being written');
	const visitor = await page.context().newPage();
	for (const path of PAGES) {
		await visitor.goto(host.address + path);
		await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
		expect(await visitor.content(), path).not.toMatch(/ground-?truth/i);
		for (const width of [390, 1440]) {
			await visitor.setViewportSize({ width, height: 900 });
			const overflow = await visitor.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			expect(overflow, path).toBeLessThanOrEqual(0);
		}
	}

	await page.getByRole('link', { name: 'Site', exact: true }).click();
	await page.getByRole('link', { name: 'Looks' }).click();
	await page.getByLabel('Logo', { exact: true }).setInputFiles(LOGO);
	await page.getByRole('button', { name: 'Save the site' }).click();
	await expect(page.getByText('The site is saved', { exact: true })).toBeVisible();

	await page.getByRole('link', { name: 'Create Post' }).click();
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	const paste = (type: string, data: string) =>
		article.evaluate(
			(element, [type, data]) => {
				const clipboardData = new DataTransfer();
				clipboardData.setData(type!, data!);
				element.dispatchEvent(
					new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
				);
			},
			[type, data],
		);
	await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A first second opinion');
	await page.getByLabel('Category', { exact: true }).last().selectOption({ label: 'Articles' });
	await article.click();
	await page.keyboard.type('It says what the numbers say.');
	await page.keyboard.press('Enter');
	await paste('text/html', await readFile('tests/e2e/samples/google-docs.html', 'utf8'));
	await expect(article.getByRole('heading', { name: 'Reading a loss curve' })).toBeVisible();
	await page.keyboard.press('Control+End');
	await page.keyboard.press('Enter');
	// No test asks other sites.
	await page.route('**/api/admin/media/card', (route) =>
		route.fulfill({ json: { title: 'As it is called there', text: '', picture: null } }),
	);
	await paste('text/plain', 'https://youtu.be/dQw4w9WgXcQ');
	const title = article.getByLabel('Title of the video or recording');
	await expect(title).toHaveValue('As it is called there');
	await title.fill('A talk about numbers');
	await page.keyboard.press('Enter');
	const photo = await takePhoto();
	expect(photo.buffer.length).toBeGreaterThan(12_000_000);
	await page.getByLabel('Images', { exact: true }).setInputFiles(photo);
	const description = article.getByLabel('Description of the image (alt text)');
	await description.fill('Noise', { timeout: 60_000 });
	await expect(page.locator('.save-status')).toContainText('Saved', { timeout: 30_000 });
	await page.getByRole('button', { name: 'Publish…' }).click();
	await page
		.getByRole('dialog', { name: 'Publish' })
		.getByRole('button', { name: 'Publish now' })
		.click();
	await expect(page.locator('.toast').getByText('It is published')).toBeVisible();
	await expect
		.poll(async () => (await page.request.get(host.address)).text(), { timeout: BUILD_MS })
		.toContain('A first second opinion');
	await visitor.goto(host.address);
	await visitor.getByRole('link', { name: 'A first second opinion' }).first().click();
	await expect(visitor.getByRole('heading', { name: 'A first second opinion' })).toBeVisible();
	expect(await visitor.content()).not.toMatch(/ground-?truth/i);
	await expect(visitor.getByRole('img', { name: 'Noise' })).toHaveJSProperty('naturalWidth', 3200);
	expect(await (await page.request.get(`${host.address}/logo.svg`)).text()).toContain(LOGO_PATH);

	// The other site is asked when a reader presses the still, and not before.
	const asked: string[] = [];
	visitor.on('request', (request) => {
		if (/^https:/.test(request.url())) asked.push(request.url());
	});
	await visitor.route('https://**', (route) => route.abort());
	await visitor.reload();
	const still = visitor.getByRole('link', { name: /A talk about numbers/ });
	await still.scrollIntoViewIfNeeded();
	expect(asked).toEqual([]);
	await still.click();
	await expect(visitor.locator('iframe[title="A talk about numbers"]')).toBeVisible();
	const player = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1';
	await expect.poll(() => asked).toEqual([player]);

	// It does not ask again, and is found again.
	await page.goto(`${host.address}/admin`);
	await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
	await page.getByRole('link', { name: 'Site', exact: true }).click();
	await page.getByRole('button', { name: 'set-up' }).click();
	await expect(page.getByRole('heading', { name: 'Set up your site' })).toBeVisible();
	await expect(page.getByRole('radio', { name: 'Start empty' })).toBeHidden();
	// The browser itself tells of the refused name, and of each page that is not there.
	const expected = consoleErrors.filter((error) => /status of 40[04]/.test(error));
	for (const error of expected) consoleErrors.splice(consoleErrors.indexOf(error), 1);
});
