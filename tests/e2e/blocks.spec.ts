import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { clickInto, move } from './surface.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

/** A picture of one pixel. */
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Stored = { form: { content: string } };

test.describe.configure({ timeout: 180_000 });

/** Opens a new draft at the desk with the cursor at its end. */
async function write(page: Page, content: string) {
	await page.request.post('/api/admin/login', { data: ADMIN });
	const data = { title: `Blocks ${crypto.randomUUID()}`, content };
	const made = await page.request.post('/api/admin/posts', { data });
	const { id } = (await made.json()) as { id: string };
	await page.goto(`/admin?tab=create&post=${id}`);
	const article = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(article).toBeVisible({ timeout: 60_000 });
	await clickInto(article.locator('p').last());
	await move(page, 'ControlOrMeta+End');
	const stored = async () => {
		const answer = await page.request.get(`/api/admin/posts/${id}`);
		const post = (await answer.json()) as Stored & { draft: Stored | null };
		return (post.draft ?? post).form.content;
	};
	return { id, article, stored };
}

test('formulas are typed between dollar signs, prices are not, and undo gives the signs back', async ({
	page,
}) => {
	const { article, stored } = await write(page, '<p>First</p>');
	await page.keyboard.type(': $5 and $10, but $E=mc^2$');
	const formula = article.locator('.math-node math');
	await expect(formula).toHaveCount(1);
	await page.keyboard.press('ControlOrMeta+z');
	await expect(article).toContainText('$5 and $10, but $E=mc^2$');
	await expect(formula).toHaveCount(0);
	await page.keyboard.press('ControlOrMeta+Shift+z');
	await page.keyboard.type(' holds.');
	await page.keyboard.press('Enter');
	await page.keyboard.type('$$');
	const source = page.getByRole('textbox', { name: 'Formula in LaTeX' });
	await expect(source.last()).toBeFocused();
	await page.keyboard.press('ControlOrMeta+z');
	await expect(article).toContainText('$$');
	await page.keyboard.press('Backspace');
	await page.keyboard.type('$\\sum_i x_i$$After it.');
	await expect(formula).toHaveCount(2);
	await expect
		.poll(stored)
		.toMatch(
			/\$5 and \$10, but <span data-type="inline-math" data-latex="E=mc\^2"><\/span> holds\.<\/p>\s*<div data-type="block-math" data-latex="\\sum_i x_i"><\/div>\s*<p>After it\.<\/p>/,
		);
	await expectAccessible(page, '.article-surface');
});

test('a plot and a diagram open their dialogs again with all that was chosen, and their source is there @nightly', async ({
	page,
}) => {
	const { article, stored } = await write(page, '<p>First</p>');
	await page.keyboard.press('Enter');
	await page.keyboard.type('/plot');
	await page.keyboard.press('Enter');
	const plot = page.getByRole('dialog', { name: 'Plot', exact: true });
	await plot.getByLabel('Table').fill('Step\tTrain\tTest\n1\t2\t3\n2\t4\t5');
	await plot.getByLabel(/^Title/).fill('Both rise');
	await plot.getByText('Points', { exact: true }).click();
	await plot.getByRole('button', { name: 'Insert plot' }).click();
	const figure = article.locator('figure.code').first();
	await expect(figure.locator('svg').first()).toBeVisible();
	const text = figure.locator('> pre');
	await expect.poll(async () => (await text.boundingBox())?.height ?? 0).toBe(0);
	const before = await article.locator('code').first().textContent();

	await test.step('a double click, and a cancel that changes nothing', async () => {
		await figure.locator('svg').first().dblclick();
		await expect(plot.getByLabel('Table')).toHaveValue('Step\tTrain\tTest\n1\t2\t3\n2\t4\t5');
		await expect(plot.getByLabel(/^Title/)).toHaveValue('Both rise');
		await expect(plot.getByRole('radio', { name: 'Points' })).toBeChecked();
		await expectAccessible(page, 'dialog[open]');
		await plot.getByLabel('Table').fill('a\tb\n1\t2');
		await page.keyboard.press('Escape');
		await expect(plot).toBeHidden();
		expect(await article.locator('code').first().textContent()).toBe(before);
	});

	await test.step('on a phone the drawing stays in view above the fields that change it', async () => {
		const size = page.viewportSize()!;
		await figure.locator('svg').first().dblclick();
		await page.setViewportSize({ width: 390, height: 844 });
		await plot.getByRole('button', { name: 'Change plot' }).scrollIntoViewIfNeeded();
		await expect(plot.locator('.plot-shown svg').filter({ visible: true })).toBeInViewport();
		await expectAccessible(page, 'dialog[open]');
		await page.keyboard.press('Escape');
		await page.setViewportSize(size);
	});

	await test.step('the arrow keys and Enter', async () => {
		await clickInto(article.getByText('First'));
		await move(page, 'End', 'ArrowDown');
		await expect(figure).toHaveAttribute('data-selected', '');
		await page.keyboard.press('Enter');
		await expect(plot.getByLabel('Table')).toHaveValue(/Train/);
		await plot.getByLabel('Table').fill('Step\tTrain\tTest\n1\t2\t3\n2\t4\t6.5');
		await plot.getByRole('button', { name: 'Change plot' }).click();
		await expect(plot).toBeHidden();
		await expect.poll(stored).toContain('6.5');
		await page.keyboard.press('ControlOrMeta+z');
		await expect(article.locator('code').first()).toHaveText(before!);
	});

	await test.step('a diagram, and its source', async () => {
		await clickInto(article.locator('p').last());
		await page.keyboard.type('/diagram');
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Diagram', exact: true });
		await dialog.getByLabel(/^Title/).fill('Two steps');
		await dialog.getByLabel(/^Description/).fill('One leads to the other.');
		await dialog.getByLabel(/^Diagram/).fill('graph LR\nA[One] --> B[Two]');
		await expectAccessible(page, 'dialog[open]');
		await dialog.getByRole('button', { name: 'Insert diagram' }).click();
		const diagram = article.locator('figure.code').last();
		await expect(diagram.locator('svg').first()).toBeVisible();
		await page.keyboard.press('Enter');
		await expect(dialog.getByLabel(/^Diagram/)).toHaveValue('graph LR\nA[One] --> B[Two]');
		await expect(dialog.getByLabel(/^Title/)).toHaveValue('Two steps');
		await page.keyboard.press('Escape');
		await diagram.getByRole('button', { name: 'Source' }).click();
		await expect(diagram.locator('> pre')).not.toHaveCSS('height', '0px');
		// The cursor comes a frame after the press.
		await expect(article).toBeFocused();
		await expect
			.poll(() =>
				diagram.locator('> pre').evaluate((pre) => pre.contains(getSelection()!.anchorNode)),
			)
			.toBe(true);
		await page.keyboard.type('%% seen\n');
		await expect.poll(stored).toContain('%% seen');
		await article.getByText('First').click();
		await expect(diagram.locator('> pre')).toHaveCSS('height', '0px');
	});
	await expectAccessible(page, '.article-surface');
});

/** Pastes a text as a browser does. */
async function paste(page: Page, text: string) {
	await page.evaluate((text) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', text);
		document.activeElement!.dispatchEvent(
			new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
		);
	}, text);
}

test('a pasted address becomes a card, a plain link by a press or Undo, and stays one where no page answers @nightly', async ({
	page,
	consoleErrors,
}) => {
	const { article, stored } = await write(page, '<p>First</p>');
	const pixel =
		'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
	const address = 'https://www.example.com/a?b=1&c=2';
	let asked = 0;
	// No test asks other sites: the server's part is tested beside it.
	await page.route('**/api/admin/media/card', async (route) => {
		asked++;
		const { url } = route.request().postDataJSON() as { url: string };
		if (url.startsWith('http://127.')) return route.continue();
		const picture = 'https://cdn.example/p.png';
		await route.fulfill({ json: { title: 'A <title>', text: 'What it is', picture } });
	});
	await page.route('**/api/admin/media/fetch', (route) =>
		route.fulfill({ json: { name: 'p.png', data: pixel } }),
	);
	await move(page, 'Enter');
	await paste(page, address);
	const card = article.locator('figure.embed-page');
	await expect(card.locator('.embed-title')).toHaveText('A <title>');
	await expect(card.locator('.embed-host')).toHaveText('example.com');
	await expect(card.locator('img')).toHaveAttribute('src', /^\/api\/media\//);
	await page.keyboard.type('After it');
	const kept =
		/<figure data-embed="?"?>\s*<a href="https:\/\/www\.example\.com\/a\?b=1&#x26;c=2"><img src="\/api\/media\/[\w-]+"[^>]*> A &#x3C;title><\/a>\s*<figcaption>What it is<\/figcaption>\s*<\/figure>\s*<p>After it<\/p>/;
	await expect.poll(stored).toMatch(kept);
	await expectAccessible(page, '.article-surface');

	await test.step('the width of a phone', async () => {
		await page.setViewportSize({ width: 390, height: 844 });
		await expect(card).toBeVisible();
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		expect(width).toBeLessThanOrEqual(390);
		await page.setViewportSize({ width: 1280, height: 720 });
	});

	await test.step('a plain link', async () => {
		await card.getByRole('button', { name: 'Plain link' }).click();
		await expect(article.getByRole('link', { name: 'A <title>' })).toHaveAttribute('href', address);
		await expect(card).toHaveCount(0);
		await page.keyboard.press('ControlOrMeta+z');
		await expect(card).toHaveCount(1);
	});

	await test.step('Undo', async () => {
		await clickInto(article.getByText('After it'));
		await move(page, 'End', 'Enter');
		await paste(page, 'https://other.example/');
		await expect(card).toHaveCount(2);
		await expect(card.last().locator('img')).toHaveAttribute('src', /^\/api\/media\//);
		await page.keyboard.press('ControlOrMeta+z');
		await expect(article.getByRole('link', { name: 'https://other.example/' })).toBeVisible();
		await expect(card).toHaveCount(1);
	});

	await test.step('an address of the server itself, and one within words', async () => {
		await move(page, 'End', 'Enter');
		const before = asked;
		await paste(page, 'http://127.0.0.1:9/inside');
		await expect.poll(() => asked).toBe(before + 1);
		await expect(page.locator('.upload-place')).toHaveCount(0);
		await expect(article.getByRole('link', { name: 'http://127.0.0.1:9/inside' })).toBeVisible();
		await move(page, 'Enter');
		await page.keyboard.type('See ');
		await paste(page, 'https://words.example/');
		await expect(article.getByRole('link', { name: 'https://words.example/' })).toBeVisible();
		expect(asked).toBe(before + 1);
		await expect(card).toHaveCount(1);
	});
	expect(consoleErrors).toEqual([expect.stringMatching(/400 .*\/api\/admin\/media\/card$/)]);
	consoleErrors.splice(0);
});

test('a gallery opens its pictures by a double click, its button and Enter, and takes another one @nightly', async ({
	page,
}) => {
	await page.request.post('/api/admin/login', { data: ADMIN });
	const upload = async (name: string) => {
		const made = await page.request.post('/api/admin/media', {
			data: { name: `${name}.png`, data: `data:image/png;base64,${PIXEL}` },
		});
		return ((await made.json()) as { url: string }).url;
	};
	const [one, two] = [await upload('one'), await upload('two')];
	const figure = (src: string, name: string) =>
		`<figure><img src="${src}" alt="${name}"><figcaption>Caption ${name}</figcaption></figure>`;
	const { article, stored } = await write(
		page,
		`<p>First</p><figure data-gallery="">${figure(one, 'one')}${figure(two, 'two')}</figure><p>Last</p>`,
	);
	const gallery = article.locator('.gallery-node');
	const dialog = page.getByRole('dialog', { name: 'Gallery' });
	const description = (of: number) => dialog.getByLabel(`Description of picture ${of}`);

	await gallery.locator('img').first().dblclick();
	await expect(description(1)).toBeFocused();
	await expect(description(2)).toHaveValue('two');
	await expectAccessible(page, 'dialog[open]');
	await description(1).fill('Not kept');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();

	await gallery.getByRole('button', { name: 'Edit', exact: true }).click();
	await expect(description(1)).toHaveValue('one');
	await dialog.getByRole('button', { name: 'Move picture 2 forward' }).click();
	await expect(description(1)).toHaveValue('two');
	await dialog.getByLabel('Add pictures').setInputFiles({
		name: 'three.png',
		mimeType: 'image/png',
		buffer: Buffer.from(PIXEL, 'base64'),
	});
	await description(3).fill('three');
	await dialog.getByRole('button', { name: 'Change gallery' }).click();
	await expect(dialog).toBeHidden();
	await expect
		.poll(stored)
		.toMatch(
			/alt="two">\s*<figcaption>Caption two[^]*alt="one">\s*<figcaption>Caption one[^]*alt="three"/,
		);

	// It is selected now, and the keyboard is enough.
	await page.keyboard.press('Enter');
	await expect(description(1)).toBeFocused();
	await expect(description(3)).toHaveValue('three');
	await page.keyboard.press('Escape');
	await expect(dialog).toBeHidden();
	await page.keyboard.press('ControlOrMeta+z');
	await expect.poll(stored).toMatch(/alt="one"[^]*alt="two"/);
	expect(await stored()).not.toContain('three');
});
