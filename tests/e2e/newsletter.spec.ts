import { createClient } from '@libsql/client';
import type { Page } from '@playwright/test';
import { join } from 'node:path';
import { findBrowser } from '#tests/support/browser.mjs';
import { expect, test } from './fixtures.ts';

/** Whether the server of these tests holds an address in a table. */
async function holds(table: 'subscribers' | 'enrollments', email: string): Promise<boolean> {
	const db = createClient({
		url: `file:${join(process.env['E2E_FOLDER']!, 'site.db')}`,
		timeout: 5000,
	});
	const { rows } = await db.execute({
		sql: `select 1 from ${table} where email = ?`,
		args: [email],
	});
	db.close();
	return rows.length > 0;
}

/** Fills in the first form at this address as soon as it is there and sends it, as a browser's own filling in and Enter do. */
async function sendAtOnce(page: Page, action: string, email: string): Promise<void> {
	await page.addInitScript(
		([path, address]) => {
			const watch = new MutationObserver(() => {
				const form = document.querySelector<HTMLFormElement>(`form[action="${path}"]`);
				const field = form?.querySelector<HTMLInputElement>('[type=email]');
				if (!form || !field || document.readyState === 'loading') return;
				watch.disconnect();
				field.value = address!;
				form.requestSubmit();
				Object.assign(window, { sentAfter: performance.now() });
			});
			watch.observe(document, { childList: true, subtree: true });
			document.addEventListener('readystatechange', () =>
				document.append(document.createComment('')),
			);
		},
		[action, email],
	);
}

test('whoever sends a form at once waits for it, and is subscribed when it says so', async ({
	page,
}) => {
	const email = `at-once-${Date.now()}@example.com`;
	// Until its wait was seen, no time goes by: a busy machine wakes the form later than it has to wait.
	await page.addInitScript(() => {
		const now = performance.now.bind(performance);
		const held = { isTime: true };
		Object.assign(window, { held });
		performance.now = () => (held.isTime ? 0 : now());
	});
	await sendAtOnce(page, '/api/subscribers', email);
	await page.goto('/newsletter');
	await expect(page.getByRole('progressbar', { name: 'Sending in a moment' })).toBeVisible();
	await expect(page.getByRole('button', { name: 'Subscribing...' })).toBeVisible();
	expect(await holds('subscribers', email)).toBe(false);
	await page.evaluate(() => {
		(window as unknown as { held: { isTime: boolean } }).held.isTime = false;
	});
	await expect(
		page.getByText("You're subscribed! Check your inbox for AI insights."),
	).toBeVisible();
	expect(await holds('subscribers', email)).toBe(true);
	await expect(page.getByRole('progressbar')).toHaveCount(0);
});

test('whoever enrolls at once is enrolled @nightly', async ({ page }) => {
	const email = `enroll-at-once-${Date.now()}@example.com`;
	await sendAtOnce(page, '/api/email-course/enroll', email);
	await page.goto('/newsletter');
	await expect(page.getByText("You're enrolled!")).toBeVisible();
	expect(await holds('enrollments', email)).toBe(true);
});

test('a form of a page that comes back from the browser’s cache is sent', async ({
	playwright,
	baseURL,
}, info) => {
	const email = `back-${Date.now()}@example.com`;
	// Without windows a browser has no such cache.
	const executablePath = findBrowser();
	const browser = await playwright.chromium.launch({
		...info.project.use.launchOptions,
		...(executablePath && { executablePath }),
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
	});
	const page = await browser.newPage({ baseURL: baseURL! });
	await page.goto('/newsletter');
	await page.evaluate(() => {
		addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }));
	});
	await page.getByRole('link', { name: 'About', exact: true }).first().click();
	await expect(page).toHaveURL('/about');
	// Playwright's own way back waits for a navigation that never comes.
	await page.evaluate(() => history.back());
	await expect(page).toHaveURL('/newsletter');
	await expect
		.poll(() => page.evaluate(() => (window as unknown as { persisted?: boolean }).persisted))
		.toBe(true);
	const form = page.locator('main form').first();
	await form.getByLabel('Email address').fill(email);
	await form.getByLabel('Email address').press('Enter');
	await expect(
		page.getByText("You're subscribed! Check your inbox for AI insights."),
	).toBeVisible();
	expect(await holds('subscribers', email)).toBe(true);
	await browser.close();
});

test('the blog’s button reveals its field, subscribes in place, and the other forms know', async ({
	page,
}) => {
	await page.goto('/blog');
	await page.waitForLoadState('networkidle');
	const hero = page.locator('main').getByRole('button', { name: 'Get the newsletter' }).first();
	await hero.click();
	const field = page.locator('main').getByLabel('Email address').first();
	await expect(field).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('alert').filter({ hasText: 'Email required' })).toContainText(
		'Please enter your email address.',
	);
	await field.fill('blog-reader@example.com');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toContainText(
		"You've been subscribed to our newsletter.",
	);
	// The hero, and the banners within the list and below it, which wake when they are seen.
	for (const banner of await page.locator('main .newsletter-banner').all())
		await banner.scrollIntoViewIfNeeded();
	await expect(page.locator('main').getByText("You're subscribed!")).toHaveCount(3);
	expect(await page.evaluate(() => localStorage.getItem('newsletter_subscribed'))).toBe('true');
	await page.goto('/newsletter');
	const said = page.getByText("You're Already Subscribed!");
	await expect(said).toHaveCount(1);
	await expect(page.getByLabel('Email address').first()).toBeHidden();
	await page.getByRole('heading', { name: 'Get the next one' }).scrollIntoViewIfNeeded();
	await expect(said).toHaveCount(2);
});

test('a page of a subscribed visitor does not move when it says so @nightly', async ({
	page,
	context,
}) => {
	await context.addCookies([
		{ name: 'newsletter_subscribed', value: 'true', domain: '127.0.0.1', path: '/' },
	]);
	await page.addInitScript(() => {
		const shifts: number[] = [];
		Object.assign(window, { shifts });
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) shifts.push((entry as { value?: number }).value ?? 0);
		}).observe({ type: 'layout-shift', buffered: true });
	});
	await page.goto('/newsletter');
	await expect(page.getByText("You're Already Subscribed!").first()).toBeVisible();
	await page.waitForLoadState('networkidle');
	const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
	expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.005);
});

test('an empty list offers another category and a word when there is more @nightly', async ({
	page,
}) => {
	await page.route('**/blog.json', (route) => route.fulfill({ json: [] }));
	await page.goto('/blog?category=mlops');
	await expect(page.getByRole('heading', { name: 'No AI articles found' })).toBeVisible();
	const island = page
		.locator('astro-island')
		.filter({ has: page.getByText('Notify me') })
		.last();
	// It wakes when it is seen.
	await island.getByRole('button').scrollIntoViewIfNeeded();
	await expect(island).not.toHaveAttribute('ssr');
	await island.getByRole('button').click();
	const empty = page.locator('.frame', { hasText: 'No AI articles found' });
	await expect(empty.getByLabel('Email address')).toBeFocused();
	await empty.getByRole('combobox', { name: 'Category' }).selectOption('All Categories');
	await expect(page).toHaveURL('/blog');
	await expect(page.getByRole('heading', { name: 'No AI articles found' })).toHaveCount(0);
});

test('requesting a state leads to the form with its topic chosen @nightly', async ({ page }) => {
	await page.goto('/ai-best-practices');
	await expect(page.getByText('30+ keywords per state')).toBeVisible();
	await page.getByRole('link', { name: 'Request Your State' }).click();
	await expect(page).toHaveURL('/contact?topic=Request%20your%20state');
	await expect(page.getByLabel('Topic')).toHaveValue('Request your state');
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the button leads to the newsletter page @nightly', async ({ page }) => {
		await page.goto('/blog');
		await page.getByRole('button', { name: 'Get the newsletter' }).first().click();
		await expect(page).toHaveURL(/\/newsletter\??$/);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groundtruth Weekly');
	});

	test('home has the parts of product.md section 2, in their order', async ({ page }) => {
		await page.goto('/');
		await expect(page.getByRole('heading', { level: 2 })).toHaveText([
			'Groundtruth Weekly',
			'Free AI Masterclass',
			'Featured Articles',
			'Explore AI Categories',
			'Where the AI work is, state by state',
			'What readers say',
			'Recent Posts',
			'Groundtruth Weekly',
			'Questions',
			'Quick Links',
			'Categories',
			'Elsewhere',
		]);
		await expect(page.getByRole('list', { name: 'The site in figures' })).toBeVisible();
		await expect(page.locator('main .accordion details')).toHaveCount(6);
	});

	// The first two have a form of each kind.
	for (const [at, path] of [
		'/blog/data-leakage',
		'/contact',
		'/',
		'/blog',
		'/newsletter',
		'/ai-best-practices/ohio',
	].entries()) {
		const nightly = at < 2 ? '' : ' @nightly';
		test(`every form of ${path} is a plain POST that leads to its thanks${nightly}`, async ({
			page,
		}) => {
			await page.goto(path);
			const forms = page.locator('main form[method=post]:visible');
			const count = await forms.count();
			expect(count).toBeGreaterThan(0);
			for (let index = 0; index < count; index++) {
				await page.goto(path);
				const form = forms.nth(index);
				for (const choice of await form.locator('select').all())
					await choice.selectOption({ index: 1 });
				for (const field of await form.locator(':is(input, textarea)[required]').all()) {
					const isEmail = (await field.getAttribute('type')) === 'email';
					await field.fill(isEmail ? `plain-${Date.now()}@example.com` : 'Grace from Ohio');
				}
				await form.getByRole('button').last().click();
				await expect(page).toHaveURL(/\/thanks\/(subscribe|enroll|upgrade|comment|contact)$/);
			}
		});
	}
});
