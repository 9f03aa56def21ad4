import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { openLine, type Line } from '#tests/support/line.ts';
import { expect, framesOf, test as base } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
const title = 'Attention in plain arithmetic';

/** A subscriber, whom no newsletter overlay interrupts. */
const subscriber = (baseURL = '') => [
	{ name: 'newsletter_subscribed', value: 'true', url: baseURL },
];

/** A visitor whose views and shares are noted instead of counted. */
const test = base.extend<{ events: string[] }>({
	events: [
		async ({ context, baseURL }, use) => {
			await context.addCookies(subscriber(baseURL));
			const events: string[] = [];
			await context.route('**/api/posts/*/events', async (route) => {
				events.push((route.request().postDataJSON() as { kind: string }).kind);
				await route.fulfill({ status: 204 });
			});
			await context.route('**/api/visits', async (route) => {
				const { about } = route.request().postDataJSON() as { about: string };
				if (about === 'page') events.push('view');
				await route.fulfill({ status: 204 });
			});
			await use(events);
		},
		{ auto: true },
	],
});

const like = (page: Page) => page.getByRole('button', { name: /^Like/ });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const toast = (page: Page) => page.locator('.toaster .toast');
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selected text' });
const stored = (page: Page, key: string) =>
	page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null') as unknown, key);

/** Selects the letters of the article's first text from one to another. */
async function select(page: Page, start: number, end: number): Promise<void> {
	await page.evaluate(
		([from, to]) => {
			const text = document.querySelector('[data-text] p')!.firstChild!;
			getSelection()!.setBaseAndExtent(text, from!, text, to!);
		},
		[start, end],
	);
}

/** The texts that are shown as highlighted. */
const highlighted = (page: Page) =>
	page.evaluate(() =>
		[...(CSS.highlights.get('reader-highlight') ?? [])].map((range) => (range as Range).toString()),
	);

test.describe('likes and saves', () => {
	test('are shown above and below the article, and are there on the next visit', async ({
		page,
	}) => {
		await page.goto(article);
		await expect(like(page)).toHaveCount(2);
		const before = Number((await like(page).first().textContent())!.replace(/\D/g, ''));
		expect(before).toBeGreaterThanOrEqual(50);
		expect(before).toBeLessThanOrEqual(549);
		await like(page).first().click();
		await save(page).last().click();
		await expect(toast(page)).toContainText('Article saved');
		for (const reload of [false, true]) {
			if (reload) await page.reload();
			for (const n of [0, 1]) {
				await expect(like(page).nth(n)).toHaveAttribute('aria-pressed', 'true');
				await expect(like(page).nth(n)).toContainText(String(before + 1));
				await expect(save(page).nth(n)).toHaveAttribute('aria-pressed', 'true');
			}
		}
		expect(await stored(page, 'savedPosts')).toMatchObject([
			{ title, savedAt: expect.any(String) },
		]);
		await like(page).last().click();
		await expect(like(page).first()).toHaveAttribute('aria-pressed', 'false');
		await expect(like(page).first()).toContainText(String(before));
		expect(await stored(page, 'likedPosts')).toEqual([]);
	});

	test('are the same in every tab @nightly', async ({ page, context }) => {
		await page.goto(article);
		const other = await context.newPage();
		await other.goto(article);
		await like(other).first().click();
		await save(other).first().click();
		await expect(like(page).first()).toHaveAttribute('aria-pressed', 'true');
		await expect(save(page).last()).toHaveAttribute('aria-pressed', 'true');
		await save(page).first().click();
		await expect(save(other).first()).toHaveAttribute('aria-pressed', 'false');
	});

	test('outlive a storage full of rubbish, and lose only that @nightly', async ({ page }) => {
		await page.goto('/about');
		await page.evaluate(() => {
			for (const key of ['readingHistory', 'likedPosts', 'postLikeCounts', 'highlights'])
				localStorage.setItem(key, '{broken');
			localStorage.setItem(
				'savedPosts',
				JSON.stringify([
					7,
					{ id: 'x', title: 'Kept', savedAt: '2026-01-02T00:00:00Z' },
					{ id: 'y' },
				]),
			);
		});
		await page.goto(article);
		await like(page).first().click();
		await save(page).first().click();
		await expect(like(page).first()).toHaveAttribute('aria-pressed', 'true');
		expect(await stored(page, 'savedPosts')).toMatchObject([{ title }, { id: 'x', title: 'Kept' }]);
		await page.goto('/saved');
		await expect(page.getByRole('link', { name: 'Kept' })).toBeVisible();
	});

	for (const [name, broken, nightly] of [
		['switched off', 'get', ' @nightly'],
		['full', 'set', ''],
	] as const) {
		test(`work as long as the page where storage is ${name}, and say so${nightly}`, async ({
			page,
		}) => {
			await page.addInitScript((kind) => {
				const refuse = () => {
					throw new DOMException('refused', 'SecurityError');
				};
				if (kind === 'get') Object.defineProperty(window, 'localStorage', { get: refuse });
				else Storage.prototype.setItem = refuse;
			}, broken);
			await page.goto(article);
			await like(page).first().click();
			await expect(like(page).last()).toHaveAttribute('aria-pressed', 'true');
			await save(page).first().click();
			await expect(save(page).last()).toHaveAttribute('aria-pressed', 'true');
			await expect(toast(page)).toContainText('Saved until you close this page');
			await page.goto('/saved');
			await expect(page.getByText('0 saved')).toBeVisible();
		});
	}
});

test.describe('the saved page', () => {
	test('is found at the foot of the page, and tells what there is not @nightly', async ({
		page,
	}) => {
		await page.goto('/about');
		await page.getByRole('contentinfo').getByRole('link', { name: 'Saved' }).click();
		await expect(page).toHaveURL('/saved');
		await expect(page.locator('main .frame-label')).toHaveText(['0 saved']);
		await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
	});

	test('removes with undo, by keyboard, and exports Markdown @nightly', async ({ page }) => {
		await page.goto(article);
		await save(page).first().click();
		await like(page).first().click();
		await page.goto('/saved');
		const download = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Export as Markdown' }).click();
		const file = await download;
		expect(file.suggestedFilename()).toBe('saved.md');
		expect(await readFile(await file.path(), 'utf8')).toContain(`- [${title}](`);
		const remove = page.getByRole('button', { name: `Remove from saved articles: ${title}` });
		await remove.focus();
		await page.keyboard.press('Enter');
		await expect(page.getByText('0 saved')).toBeVisible();
		await expect(page.getByRole('heading', { name: 'Saved articles' })).toBeFocused();
		await toast(page).getByRole('button', { name: 'Undo' }).click();
		await expect(remove).toBeVisible();
		await expect(toast(page)).toHaveCount(0);
		await expectAccessible(page);
	});

	test('says without JavaScript why it is empty @nightly', async ({ browser }) => {
		const context = await browser.newContext({ javaScriptEnabled: false });
		const page = await context.newPage();
		await page.goto('/saved');
		await expect(page.getByText('with JavaScript, which is switched off')).toBeVisible();
		await context.close();
	});
});

test.describe('the reading history', () => {
	test('has an article once a quarter of its page has gone by, and brings recommendations', async ({
		page,
	}) => {
		const asked: string[] = [];
		page.on('request', (request) => {
			if (request.url().includes('limit=4')) asked.push(request.url());
		});
		await page.goto(article);
		const depth = (part: number) =>
			page.evaluate((share) => {
				const way = document.documentElement.scrollHeight - innerHeight;
				scrollTo({ top: way * share, behavior: 'instant' });
			}, part);
		await depth(0.24);
		await framesOf(page, 2);
		expect(await stored(page, 'readingHistory')).toBeNull();
		await page.locator('#related').scrollIntoViewIfNeeded();
		await expect.poll(() => stored(page, 'readingHistory')).toHaveLength(1);
		await expect(page.getByRole('heading', { name: 'Recommended for you' })).toBeHidden();
		expect(asked).toEqual([]);

		await page.reload();
		await page.locator('#related').scrollIntoViewIfNeeded();
		const recommended = page.getByRole('region', { name: 'Recommended for you' });
		await expect(recommended.getByRole('link')).toHaveCount(3);
		await expect(recommended.getByRole('link', { name: title })).toHaveCount(0);
		expect(asked).toHaveLength(1);
		await page.goto('/saved');
		await expect(page.getByRole('link', { name: title })).toBeVisible();
	});

	test('has an article after ten seconds in view, and not before @nightly', async ({ page }) => {
		await page.clock.install({ time: 0 });
		await page.clock.pauseAt(1000);
		await page.goto(article);
		await page.clock.runFor(9900);
		expect(await stored(page, 'readingHistory')).toBeNull();
		await page.clock.runFor(200);
		expect(await stored(page, 'readingHistory')).toHaveLength(1);
	});

	test('brings an error text where recommendations cannot be loaded, and another try @nightly', async ({
		page,
		consoleErrors,
	}) => {
		await page.goto('/about');
		await page.evaluate(() => localStorage.setItem('readingHistory', '["some"]'));
		await page.route('**/api/posts?limit=4', (route) => route.abort());
		await page.goto(article);
		await page.locator('#related').scrollIntoViewIfNeeded();
		const recommended = page.getByRole('region', { name: 'Recommended for you' });
		await expect(recommended.getByRole('alert')).toContainText('Unable to load blog posts');
		await page.unroute('**/api/posts?limit=4');
		await recommended.getByRole('button', { name: 'Try again' }).click();
		await expect(recommended.getByRole('link')).toHaveCount(3);
		consoleErrors.splice(0);
	});
});

/** Time of the page's clock in which a selection brings its toolbar. */
const SETTLED_MS = 1000;

test.describe('a selection', () => {
	for (const [length, shows] of [
		[10, false],
		[11, true],
		[299, true],
		[300, false],
	] as const) {
		test(`of ${length} characters ${shows ? 'brings' : 'does not bring'} its toolbar @nightly`, async ({
			page,
		}) => {
			await page.clock.install();
			await page.goto(article);
			await page.evaluate((count) => {
				const p = document.querySelector('[data-text] p')!;
				p.textContent = 'abcdefghi '.repeat(40).replaceAll(' ', 'x');
				getSelection()!.setBaseAndExtent(p.firstChild!, 0, p.firstChild!, count);
			}, length);
			if (shows) await expect(toolbar(page)).toBeVisible();
			else {
				await page.clock.runFor(SETTLED_MS);
				await expect(toolbar(page)).toBeHidden();
			}
		});
	}

	test('by mouse brings it above the text, once the button is released', async ({ page }) => {
		await page.clock.install();
		await page.goto(article);
		const text = page.locator('[data-text] p').nth(1);
		await text.scrollIntoViewIfNeeded();
		const { x, y } = (await text.boundingBox())!;
		await page.mouse.move(x + 2, y + 12);
		await page.mouse.down();
		await page.mouse.move(x + 250, y + 12, { steps: 4 });
		await page.clock.runFor(SETTLED_MS);
		await expect(toolbar(page)).toBeHidden();
		await page.mouse.up();
		await expect(toolbar(page)).toBeVisible();
		const box = (await toolbar(page).boundingBox())!;
		expect(box.y + box.height).toBeLessThanOrEqual(y + 12);
		await page.mouse.click(x + 400, y + 12);
		await expect(toolbar(page)).toBeHidden();
	});

	test('by keyboard: Tab leads to its toolbar, arrows through it, Escape out of it @nightly', async ({
		page,
	}) => {
		await page.goto(article);
		await select(page, 0, 1);
		for (let n = 0; n < 20; n++) await page.keyboard.press('Shift+ArrowRight');
		await expect(toolbar(page)).toBeVisible();
		const tool = (name: string) => toolbar(page).getByText(name, { exact: true });
		await page.keyboard.press('Tab');
		await expect(tool('Highlight')).toBeFocused();
		await page.keyboard.press('ArrowRight');
		await expect(tool('Copy')).toBeFocused();
		await page.keyboard.press('End');
		await expect(tool('Share on X')).toBeFocused();
		await page.keyboard.press('ArrowRight');
		await expect(tool('Highlight')).toBeFocused();
		await expectAccessible(page, '[role=toolbar]');
		// Elsewhere, Tab leads to what comes next.
		await page.locator('[data-like]').last().focus();
		await expect(toolbar(page)).toBeVisible();
		await page.keyboard.press('Tab');
		await expect(page.locator('[data-save]').last()).toBeFocused();
		await tool('Highlight').focus();
		await page.keyboard.press('Escape');
		await expect(toolbar(page)).toBeHidden();
		// The keyboard goes on from the text, not from the top or the end of the page.
		expect(await page.evaluate(() => document.activeElement?.closest('[data-text]') !== null)).toBe(
			true,
		);
	});

	test('by touch brings it below the text @nightly', async ({ browser, baseURL }) => {
		const context = await browser.newContext({
			hasTouch: true,
			viewport: { width: 390, height: 800 },
			...(baseURL && { baseURL }),
		});
		await context.addCookies(subscriber(baseURL));
		await context.route('**/api/posts/*/events', (route) => route.fulfill({ status: 204 }));
		const page = await context.newPage();
		await page.goto(article);
		const text = page.locator('[data-text] p').first();
		await text.scrollIntoViewIfNeeded();
		const at = (await text.boundingBox())!;
		await page.touchscreen.tap(at.x + 20, at.y + 15);
		await select(page, 0, 30);
		await expect(toolbar(page)).toBeVisible();
		const bottom = await page.evaluate(
			() => getSelection()!.getRangeAt(0).getBoundingClientRect().bottom,
		);
		expect((await toolbar(page).boundingBox())!.y).toBeGreaterThanOrEqual(bottom + 20);
		await toolbar(page).getByRole('button', { name: 'Highlight' }).tap();
		await expect.poll(() => highlighted(page)).toHaveLength(1);
		await context.close();
	});

	test('is copied, or says that it cannot be @nightly', async ({ page, context }) => {
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto(article);
		await select(page, 0, 40);
		await toolbar(page).getByRole('button', { name: 'Copy' }).click();
		await expect(toast(page)).toContainText('Text copied!');
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		expect(copied.length).toBeGreaterThan(30);
		await page.evaluate(() => {
			navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
			document.execCommand = () => false;
		});
		await select(page, 0, 30);
		await toolbar(page).getByRole('button', { name: 'Copy' }).click();
		await expect(page.getByRole('alert')).toContainText('Copy failed');
	});

	test('is shared on the microblog with the address of the article @nightly', async ({
		page,
		events,
	}) => {
		await page.goto(article);
		await select(page, 0, 30);
		const href = await toolbar(page).getByRole('link').getAttribute('href');
		const { host, searchParams } = new URL(href!);
		expect(host).toBe('x.com');
		expect(searchParams.get('text')).toMatch(/^“.{25,}”$/);
		expect(searchParams.get('url')).toContain(article);
		await page.evaluate(() => (window.open = () => null));
		await toolbar(page).getByRole('link').click();
		await expect.poll(() => events).toEqual(['view', 'share']);
	});
});

test.describe('a highlight', () => {
	async function highlight(page: Page) {
		await page.goto(article);
		await select(page, 0, 60);
		await toolbar(page).getByRole('button', { name: 'Highlight' }).click();
		await expect(toast(page)).toContainText('Highlighted');
		await expect(toast(page).getByRole('link')).toHaveAttribute('href', '/saved');
	}

	test('comes back on the next visit, and is removed by a click on it', async ({ page }) => {
		await highlight(page);
		await page.reload();
		await expect.poll(() => highlighted(page)).toHaveLength(1);
		const [text] = await highlighted(page);
		expect(await stored(page, 'highlights')).toMatchObject([
			{ text, url: expect.stringContaining(article), timestamp: expect.any(String) },
		]);
		const first = page.locator('[data-text] p').first();
		await first.scrollIntoViewIfNeeded();
		const { x, y } = (await first.boundingBox())!;
		await page.mouse.click(x + 60, y + 14);
		await toolbar(page).getByRole('button', { name: 'Remove highlight' }).click();
		expect(await highlighted(page)).toEqual([]);
		await toast(page).getByRole('button', { name: 'Undo' }).click();
		expect(await highlighted(page)).toEqual([text]);
	});

	test('is listed after the article, where the keyboard removes it @nightly', async ({ page }) => {
		await highlight(page);
		const list = page.getByRole('region', { name: 'Your highlights' });
		await list.scrollIntoViewIfNeeded();
		await list.getByRole('button', { name: /^Remove highlight:/ }).focus();
		await page.keyboard.press('Enter');
		await expect(list).toBeHidden();
		expect(await highlighted(page)).toEqual([]);
		expect(await stored(page, 'highlights')).toEqual([]);
	});

	test('across paragraphs and markup is found again @nightly', async ({ page }) => {
		await page.goto(article);
		const reach = await page.evaluate(() => {
			const [one, two] = document.querySelectorAll('[data-text] > p');
			const last = one!.lastChild!;
			const end = document.createTreeWalker(two!, NodeFilter.SHOW_TEXT).nextNode()!;
			const length = last.textContent!.length;
			getSelection()!.setBaseAndExtent(last, Math.max(0, length - 40), end, 30);
			return String(getSelection());
		});
		await toolbar(page).getByRole('button', { name: 'Highlight' }).click();
		await page.reload();
		await expect.poll(() => highlighted(page)).toHaveLength(1);
		expect((await highlighted(page))[0]!.replace(/\s/g, '')).toBe(reach.replace(/\s/g, ''));
	});

	test('whose text the article lost is kept and says so @nightly', async ({ page }) => {
		await page.goto('/about');
		await page.evaluate((url) => {
			const timestamp = '2026-01-02T03:04:05Z';
			const text = 'A sentence that nobody wrote.';
			localStorage.setItem('highlights', JSON.stringify([{ text, url, timestamp }]));
		}, `https://site.example${article}`);
		await page.goto(article);
		await expect.poll(() => stored(page, 'highlights')).toMatchObject([{ missing: true }]);
		expect(await highlighted(page)).toEqual([]);
		await page.goto('/saved');
		await expect(page.getByText('No longer in the article')).toBeVisible();
	});

	test('is shown by marks where the browser has no highlights of its own @nightly', async ({
		page,
	}) => {
		await page.addInitScript(() => {
			Reflect.deleteProperty(CSS, 'highlights');
			Reflect.deleteProperty(Object.getPrototypeOf(CSS) as object, 'highlights');
		});
		await page.goto(article);
		test.skip(await page.evaluate(() => 'highlights' in CSS), 'This browser cannot do without.');
		await select(page, 0, 60);
		await toolbar(page).getByRole('button', { name: 'Highlight' }).click();
		await page.reload();
		await expect(page.locator('mark.reader-highlight').first()).toBeVisible();
		await page.locator('mark.reader-highlight').first().click();
		await toolbar(page).getByRole('button', { name: 'Remove highlight' }).click();
		await expect(page.locator('mark.reader-highlight')).toHaveCount(0);
	});
});

test.describe('sharing', () => {
	test('works by plain links without JavaScript', async ({ browser, baseURL }) => {
		const context = await browser.newContext({
			javaScriptEnabled: false,
			...(baseURL && { baseURL }),
		});
		const page = await context.newPage();
		await page.goto(article);
		const panel = page.getByRole('region', { name: 'Share this article' });
		await expect(panel.getByRole('link')).toHaveCount(7);
		for (const link of await panel.getByRole('link').all()) {
			expect(decodeURIComponent((await link.getAttribute('href'))!)).toContain(article);
			expect(await link.getAttribute('rel')).toBe('noopener');
			expect(await link.getAttribute('target')).toBe('_blank');
		}
		await expect(panel.getByRole('button')).toHaveCount(0);
		await expect(like(page)).toHaveCount(0);
		await context.close();
	});

	test('opens a small window, and counts', async ({ page, context, events }) => {
		await context.route('https://www.reddit.com/**', (route) => route.fulfill({ body: 'shared' }));
		await page.goto(article);
		const opened = context.waitForEvent('page');
		await page.getByRole('link', { name: 'Share on Reddit' }).click();
		const window = await opened;
		await window.waitForURL(/reddit\.com/);
		expect(await window.evaluate(() => globalThis.opener as unknown)).toBeNull();
		await expect.poll(() => events).toEqual(['view', 'share']);
		await expect(page).toHaveURL(article);
	});

	test('copies the address, or says that it cannot @nightly', async ({ page, context }) => {
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto(article);
		const copy = page.getByRole('button', { name: 'Copy link' });
		await copy.click();
		await expect(toast(page)).toContainText('Link copied!');
		await expect(toast(page)).toContainText('The article URL has been copied to your clipboard.');
		expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(article);
		await page.evaluate(() => {
			navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
			document.execCommand = () => false;
		});
		await copy.click();
		await expect(page.getByRole('alert')).toContainText('Copy failed');
		await expect(page.getByRole('alert')).toContainText('Unable to copy link to clipboard.');
	});

	test("offers the browser's own sheet where there is one @nightly", async ({ page, events }) => {
		await page.addInitScript(() => {
			navigator.share = (data) => {
				document.title = `shared ${data?.url}`;
				return Promise.resolve();
			};
		});
		await page.goto(article);
		await page.getByRole('button', { name: 'Share with…' }).click();
		await expect(page).toHaveTitle(new RegExp(`^shared .*${article}$`));
		await expect.poll(() => events).toEqual(['view', 'share']);
	});
});

test('a visit counts as one view', async ({ page, events }) => {
	await page.goto(article);
	await page.mouse.wheel(0, 3000);
	await expect.poll(() => events).toEqual(['view']);
	await page.waitForLoadState('networkidle');
	expect(events).toEqual(['view']);
});

test('the freshness badge is judged when it is read @nightly', async ({ page }) => {
	await page.goto(article);
	const badge = page.locator('[data-freshness]');
	const updatedAt = new Date((await badge.getAttribute('data-freshness'))!).getTime();
	const after = async (days: number) => {
		await page.clock.setFixedTime(updatedAt + days * 86_400_000);
		await page.reload();
		return badge;
	};
	await expect(await after(30)).toHaveText('Recently Updated');
	await expect(await after(31)).toHaveText('Current');
	await expect(await after(90)).toHaveText('Current');
	await expect(await after(91)).toHaveText('Review Pending');
});

test.describe('the back link', () => {
	test('leads from a state to the list, wherever one came from @nightly', async ({ page }) => {
		await page.goto('/about');
		await page.goto('/ai-best-practices/ohio');
		await page.getByRole('link', { name: 'All states' }).click();
		await expect(page).toHaveURL('/ai-best-practices');
	});

	test('leads back in history, and home where there is none @nightly', async ({
		page,
		context,
	}) => {
		await page.goto('/about');
		await page.goto('/saved');
		await page.getByRole('link', { name: 'Back' }).click();
		await expect(page).toHaveURL('/about');
		const fresh = await context.newPage();
		await fresh.goto('/saved');
		await fresh.getByRole('link', { name: 'Back' }).click();
		await expect(fresh).toHaveURL('/');
	});
});

test.describe('without a connection', () => {
	const other = '/blog/data-leakage';
	/** Cut as well: what a browser plays of a lost connection does not always reach a service worker. */
	let line: Line;
	test.use({
		baseURL: async ({ baseURL }, use) => {
			line = await openLine(baseURL!);
			await use(line.address);
			line.close();
		},
	});
	/** The paths of the kept pages. */
	const kept = (page: Page) =>
		page.evaluate(async () => {
			const pages = await caches.open('pages');
			return (await pages.keys()).map(({ url }) => new URL(url).pathname).sort();
		});
	async function saveForLater(page: Page) {
		await page.goto(article);
		await save(page).first().click();
		await expect.poll(() => kept(page)).toEqual([article, '/saved']);
	}
	async function goOffline(context: BrowserContext, isOffline = true) {
		line.cut(isOffline);
		await context.setOffline(isOffline);
	}

	test('nothing is installed for those who save nothing @nightly', async ({ page }) => {
		await page.goto(article);
		await page.waitForLoadState('networkidle');
		expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
	});

	test('a saved article is read with all that belongs to it, and the list of saved ones stands in for others', async ({
		page,
		context,
		consoleErrors,
	}) => {
		await saveForLater(page);
		await goOffline(context);
		await page.goto(article);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
		expect(
			await page.evaluate(() =>
				document.fonts.ready.then(() => getComputedStyle(document.body).backgroundColor),
			),
		).not.toBe('rgba(0, 0, 0, 0)');
		await expect(save(page).first()).toHaveAttribute('aria-pressed', 'true');
		await select(page, 0, 40);
		await toolbar(page).getByRole('button', { name: 'Highlight' }).click();
		await expect(toast(page)).toContainText('Highlighted');

		await page.goto('/saved');
		await expect(page.getByText('You are offline.')).toBeVisible();
		await expect(page.getByRole('link', { name: title }).first()).toBeVisible();
		await expect(page.getByText(/^\d+ min read$/)).toBeVisible();

		await page.goto(other);
		await expect(page).toHaveURL(other);
		await expect(page.getByText('This page cannot be loaded without a connection.')).toBeVisible();
		// By the keyboard: a click waits for two frames alike, which a browser without a connection once never drew.
		await page.getByRole('link', { name: title }).first().press('Enter');
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
		await goOffline(context, false);
		consoleErrors.splice(0);
	});

	test('what is no longer saved is no longer kept; undone, it is again @nightly', async ({
		page,
		context,
		consoleErrors,
	}) => {
		await saveForLater(page);
		await page.goto('/saved');
		await page.getByRole('button', { name: /^Remove from saved articles/ }).click();
		// Read, a notice stays.
		await toast(page).hover();
		await expect.poll(() => kept(page)).toEqual(['/saved']);
		await toast(page).getByRole('button', { name: 'Undo' }).click();
		await expect.poll(() => kept(page)).toEqual([article, '/saved']);
		await page.getByRole('button', { name: /^Remove from saved articles/ }).click();
		await expect.poll(() => kept(page)).toEqual(['/saved']);
		await goOffline(context);
		await page.goto(article);
		await expect(page.getByText('This page cannot be loaded without a connection.')).toBeVisible();
		await goOffline(context, false);
		consoleErrors.splice(0);
	});

	test('with a connection a kept page is never shown in place of the real one @nightly', async ({
		page,
	}) => {
		await saveForLater(page);
		await page.evaluate(async (path) => {
			const pages = await caches.open('pages');
			await pages.put(
				path,
				new Response('<h1>stale</h1>', { headers: { 'Content-Type': 'text/html' } }),
			);
		}, article);
		await page.goto(article);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
		// And what is kept is renewed.
		await expect
			.poll(() =>
				page.evaluate(
					async (path) => (await (await caches.match(path))!.text()).includes('stale'),
					article,
				),
			)
			.toBe(false);
	});
});

test.describe('scripts', () => {
	test('of an article load nothing of React before somebody wants something, and stay small after everything', async ({
		page,
		request,
	}) => {
		const names = new Set<string>();
		page.on('request', (request) => {
			if (request.resourceType() === 'script') names.add(request.url());
		});
		// Asked for again by itself: the page's own requests may be answered by the service worker.
		const total = async () => {
			const sizes = [...names].map(async (name) =>
				Number((await request.head(name)).headers()['content-length']),
			);
			return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
		};
		await page.addInitScript(() => {
			const long = { blocking: 0 };
			Object.assign(window, { long });
			new PerformanceObserver((list) => {
				for (const { duration } of list.getEntries()) long.blocking += Math.max(0, duration - 50);
			}).observe({ type: 'longtask', buffered: true });
		});
		await page.goto(article);
		await page.waitForLoadState('networkidle');
		const before = await total();
		expect(
			[...names].filter((name) => /client|react\.|Toaster|Toolbar|Comments/.test(name)),
		).toEqual([]);
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThanOrEqual(75_000);
		const blocking = await page.evaluate(
			() => (window as unknown as { long: { blocking: number } }).long.blocking,
		);

		await save(page).first().click();
		await like(page).first().click();
		await select(page, 0, 40);
		await toolbar(page).getByRole('button', { name: 'Highlight' }).click();
		await page.keyboard.press('Control+k');
		await page.getByRole('dialog').getByRole('textbox').fill('attention');
		await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
		await page.keyboard.press('Escape');
		await page.reload();
		for (const id of ['#share', '#comments', '#related', '#newsletter']) {
			const section = page.locator(id);
			await section.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
			await expect(
				section.locator('astro-island:is([client="visible"], [opts*="near"])[ssr]'),
			).toHaveCount(0);
		}
		await page.waitForLoadState('networkidle');
		const after = await total();
		expect(after).toBeGreaterThan(before);
		expect(after).toBeLessThanOrEqual(140_000);
		test.info().annotations.push({
			type: 'bytes',
			description: JSON.stringify({ before, after, blocking: Math.round(blocking) }),
		});
	});

	test('of a tag service are not there where none is configured', async ({ page }) => {
		await page.goto(article);
		await like(page).first().click();
		expect(await page.evaluate(() => 'gtag' in window || 'dataLayer' in window)).toBe(false);
		expect(await page.locator('script[src*=googletagmanager]').count()).toBe(0);
	});
});

test('on paper an article has its title, its author and its date, dark on light @nightly', async ({
	page,
}) => {
	await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
	await page.goto(article);
	await page.emulateMedia({ media: 'print' });
	await expect(page.locator('h1')).toBeVisible();
	await expect(page.locator('main time').first()).toBeVisible();
	await expect(page.getByRole('banner')).toBeHidden();
	await expect(page.getByRole('contentinfo')).toBeHidden();
	const scheme = () => getComputedStyle(document.documentElement).colorScheme;
	expect(await page.evaluate(scheme)).toBe('light');
	await page.emulateMedia({ media: 'screen' });
	expect(await page.evaluate(scheme)).toBe('dark');
});
