import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
const modal = (page: Page) => page.getByRole('dialog', { name: 'More like this, by email' });
const exit = (page: Page) => page.getByRole('dialog', { name: 'One letter before you go' });

test.use({ overlays: true });

test.beforeEach(async ({ page }) => {
	await page.clock.install();
});

/** Scrolls as a reader does, and lets debounce and delay pass. */
async function readOn(page: Page, share: number) {
	await page.evaluate((to) => {
		scrollTo({ top: to * document.documentElement.scrollHeight, behavior: 'instant' });
		dispatchEvent(new Event('scroll'));
	}, share);
	await page.clock.runFor(700);
}

async function leaveByTheTop(page: Page) {
	await page.evaluate(() =>
		document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY: -1 })),
	);
}

test('the floating widget comes minimized, expands, minimizes by Escape and stays away once dismissed @same', async ({
	page,
}) => {
	await page.clock.pauseAt(Date.now() + 60_000);
	await page.goto('/about');
	const tab = page.getByRole('button', { name: 'Expand newsletter signup' });
	await page.clock.runFor(1500);
	await expect(tab).toBeHidden();
	await page.clock.runFor(2000);
	await expect(tab).toBeVisible();
	await page.clock.resume();
	await tab.click();
	const widget = page.getByRole('complementary', { name: 'Groundtruth Weekly' });
	await expect(widget.getByLabel('Email address')).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(tab).toBeFocused();
	await tab.click();
	await widget.getByRole('button', { name: 'Minimize newsletter signup' }).click();
	await expect(tab).toBeFocused();
	await page.getByRole('button', { name: 'Dismiss newsletter signup' }).click();
	await expect(tab).toBeHidden();
	await page.goto('/terms');
	await page.clock.runFor(10_000);
	await expect(tab).toBeHidden();
});

test('an address given to the widget is subscribed, here and in another tab @same @nightly', async ({
	page,
	context,
}) => {
	await page.goto('/about');
	const other = await context.newPage();
	await other.goto('/terms');
	const elsewhere = other.getByRole('button', { name: 'Expand newsletter signup' });
	await page.clock.runFor(3100);
	await expect(elsewhere).toBeVisible();
	await page.getByRole('button', { name: 'Expand newsletter signup' }).click();
	const widget = page.getByRole('complementary', { name: 'Groundtruth Weekly' });
	await widget.getByRole('button', { name: 'Subscribe' }).click();
	await expect(page.getByRole('alert')).toHaveCount(0);
	await page.clock.runFor(3000);
	await widget.getByLabel('Email address').fill('floating@example.com');
	await widget.getByRole('button', { name: 'Subscribe' }).click();
	await expect(page.getByText("You've been subscribed to our newsletter.")).toBeVisible();
	await expect(widget).toBeHidden();
	await expect(elsewhere).toBeHidden();
});

test('the modal opens once at half of an article, traps the focus and gives it back @same', async ({
	page,
}) => {
	await page.goto(article);
	await page.getByRole('link', { name: 'Skip to content' }).focus();
	await readOn(page, 0.2);
	await expect(modal(page)).toBeHidden();
	await readOn(page, 0.6);
	await expect(modal(page).getByLabel('Email address')).toBeFocused();
	for (let index = 0; index < 6; index++) {
		await page.keyboard.press('Tab');
		// The browser's own bar may have it in between; the page behind may not.
		expect(
			await page.evaluate(
				() =>
					document.activeElement === document.body ||
					document.activeElement?.closest('dialog') !== null,
			),
		).toBe(true);
	}
	await page.keyboard.press('Escape');
	await expect(modal(page)).toBeHidden();
	await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
	await readOn(page, 0.9);
	await page.clock.runFor(300_000);
	await expect(modal(page)).toBeHidden();
});

test('the exit popup opens from ten seconds on, once a session, and No thanks closes it @same', async ({
	page,
}) => {
	await page.clock.pauseAt(Date.now() + 60_000);
	await page.goto('/about');
	await page.clock.runFor(9000);
	await leaveByTheTop(page);
	expect(await page.evaluate(() => sessionStorage.getItem('exit_popup_shown'))).toBeNull();
	await page.clock.runFor(1500);
	await page.clock.resume();
	await leaveByTheTop(page);
	await expect(exit(page)).toBeVisible();
	await expect(page.getByRole('button', { name: 'Expand newsletter signup' })).toBeHidden();
	await exit(page).getByRole('button', { name: 'No thanks' }).click();
	await expect(exit(page)).toBeHidden();
	await page.goto('/terms');
	await page.clock.runFor(300_000);
	await leaveByTheTop(page);
	await expect(exit(page)).toBeHidden();
});

test('a refusal in the popup stays in it with what was typed @same @nightly', async ({
	page,
	consoleErrors,
}) => {
	await page.goto('/about');
	await page.clock.runFor(11_000);
	await leaveByTheTop(page);
	await page.route('**/api/subscribers', (route) => route.abort());
	await exit(page).getByLabel('Email address').fill('exit@example.com');
	await exit(page).getByRole('button', { name: 'Subscribe' }).click();
	// The toast is shown in the dialog too: what is meant is the message that stays with the form.
	await expect(exit(page).locator('form').getByRole('alert')).toBeVisible();
	await expect(exit(page).getByLabel('Email address')).toHaveValue('exit@example.com');
	// The browser itself reports the lost connection.
	consoleErrors.splice(0);
	await page.unroute('**/api/subscribers');
	await page.clock.runFor(3000);
	await exit(page).getByRole('button', { name: 'Subscribe' }).click();
	await expect(exit(page)).toBeHidden();
	await expect(page.getByText("You've been subscribed to our newsletter.")).toBeVisible();
});

test('nothing opens over a comment that is being written, nor over its form @same', async ({
	page,
}) => {
	await page.goto(article);
	const comment = page.locator('#comments').getByLabel('Comment');
	await comment.focus();
	await readOn(page, 0.8);
	await page.clock.runFor(5000);
	await expect(modal(page)).toBeHidden();
	// How far down the form is depends on how many comments other tests have left.
	await comment.scrollIntoViewIfNeeded();
	await comment.blur();
	await page.clock.runFor(5000);
	await expect(modal(page)).toBeHidden();
	await readOn(page, 0.3);
	const skip = page.getByRole('link', { name: 'Skip to content' });
	await skip.focus();
	await skip.blur();
	await page.clock.runFor(100);
	await expect(modal(page)).toBeVisible();
});

test('whoever goes to the end of an article with a key comments undisturbed @same @nightly', async ({
	page,
}) => {
	await page.goto(article);
	await page.locator('#comments').getByLabel('Comment').scrollIntoViewIfNeeded();
	await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
	await page.keyboard.press('End');
	const form = page.locator('#comments form');
	await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(3000);
	await form.scrollIntoViewIfNeeded();
	await page.clock.runFor(5000);
	await expect(modal(page)).toBeHidden();
	await form.getByLabel('Comment').click();
	await page.keyboard.type('Undisturbed.');
	await page.clock.runFor(5000);
	await expect(modal(page)).toBeHidden();
	await expect(form.getByLabel('Comment')).toHaveValue('Undisturbed.');
});

test('the sheet of a narrow window never hides what has the focus @same @nightly', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 700 });
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.goto(article);
	for (const share of [0.2, 0.5, 0.7]) await readOn(page, share);
	const sheet = page.locator('dialog[open]');
	await expect(sheet.getByRole('button', { name: 'Subscribe' })).toBeVisible();
	const hidden = new Set<string>();
	let stops = 0;
	for (const key of [...Array<string>(90).fill('Tab'), ...Array<string>(90).fill('Shift+Tab')]) {
		await page.keyboard.press(key);
		const stop = await page.evaluate(() => {
			const focused = document.activeElement!;
			const sheet = document.querySelector('dialog[open]')!;
			if (focused === document.body || sheet.contains(focused)) return null;
			const isHidden = focused.getBoundingClientRect().top >= sheet.getBoundingClientRect().top;
			return { isHidden, html: focused.outerHTML.slice(0, 120) };
		});
		if (!stop) continue;
		stops++;
		if (stop.isHidden) hidden.add(stop.html);
	}
	await expect(sheet).toBeVisible();
	expect(stops).toBeGreaterThan(100);
	expect([...hidden]).toEqual([]);
});

test.describe('on a phone', () => {
	test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

	test('a hurried reader meets one interruption that leaves three quarters of the page, and no other @same', async ({
		page,
	}) => {
		await page.goto(article);
		let met = 0;
		const look = async () => {
			const open = page.locator('dialog[open]');
			// What opens is noted at once, before its island is awake.
			const asked = await page.evaluate(
				() =>
					['exit_popup_shown', 'newsletter_modal_shown'].filter((name) =>
						sessionStorage.getItem(name),
					).length,
			);
			await expect(open).toHaveCount(asked - met);
			if (asked === met) return;
			met = asked;
			for (const box of await open.evaluateAll((all) =>
				all.map((one) => one.getBoundingClientRect().height),
			)) {
				expect(box).toBeLessThanOrEqual(740 / 4);
			}
			await expect(open.getByRole('button', { name: 'Subscribe' })).toBeInViewport();
			await open.getByRole('button', { name: 'Close' }).click();
			await expect(open).toHaveCount(0);
		};
		for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
			await readOn(page, share);
			await look();
		}
		expect(met).toBe(1);
		for (const path of ['/blog/data-leakage', '/', '/newsletter']) {
			await page.goto(path);
			await readOn(page, 0.7);
			await page.clock.runFor(180_000);
			await leaveByTheTop(page);
			await look();
		}
		expect(met).toBe(1);
	});
});
