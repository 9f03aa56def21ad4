import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';
import { clickInto, move } from './surface.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

// One site and one build at a time: what one test publishes, another would wait for.
test.describe.configure({ mode: 'default', timeout: 300_000 });

async function fillIn(where: Page | Locator) {
	await where.getByLabel('Email', { exact: true }).fill(ADMIN.email);
	await where.getByLabel('Password', { exact: true }).fill(ADMIN.password);
	await where.getByRole('button', { name: 'Sign in' }).click();
}

/** Somebody at the desk, in a browser of their own. */
async function atDesk(
	browser: Browser,
	baseURL: string | undefined,
	address = '/admin?tab=create',
) {
	const context = await browser.newContext({ ...(baseURL && { baseURL }) });
	const page = await context.newPage();
	await page.goto(address);
	await fillIn(page);
	await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toBeVisible({
		timeout: 30_000,
	});
	return { context, page };
}

const surfaceOf = (page: Page) => page.getByRole('textbox', { name: 'Article', exact: true });
const statusOf = (page: Page) => page.locator('.save-status');

/** Begins a post that the server keeps as a draft. Returns its id. */
async function draft(page: Page, title: string, words: string) {
	await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
	await page.getByLabel('Category', { exact: true }).last().selectOption({ label: 'MLOps' });
	await clickInto(surfaceOf(page));
	await page.keyboard.type(words);
	const id = () => new URL(page.url()).searchParams.get('post');
	// "Saved" may be said of the title alone.
	await expect
		.poll(async () => id() && contentOf(page.context(), id()!), { timeout: 20_000 })
		.toContain(words.trim());
	await expect(statusOf(page)).toContainText('Saved');
	return id()!;
}

/** Ends a page as a crash does. One that is closed saves a last time, and no longer as if offline. */
async function crash(page: Page) {
	const crashed = page.waitForEvent('crash');
	await page.goto('chrome://crash').catch(() => {});
	await crashed;
	await page.close();
}

/** Returns what a page's device keeps of posts that the server does not have yet. */
async function keptOnDevice(page: Page): Promise<string> {
	return page.evaluate(
		() =>
			new Promise<string>((resolve, reject) => {
				const opening = indexedDB.open('desk-writing');
				opening.onerror = () => reject(opening.error!);
				opening.onsuccess = () => {
					const copies = opening.result.transaction('copies').objectStore('copies').getAll();
					copies.onsuccess = () => resolve(JSON.stringify(copies.result));
				};
			}),
	);
}

async function contentOf(context: BrowserContext, id: string) {
	const post = (await (await context.request.get(`/api/admin/posts/${id}`)).json()) as {
		form: { content: string };
		draft: { form: { content: string } } | null;
	};
	return (post.draft ?? post).form.content;
}

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

test('an article goes from its first word to its page, is changed, taken back and restored', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const injected: string[] = [];
	page.on('console', (message) => {
		if (/Content Security Policy/.test(message.text())) injected.push(message.text());
	});
	const now = Date.now();
	const title = `Quorum reads in ${now}`;
	const quokkas = `quokkas${now}`;
	const slug = title.toLowerCase().replaceAll(' ', '-');
	const id = await draft(page, title, `A first paragraph about ${quokkas}.`);
	await page.keyboard.press('Enter');
	await page.keyboard.type('## What a quorum is');
	await page.keyboard.press('Enter');
	await page.keyboard.type('/code');
	await page.keyboard.press('Enter');
	await page.keyboard.type('print("a quorum")');
	await page.getByLabel('Language').selectOption('python');
	await page
		.locator('input[aria-label="Images"]')
		.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PIXEL });
	const description = page.getByLabel('Description of the image (alt text)');
	await expect(description).toBeFocused({ timeout: 60_000 });
	await page.keyboard.type('One dot');
	await expect
		.poll(() => contentOf(context, id), { timeout: 20_000 })
		.toMatch(/<img src="\/api\/media\/[\w-]+" alt="One dot"/);
	expect(await contentOf(context, id)).toContain(
		'<pre><code class="language-python">print("a quorum")\n</code></pre>',
	);

	await test.step('a preview shows the draft, which the public does not see', async () => {
		await page.getByRole('button', { name: 'Preview', exact: true }).click();
		const [preview] = await Promise.all([
			context.waitForEvent('page'),
			page.getByRole('button', { name: 'Open in a new tab' }).click(),
		]);
		await expect(preview.getByRole('heading', { name: title })).toBeVisible({ timeout: 20_000 });
		await expect(preview.getByText(quokkas)).toBeVisible();
		await preview.close();
		await page.getByRole('button', { name: 'Write', exact: true }).click();
		expect((await context.request.get(`/blog/${slug}`)).status()).toBe(404);
	});

	const reader = await context.newPage();
	await test.step('published, it has its page, its place in the list and in search', async () => {
		await page.getByRole('button', { name: 'Publish…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Publish' });
		await expect(dialog.getByRole('listitem').first()).toBeVisible();
		await dialog.getByRole('button', { name: 'Publish now' }).click();
		await expect(page.getByText('Post updated')).toBeVisible();
		await expect(page.locator('.timeline[data-step="live"]')).toBeVisible({ timeout: BUILD_MS });
		await reader.goto(`/blog/${slug}`);
		await expect(reader.getByRole('heading', { level: 1, name: title })).toBeVisible();
		await expect(reader.getByAltText('One dot')).toBeVisible();
		await expect(reader.getByText('print("a quorum")')).toBeVisible();
		await reader.goto('/blog');
		await expect(reader.getByRole('link', { name: title })).toBeVisible();
		const found = await context.request.get(`/api/posts/search?q=${quokkas}`);
		expect(await found.json()).toEqual([expect.objectContaining({ slug })]);
		await reader.goto(`/blog/${slug}`);
		await reader.keyboard.press('End');
		await expect
			.poll(() => reader.evaluate(() => localStorage.getItem('readingTitles')))
			.toContain(slug);
	});

	await test.step('a change is seen after an update', async () => {
		await clickInto(surfaceOf(page).getByText('A first paragraph'));
		await page.keyboard.press('End');
		await page.keyboard.type(' And wombats.');
		await page.getByRole('button', { name: 'Update' }).click();
		const dialog = page.getByRole('dialog', { name: 'Update the article' });
		await dialog.getByText('Correction', { exact: true }).click();
		await dialog.getByRole('button', { name: 'Update now' }).click();
		// A correction needs its sentence.
		await expect(dialog.getByLabel('What changed, in a sentence')).toBeFocused();
		await page.keyboard.type(`Wombats were left out of ${now}.`);
		await page.keyboard.press('Enter');
		await expect(dialog).toBeHidden();
		await expect(page.locator('.timeline[data-step="live"]')).toBeHidden();
		await expect(page.locator('.timeline[data-step="live"]')).toBeVisible({ timeout: BUILD_MS });
		const html = await (await context.request.get(`/blog/${slug}`)).text();
		expect(html).toContain('And wombats.');
		expect(html).toContain('"@type":"CorrectionComment"');
		const feed = await (await context.request.get('/feed.json')).text();
		expect(feed).toContain('And wombats.');
	});

	await test.step('who had read it before sees what has changed, until it is closed', async () => {
		await reader.goto('/');
		await reader.goto(`/blog/${slug}`);
		const line = reader.locator('[data-changed-since]');
		await expect(line).toContainText(/^Changed since you read it on \w+ \d+, \d{4}: 1 passage$/);
		const marked = reader.locator('mark[data-changed]');
		await expect(marked).toHaveCount(1);
		await expect(marked).toContainText('And wombats.');
		const changes = reader.getByRole('region', { name: 'Changes' });
		await expect(changes).toContainText(`Wombats were left out of ${now}.`);
		await line.getByRole('button').click();
		await expect(marked).toHaveCount(0);
		await expect(line).toBeHidden();
		await reader.reload();
		await expect(changes).toBeVisible();
		await expect(line).toBeHidden();
		await changes.getByRole('link', { name: 'What changed' }).click();
		await expect(reader.locator('.difference ins')).toHaveText([' And wombats.']);
		await reader.getByRole('link', { name: 'The article before this change' }).click();
		await expect(reader.getByRole('note')).toContainText('This is an earlier version');
		await expect(reader.locator('.prose')).not.toContainText('wombats');
		await reader.goto('/corrections');
		await expect(reader.getByText(`Wombats were left out of ${now}.`)).toBeVisible();
		await reader.close();
	});

	await test.step('unpublished, its page is gone', async () => {
		await page.getByRole('button', { name: 'More actions' }).click();
		await page.getByRole('button', { name: 'Unpublish' }).click();
		await expect(page.getByText('is gone.')).toBeVisible({ timeout: BUILD_MS });
		expect((await context.request.get(`/blog/${slug}`)).status()).toBe(404);
	});

	await test.step('an earlier version comes back as the draft', async () => {
		await page.getByRole('button', { name: 'More actions' }).click();
		await page.getByRole('button', { name: 'Earlier versions' }).click();
		const dialog = page.getByRole('dialog', { name: 'Earlier versions' });
		await dialog.getByRole('list', { name: 'Versions' }).getByRole('button').last().click();
		await expect(dialog.locator('ins').first()).toBeVisible();
		await dialog.getByRole('button', { name: 'Restore this version' }).click();
		await expect(page.getByText('Version restored')).toBeVisible();
		await expect(surfaceOf(page)).not.toContainText('And wombats.');
	});
	expect(injected).toEqual([]);
	await context.close();
});

test('the page of an article stands beside its text while it is written, and goes along @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	await page.setViewportSize({ width: 1440, height: 900 });
	const refused: string[] = [];
	page.on('console', (message) => {
		if (/Content Security Policy/.test(message.text())) refused.push(message.text());
	});
	const id = await draft(page, `Beside ${Date.now()}`, 'A first paragraph.');
	await page.getByRole('toolbar').getByRole('button', { name: 'HTML of the article' }).click();
	const source = page.getByRole('dialog', { name: 'HTML of the article' });
	const parts = Array.from(
		{ length: 30 },
		(_, index) => `<h2>Part ${index + 1}</h2><p>${'Words of it. '.repeat(40)}</p>`,
	).join('');
	await source
		.getByRole('textbox')
		.fill(
			`<p>Beginning.</p><div data-type="block-math" data-latex="a^2"></div><pre><code class="language-python">x = 1</code></pre>${parts}`,
		);
	await source.getByRole('button', { name: 'Use this HTML' }).click();

	await page.keyboard.press('Control+Shift+P');
	const preview = page.getByRole('region', { name: 'Preview' });
	const shown = preview.frameLocator('iframe');
	const text = shown.locator('.prose');
	// Made by the server: formulas and code are drawn as on the page.
	await expect(text.locator('math').first()).toBeVisible({ timeout: 20_000 });
	await expect(text.locator('pre code span').first()).toBeVisible();
	expect(await shown.locator('html').evaluate(() => innerWidth)).toBe(390);
	expect(
		await text
			.locator('h2')
			.first()
			.evaluate((node) => getComputedStyle(node).fontWeight),
	).toBe(
		await surfaceOf(page)
			.locator('h2')
			.first()
			.evaluate((node) => getComputedStyle(node).fontWeight),
	);

	await test.step('what is typed comes after a pause; what is the same stays the same element', async () => {
		await text.getByText('Beginning.').evaluate((node) => {
			node.setAttribute('data-kept', '');
		});
		await clickInto(surfaceOf(page).getByRole('heading', { name: 'Part 1', exact: true }));
		await page.keyboard.press('End');
		await page.keyboard.type(' of many');
		await expect(text.getByRole('heading', { name: 'Part 1 of many' })).toBeVisible();
		await expect(text.locator('[data-kept]')).toHaveText('Beginning.');
	});

	await test.step('it scrolls along, and keeps its place when something changes', async () => {
		const heading = surfaceOf(page).getByRole('heading', { name: 'Part 20' });
		await heading.evaluate((node) => node.scrollIntoView({ block: 'center' }));
		await expect(text.getByRole('heading', { name: 'Part 20' })).toBeInViewport();
		await clickInto(heading);
		await page.keyboard.press('End');
		await page.keyboard.type(' changed');
		await expect(text.getByRole('heading', { name: 'Part 20 changed' })).toBeInViewport();
		await page.keyboard.press('Control+End');
		await expect(text.getByRole('heading', { name: 'Part 30' })).toBeInViewport();
	});

	await test.step('it has the widths of a phone and of a desk', async () => {
		await preview.getByRole('button', { name: 'Desktop' }).click();
		await expect.poll(() => shown.locator('html').evaluate(() => innerWidth)).toBe(1280);
		await expect(preview.locator('iframe')).toBeInViewport();
	});
	await expectAccessible(page, '.editor');

	await test.step('focus mode leaves the text alone, and is remembered until Escape', async () => {
		await page.getByRole('button', { name: 'Write', exact: true }).click();
		await expect(preview).toBeHidden();
		await page.keyboard.press('Control+Shift+F');
		const sidebar = page.getByRole('navigation', { name: 'Admin' });
		await expect(sidebar).toBeHidden();
		await expect(page.getByLabel('Address', { exact: true })).toBeHidden();
		await expect(statusOf(page)).toContainText('Saved', { timeout: 20_000 });
		await page.reload();
		await expect(surfaceOf(page)).toContainText('Part 20 changed', { timeout: 20_000 });
		await expect(sidebar).toBeHidden();
		await clickInto(surfaceOf(page).getByText('Beginning.'));
		await page.keyboard.press('Escape');
		await expect(sidebar).toBeVisible();
		await expect(page.getByLabel('Address', { exact: true })).toBeVisible();
	});

	await test.step('on a phone one sees the text or its page', async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await page.getByRole('button', { name: 'Preview', exact: true }).click();
		await expect(surfaceOf(page)).toBeHidden();
		await expect(text.getByText('Beginning.')).toBeVisible();
		const { scrollWidth, clientWidth } = await page.evaluate(() => {
			const { scrollWidth, clientWidth } = document.documentElement;
			return { scrollWidth, clientWidth };
		});
		expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
		await page.getByRole('button', { name: 'Write', exact: true }).click();
		await expect(surfaceOf(page)).toBeVisible();
	});
	expect(refused).toEqual([]);
	expect(await contentOf(context, id)).toContain('Part 20 changed');
	await context.close();
});

test('one finds one’s way in a text: by its headings, its words and how many there are to be @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const id = await draft(page, `Found ${Date.now()}`, 'A cat, a Cat and a catalog.');
	for (const words of ['## First', 'A cat.', '## Second', 'No dog.']) {
		await page.keyboard.press('Enter');
		await page.keyboard.type(words);
	}

	await test.step('the outline leads to each heading and says where one is', async () => {
		const outline = page.getByRole('navigation', { name: 'Outline' });
		await outline.getByRole('button', { name: 'First' }).click();
		await expect(surfaceOf(page)).toBeFocused();
		await page.keyboard.type(' part');
		await expect(outline.getByRole('button')).toHaveText(['First part', 'Second']);
		await expect(surfaceOf(page).getByRole('heading').first()).toHaveText('First part');
	});

	await test.step('a goal for the words is kept with the article', async () => {
		await page.getByRole('button', { name: 'Set a goal' }).click();
		await page.getByLabel('Words wanted').fill('40');
		await page.keyboard.press('Enter');
		await expect(page.getByText('14 of 40 words')).toBeVisible();
		await expect(page.getByRole('progressbar', { name: 'Word goal' })).toHaveAttribute(
			'value',
			'14',
		);
	});

	await test.step('words are found and replaced, all of them in one step', async () => {
		await clickInto(surfaceOf(page).getByText('No dog.'));
		await page.keyboard.press('Control+H');
		const bar = page.getByRole('search', { name: 'Find and replace' });
		await bar.getByLabel('Find', { exact: true }).fill('cat');
		await expect(bar.getByRole('status')).toHaveText('1 of 4');
		await page.keyboard.press('Enter');
		await expect(bar.getByRole('status')).toHaveText('2 of 4');
		await expect(surfaceOf(page).locator('.found-current')).toHaveText('Cat');
		await bar.getByLabel('Match case').check();
		await expect(bar.getByRole('status')).toHaveText(/of 3$/);
		await bar.getByLabel('Replace with').fill('bird');
		await expectAccessible(page, '.editor');
		await bar.getByRole('button', { name: 'Replace all' }).click();
		await expect(bar.getByRole('status')).toContainText('3 places replaced');
		await expect(surfaceOf(page)).toContainText('A bird, a Cat and a birdalog.');
		await bar.getByLabel('Find', { exact: true }).focus();
		await page.keyboard.press('Escape');
		await expect(bar).toBeHidden();
		await expect(surfaceOf(page)).toBeFocused();
		await page.keyboard.press('Control+Z');
		await expect(surfaceOf(page)).toContainText('A cat, a Cat and a catalog.');
		await expect(surfaceOf(page)).toContainText('A cat.');
	});
	// The server had the first of these words before the others.
	await expect
		.poll(() => contentOf(context, id), { timeout: 20_000 })
		.toMatch(/A cat, a Cat and a catalog\.<[^]*First part[^]*A cat\.[^]*No dog\./);
	await expect(statusOf(page)).toContainText('Saved', { timeout: 20_000 });
	// What was taken back is kept on the device a moment longer.
	await expect.poll(() => keptOnDevice(page)).not.toContain('bird');
	await page.reload();
	await expect(page.getByText('14 of 40 words')).toBeVisible({ timeout: 20_000 });
	await context.close();
});

/** One that is written in, one that is chosen as a whole, and one with cells: the others behave as one of them. */
const DAILY_BLOCKS = ['callout', 'formula', 'table'];

test('words are where they were typed, whatever block they were typed beside @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const [category] = (await (await context.request.get('/api/categories')).json()) as {
		id: string;
	}[];
	const make = async (content: string) => {
		const data = { title: `Beside ${Date.now()}`, categoryId: category!.id, content };
		const made = await context.request.post('/api/admin/posts', { data });
		const { id } = (await made.json()) as { id: string };
		await page.goto(`/admin?tab=create&post=${id}`);
		await expect(surfaceOf(page)).toContainText('After');
		return id;
	};
	const blocks: Record<string, string> = {
		callout: '<aside data-callout="note">\n<p>Inside</p>\n</aside>',
		code: '<pre><code class="language-python">Inside\n</code></pre>',
		picture:
			'<figure>\n<img src="/favicon.svg" alt="a">\n<figcaption>Inside</figcaption>\n</figure>',
		table: '<table>\n<thead>\n<tr>\n<th>Inside</th>\n</tr>\n</thead>\n</table>',
		formula: '<div data-type="block-math" data-latex="x"></div>',
		html: '<dl>\n<dt>Inside</dt>\n</dl>',
	};
	const names = process.env['TESTS'] === 'daily' ? DAILY_BLOCKS : Object.keys(blocks);
	for (const [name, block] of names.map((one) => [one, blocks[one]!] as const))
		await test.step(`before and beside a ${name}`, async () => {
			const id = await make(`${block}\n<p>After</p>`);
			await surfaceOf(page).focus();
			await move(page, 'ControlOrMeta+Home');
			await page.keyboard.type('WORDS-AT-HOME ');
			await move(page, 'ControlOrMeta+Home', 'ArrowLeft');
			await page.keyboard.type('WORDS-TO-THE-LEFT ');
			// The server may have the first of them only.
			await expect
				.poll(() => contentOf(context, id), { timeout: 20_000 })
				.toContain('TO-THE-LEFT ');
			const content = await contentOf(context, id);
			expect(content).toContain('WORDS-AT-HOME');
			// What stood there before still does.
			expect(content.replace(/<p>(WORDS-[A-Z-]+ )+<\/p>\n|WORDS-[A-Z-]+ /g, '')).toBe(
				`${block}\n<p>After</p>`,
			);
			await page.reload();
			await expect(surfaceOf(page)).toContainText('WORDS-TO-THE-LEFT');
			await expect(surfaceOf(page)).toContainText('WORDS-AT-HOME');
		});
	await test.step('from the words of a callout to the left', async () => {
		const id = await make(`<p>Before</p>\n${blocks['callout']}\n<p>After</p>`);
		await clickInto(surfaceOf(page).getByText('Inside'));
		await move(page, 'Home', 'ArrowLeft');
		await page.keyboard.type('WORDS');
		await expect.poll(() => contentOf(context, id), { timeout: 20_000 }).toContain('WORDS');
	});
	await context.close();
});

test('a new article is on the server from its first words, and a table does not hold the cursor @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const title = page.getByRole('textbox', { name: 'Title', exact: true });
	await expect(title).toBeFocused();
	await expect(page.locator('.editor-words')).toHaveText('0 words');
	await page.keyboard.press('Tab');
	await clickInto(surfaceOf(page));
	await page.keyboard.type('First words');
	const id = () => new URL(page.url()).searchParams.get('post');
	await expect.poll(id, { timeout: 20_000 }).toBeTruthy();
	const content = () => contentOf(context, id()!);
	await expect.poll(content, { timeout: 20_000 }).toBe('<p>First words</p>');

	await test.step('a click below a table, an arrow and a key lead out of it', async () => {
		await page.keyboard.press('Enter');
		await page.keyboard.type('/table');
		await page.keyboard.press('Enter');
		await page.keyboard.type('A');
		const box = (await surfaceOf(page).getByRole('table').boundingBox())!;
		await page.mouse.click(box.x + 100, box.y + box.height + 40);
		await page.keyboard.type('clicked');
		const lastCell = surfaceOf(page).getByRole('cell').last();
		await clickInto(lastCell);
		await page.keyboard.type('Z');
		await move(page, 'ArrowDown');
		await page.keyboard.type('down ');
		await clickInto(lastCell);
		await page.keyboard.press('ControlOrMeta+Enter');
		await page.keyboard.type('out');
		await expect
			.poll(content, { timeout: 20_000 })
			.toMatch(/<td>Z<\/td>\s*<\/tr>\s*<\/tbody>\s*<\/table>\n<p>out<\/p>\n<p>down clicked<\/p>$/);
	});

	await test.step('a key leads from a footnote back to its mark', async () => {
		await clickInto(surfaceOf(page).getByText('down clicked'));
		await move(page, 'End');
		await page.keyboard.press('ControlOrMeta+Alt+f');
		await page.keyboard.type('A source.');
		await page.keyboard.press('Escape');
		await page.keyboard.type(' And on.');
		await expect.poll(content, { timeout: 20_000 }).toMatch(/<\/sup> And on\.<\/p>/);
		expect(await content()).toContain('<p>A source.');
	});

	await test.step('the menu behind / is within the window, wherever it opens', async () => {
		await clickInto(surfaceOf(page).getByText('out', { exact: true }));
		for (let line = 0; line < 20; line++) await page.keyboard.press('Enter');
		await page.keyboard.type('/');
		const menu = page.getByRole('listbox', { name: 'Blocks' });
		await expect(menu).toBeInViewport({ ratio: 1 });
		await page.keyboard.press('Escape');
		await page.keyboard.press('Backspace');
		await page.keyboard.type('The end');
		await expect.poll(content, { timeout: 20_000 }).toContain('<p>The end</p>');
	});

	await test.step('the page is asked for its title and its category only when it is published', async () => {
		await page.reload();
		await expect(surfaceOf(page)).toContainText('First words');
		await expect(title).toHaveValue('');
		await page.getByRole('button', { name: 'Publish…' }).click();
		await expect(page.getByText('Please enter a title.')).toBeVisible();
		await expect(title).toBeFocused();
		await page.keyboard.type('At last');
		await page.getByRole('button', { name: 'Publish…' }).click();
		await expect(page.getByLabel('Category', { exact: true }).last()).toBeFocused();
		await page.getByLabel('Category', { exact: true }).last().selectOption({ label: 'MLOps' });
		await page.getByRole('button', { name: 'Publish…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Publish' });
		await expect(dialog.getByRole('listitem').first()).toBeVisible();
		await page.keyboard.press('Escape');
		const shown = (await (await context.request.get('/api/categories')).json()) as object[];
		expect(shown).not.toContainEqual(expect.objectContaining({ slug: 'uncategorized' }));
	});

	await test.step('deleted, it is taken back where that is told', async () => {
		await expect(statusOf(page)).toContainText('Saved', { timeout: 20_000 });
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
		await page.getByRole('button', { name: 'More actions' }).click();
		await page.getByRole('button', { name: 'Delete', exact: true }).click();
		await expect(page.getByText('Post deleted')).toBeVisible();
		await expect(page.getByRole('heading', { name: 'Manage Posts', level: 1 })).toBeInViewport();
		await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
		await expect(title).toHaveValue('At last');
		await expect(surfaceOf(page)).toContainText('First words');
	});
	await context.close();
});

test('no word is lost where one browser is offline while another one writes @nightly', async ({
	browser,
	baseURL,
}) => {
	const mine = await atDesk(browser, baseURL);
	const id = await draft(mine.page, `Two writers ${Date.now()}`, 'Common ground.');
	const theirs = await atDesk(browser, baseURL, `/admin?tab=create&post=${id}`);
	await expect(surfaceOf(theirs.page)).toContainText('Common ground.');

	await mine.context.setOffline(true);
	let tries = 0;
	mine.page.on('requestfailed', () => tries++);
	await clickInto(surfaceOf(mine.page));
	await mine.page.keyboard.press('ControlOrMeta+End');
	await mine.page.keyboard.press('Enter');
	await mine.page.keyboard.type('Written in a tunnel.');
	await expect(statusOf(mine.page)).toHaveText(/Offline: kept on this device/, { timeout: 20_000 });

	await clickInto(surfaceOf(theirs.page));
	await theirs.page.keyboard.press('ControlOrMeta+End');
	await theirs.page.keyboard.press('Enter');
	await theirs.page.keyboard.type('Written at the office.');
	await expect(statusOf(theirs.page)).toContainText('Saved', { timeout: 20_000 });

	// Once by itself; the pauses between further tries grow, and are not waited for.
	await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
	const again = mine.page.getByRole('button', { name: 'Try now' });
	await expect(async () => {
		await again.click({ timeout: 2000 });
		expect(tries).toBeGreaterThanOrEqual(5);
	}).toPass({ timeout: 60_000 });
	await clickInto(surfaceOf(mine.page));
	await mine.page.keyboard.press('ControlOrMeta+End');
	await mine.page.keyboard.type(' And more of it.');
	await expect.poll(() => keptOnDevice(mine.page)).toContain('And more of it.');
	await mine.context.setOffline(false);

	const merge = mine.page.getByRole('region', { name: 'Two versions of this post' });
	await expect(async () => {
		if (await again.isVisible()) await again.click({ timeout: 2000 });
		await expect(merge).toBeVisible({ timeout: 5000 });
	}).toPass({ timeout: 60_000 });
	expect(await contentOf(theirs.context, id)).not.toContain('tunnel');
	await merge.getByLabel('Both').check();
	await merge.getByRole('button', { name: 'Go on with this' }).click();
	await expect(statusOf(mine.page)).toContainText('Saved', { timeout: 20_000 });
	const content = await contentOf(theirs.context, id);
	for (const words of ['Common ground.', 'tunnel. And more of it.', 'at the office.'])
		expect(content).toContain(words);

	// Here only another place is changed: nothing is asked.
	await clickInto(surfaceOf(theirs.page));
	await theirs.page.keyboard.press('ControlOrMeta+Home');
	await theirs.page.keyboard.type('Our ');
	await expect(surfaceOf(theirs.page)).toContainText('tunnel', { timeout: 30_000 });
	await expect(statusOf(theirs.page)).toContainText('Saved', { timeout: 20_000 });
	const merged = await contentOf(theirs.context, id);
	for (const words of ['Our Common ground.', 'tunnel. And more of it.', 'at the office.'])
		expect(merged).toContain(words);
	await mine.context.close();
	await theirs.context.close();
});

test('what was typed offline is offered when the page is opened again', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const id = await draft(page, `A crash ${Date.now()}`, 'Before.');
	await context.setOffline(true);
	await clickInto(surfaceOf(page));
	await page.keyboard.press('ControlOrMeta+End');
	// At once, so that the copy on the device has all of it.
	await page.keyboard.insertText(' After.');
	await expect(statusOf(page)).toHaveText(/Offline: kept on this device/, { timeout: 20_000 });
	await crash(page);
	await context.setOffline(false);
	const again = await context.newPage();
	await again.goto(`/admin?tab=create&post=${id}`);
	await again.getByRole('button', { name: 'Go on with it' }).click({ timeout: 30_000 });
	await expect(surfaceOf(again)).toContainText('Before. After.');
	await expect(statusOf(again)).toContainText('Saved', { timeout: 20_000 });
	expect(await contentOf(context, id)).toContain('Before. After.');
	await context.close();
});

test('a copy that the server has is gone, and not offered when the article has changed @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const id = await draft(page, `Answered too late ${Date.now()}`, 'Before.');
	await context.setOffline(true);
	await clickInto(surfaceOf(page));
	await page.keyboard.press('ControlOrMeta+End');
	await page.keyboard.insertText(' After.');
	await expect(statusOf(page)).toHaveText(/Offline: kept on this device/, { timeout: 20_000 });
	await crash(page);
	await context.setOffline(false);
	const store = async (content: string) =>
		expect((await context.request.put(`/api/admin/posts/${id}`, { data: { content } })).ok()).toBe(
			true,
		);
	// As where the words arrived and the answer did not.
	await store('<p>Before. After.</p>');
	const again = await context.newPage();
	await again.goto(`/admin?tab=create&post=${id}`);
	await expect(surfaceOf(again)).toContainText('Before. After.', { timeout: 30_000 });
	await expect.poll(() => keptOnDevice(again)).toBe('[]');
	await store('<p>Something else.</p>');
	await again.reload();
	await expect(surfaceOf(again)).toContainText('Something else.', { timeout: 30_000 });
	await context.close();
});

test('a copy that nobody wants is asked about once, and can be taken back at once @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const id = await draft(page, `Unwanted ${Date.now()}`, 'Before.');
	await context.setOffline(true);
	// At once, so that the copy on the device has all of it.
	await page.keyboard.insertText(' After.');
	await expect(statusOf(page)).toHaveText(/Offline: kept on this device/, { timeout: 20_000 });
	await crash(page);
	await context.setOffline(false);
	const again = await context.newPage();
	await again.goto(`/admin?tab=create&post=${id}`);
	const unwanted = again.getByRole('button', { name: 'Use the one on the server' });
	await unwanted.click({ timeout: 30_000 });
	await expect(surfaceOf(again)).toContainText('Before.');
	await again.getByRole('status').getByRole('button', { name: 'Undo' }).click();
	await unwanted.click();
	await expect(surfaceOf(again)).toContainText('Before.');
	const later = await context.newPage();
	await later.goto(`/admin?tab=create&post=${id}`);
	await expect(surfaceOf(later)).toContainText('Before.', { timeout: 30_000 });
	await expect(surfaceOf(later)).not.toContainText('After.');
	await context.close();
});

test('a copy that somebody goes on with stays on the device until the server has it @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const goOn = async (where: Page, words: string) => {
		await where.getByRole('button', { name: 'Go on with it' }).click({ timeout: 30_000 });
		await expect(surfaceOf(where)).toContainText(words);
		await expect(statusOf(where)).toContainText('Kept on this device', { timeout: 20_000 });
	};

	await test.step('also where the server does not know the post', async () => {
		// Nobody can make a post.
		await context.route('**/api/admin/posts', (route) => route.abort());
		const untitled = await context.newPage();
		await untitled.goto('/admin?tab=create');
		await surfaceOf(untitled).click({ timeout: 30_000 });
		await untitled.keyboard.type('Nobody else has this.');
		await expect(statusOf(untitled)).toContainText('Kept on this device', { timeout: 20_000 });
		// The first of them may be kept before the last is typed.
		await expect.poll(() => keptOnDevice(untitled)).toContain('Nobody else has this.');
		await untitled.close();
		for (let time = 0; time < 2; time++) {
			const again = await context.newPage();
			await again.goto('/admin?tab=create');
			await goOn(again, 'Nobody else has this.');
			await again.close();
		}
		await context.unroute('**/api/admin/posts');
	});

	await test.step('also where it is opened again in the same page', async () => {
		const title = `A tunnel ${Date.now()}`;
		const id = await draft(page, title, 'Before.');
		await page.route('**/draft', (route) => route.abort());
		await page.keyboard.type(' After.');
		await expect(statusOf(page)).toContainText('Kept on this device', { timeout: 20_000 });
		for (let time = 0; time < 2; time++) {
			await page.getByRole('button', { name: 'Close', exact: true }).click();
			await page.getByRole('link', { name: 'Manage Posts' }).click();
			await page.getByRole('button', { name: title, exact: true }).click();
			await goOn(page, 'Before. After.');
		}
		await page.unroute('**/draft');
		await expect(statusOf(page)).toContainText('Saved', { timeout: 40_000 });
		expect(await contentOf(context, id)).toContain('Before. After.');
	});
	await context.close();
});

test('an expired session asks for the password in place and keeps the words @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const id = await draft(page, `A long lunch ${Date.now()}`, 'Soup.');
	await context.clearCookies();
	// At once, so that none of it goes into the dialog.
	await page.keyboard.insertText(' And bread.');
	const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
	await expect(dialog).toBeVisible({ timeout: 20_000 });
	await fillIn(dialog);
	await expect(statusOf(page)).toContainText('Saved', { timeout: 20_000 });
	await expect(surfaceOf(page)).toContainText('Soup. And bread.');
	expect(await contentOf(context, id)).toContain('Soup. And bread.');
	await context.close();
});

test('what is pasted from Word, Google Docs and Markdown comes in clean @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const sample = (name: string) => readFile(`tests/e2e/samples/${name}`, 'utf8');
	const paste = (type: string, data: string) =>
		surfaceOf(page).evaluate(
			(element, [type, data]) => {
				const clipboardData = new DataTransfer();
				clipboardData.setData(type!, data!);
				element.dispatchEvent(
					new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
				);
			},
			[type, data],
		);
	const id = await draft(page, `Pasted ${Date.now()}`, 'Before. ');
	await page.keyboard.press('Enter');
	await paste('text/html', await sample('word.html'));
	await expect(surfaceOf(page)).toContainText('Covariate shift');
	await expect(surfaceOf(page)).toContainText('Gama et al., 2014.');
	await clickInto(
		page.getByRole('textbox', { name: 'Article', exact: true }).getByText('ks_2samp'),
	);
	await move(page, 'End');
	await page.keyboard.press('Enter');
	await paste('text/html', await sample('google-docs.html'));
	await paste('text/plain', await sample('article.md'));
	await expect(surfaceOf(page).getByText('print("hello")')).toBeVisible({ timeout: 15_000 });
	const content = () => contentOf(context, id);
	for (const part of [
		'<h2>Two kinds of drift</h2>',
		'<li>Covariate shift\n<ul>\n<li>seen in the inputs</li>\n</ul>\n</li>',
		'<h2>Reading a loss curve</h2>',
		'<a href="https://example.com/a?b=1">See this</a>',
		'<code class="language-python">print("hello")\n</code>',
		'<span data-type="inline-math" data-latex="x^2"></span>',
		'<li id="fn-1">\n<p>Gama et al., 2014.',
		'<li id="fn-2">\n<p>Where it comes from.',
	])
		await expect.poll(content, { timeout: 20_000 }).toContain(part);
	expect(await content()).not.toMatch(/style=|Mso|docs-internal/);

	await test.step('pictures are uploaded or said to stay where they are', async () => {
		const png = `data:image/png;base64,${PIXEL.toString('base64')}`;
		const from = (host: string) => `<p><img src="https://${host}/far.png" alt="Far"></p>`;
		// Another site cannot be had in a test: one of two is played.
		await page.route('/api/admin/media/fetch', (route) =>
			(route.request().postDataJSON() as { url: string }).url.includes('example.org')
				? route.fulfill({ json: { name: 'far.png', data: png } })
				: route.continue(),
		);
		await paste(
			'text/html',
			`<p>Pictures</p><img src="${png}" alt="A dot">${from('192.168.1.1')}${from('example.org')}`,
		);
		await expect
			.poll(content, { timeout: 20_000 })
			.toMatch(/<img src="\/api\/media\/[\w-]+" alt="A dot"/);
		expect(await content()).toContain(
			'<a href="https://192.168.1.1/far.png">Far</a> [The picture stays at 192.168.1.1: upload it to show it.]',
		);
		await expect
			.poll(content, { timeout: 20_000 })
			.toMatch(/<img src="\/api\/media\/[\w-]+" alt="Far"/);
		await expect(surfaceOf(page).getByRole('img', { name: 'A dot' })).toHaveJSProperty(
			'naturalWidth',
			1,
		);
	});

	await test.step('a language by another name is the one in the list', async () => {
		await paste('text/html', '<pre><code class="language-js">let a;</code></pre>');
		const language = page.getByLabel('Language').last();
		await expect(language).toHaveValue('javascript');
		await expect(language.getByRole('option', { name: 'js', exact: true })).toHaveCount(0);
	});

	await test.step('a formula with a mistake is one line, and named before publishing', async () => {
		await paste('text/plain', 'So $\\frac{a}{$ and **on**.');
		await expect(surfaceOf(page).locator('.math-problem')).toHaveText(
			/^\\frac\{a\}\{ \(Unexpected end of input/,
		);
		await page.getByRole('button', { name: 'Publish…' }).click();
		const dialog = page.getByRole('dialog', { name: 'Publish' });
		await expect(dialog.getByText('The formula “\\frac{a}{” has a mistake')).toBeVisible();
		await page.keyboard.press('Escape');
	});
	await context.close();
});

test('Markdown that begins with a title fills the one that is missing @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	await surfaceOf(page).evaluate((element) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', '# A title\n\nWords.\n\n## Section');
		element.dispatchEvent(
			new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
		);
	});
	await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('A title');
	await expect(surfaceOf(page).getByRole('heading', { level: 2, name: 'Section' })).toBeVisible();
	await expect(surfaceOf(page).getByText('A title')).toHaveCount(0);

	await test.step('code of VS Code is a block with its language, whatever its comments look like', async () => {
		await surfaceOf(page).evaluate((element) => {
			const clipboardData = new DataTransfer();
			const code = '# Load the data\n\nrows = read()\n# Next\n';
			clipboardData.setData('text/plain', code);
			clipboardData.setData(
				'text/html',
				'<meta charset="utf-8"><div style="font-family:Consolas;white-space:pre;"><div><span style="color:#6a9955;"># Load the data</span></div><br><div><span>rows = read()</span></div><div><span style="color:#6a9955;"># Next</span></div></div>',
			);
			clipboardData.setData(
				'vscode-editor-data',
				'{"version":1,"isFromEmptySelection":false,"multicursorText":null,"mode":"python"}',
			);
			element.dispatchEvent(
				new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
			);
		});
		await expect(page.getByLabel('Language')).toHaveValue('python');
		await expect(surfaceOf(page).locator('pre')).toContainText('# Next');
	});
	await context.close();
});

test('posts are found, filtered, deleted and restored @nightly', async ({ browser, baseURL }) => {
	const { context, page } = await atDesk(browser, baseURL);
	const title = `To be deleted ${Date.now()}`;
	// A list that was open before asks again when it is come back to.
	await page.getByRole('link', { name: 'Manage Posts' }).click();
	await page.getByLabel('Search posts').fill(title);
	await expect(page.getByText('Nothing matches.')).toBeVisible();
	await page.getByRole('link', { name: 'Create Post' }).click();
	await draft(page, title, 'Gone soon.');
	await page.getByRole('link', { name: 'Manage Posts' }).click();
	const table = page.getByRole('table', { name: 'Posts' });
	await expect(table.getByRole('row')).toHaveCount(2);
	await expect(page).toHaveURL(/[?&]q=To/);
	const remove = async () => {
		await table.getByRole('button', { name: `Actions for ${title}` }).click();
		await table.getByRole('button', { name: `Delete ${title}` }).click();
		await expect(page.getByText('Nothing matches.')).toBeVisible();
	};
	await remove();
	await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
	await expect(page.locator('.toast')).toContainText('Post restored');
	await remove();
	await page.getByRole('radio', { name: /^Deleted/ }).check();
	await table.getByRole('button', { name: `Restore ${title}` }).click();
	await page.goBack();
	await expect(table.getByRole('button', { name: title, exact: true })).toBeVisible();
	await table.getByRole('button', { name: title, exact: true }).click();
	await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue(title);
	await context.close();
});

test('what an article is much like is named before publishing, and publishing is free @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL);
	const published = await context.request.get('/api/posts/pid-four-faults');
	const { title, content, categoryId } = (await published.json()) as Record<string, string>;
	const open = async (text: string) => {
		const data = { title: 'Control of a trolley', content: text, categoryId };
		const made = await context.request.post('/api/admin/posts', { data });
		const { id } = (await made.json()) as { id: string };
		await page.goto(`/admin?tab=create&post=${id}`);
		await page.getByRole('button', { name: 'Publish…' }).click();
		return id;
	};
	const dialog = page.getByRole('dialog', { name: 'Publish' });
	const hint = dialog.getByRole('listitem').filter({ hasText: 'Much like: ' });
	const drafts = [await open(content!.replace(/\bcart\b/g, 'trolley'))];
	const like = hint.getByRole('link', { name: title!, exact: true });
	await expect(like).toHaveAttribute('href', '/blog/pid-four-faults');
	await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeEnabled();
	await expectAccessible(page, 'dialog[open]');
	const [article] = await Promise.all([context.waitForEvent('page'), like.click()]);
	await expect(article.getByRole('heading', { level: 1, name: title! })).toBeVisible();
	await article.close();

	const answered = page.waitForResponse('**/api/admin/alike');
	drafts.push(await open('<p>Notes on a day at the sea.</p>'.repeat(30)));
	await answered;
	await expect(dialog.getByRole('listitem').first()).toBeVisible();
	await expect(hint).toHaveCount(0);
	for (const id of drafts) await context.request.delete(`/api/admin/posts/${id}`);
	await context.close();
});
