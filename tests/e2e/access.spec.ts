import AxeBuilder from '@axe-core/playwright';
import { examplesOf, PAGES } from '#src/site.ts';
import { expect, laidOut, test } from './fixtures.ts';

const ADDRESSES = [...examplesOf(PAGES), '/search?q=attention'];
/** Pages with controls that others do not have: their targets are measured each time. */
const DAILY = ['/', '/blog/attention-in-plain-arithmetic', '/ai-best-practices'];

test.describe('on a phone', () => {
	test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

	for (const path of ADDRESSES) {
		const nightly = DAILY.includes(path) ? '' : ' @nightly';
		test(`every target of ${path} is large enough or far enough from others${nightly}`, async ({
			page,
		}) => {
			await page.goto(path);
			if (path === '/admin') await page.getByRole('button', { name: 'Sign in' }).waitFor();
			// A page that is laid out meanwhile moves what is measured.
			await laidOut(page);
			const { violations, passes } = await new AxeBuilder({ page })
				.withRules(['target-size'])
				// No frames are looked into, which spares a second page: the site has none.
				.setLegacyMode()
				.analyze();
			expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
			expect(passes.flatMap(({ nodes }) => nodes).length).toBeGreaterThan(5);
		});
	}
});

test('who wants less motion gets none', async ({ page }) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	for (const path of ['/', '/blog/attention-in-plain-arithmetic', '/ai-best-practices']) {
		await page.goto(path);
		const longest = () =>
			page.evaluate(() => {
				const times = [...document.querySelectorAll('*')].flatMap((element) => {
					const { animationDuration, transitionDuration, animationTimeline } = getComputedStyle(
						element,
					) as CSSStyleDeclaration & { animationTimeline?: string };
					// Tied to scrolling, it moves only as the reader does.
					const animation = animationTimeline?.startsWith('scroll') ? '0s' : animationDuration;
					return [animation, transitionDuration].join(',').split(',').map(parseFloat);
				});
				return Math.max(...times);
			});
		expect(await longest(), path).toBeLessThanOrEqual(0.001);
		await page.keyboard.press('/');
		await expect(page.getByRole('dialog')).toBeVisible();
		expect(await longest(), `${path} with a dialog`).toBeLessThanOrEqual(0.001);
	}
});

test('a loading row stands still for who wants less motion @nightly', async ({ page }) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.goto('/search');
	await page.route('**/api/search*', () => {});
	await page.getByLabel('Search articles').and(page.locator('input')).last().fill('attention');
	const row = page.locator('.skeleton').first();
	await expect(row).toBeVisible();
	await expect(row).toHaveCSS('animation-iteration-count', '1');
});

test.describe('in forced colors', () => {
	for (const path of [
		'/',
		'/blog/attention-in-plain-arithmetic',
		'/newsletter',
		'/ai-best-practices',
	]) {
		const nightly = path === '/' ? '' : ' @nightly';
		test(`${path} keeps the edges of its controls and shows the focus${nightly}`, async ({
			page,
		}) => {
			await page.emulateMedia({ forcedColors: 'active' });
			await page.goto(path);
			const bare = await page.evaluate(() =>
				[...document.querySelectorAll('input[type=email], input[type=text], select, .button')]
					.filter((element) => element.checkVisibility() && !element.matches('.sr-only'))
					.filter((element) => {
						const { borderTopWidth, borderBottomWidth } = getComputedStyle(element);
						return parseFloat(borderTopWidth) + parseFloat(borderBottomWidth) === 0;
					})
					.map((element) => element.outerHTML.slice(0, 120)),
			);
			expect(bare).toEqual([]);
			for (let step = 0; step < 12; step++) {
				await page.keyboard.press('Tab');
				const outline = await page.evaluate(() => {
					const focused = document.activeElement!;
					// The map draws a frame around the state.
					if (focused.closest('svg')) return true;
					const shown = focused.closest('.frame') ?? focused;
					return [focused, shown, focused.querySelector('*') ?? focused].some((one) => {
						const { outlineStyle, outlineWidth } = getComputedStyle(one);
						const after = getComputedStyle(one, '::after');
						return (
							(outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) ||
							(after.outlineStyle !== 'none' && parseFloat(after.outlineWidth) >= 2)
						);
					});
				});
				expect(outline, `focus ${step} of ${path}`).toBe(true);
			}
		});
	}
});

test('what changes by itself is told @nightly', async ({ page }) => {
	await page.goto('/blog');
	await page.getByLabel('Sort').selectOption('trending');
	await expect(
		page.locator('[aria-live=polite]').filter({ hasText: /^\d+ Articles?$/ }),
	).toBeVisible();
	await page.goto('/ai-best-practices/compare');
	await page.getByLabel('First state').selectOption('ohio');
	await expect(page.getByRole('status').filter({ hasText: 'Comparing' })).toContainText('Ohio');
	await page.goto('/search?q=zzzzzzz');
	await expect(page.getByRole('status').filter({ hasText: 'No articles found for' })).toBeVisible();
});
