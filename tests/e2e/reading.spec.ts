import type { Page } from '@playwright/test';
import type { Post } from '#src/features/posts/post.ts';
import { expectAccessible } from './axe.ts';
import { expect, framesOf, test, walk } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const place = (page: Page) => page.evaluate(() => Math.round(scrollY));

test('in no formula of any article rows lie on each other, and brackets are as tall as what they hold @nightly', async ({
	page,
	request,
}) => {
	const posts = (await (await request.get('/blog.json')).json()) as { slug: string }[];
	const formulas = new Set<string>();
	for (const { slug } of posts) {
		const html = await (await request.get(`/blog/${slug}`)).text();
		for (const [formula] of html.matchAll(/<math[^]*?<\/math>/g)) {
			if (/<m(table|frac)/.test(formula)) formulas.add(formula);
		}
	}
	expect(formulas.size).toBeGreaterThan(20);
	await page.goto(article);
	await page.locator('.prose').evaluate(
		(prose, all) => {
			prose.innerHTML = all.map((one) => `<div class="math-block">${one}</div>`).join('');
		},
		[...formulas],
	);
	await page.evaluate(() => document.fonts.ready);
	const { rows, brackets, faults } = await page.evaluate(() => {
		const faults: string[] = [];
		const rows = [...document.querySelectorAll('.prose mtr')];
		for (const row of rows) {
			const { top, height } = row.getBoundingClientRect();
			const above = row.previousElementSibling?.getBoundingClientRect().bottom ?? top;
			const size = Number.parseFloat(getComputedStyle(row).fontSize);
			if (above > top + 0.5 || height < 1.15 * size) faults.push(`row: ${row.outerHTML}`);
		}
		/** Opening brackets that may stretch, each with the tallest of what follows in its row. */
		const brackets = [...document.querySelectorAll('.prose mrow > mo:first-child')].filter(
			(mo) =>
				/^[([{]$/.test(mo.textContent) &&
				mo.getAttribute('stretchy') !== 'false' &&
				mo.parentElement!.querySelector('mfrac'),
		);
		for (const bracket of brackets) {
			const held = [...bracket.parentElement!.querySelectorAll('mfrac')];
			const tallest = Math.max(...held.map((one) => one.getBoundingClientRect().height));
			if (bracket.getBoundingClientRect().height < 0.85 * tallest)
				faults.push(`bracket: ${bracket.parentElement!.outerHTML}`);
		}
		return { rows: rows.length, brackets: brackets.length, faults };
	});
	expect(faults).toEqual([]);
	expect(rows).toBeGreaterThanOrEqual(2);
	expect(brackets).toBeGreaterThanOrEqual(5);
});

test('the font of formulas is loaded where there are some, and nowhere else', async ({ page }) => {
	const has = () =>
		page.evaluate(() =>
			document.fonts.ready.then((fonts) => [...fonts].some(({ family }) => /STIX/.test(family))),
		);
	await page.goto(article);
	expect(await has()).toBe(true);
	for (const path of ['/', '/blog', '/blog/point-in-time-features', '/about']) {
		await page.goto(path);
		expect(await has(), path).toBe(false);
	}
});

test('pairs of letters are kerned, and alike in each weight @nightly', async ({ page }) => {
	await page.goto('/about');
	/** By how many hundredths of an em pairs stand closer, in a font, by weight. */
	const closer = (font: string) =>
		page.evaluate(async (font) => {
			const line = document.createElement('span');
			line.style.cssText = `position: absolute; font: 100px var(${font}); white-space: nowrap`;
			line.style.textRendering = 'geometricPrecision';
			line.textContent = 'AVAToWeTyP.';
			document.body.append(line);
			const widthWith = (kerning: string, weight: number) => {
				line.style.fontKerning = kerning;
				line.style.fontWeight = String(weight);
				return line.getBoundingClientRect().width;
			};
			widthWith('normal', 400);
			await document.fonts.ready;
			return [400, 600, 650, 700].map((weight) =>
				Math.round(widthWith('none', weight) - widthWith('normal', weight)),
			);
		}, font);
	for (const font of ['--font-heading', '--font-text']) {
		const [first, ...others] = await closer(font);
		expect(first, font).toBeGreaterThan(20);
		expect(others, font).toEqual([first, first, first]);
	}
});

test.describe('Share at the top of an article', () => {
	test('opens a menu where it is pressed, by mouse and by keyboard', async ({ page }) => {
		await page.goto(article);
		const button = page.getByRole('button', { name: 'Share', exact: true });
		const menu = page.getByRole('group', { name: 'Share this article' });
		await button.click();
		await expect(menu.getByRole('link')).toHaveCount(7);
		await expect(menu.getByRole('link').first()).toBeFocused();
		expect(await place(page)).toBe(0);
		const [above, below] = [(await button.boundingBox())!, (await menu.boundingBox())!];
		expect(below.y - above.y - above.height).toBeLessThan(20);
		await page.keyboard.press('Escape');
		await expect(menu).toBeHidden();
		await expect(button).toBeFocused();
		await page.keyboard.press('Enter');
		await expect(menu.getByRole('link').first()).toBeFocused();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await menu.getByRole('button', { name: 'Copy link' }).click();
		await expect(page.locator('.toaster .toast')).toContainText('Link copied!');
		await expect(menu).toBeHidden();
		await button.click();
		await expect(menu).toBeVisible();
		await button.click();
		await expect(menu).toBeHidden();
	});

	test("opens the browser's own sheet where there is one @nightly", async ({ page }) => {
		await page.addInitScript(() => {
			navigator.share = (data) => {
				document.title = `shared ${data?.url}`;
				return Promise.resolve();
			};
		});
		await page.goto(article);
		await page.getByRole('button', { name: 'Share', exact: true }).click();
		await expect(page).toHaveTitle(new RegExp(`^shared .*${article}$`));
	});

	test.describe('without JavaScript', () => {
		test.use({ javaScriptEnabled: false });

		test('leads to the panel', async ({ page }) => {
			await page.goto(article);
			await page.getByRole('link', { name: 'Share', exact: true }).click();
			await expect(page.getByRole('region', { name: 'Share this article' })).toBeInViewport();
		});
	});

	test.describe('on a phone', () => {
		test.use(phone);

		test('stays inside the window @nightly', async ({ page }) => {
			await page.goto(article);
			await page.getByRole('button', { name: 'Share', exact: true }).click();
			const box = (await page.getByRole('group', { name: 'Share this article' }).boundingBox())!;
			expect(box.x).toBeGreaterThanOrEqual(0);
			expect(box.x + box.width).toBeLessThanOrEqual(390);
		});
	});
});

test.describe('a jump', () => {
	test.use({ overlays: true });

	test('by contents, to comments or from the address opens nothing', async ({ page }) => {
		const shown = () => page.evaluate(() => sessionStorage.getItem('newsletter_modal_shown'));
		await page.clock.install();
		await page.goto(article);
		await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').last().click();
		await expect.poll(() => place(page)).toBeGreaterThan(5000);
		await page.clock.runFor(5000);
		await page.evaluate(() => (location.hash = '#comments'));
		await expect(page.locator('#comments')).toBeInViewport();
		await page.clock.runFor(5000);
		await page.goto('/about');
		await page.goto(`${article}#comments`);
		await expect(page.locator('#comments')).toBeInViewport();
		await page.clock.runFor(5000);
		expect(await shown()).toBeNull();
	});
});

test('the masterclass can be entered from its banner @nightly', async ({ page }) => {
	await page.goto('/');
	await page
		.getByRole('region', { name: 'Free AI Masterclass' })
		.getByRole('link', { name: 'Enroll free' })
		.click();
	await expect(page).toHaveURL('/newsletter#course');
	await expect(page.getByRole('button', { name: 'Start the course' })).toBeInViewport();
});

test('the home page tells of no featured article a second time among the recent @nightly', async ({
	page,
}) => {
	await page.goto('/');
	const titles = (heading: string) =>
		page
			.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })
			.locator('article h3')
			.allTextContents();
	const featured = await titles('Featured Articles');
	const recent = await titles('Recent Posts');
	expect(featured.length).toBeGreaterThan(0);
	expect(recent).toHaveLength(8);
	expect(recent.filter((title) => featured.includes(title))).toEqual([]);
});

for (const [name, use, nightly] of [
	['a phone', phone, ''],
	['a desktop', { viewport: { width: 1440, height: 900 } }, ' @nightly'],
] as const) {
	test.describe(`the home page on ${name}`, () => {
		test.use(use);

		test(`keeps its height while it is read, and its place on the way back${nightly}`, async ({
			page,
		}) => {
			await page.goto('/');
			const height = () => page.evaluate(() => document.documentElement.scrollHeight);
			const before = await height();
			await walk(page);
			await page.waitForLoadState('networkidle');
			await expect(page.locator('main .skeleton:visible')).toHaveCount(0);
			const after = await height();
			expect(Math.abs(after - before) / after).toBeLessThan(0.05);
			for (const title of ['Recent Posts', 'Questions']) {
				const heading = page.getByRole('heading', { name: title, exact: true });
				await heading.evaluate((one) =>
					one.scrollIntoView({ block: 'start', behavior: 'instant' }),
				);
				await framesOf(page, 2);
				const top = async () => (await heading.boundingBox())!.y;
				const left = await top();
				// By script, as a link does: a click would scroll to it first.
				await page.evaluate(() => location.assign('/about'));
				await page.waitForURL('/about');
				await page.goBack();
				await page.waitForLoadState('networkidle');
				await expect.poll(async () => Math.abs((await top()) - left)).toBeLessThanOrEqual(2);
			}
		});
	});
}

for (const [width, height, most] of [
	[1440, 900, 560],
	[390, 844, 844],
] as const) {
	test(`the text of an article begins within ${most} pixels of a window ${width} wide`, async ({
		page,
	}) => {
		await page.setViewportSize({ width, height });
		// One of a series, with an introduction of three lines.
		await page.goto('/blog/agents-and-long-runs');
		const top = await page
			.locator('[data-text] p')
			.first()
			.evaluate((first) => first.getBoundingClientRect().top + scrollY);
		expect(top).toBeLessThanOrEqual(most);
	});
}

test('a printed article has its address and text, and nothing to press', async ({ page }) => {
	await page.goto(article);
	await page.emulateMedia({ media: 'print' });
	await expect(page.getByText(new RegExp(`^http.*${article}$`))).toBeVisible();
	for (const hidden of [
		page.getByText('No comments yet'),
		page.getByText('Questions about this article'),
		page.getByText('Related articles'),
		page.getByText('Free download'),
		page.locator('#newsletter'),
		page.locator('#comments form'),
	])
		await expect(hidden).toBeHidden();
	expect(await page.locator('button:visible, .button:visible').count()).toBe(0);
	await page.emulateMedia({ media: 'screen' });
	await expect(page.getByText(new RegExp(`^http.*${article}$`))).toBeHidden();
});

test.describe('with colors of the reader', () => {
	test.use({ forcedColors: 'active' });

	test('only the current page is underlined, the legend keeps its colors, and sliders have a track @nightly', async ({
		page,
	}) => {
		await page.goto('/ai-best-practices');
		const colors = await page
			.getByRole('navigation', { name: 'Main' })
			.getByRole('link')
			.evaluateAll((links) =>
				links.map((link) => [
					link.hasAttribute('aria-current'),
					getComputedStyle(link).borderBottomColor ===
						getComputedStyle(document.body).backgroundColor,
				]),
			);
		expect(colors.filter(([isCurrent]) => isCurrent)).toHaveLength(1);
		for (const [isCurrent, isGround] of colors) expect(isGround).toBe(!isCurrent);
		const swatches = await page
			.locator('.swatch')
			.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
		expect(new Set(swatches).size).toBeGreaterThanOrEqual(5);
		await page.goto(article);
		const slider = page.getByRole('slider').first();
		await slider.scrollIntoViewIfNeeded();
		const [track, ground] = await slider.evaluate((one) => [
			getComputedStyle(one, '::-webkit-slider-runnable-track').backgroundColor,
			getComputedStyle(document.body).backgroundColor,
		]);
		expect(track).not.toBe(ground);
	});
});

test.describe('on a phone', () => {
	test.use(phone);

	test('the newsletter is out of the way of who reads on, and back for who turns round @nightly', async ({
		page,
	}) => {
		await page.clock.install();
		await page.goto(article);
		await page.clock.runFor(3500);
		const tab = page.getByRole('button', { name: 'Expand newsletter signup' });
		await expect(tab).toBeVisible();
		await page.evaluate(() => scrollTo({ top: 3000, behavior: 'instant' }));
		await expect(tab).toBeHidden();
		await page.evaluate(() => scrollTo({ top: 2000, behavior: 'instant' }));
		await expect(tab).toBeVisible();
	});

	test('contents are folded above the text @nightly', async ({ page }) => {
		await page.goto(article);
		const contents = page.getByRole('navigation', { name: 'Contents' });
		await expect(contents.getByRole('link').first()).toBeHidden();
		await contents.getByText('Contents').click();
		const last = contents.getByRole('link').last();
		expect((await last.boundingBox())!.height).toBeGreaterThanOrEqual(44);
		await last.click();
		await expect(
			page.getByRole('heading', { name: (await last.textContent())!, exact: false }),
		).toBeInViewport();
	});
});

test('the contents beside a text mark the part that is read @nightly', async ({ page }) => {
	for (const path of [article, '/privacy']) {
		await page.goto(path);
		const contents = page.getByRole('navigation', { name: 'Contents' });
		await expect(contents.locator('[aria-current]')).toHaveCount(0);
		const third = contents.getByRole('link').nth(2);
		await third.click();
		await expect(contents.locator('[aria-current=location]')).toHaveText(
			(await third.textContent())!,
		);
	}
});

test('a short page ends with its foot at the edge of the window @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.setViewportSize({ width: 1440, height: 1600 });
	for (const path of ['/saved', '/tag/unknown', '/thanks/contact']) {
		await page.goto(path);
		const { y, height } = (await page.getByRole('contentinfo').boundingBox())!;
		expect(y + height, path).toBeGreaterThanOrEqual(1599);
	}
	// The browser itself reports the unknown one.
	consoleErrors.splice(0);
});

test('made-up activity never covers the text of an article @nightly', async ({ page }) => {
	await page.clock.install();
	for (const width of [360, 768, 1024, 1280, 1440, 1920]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto(article);
		await page.clock.runFor(26_000);
		const box = await page.locator('#social-proof').boundingBox();
		if (!box) continue;
		const text = (await page.locator('.prose[data-text]').boundingBox())!;
		expect(box.x, String(width)).toBeGreaterThanOrEqual(text.x + text.width);
	}
});

test('an unknown tag says so and leads to tags, an unknown category to categories @nightly', async ({
	page,
	consoleErrors,
}) => {
	for (const [path, title, kind] of [
		['/tag/unknown', 'Tag Not Found', 'All tags'],
		['/category/unknown', 'Category Not Found', 'All categories'],
	] as const) {
		const response = await page.goto(path);
		expect(response!.status()).toBe(404);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
		await page.getByRole('navigation', { name: kind }).getByRole('link').first().click();
		await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(title);
	}
	// The browser itself reports both.
	consoleErrors.splice(0);
});

test('a feed holds fifty articles at most and twenty of them whole', async ({ request }) => {
	const { items } = (await (await request.get('/feed.json')).json()) as {
		items: { content_html?: string; content_text?: string }[];
	};
	expect(items.length).toBeGreaterThan(20);
	expect(items.filter(({ content_html }) => content_html)).toHaveLength(20);
	expect(items.slice(20).every(({ content_text }) => content_text)).toBe(true);
	for (const file of ['rss.xml', 'atom.xml']) {
		const text = await (await request.get(`/${file}`)).text();
		expect(text.match(/<content/g)).toHaveLength(20);
	}
});

test('the badge of freshness is there without JavaScript @nightly', async ({
	browser,
	baseURL,
}) => {
	const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL! });
	const page = await context.newPage();
	await page.goto(article);
	await expect(page.locator('[data-freshness]')).toHaveText(
		/^\s*(Recently Updated|Current|Review Pending)\s*$/,
	);
	await expect(page.locator('[data-freshness]')).toHaveAttribute(
		'data-state',
		/^(fresh|recent|outdated)$/,
	);
	await context.close();
});

test('the bar of progress fills also where animations cannot follow scrolling @nightly', async ({
	page,
}) => {
	await page.addInitScript(() => {
		const supports = CSS.supports.bind(CSS);
		CSS.supports = (...condition: [string]) =>
			!condition[0].includes('animation-timeline') && supports(...condition);
	});
	await page.goto(article);
	const read = () =>
		page
			.locator('.reading-progress')
			.evaluate((bar) => Number((bar as HTMLElement).style.getPropertyValue('--read')));
	await expect.poll(read).toBeLessThan(0.2);
	await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
	await expect.poll(read).toBeGreaterThan(0.8);
});

test('a preview has the same head, contents and tags as the article’s page @nightly', async ({
	page,
}) => {
	const slug = 'attention-in-plain-arithmetic';
	const post = (await (await page.request.get(`/api/posts/${slug}`)).json()) as Post;
	await page.goto(`/blog/${slug}`);
	const contents = page.getByRole('navigation', { name: 'Contents', includeHidden: true });
	const headings = await contents
		.last()
		.getByRole('link', { includeHidden: true })
		.evaluateAll((links) =>
			links.map((link) => ({
				depth: 2,
				slug: link.getAttribute('href')!.slice(1),
				text: link.textContent,
			})),
		);
	const shown = await partsOf(page);
	expect(shown.head).toContain('how articles are checked');
	expect(shown.tags).toContain(post.tags[0]!.name);
	await page.route('**/api/preview/**', (route) =>
		route.fulfill({
			json: {
				...post,
				tags: post.tags.map(({ name }) => name),
				html: post.content,
				headings,
				problem: null,
				checkedPath: '/about',
				state: 'published',
				expiresAt: post.updatedAt,
			},
		}),
	);
	await page.goto('/preview?token=abc');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
	await expect.poll(() => partsOf(page)).toEqual(shown);
});

/** The markup that an article's page and its preview share; only in a preview, a tag and the byline are no links, and no series is told. */
function partsOf(page: Page) {
	return page
		.locator('article')
		.first()
		.evaluate((article) => {
			const markup = (selector: string) =>
				[...article.querySelectorAll(selector)]
					.map(({ outerHTML }) => outerHTML.replaceAll(/<!--.*?-->|\s+(?=<)|(?<=>)\s+/g, ''))
					.join('\n');
			return {
				head: markup('header > .flex:has(.chip), header > h1, header > .lede, header > .lede + p')
					.replace(/By<a class="link" href="\/author\/[^"]+" rel="author">(.*?)<\/a>/, 'By $1')
					.replaceAll(/<span class="block">Part .*?<\/span>/g, ''),
				contents: markup('nav[aria-label="Contents"]').replaceAll(/ aria-current="[^"]*"/g, ''),
				tags: markup('ul[aria-label="Tags"]').replaceAll(
					/<a class="chip" href="\/tag\/[^"]+" dir="auto">(.*?)<\/a>/g,
					'<span class="chip" dir="auto">$1</span>',
				),
			};
		});
}

test('a list says of each article what it claims, what to expect, and whether it was read here @nightly', async ({
	page,
}) => {
	await page.goto('/blog/data-leakage');
	await page.waitForFunction(() => localStorage.getItem('readingHistory')?.includes('-'));
	await page.goto('/series/measuring-honestly');
	const row = (title: RegExp) =>
		page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) });
	const leakage = row(/^Leakage/);
	await expect(leakage.locator('.claim strong')).toHaveText(['79%, 96% and 100%']);
	await expect(leakage.locator('.mark')).toHaveText(['runs', 'read']);
	await expect(row(/budget/).locator('.mark')).toHaveText(['explainer']);
	const progress = page.locator('[data-progress]');
	await expect(progress).toContainText(/ · 1 of \d read lately$/);
	await expect(page.getByRole('link', { name: 'Go on with part 2' })).toHaveAttribute(
		'href',
		/\/blog\/validation-set-is-a-budget$/,
	);
	await page.goto('/category/data-science');
	await expect(progress).toHaveText(/^\d+ Articles · .* · 1 of \d+ read lately$/);
	await expect(leakage.getByRole('listitem')).toContainText([/min read/, /2026/, /Part 1 of \d/]);
	await leakage.getByRole('link').click();
	await expect(page).toHaveURL('/blog/data-leakage');
});

test('a byline leads to a page that says who that is, how to reach them, and what they wrote', async ({
	page,
}) => {
	await page.goto('/blog/data-leakage');
	await page.locator('main a[rel=author]').click();
	await expect(page).toHaveURL('/author/groundtruth');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groundtruth');
	await expect(page.getByText('nobody is made up as their author')).toBeVisible();
	for (const name of ['How articles are checked', 'Corrections and updates', 'Contact'])
		await expect(page.locator('.answers').getByRole('link', { name })).toBeVisible();
	await expect(page.getByRole('article').first()).toBeVisible();
	const data = await page.locator('script[type="application/ld+json"]').textContent();
	expect(data).toContain('"ProfilePage"');
	expect(data).not.toContain('"Person"');
});

test.describe('on a wide screen', () => {
	test.use({ viewport: { width: 1440, height: 900 } });

	test('code, figures and what can be tried take the room beside the text, and cut nothing', async ({
		page,
	}) => {
		await page.goto('/blog/counting-ai-jobs');
		const widths = await page
			.locator('.prose > :is(figure, .table-scroll, .math-block)')
			.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
		const text = await page.locator('.prose').evaluate((one) => one.getBoundingClientRect().width);
		expect(Math.max(...widths)).toBeGreaterThan(text + 150);
		expect(Math.max(...widths)).toBeLessThanOrEqual(941);
		expect(Math.min(...widths)).toBeGreaterThanOrEqual(text - 1);
		const contents = (await page.locator('[data-follow]').boundingBox())!;
		const right = await page
			.locator('.prose > figure')
			.evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
		expect(right).toBeLessThan(contents.x);
		// Nothing that fits is cut.
		const cut = await page
			.locator('.prose pre')
			.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
		expect(cut).toBe(0);
	});
});

test.describe('code on a phone', () => {
	test.use(phone);

	test('wraps on request, and what is printed is told from what is written', async ({ page }) => {
		await page.goto('/blog/data-leakage');
		const block = page.locator('.prose figure.code:has(.wrap-lines)').first();
		const pre = block.locator('pre');
		const isCut = () => pre.evaluate((one) => one.scrollWidth > one.clientWidth);
		expect(await isCut()).toBe(true);
		const wrap = block.getByRole('button', { name: 'Wrap' });
		await wrap.click();
		await expect(wrap).toHaveAttribute('aria-pressed', 'true');
		expect(await isCut()).toBe(false);
		await wrap.click();
		expect(await isCut()).toBe(true);
		const printed = page.locator('.prose figure[data-printed]').first();
		await expect(printed).toHaveCSS('border-left-width', '3px');
		const run = page.getByRole('button', { name: 'Run' }).first();
		expect((await run.boundingBox())!.height).toBeGreaterThanOrEqual(32);
		await expectAccessible(page, '.prose');
	});
});
