import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** The largest sum of layout shifts, as browsers measure them, of a page that is called steady. */
const LIMIT = 0.02;

type Shift = PerformanceEntry & {
	value: number;
	hadRecentInput: boolean;
	sources: { node: Element | null }[];
};

/** Adds up what moves by itself on each page that is opened, and remembers what that was. */
async function watchShifts(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const moved: string[] = [];
		Object.assign(window, { moved, shift: 0 });
		new PerformanceObserver((list) => {
			for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
				if (hadRecentInput) continue;
				(window as unknown as { shift: number }).shift += value;
				for (const { node } of sources)
					moved.push(
						`${node?.nodeName} ${node?.id ?? ''} ${node?.className ?? ''} ${value.toFixed(3)}`,
					);
			}
		}).observe({ type: 'layout-shift', buffered: true });
	});
}

const shiftsOf = (page: Page) =>
	page.evaluate(() => {
		const { shift, moved } = window as unknown as { shift: number; moved: string[] };
		return { shift, moved };
	});

/** Scrolls to the end by steps of half a window, and returns the heights that the page had meanwhile. */
async function scrollDown(page: Page): Promise<number[]> {
	return page.evaluate(async () => {
		const heights = new Set<number>();
		const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
		for (;;) {
			heights.add(document.documentElement.scrollHeight);
			const before = scrollY;
			scrollBy({ top: innerHeight / 2, behavior: 'instant' });
			await frame();
			await frame();
			if (scrollY === before) return [...heights];
		}
	});
}

// No other test comments on these articles meanwhile.
const PATHS = [
	'/',
	'/blog',
	'/blog/sets-that-keep-a-promise',
	'/blog/two-link-arm-kinematics',
	'/category/machine-learning',
	'/ai-best-practices',
	'/ai-best-practices/california',
	'/ai-best-practices/compare',
	'/newsletter',
	'/contact',
	'/privacy',
	'/search?q=attention',
];
/** Those on which most is loaded late: pages of each time. */
const DAILY = ['/', '/blog', '/blog/two-link-arm-kinematics', '/newsletter', '/search?q=attention'];

for (const [name, viewport] of Object.entries({
	phone: { width: 390, height: 844 },
	desktop: { width: 1440, height: 900 },
})) {
	test.describe(`on a ${name}`, () => {
		test.use({ viewport });

		// Each night on a desktop as well.
		const nightly = name === 'phone' ? '' : ' @nightly';
		test(`no page moves by itself while it loads and is scrolled${nightly}`, async ({ page }) => {
			test.setTimeout(300_000);
			await watchShifts(page);
			// Who has read articles is recommended others at the end of the next one.
			await page.addInitScript(() => localStorage.clear());
			for (const path of process.env['TESTS'] === 'daily' ? DAILY : PATHS) {
				await page.goto(path);
				if (path.startsWith('/search'))
					await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
				const heights = await scrollDown(page);
				const { shift, moved } = await shiftsOf(page);
				expect.soft(shift, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(LIMIT);
				expect.soft(heights, path).toHaveLength(1);
			}
		});

		test('the list of what was saved does not move while it comes @nightly', async ({ page }) => {
			for (const path of ['/blog/bm25-baseline', '/blog/attention-in-plain-arithmetic']) {
				await page.goto(path);
				await page.locator('[data-save]').first().click();
				await expect(page.locator('[data-save]').first()).toHaveAttribute('aria-pressed', 'true');
			}
			await watchShifts(page);
			await page.goto('/saved');
			await expect(page.getByRole('link', { name: 'Attention in plain arithmetic' })).toBeVisible();
			await scrollDown(page);
			const { shift, moved } = await shiftsOf(page);
			expect(shift, moved.join(', ')).toBeLessThanOrEqual(LIMIT);
		});
	});
}
