import type { Page } from '@playwright/test';
import { expect, SEEDED, test } from './fixtures.ts';

const ARTICLE = '/blog/attention-in-plain-arithmetic';

test.describe('metadata', () => {
	test('an article says what it is to search engines, networks and programs', async ({ page }) => {
		await page.goto(ARTICLE);
		const meta = (name: string) =>
			page
				.locator(`meta[property="${name}"], meta[name="${name}"]`)
				.first()
				.getAttribute('content');
		expect(await page.title()).toMatch(/ - Complete Guide 20\d\d \| Groundtruth$/);
		for (const name of ['published_time', 'modified_time', 'expiration_time']) {
			expect(Date.parse((await meta(`article:${name}`))!), name).not.toBeNaN();
		}
		expect(await meta('article:author')).toBe('Groundtruth');
		expect(await meta('article:section')).toBe('Large Language Models');
		expect(await page.locator('meta[property="article:tag"]').count()).toBe(5);
		expect([await meta('twitter:label1'), await meta('twitter:data1')]).toEqual([
			'Reading time',
			expect.stringMatching(/^\d+ minutes$/),
		]);
		expect(await meta('og:image:width')).toBe('1200');
		const card = (await meta('og:image'))!;
		expect(card).toMatch(/\/social\/blog\/attention-in-plain-arithmetic\.png\?v=\w{10}$/);
		// Addresses that networks were given before lead to the card as it is.
		const [now, ...former] = await Promise.all(
			[card, card.replace(/\w+$/, '0123456789'), card.replace(/\?.*/, '')].map(async (address) => {
				const response = await page.request.get(address);
				expect(response.headers()['content-type']).toBe('image/png');
				return (await response.body()).toString('base64');
			}),
		);
		expect(former).toEqual([now, now]);
		const graph = JSON.parse(
			(await page.locator('script[type="application/ld+json"]').textContent())!,
		) as { '@graph': { '@type': string; wordCount?: number; timeRequired?: string }[] };
		const article = graph['@graph'].find((node) => node['@type'] === 'Article')!;
		expect(article.wordCount).toBeGreaterThan(1000);
		expect(article.timeRequired).toMatch(/^PT\d+M$/);
	});

	test('a list leads to its feeds, an article and a state to their Markdown', async ({
		page,
		request,
	}) => {
		for (const [path, types] of [
			['/category/machine-learning', ['/category/machine-learning/rss.xml', '/rss.xml']],
			['/tag/evaluation', ['/tag/evaluation/rss.xml', '/rss.xml']],
			['/newsletter', ['/newsletter/rss.xml', '/rss.xml']],
			['/about', ['/rss.xml']],
		] as const) {
			await page.goto(path);
			const links = page.locator('link[rel=alternate][type="application/rss+xml"]');
			expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(
				types,
			);
		}
		for (const path of [ARTICLE, '/ai-best-practices/california']) {
			await page.goto(path);
			const link = page.locator('link[rel=alternate][type="text/markdown"]');
			// What a text browser calls it, which shows formulas as tags: here they are TeX.
			await expect(link).toHaveAttribute('title', 'Markdown');
			const markdown = await request.get((await link.getAttribute('href'))!);
			expect(markdown.headers()['content-type']).toContain('text/markdown');
			expect(await markdown.text()).toContain(`# ${await page.locator('h1').textContent()}`);
		}
		const guide = await (await request.get('/llms.txt')).text();
		const addresses = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(
			([, url]) => new URL(url!).pathname,
		);
		expect(addresses.length).toBeGreaterThan(90);
		// Articles of other tests may be gone by now.
		const lasting = addresses.filter(
			(path) => !path.startsWith('/blog/') || SEEDED.includes(path.split(/[/.]/)[2]!),
		);
		for (const path of lasting.filter((_, index) => index % 12 === 0)) {
			expect((await request.get(path)).status(), path).toBe(200);
		}
	});
});

test.describe('a reader in Tokyo whose browser speaks German', () => {
	test.use({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' });

	test('reads dates in their own language and zone', async ({ page }) => {
		await page.goto(ARTICLE);
		const time = page.locator('article header time');
		const date = (await time.getAttribute('datetime'))!;
		expect(date).toMatch(/T\d\d:\d\d/);
		const local = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
		await expect(time).toHaveText(local.format(new Date(date)));
	});
});

/** Returns whether the end of an article's text is laid out, though it is far below the screen. */
const isLastLaidOut = (page: Page) =>
	page
		.locator('.footnotes li')
		.last()
		.evaluate((one) => one.checkVisibility({ contentVisibilityAuto: true }));

test.describe('a page that is painted first', () => {
	test('leaves its scripts for later', async ({ request }) => {
		for (const path of ['/', '/blog', ARTICLE, '/ai-best-practices']) {
			const html = await (await request.get(path)).text();
			const scripts = html.match(/<script [^>]*src=[^>]*>/g)!;
			expect(scripts.length, path).toBeGreaterThan(0);
			expect(scripts.filter((one) => !one.includes(' fetchpriority="low" '))).toEqual([]);
		}
	});

	test('makes no formatter as it starts, which takes longer than all else that its scripts do', async ({
		page,
	}) => {
		await page.addInitScript(() => {
			const made: string[] = [];
			Object.assign(window, { made });
			for (const name of ['ListFormat', 'NumberFormat', 'RelativeTimeFormat', 'Segmenter'] as const)
				Object.assign(Intl, {
					[name]: new Proxy(Intl[name], {
						construct(target, given) {
							made.push(name);
							return Reflect.construct(target, given);
						},
					}),
				});
		});
		for (const path of ['/', '/blog', ARTICLE, '/about', '/ai-best-practices']) {
			await page.goto(path);
			expect(await page.evaluate(() => (window as { made?: string[] }).made), path).toEqual([]);
		}
	});

	test.describe('on a phone', () => {
		test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

		test('lays out all of its text, and loses no place @nightly', async ({ page }) => {
			await page.goto(ARTICLE);
			// What is far below is in pictures of the whole page, and in its height.
			await expect.poll(() => isLastLaidOut(page)).toBe(true);
			const height = () =>
				page
					.locator('.prose')
					.first()
					.evaluate((text) => text.scrollHeight);
			const whole = await height();
			const headings = page.locator('.prose > h2[id]');
			const id = await headings.nth(5).getAttribute('id');
			const heading = page.locator(`.prose > #${id}`);
			const top = () => heading.evaluate((one) => one.getBoundingClientRect().top);
			// Fractions of a pixel may be rounded otherwise in another layout.
			const isAt = (place: number) =>
				expect.poll(async () => Math.abs((await top()) - place)).toBeLessThan(2);
			await page.locator(`a[href="#${id}"]:visible`).first().click();
			await isAt(80);
			await page.mouse.wheel(0, -300);
			await isAt(380);
			await page.reload();
			await isAt(380);
			expect(await isLastLaidOut(page)).toBe(true);
			expect(await height()).toBe(whole);
		});

		test('keeps the place that a press led to before all was laid out', async ({ page }) => {
			await page.addInitScript(() => {
				const waiting: (() => void)[] = [];
				Object.assign(window, {
					requestIdleCallback: (callback: () => void) => waiting.push(callback),
					goOn() {
						Object.assign(window, { requestIdleCallback: setTimeout });
						for (const callback of waiting) callback();
					},
				});
			});
			await page.goto(ARTICLE);
			expect(await isLastLaidOut(page)).toBe(false);
			const id = await page.locator('.prose > h2[id]').nth(5).getAttribute('id');
			await page
				.locator(`a[href="#${id}"]`)
				.first()
				.evaluate((link: HTMLElement) => link.click());
			const top = () =>
				page.locator(`.prose > #${id}`).evaluate((one) => one.getBoundingClientRect().top);
			await expect.poll(async () => Math.abs((await top()) - 80)).toBeLessThan(2);
			await page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
			await expect.poll(() => isLastLaidOut(page)).toBe(true);
			expect(Math.abs((await top()) - 80)).toBeLessThan(2);
		});
	});
});

test.describe('an island that sleeps until it is used', () => {
	test('loads nothing of React on a phone before anybody touches a form', async ({ page }) => {
		await page.setViewportSize({ width: 412, height: 823 });
		const scripts: string[] = [];
		page.on('request', (request) => scripts.push(request.url()));
		await page.goto('/');
		await page.waitForLoadState('networkidle');
		expect(scripts.filter((url) => /\/react\.|\/client\./.test(url))).toEqual([]);
		await page.getByLabel('Email').first().focus();
		await expect.poll(() => scripts.some((url) => /\/react\./.test(url))).toBe(true);
	});

	test('a form sent before it is awake is sent in place once it is', async ({ page }) => {
		await page.route(/\/_astro\/(react|SignupForm)\./, async (route) => {
			await new Promise((resolve) => setTimeout(resolve, 1500));
			await route.continue();
		});
		await page.goto('/');
		const form = page.locator('form[action="/api/subscribers"]').first();
		const email = form.getByLabel('Email');
		await email.fill(`asleep-${Date.now()}@example.com`);
		await email.press('Enter');
		await expect(
			page.getByText("You're subscribed! Check your inbox for AI insights."),
		).toBeVisible();
		expect(new URL(page.url()).pathname).toBe('/');
	});

	test('what is filled in while it sleeps is neither sent nor lost @nightly', async ({ page }) => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		await page.route(/\/_astro\/(react|UpgradeForm)\./, async (route) => {
			await held;
			await route.continue();
		});
		const sent: string[] = [];
		page.on('request', (request) => {
			if (request.method() === 'POST' && request.url().includes('/api/content-upgrade'))
				sent.push(request.postData()!);
		});
		await page.goto(ARTICLE);
		await page.getByRole('complementary', { name: 'Downloads' }).locator('summary').click();
		const form = page.locator('form[action="/api/content-upgrade"]').first();
		const awake = async () => {
			release();
			await expect(form).toHaveJSProperty('noValidate', true);
		};
		const address = `filled-${Date.now()}@example.com`;
		await form.getByLabel('Email').fill(address);
		await form.getByLabel('Email').press('Tab');
		await form.locator('select').selectOption({ index: 1 });
		const chosen = await form.locator('select').inputValue();
		await awake();
		await expect(form.getByLabel('Email')).toHaveValue(address);
		await expect(form.locator('select')).toHaveValue(chosen);
		expect(sent).toEqual([]);
		await form.getByRole('button').click();
		await expect(page.locator(':focus')).toContainText('Check your email for the download link');
		expect(sent).toEqual([expect.stringContaining(chosen)]);
		await page.getByRole('button', { name: 'Another download or address' }).click();
		await expect(form.locator('select')).toBeFocused();
	});

	test('a form whose code cannot be loaded is sent as without JavaScript @nightly', async ({
		page,
		consoleErrors,
	}) => {
		await page.route(/\/_astro\/(react|SignupForm)\./, (route) => route.abort());
		await page.goto('/');
		const email = page.locator('form[action="/api/subscribers"]').first().getByLabel('Email');
		await email.fill(`broken-${Date.now()}@example.com`);
		await email.press('Enter');
		await page.waitForURL('**/thanks/**');
		consoleErrors.splice(0);
	});

	for (const [what, width, choose] of [
		[
			'chosen',
			390,
			(page: Page) => page.getByLabel('Category', { exact: true }).selectOption('robotics'),
		],
		[
			'pressed as a chip',
			1280,
			(page: Page) =>
				page
					.getByRole('navigation', { name: 'Filter by category' })
					.getByRole('link', { name: 'Robotics' })
					.click(),
		],
	] as const)
		test(`a category ${what} before the list is awake is chosen once it is @nightly`, async ({
			page,
		}) => {
			await page.route(/\/_astro\/BlogList\./, async (route) => {
				await new Promise((resolve) => setTimeout(resolve, 1500));
				await route.continue();
			});
			await page.setViewportSize({ width, height: 844 });
			await page.goto('/blog');
			await choose(page);
			await expect(page).toHaveURL(/\/blog\?category=robotics/);
			await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(/^\d+ Articles?$/);
		});

	test('whoever is subscribed sees it at once', async ({ page }) => {
		await page.addInitScript(() => localStorage.setItem('newsletter_subscribed', 'true'));
		await page.goto('/newsletter');
		await expect(page.getByText("You're Already Subscribed!").first()).toBeVisible();
	});
});

test('a notice that comes without a network is shown once there is one @nightly', async ({
	page,
	context,
	consoleErrors,
}) => {
	await page.goto(ARTICLE);
	await context.setOffline(true);
	const copy = page.locator('[data-copy]').first();
	await copy.click();
	await expect.poll(() => consoleErrors.length).toBeGreaterThan(0);
	await context.setOffline(false);
	await copy.click();
	await expect(
		page
			.locator('.toaster')
			.getByText(/copied|failed/i)
			.first(),
	).toBeVisible();
	consoleErrors.splice(0);
});

test('a page is fetched once the pointer rests on its link, and an API call is not', async ({
	page,
	request,
}) => {
	const html = await (await request.get('/about')).text();
	const rules = /<script type="speculationrules">(.*?)<\/script>/.exec(html)![1]!;
	expect(JSON.parse(rules)).toMatchObject({ prefetch: [{ eagerness: 'moderate' }] });
	const client = await page.context().newCDPSession(page);
	const fetched: string[] = [];
	client.on('Preload.prefetchStatusUpdated', ({ prefetchUrl }) => fetched.push(prefetchUrl));
	await client.send('Preload.enable');
	await page.goto('/about');
	const link = page.getByRole('contentinfo').getByRole('link', { name: 'Sitemap' });
	await link.scrollIntoViewIfNeeded();
	await link.hover();
	await expect.poll(() => fetched.some((url) => url.endsWith('/sitemap'))).toBe(true);
	expect(fetched.filter((url) => url.includes('/api/'))).toEqual([]);
});
