import type { Page } from '@playwright/test';
import { examplesOf, PAGES } from '#src/site.ts';
import { expect, framesOf, test, walk } from './fixtures.ts';

/** One of each type of page that search engines may list. */
const walked = PAGES.filter(
	({ isHidden, isAlias, like }) => !isHidden && !isAlias && !like,
).flatMap((page) => examplesOf([page]).slice(0, 1));

/** The page of a reader whom nothing interrupts: overlays have tests of their own. */
async function open(page: Page, path: string) {
	await page.addInitScript(() => {
		for (const name of [
			'exit_popup_shown',
			'newsletter_modal_shown',
			'floating_newsletter_dismissed',
		])
			sessionStorage.setItem(name, 'true');
	});
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.goto(path);
	await page.waitForLoadState('networkidle');
}

/** Elements that Tab can reach, as far as they are shown; and what the focus did to the one that has it now. */
function helpers() {
	const words = (element: Element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 140);
	const seen = new Set<Element>();
	/** Arrow keys lead on from the one choice of a group that Tab reaches. */
	const isOfSeenGroup = ({ type, name }: HTMLInputElement) =>
		type === 'radio' && [...document.getElementsByName(name)].some((one) => seen.has(one));
	Object.assign(window, {
		unreached: () =>
			[
				...document.querySelectorAll<HTMLElement>(
					'a[href], button, input, select, textarea, summary, [tabindex]',
				),
			]
				.filter(
					(element) =>
						element.tabIndex >= 0 &&
						!element.matches(':disabled') &&
						element.checkVisibility({ visibilityProperty: true }) &&
						!seen.has(element) &&
						!isOfSeenGroup(element as HTMLInputElement),
				)
				.map(words),
		arrive: () => {
			const element = document.activeElement;
			if (!element || element === document.body) return 'out';
			const again = seen.has(element);
			seen.add(element);
			if (again) return `again: ${words(element)}`;
			// A card shows the focus of its link.
			const shown = [element, element.closest('.card')].some((one) => {
				if (!one) return false;
				// The map draws a line around the state.
				if (one.matches('svg a')) return one.matches(':focus-visible');
				const { outlineStyle, outlineWidth } = getComputedStyle(one);
				return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
			});
			if (!shown) return `no focus to be seen: ${words(element)}`;
			const { top, bottom } = element.getBoundingClientRect();
			const header = document.querySelector('header')!;
			const above = getComputedStyle(element).position === 'fixed' || header.contains(element);
			const from = above ? 0 : header.getBoundingClientRect().bottom;
			if (bottom <= from || top >= innerHeight) return `hidden: ${words(element)}`;
			return '';
		},
	});
}
type Helpers = { unreached: () => string[]; arrive: () => string };

/** Pages of one layout are one: these are walked each time. */
const DAILY = ['/', '/blog/attention-in-plain-arithmetic'];

for (const path of walked) {
	const nightly = DAILY.includes(path) ? '' : ' @nightly';
	test(`${path} is walked by keyboard: all is reached, every focus is seen, nothing holds it${nightly}`, async ({
		page,
	}) => {
		await open(page, path);
		// Islands wake when they are seen, and some fetch links then: they are there before the walk begins.
		await walk(page);
		await page.evaluate(() => scrollTo(0, 0));
		const asleep = page.locator(
			'main astro-island:is([client=visible], [opts*=near])[ssr]:not([hidden] *)',
		);
		await expect(asleep).toHaveCount(0);
		await expect(page.locator('main .skeleton:visible')).toHaveCount(0);
		await page.evaluate(helpers);
		const faults: string[] = [];
		let steps = 0;
		for (; steps < 400; steps++) {
			await page.keyboard.press('Tab');
			const said = await page.evaluate(() => (window as unknown as Helpers).arrive());
			if (said === 'out' || said.startsWith('again')) break;
			if (said) faults.push(said);
		}
		expect(faults).toEqual([]);
		expect(steps).toBeGreaterThan(20);
		expect(await page.evaluate(() => (window as unknown as Helpers).unreached())).toEqual([]);
		await page.keyboard.press('Shift+Tab');
		expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
	});
}

test('the first Tab leads past the header, into the page', async ({ page }) => {
	await open(page, '/about');
	await page.keyboard.press('Tab');
	const skip = page.getByRole('link', { name: 'Skip to content' });
	await expect(skip).toBeFocused();
	await expect(skip).toBeInViewport();
	await page.keyboard.press('Enter');
	await expect(page.locator('main')).toBeFocused();
});

test.describe('at 400 percent zoom', () => {
	// 1280 by 1024 pixels at four times the size.
	test.use({ viewport: { width: 320, height: 256 } });

	for (const path of [...examplesOf(PAGES), '/nowhere']) {
		test(`${path} needs no scrolling sideways @nightly`, async ({ page, consoleErrors }) => {
			await open(page, path);
			const overflow = await page.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			expect(overflow).toBeLessThanOrEqual(0);
			consoleErrors.splice(0, path === '/nowhere' ? 1 : 0);
		});
	}
});

test('the page behind an open dialog does not scroll, and does not move', async ({ page }) => {
	await open(page, '/about');
	const heading = page.getByRole('heading', { level: 1 });
	const before = (await heading.boundingBox())!;
	await page.keyboard.press('/');
	await expect(page.getByRole('dialog', { name: 'Search Articles' })).toBeVisible();
	await page.mouse.move(5, 600);
	const turned = await page.evaluateHandle(() => ({
		wheel: new Promise((resolve) => addEventListener('wheel', resolve, { once: true })),
	}));
	await page.mouse.wheel(0, 800);
	await turned.evaluate(async ({ wheel }) => void (await wheel));
	await framesOf(page, 2);
	expect(await page.evaluate(() => scrollY)).toBe(0);
	expect(await heading.boundingBox()).toEqual(before);
	await page.keyboard.press('Escape');
	await expect(page.getByRole('dialog')).toBeHidden();
	// A wheel that turns while the page is being released may be lost.
	await expect(async () => {
		await page.mouse.wheel(0, 800);
		expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
	}).toPass();
});
