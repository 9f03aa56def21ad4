import { expect, reachComments, test } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('a comment is posted by the plain form', async ({ page, request }) => {
		await page.goto(article);
		const form = page.locator('#comments form');
		await form.getByLabel('Name').fill('Grace');
		await form.getByLabel('Email').fill('grace@example.com');
		await form.getByLabel('Comment').fill('Clear without a single script.');
		await form.getByRole('button', { name: 'Post comment' }).click();
		await expect(page).toHaveURL('/thanks/comment');
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('Comment posted!');
		const post = await (await request.get(`/api/posts${article.replace('/blog', '')}`)).json();
		const comments = await (await request.get(`/api/posts/${post.id}/comments`)).json();
		expect(comments.map((comment: { content: string }) => comment.content)).toContain(
			'Clear without a single script.',
		);
		expect(JSON.stringify(comments)).not.toContain('grace@example.com');
	});

	test('a refused comment comes back with what was typed, and can be sent again', async ({
		page,
		consoleErrors,
	}) => {
		await page.goto(article);
		const form = page.locator('#comments form');
		await form.getByLabel('Name').fill('Grace <b>H</b>');
		await form.getByLabel('Email').fill('grace2@example.com');
		await form.getByLabel('Comment').fill('buy "this" </textarea> now');
		await form.getByRole('button', { name: 'Post comment' }).click();
		await expect(page.getByRole('alert')).toHaveText(
			'Comment content is not appropriate or appears to be spam. “buy” is on the list of words that are not published here.',
		);
		await expect(page.getByLabel('Name')).toHaveValue('Grace <b>H</b>');
		await expect(page.getByLabel('Comment')).toHaveValue('buy "this" </textarea> now');
		// The browser itself reports the 400 of the page.
		consoleErrors.splice(0);
		await page.getByLabel('Comment').fill('Take this home now');
		await page.getByRole('button', { name: 'Post comment' }).click();
		await expect(page).toHaveURL('/thanks/comment');
	});

	test('an address is subscribed by the plain form on the home page', async ({ page }) => {
		await page.goto('/');
		const form = page.locator('main form').first();
		await form.getByLabel('Email address').fill('plain@example.com');
		await form.getByRole('button', { name: 'Subscribe' }).click();
		await expect(page).toHaveURL('/thanks/subscribe');
	});
});

test('a comment is posted in place and is there after a reload', async ({ page }) => {
	await page.goto('/blog/data-leakage');
	const section = await reachComments(page);
	await section.getByLabel('Name').fill('Ada');
	await section.getByLabel('Email').fill('ada@example.com');
	await section.getByLabel('Comment').fill('Found the same leak in our features last week.');
	await section.getByRole('button', { name: 'Post comment' }).click();
	await expect(page.getByRole('status').getByText('Comment posted!')).toHaveCount(1);
	// An answer needs only its text.
	await expect(section.getByLabel('Name')).not.toHaveValue('');
	await expect(section.getByLabel('Email')).not.toHaveValue('');
	await expect(section.getByLabel('Comment', { exact: true })).toHaveValue('');
	await expect(section.getByText('Found the same leak')).toBeVisible();
	await page.reload();
	await reachComments(page);
	await expect(section.getByText('Found the same leak')).toBeVisible();
});

test('a refused comment keeps what was typed and says why @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.goto('/blog/data-leakage');
	const section = await reachComments(page);
	await section.getByLabel('Name').fill('Ada');
	await section.getByLabel('Email').fill('ada2@example.com');
	await section.getByLabel('Comment').fill('see https://spam.example');
	await section.getByRole('button', { name: 'Post comment' }).click();
	await expect(section.getByRole('alert')).toContainText('appears to be spam');
	await expect(page.getByText('Comment blocked')).toBeVisible();
	await expect(section.getByLabel('Comment')).toHaveValue('see https://spam.example');
	await expect(section.getByLabel('Comment')).toBeFocused();
	consoleErrors.splice(0);
});

test('without a network the form says so and keeps the text @nightly', async ({
	page,
	context,
	consoleErrors,
}) => {
	await page.goto('/newsletter');
	const form = page.locator('main form').first();
	await expect(form).toBeVisible();
	await page.waitForLoadState('networkidle');
	await form.getByLabel('Email address').fill('offline@example.com');
	await context.setOffline(true);
	await form.getByRole('button', { name: 'Subscribe' }).click();
	await expect(page.getByRole('main').getByRole('alert')).toContainText(
		'Unable to connect to the server',
	);
	await expect(form.getByLabel('Email address')).toHaveValue('offline@example.com');
	consoleErrors.splice(0);
});

test('subscribing replaces the form by a sentence', async ({ page }) => {
	await page.goto('/newsletter');
	await page.waitForLoadState('networkidle');
	const form = page.locator('main form').first();
	await form.getByLabel('Email address').fill('reader@example.com');
	await form.getByRole('button', { name: 'Subscribe' }).click();
	await expect(
		page.getByText("You're subscribed! Check your inbox for AI insights."),
	).toBeVisible();
	await expect(page.getByRole('status').getByText('Successfully subscribed!')).toBeVisible();
});

test.describe('search', () => {
	for (const [name, open] of [
		[
			'the header button',
			(page: import('@playwright/test').Page) =>
				page.getByRole('link', { name: 'Search articles' }).click(),
		],
		['the slash key @nightly', (page: import('@playwright/test').Page) => page.keyboard.press('/')],
		[
			'Ctrl-K @nightly',
			(page: import('@playwright/test').Page) => page.keyboard.press('Control+k'),
		],
	] as const) {
		test(`opens with ${name}, and an article is found and chosen by keyboard`, async ({ page }) => {
			await page.goto('/about');
			await page.waitForLoadState('networkidle');
			await open(page);
			const dialog = page.getByRole('dialog', { name: 'Search Articles' });
			await expect(dialog.getByText('at least 3 characters')).toBeVisible();
			await page.keyboard.type('kalm');
			await expect(dialog.getByRole('link', { name: /Kalman/ }).first()).toBeVisible();
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Enter');
			await expect(page).toHaveURL('/blog/kalman-filter-careful-averaging');
		});
	}

	test('says when nothing is found, closes with Escape and opens again', async ({ page }) => {
		await page.goto('/about');
		await page.waitForLoadState('networkidle');
		await page.keyboard.press('/');
		const dialog = page.getByRole('dialog', { name: 'Search Articles' });
		await dialog.getByLabel('Search articles').fill('zzzzqqq');
		await expect(dialog.getByText('No articles found for “zzzzqqq”')).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(dialog).toBeHidden();
		await page.keyboard.press('/');
		await expect(dialog).toBeVisible();
	});

	test('nothing of it is loaded before the first wish', async ({ page }) => {
		const scripts: string[] = [];
		page.on('request', (request) => {
			if (request.resourceType() === 'script') scripts.push(request.url());
		});
		await page.goto('/about');
		await page.waitForLoadState('networkidle');
		expect(scripts.filter((url) => /Search|react/i.test(url))).toEqual([]);
	});

	test('the search page is shareable', async ({ page }) => {
		await page.goto('/search?q=bootstrap');
		await expect(page.getByRole('link', { name: /bootstrap/i }).first()).toBeVisible();
		await page.getByRole('textbox', { name: 'Search articles' }).fill('kalman');
		await expect(page).toHaveURL('/search?q=kalman');
	});
});

test('the admin signs in, sees all posts, and signs out @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.goto('/admin?tab=posts');
	await page.getByLabel('Email').fill('admin@example.com');
	await page.getByLabel('Password').fill('wrong');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.getByRole('main').getByRole('alert')).toContainText('Invalid credentials');
	await expect(page.getByText('Login failed')).toBeVisible();
	consoleErrors.splice(0);
	await page.getByLabel('Password').fill('Correct-Horse-7');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.getByText('Login successful')).toBeVisible();
	const posts = page.getByRole('table').getByRole('row');
	await expect(posts.nth(20)).toBeVisible();
	await page.reload();
	await expect(posts.nth(20)).toBeVisible();
	await page.getByRole('button', { name: 'Log out' }).click();
	await expect(page.getByText('Logged out successfully')).toBeVisible();
	await page.reload();
	await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
	// What was still on its way is refused, which the browser itself reports.
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.splice(0);
});

test('the mobile menu opens, and closes when a link is chosen', async ({ page }) => {
	await page.setViewportSize({ width: 360, height: 740 });
	await page.goto('/');
	await page.getByRole('button', { name: 'Menu' }).click();
	const menu = page.getByRole('navigation', { name: 'Menu' });
	await expect(menu).toBeVisible();
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/blog', async (route) => {
		await held;
		await route.continue();
	});
	await menu.getByRole('link', { name: 'Blog' }).click({ noWaitAfter: true });
	await expect(menu).toBeHidden();
	release();
	await expect(page).toHaveURL('/blog');
	await expect(menu).toBeHidden();
});

test('two presses at once leave no error, nor does a file', async ({ page }) => {
	// A page that is left at once has not run its modules.
	await page.route('**/_astro/*.js', () => {});
	await page.addInitScript(() => {
		addEventListener('pageswap', ({ viewTransition }) => {
			if (!viewTransition) return;
			sessionStorage['fades'] = Number(sessionStorage['fades'] ?? 0) + 1;
			// The second press comes while the first one is being followed.
			if (sessionStorage['fades'] === '1') location.href = '/contact';
		});
	});
	const fades = () => page.evaluate<string>(() => sessionStorage['fades']);
	await page.goto('/', { waitUntil: 'commit' });
	await page.getByRole('link', { name: 'About' }).first().click({ noWaitAfter: true });
	await expect(page).toHaveURL('/contact');
	expect(await fades()).toBe('2');
	await page.getByRole('link', { name: 'RSS' }).first().click({ noWaitAfter: true });
	await expect(page).toHaveURL('/rss.xml');
});

test('a theme is seen at once, and everywhere right after, in the same place', async ({ page }) => {
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.goto('/blog/attention-in-plain-arithmetic');
	await page.waitForLoadState('networkidle');
	const lines = () =>
		page.locator('.prose > :is(p, figure, h2)').evaluateAll((blocks) =>
			blocks.map((block) => {
				const { top, height } = block.getBoundingClientRect();
				return [Math.round(top), Math.round(height)];
			}),
		);
	const before = await lines();
	const waiting = await page.evaluate(() => {
		document.querySelector<HTMLElement>('[data-theme-toggle]')!.click();
		const blocks = [...document.querySelectorAll<HTMLElement>('.prose > *')];
		return blocks.filter(({ style }) => style.contentVisibility === 'auto').length;
	});
	expect(waiting).toBeGreaterThan(10);
	await expect(page.locator('[style*="content-visibility: auto"]')).toHaveCount(0);
	await expect(page.locator('.prose > [style*="block-size"]')).toHaveCount(0);
	const colors = await page
		.locator('.prose > p')
		.evaluateAll((all) => new Set(all.map((one) => getComputedStyle(one).color)).size);
	expect(colors).toBe(1);
	expect(await lines()).toEqual(before);
});

test('the theme follows the button, is remembered, and never flashes', async ({ page }) => {
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto('/about');
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
	const light = await background();
	await page.getByRole('button', { name: 'Color theme: system' }).click();
	await expect(page.getByRole('button', { name: 'Color theme: light' })).toBeVisible();
	// What looks the same is the same: else the style of each element would be set anew.
	expect([await background(), await scheme()]).toEqual([light, 'light dark']);
	await page.emulateMedia({ colorScheme: 'dark' });
	expect([await background(), await scheme()]).toEqual([light, 'light']);
	await page.getByRole('button', { name: 'Color theme: light' }).click();
	await expect(page.getByRole('button', { name: 'Color theme: dark' })).toBeVisible();
	const dark = await background();
	expect(dark).not.toBe(light);
	expect(await scheme()).toBe('light dark');
	await page.emulateMedia({ colorScheme: 'light' });
	expect([await background(), await scheme()]).toEqual([dark, 'dark']);
	await page.goto('/privacy', { waitUntil: 'commit' });
	await page.waitForFunction(
		() => document.body && [...document.styleSheets].some(({ href }) => href),
	);
	expect(await background()).toBe(dark);
	// A page that was left and comes back has what was chosen meanwhile.
	await page.evaluate(() => {
		localStorage.setItem('theme', 'light');
		dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
	});
	await expect(page.getByRole('button', { name: 'Color theme: light' })).toBeVisible();
	expect(await background()).toBe(light);
});

test('the blog list filters, sorts, and goes back and forward', async ({ page }) => {
	await page.goto('/blog');
	await page.waitForLoadState('networkidle');
	// Other tests publish at the same time.
	const all = page.getByRole('heading', { name: /^[4-9]\d Articles$/ });
	const chosen = page.getByRole('heading', { name: '5 Articles' });
	await expect(all).toBeVisible();
	const other = page.getByRole('link', { name: 'A filter changes what your vector index finds' });
	await expect(other).toBeVisible();
	const chips = page.getByRole('navigation', { name: 'Filter by category' });
	await chips.getByRole('link', { name: 'Robotics' }).hover();
	// Until it is awake a chip leads to the page of its category, as without scripts.
	await expect(page.locator('astro-island[ssr]', { has: chips })).toHaveCount(0);
	await chips.getByRole('link', { name: 'Robotics' }).click();
	await expect(page).toHaveURL('/blog?category=robotics');
	await expect(chips.locator('[aria-current]')).toHaveText(['Robotics']);
	await expect(chosen).toBeVisible();
	await expect(
		page.getByRole('link', { name: 'The Kalman filter is careful averaging' }),
	).toBeVisible();
	await expect(other).toBeHidden();
	await page.getByLabel('Sort').selectOption('trending');
	await expect(page).toHaveURL('/blog?category=robotics&sort=trending');
	await page.goBack();
	await page.goBack();
	await expect(all).toBeVisible();
	await expect(other).toBeVisible();
	await page.goForward();
	await expect(chosen).toBeVisible();
});

test('older articles are a page away by keyboard, and so is the way back', async ({ page }) => {
	await page.goto('/blog');
	const to = (name: string) =>
		page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
	await to('Older').press('Enter');
	await expect(page).toHaveURL(/\/blog\/page\/\d+$/);
	await expect(page.getByRole('heading', { name: /^Articles from /, level: 1 })).toBeVisible();
	// Pages are counted from the oldest, which is 2.
	for (let older = Number(/\d+$/.exec(page.url())![0]) - 1; older >= 2; older--) {
		await to('Older').press('Enter');
		await expect(page).toHaveURL(`/blog/page/${older}`);
	}
	await expect(to('Older')).toHaveCount(0);
	await to('Newer').press('Enter');
	await expect(page).toHaveURL('/blog/page/3');
	await page.goBack();
	await expect(page).toHaveURL('/blog/page/2');
	await to('Newest').press('Enter');
	await expect(page).toHaveURL('/blog');
	await to('Oldest').press('Enter');
	await expect(page).toHaveURL('/blog/page/2');
	// As after articles were taken back.
	await page.goto('/blog/page/99');
	await expect(page).toHaveURL('/blog');
});

test('an article says how fresh it is, and its code can be copied', async ({ page, context }) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.goto('/blog/attention-in-plain-arithmetic');
	await expect(page.getByText(/^(Recently Updated|Current|Review Pending)$/)).toBeVisible();
	const block = page.locator('.prose figure.code').first();
	await block.getByRole('button', { name: 'Copy' }).click();
	await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	expect(copied).toBe(await block.locator('code').textContent());
});
