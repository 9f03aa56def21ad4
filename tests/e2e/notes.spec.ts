import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, framesOf, test } from './fixtures.ts';

const article = '/blog/a-perfect-denoiser-copies';
/** An article with notes and a figure that takes their room. */
const WIDE = '/blog/ai-act-dates-as-code';

/** Where the marks, their notes, the text and the contents are. */
const places = (page: Page) =>
	page.evaluate(() => {
		const boxOf = (element: Element) => {
			const { left, right, top, bottom } = element.getBoundingClientRect();
			return { left, right, top, bottom };
		};
		const text = document.querySelector('[data-text]')!;
		return {
			text: boxOf(text),
			contents: boxOf(document.querySelector('[data-follow]')!.parentElement!),
			/** Code and figures that take the room of the notes. */
			wide: [...text.children].map(boxOf).filter(({ right }) => right > boxOf(text).right + 1),
			window: document.documentElement.clientWidth,
			page: document.documentElement.scrollWidth,
			notes: [...text.querySelectorAll('.footnotes li')].map((note) => ({
				...boxOf(note),
				mark: boxOf(text.querySelector(`a[href="#${note.id}"]`)!).top,
			})),
		};
	});

const isBeside = async (page: Page) => {
	const { text, notes } = await places(page);
	return notes.every(({ left }) => left >= text.right);
};

for (const [width, colorScheme, nightly] of [
	[1280, 'light', ''],
	[1440, 'dark', ' @nightly'],
] as const) {
	test.describe(`${width} pixels wide, ${colorScheme}`, () => {
		test.use({ viewport: { width, height: 900 }, colorScheme });

		test(`notes stand beside the lines that refer to them${nightly}`, async ({ page }) => {
			await page.goto(article);
			await expect.poll(() => isBeside(page)).toBe(true);
			// Fonts that come late move the marks.
			await page.evaluate(() => document.fonts.ready.then(() => {}));
			await framesOf(page, 2);
			const { text, contents, notes, wide, window, page: whole } = await places(page);
			expect(notes.length).toBeGreaterThan(1);
			let free = -Infinity;
			for (const { top, bottom, right, mark } of notes) {
				// As high as its mark, or below the note before it, or below what takes its room there.
				const place = wide.reduce(
					(at, box) =>
						at + (bottom - top) + 16 < box.top || at > box.bottom ? at : box.bottom + 16,
					Math.max(mark, free + 16),
				);
				expect(Math.abs(top - place)).toBeLessThan(2);
				expect(right).toBeLessThan(contents.left);
				expect(bottom).toBeLessThanOrEqual(text.bottom + 1);
				free = bottom;
			}
			expect(whole).toBeLessThanOrEqual(window);
			await expectAccessible(page, 'article');
		});
	});
}

test.describe('on a wide screen', () => {
	test.use({ viewport: { width: 1280, height: 900 } });

	test('a key leads to a note and back @nightly', async ({ page }) => {
		await page.goto(article);
		await expect.poll(() => isBeside(page)).toBe(true);
		const mark = page.locator('#fnref-2');
		// The focus itself would scroll there smoothly, and the jump to the note could be lost in that.
		await mark.scrollIntoViewIfNeeded();
		await mark.focus();
		await page.keyboard.press('Enter');
		const note = page.locator('.footnotes li').nth(1);
		await expect(page).toHaveURL(/#fn-2$/);
		await expect(note).toBeInViewport();
		await note.locator('[data-footnote-backref]').focus();
		await page.keyboard.press('Enter');
		await expect(page).toHaveURL(/#fnref-2$/);
		await expect(mark).toBeInViewport();
	});

	test('on paper and on narrow screens notes follow the text', async ({ page }) => {
		await page.goto(article);
		await expect.poll(() => isBeside(page)).toBe(true);
		await page.emulateMedia({ media: 'print' });
		await expect.poll(() => isBeside(page)).toBe(false);
		const onPaper = await places(page);
		expect(onPaper.notes.every(({ top, mark }) => top > mark)).toBe(true);
		await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
		await expect.poll(() => isBeside(page)).toBe(true);
		for (const width of [390, 1199]) {
			await page.setViewportSize({ width, height: 900 });
			await expect.poll(() => isBeside(page)).toBe(false);
			const { text, notes } = await places(page);
			for (const [at, { top, left, right }] of notes.entries()) {
				expect(top).toBeGreaterThan(notes[at - 1]?.bottom ?? text.top);
				expect(left).toBeGreaterThanOrEqual(text.left);
				expect(right).toBeLessThanOrEqual(text.right + 1);
			}
		}
	});
});

test.describe('a figure that is wider than the text', () => {
	for (const width of [1280, 1440]) {
		test(`stands beside no note and no contents, ${width} pixels wide @nightly`, async ({
			page,
		}) => {
			await page.setViewportSize({ width, height: 900 });
			await page.goto(WIDE);
			const figure = page.locator('figure:has(.drawn-out)');
			await expect(figure.locator('.drawn-full')).toBeVisible();
			await expect(figure.locator('.drawn-wide, .drawn-narrow').first()).toBeHidden();
			await page.evaluate(() => document.fonts.ready.then(() => {}));
			await framesOf(page, 2);
			const box = (await figure.boundingBox())!;
			const { text, contents, notes, window, page: whole } = await places(page);
			expect(box.width).toBeGreaterThan(text.right - text.left + 150);
			expect(box.x + box.width).toBeLessThan(contents.left);
			expect(notes.length).toBeGreaterThan(0);
			for (const { top, bottom } of notes)
				expect(bottom <= box.y || top >= box.y + box.height).toBe(true);
			expect(whole).toBeLessThanOrEqual(window);
		});
	}

	test('is as wide as the text where there is no room, and on paper @nightly', async ({ page }) => {
		await page.goto(WIDE);
		const figure = page.locator('figure:has(.drawn-out)');
		for (const width of [360, 768, 1199]) {
			await page.setViewportSize({ width, height: 900 });
			const shown = width < 500 ? '.drawn-narrow' : '.drawn-wide';
			await expect(figure.locator(shown)).toBeVisible();
			await expect(figure.locator('.drawn-full')).toBeHidden();
			const { text, window, page: whole } = await places(page);
			expect((await figure.boundingBox())!.width).toBeLessThanOrEqual(text.right - text.left + 1);
			expect(whole).toBeLessThanOrEqual(window);
		}
		await page.setViewportSize({ width: 1440, height: 900 });
		await expect(figure.locator('.drawn-full')).toBeVisible();
		await page.emulateMedia({ media: 'print' });
		await expect(figure.locator('.drawn-wide')).toBeVisible();
		await expect(figure.locator('.drawn-full')).toBeHidden();
	});
});
